#pragma once
// Groups ranks by host, based on (in order of preference) SageMaker's `algo-N` folder; the host name in a file's
// metadata or name; per-host subfolders, if they separate devices with the same number; the device numbers, because a
// repeated number means a different host. If none of these is available, all ranks form one node.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/rank.hpp"

namespace warpscope::trace {

struct NodeGroup {
  std::string label;                 ///< SageMaker's label ("algo-2"), or empty
  std::string host;                  ///< real name, or empty
  std::string key;                   ///< value by which the group was formed
  std::vector<std::uint32_t> ranks;  ///< indices into the input, ascending
};

/// Returns the groups in display order: by SageMaker number if available, otherwise by host name, otherwise by first
/// rank. `root`: the opened directory; only folders under it are considered.
[[nodiscard]] std::vector<NodeGroup> group_ranks_by_node(const std::vector<std::shared_ptr<const Rank>>& ranks,
                                                         const std::string& root);

/// Assigns each of `members` (indices into `ranks`, by ascending rank number) to the first host where none of its
/// devices is taken by a rank with a different number. Multiple files for one rank are duplicates, not separate hosts.
///
/// For each device number, the taken hosts form runs; a union-find over them maps each host to the first free host
/// after its run. For a rank with several devices, the search repeats over its devices until all agree. O(n log n) for
/// n devices in total, if any two hosts have either identical or disjoint sets of device numbers.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> split_by_devices(
    const std::vector<std::shared_ptr<const Rank>>& ranks, std::span<const std::uint32_t> members);

/// Returns 12 for "algo-12"; nullopt for names that are not SageMaker node names.
[[nodiscard]] std::optional<std::int64_t> sagemaker_number(std::string_view name);

}  // namespace warpscope::trace
