#pragma once
// Summarizes a profile's files in one row of the list.
#include <cstdint>
#include <set>
#include <span>
#include <string>

#include "core/ingest/listing/profile_listing.hpp"
#include "core/ingest/listing/profile_listing_file.hpp"

namespace warpscope::ingest {

/// Remaining byte budget for reading compressed traces to find base times.
struct UnpackBudget {
  std::uint64_t file = 0;  ///< bytes on disk, per file
  std::uint64_t all = 0;   ///< bytes on disk, for all remaining files combined
  const CancelToken* cancel = nullptr;
};

/// "rank 3 of 8 is missing", "ranks 1, 5–7 of 8 are missing"; "" if none is.
[[nodiscard]] std::string missing_text(const std::set<std::int64_t>& present, std::int64_t world);

/// Summarizes a profile. `files`: the profile's files, with traces already inspected. Also inspects each node's
/// earliest metrics file and earliest timeline. `now`: ns since the Unix epoch.
[[nodiscard]] FoundProfile sum_up(const std::string& path, std::span<const ListedFile> files, Ns now,
                                  const ListingLimits& limits, UnpackBudget& budget);

/// Summarizes a converted file; opens it without reading slices.
[[nodiscard]] FoundProfile sum_up_converted(const ListedFile& file);

}  // namespace warpscope::ingest
