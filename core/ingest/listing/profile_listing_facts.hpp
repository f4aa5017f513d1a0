#pragma once
// From the files of one profile to the line that a list shows of it.
#include <cstdint>
#include <set>
#include <span>
#include <string>

#include "core/ingest/listing/profile_listing.hpp"
#include "core/ingest/listing/profile_listing_file.hpp"

namespace warpscope::ingest {

/// How much of compressed traces may still be read to their ends, for their base times.
struct UnpackBudget {
  std::uint64_t file = 0;  ///< bytes on disk, of one
  std::uint64_t all = 0;   ///< of all that are still to come
  const CancelToken* cancel = nullptr;
};

/// "rank 3 of 8 is missing", "ranks 1, 5–7 of 8 are missing"; "" if none is.
[[nodiscard]] std::string missing_text(const std::set<std::int64_t>& present, std::int64_t world);

/// `files`: what was found in it, traces looked into. The earliest file of metrics and of timelines of each node is
/// looked into here. `now`: since the Unix epoch.
[[nodiscard]] FoundProfile sum_up(const std::string& path, std::span<const ListedFile> files, Ns now,
                                  const ListingLimits& limits, UnpackBudget& budget);

/// A converted file; opened, but nothing of its slices is read.
[[nodiscard]] FoundProfile sum_up_converted(const ListedFile& file);

}  // namespace warpscope::ingest
