#pragma once
// From the files of one profile to the line that a list shows of it.
#include <span>
#include <string>

#include "core/ingest/profile_listing.hpp"
#include "core/ingest/profile_listing_file.hpp"

namespace warpscope::ingest {

/// `files`: what was found in it, traces looked into. The earliest file of metrics and of timelines of each node is
/// looked into here. `now`: since the Unix epoch.
[[nodiscard]] FoundProfile sum_up(const std::string& path, std::span<const ListedFile> files, Ns now,
                                  const ListingLimits& limits);

/// A converted file; opened, but nothing of its slices is read.
[[nodiscard]] FoundProfile sum_up_converted(const ListedFile& file);

}  // namespace warpscope::ingest
