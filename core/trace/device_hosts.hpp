#pragma once
// Ranks of unknown host, told apart by their devices: a number that comes again must be on another host.
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/trace/rank.hpp"

namespace warpscope::trace {

/// Puts each of `members` (indices into `ranks`, by ascending number of rank) on the first host where none of its
/// devices is taken by a rank of another number: several files of one rank are duplicates, not hosts.
///
/// Idea: of each device number, the hosts where it is taken form runs; a union-find over them leads from any host to
/// the first free one behind its run. What several devices of a rank agree on is found by asking them in turn. O(n log
/// n) for n devices of ranks, where hosts have the same device numbers or none in common.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> split_by_devices(
    const std::vector<std::shared_ptr<const Rank>>& ranks, std::span<const std::uint32_t> members);

}  // namespace warpscope::trace
