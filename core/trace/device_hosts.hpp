#pragma once
// Assigns ranks without a known host to hosts by their devices: a repeated device number must be on a different host.
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/trace/rank.hpp"

namespace warpscope::trace {

/// Assigns each of `members` (indices into `ranks`, by ascending rank number) to the first host where no rank with
/// another number has taken any of its devices. Several files of one rank are duplicates, not hosts.
///
/// For each device number, the taken hosts form runs; a union-find over them maps any host to the first free one after
/// its run. For a rank with several devices, the search repeats over its devices until all agree. O(n log n) for n
/// devices of ranks, if any two hosts have the same device numbers or none in common.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> split_by_devices(
    const std::vector<std::shared_ptr<const Rank>>& ranks, std::span<const std::uint32_t> members);

}  // namespace warpscope::trace
