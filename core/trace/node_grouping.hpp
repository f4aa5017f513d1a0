#pragma once
// Which ranks ran on the same host. In this order of trust: SageMaker's own `algo-N` folder, the host name in a file's
// metadata or its name, a sub-folder per host where that separates devices of the same number, and else the devices
// themselves: a device number that comes again must be on another host. With nothing to go by there is one node.
#include <memory>
#include <string>
#include <vector>

#include "core/trace/rank.hpp"

namespace warpscope::trace {

struct NodeGroup {
  std::string label;                 ///< SageMaker's label ("algo-2"), or empty
  std::string host;                  ///< real name, or empty
  std::string key;                   ///< what the group was formed by
  std::vector<std::uint32_t> ranks;  ///< indices into the input, ascending
};

/// Groups in the order they are shown: by SageMaker's number, else by host name, else by first rank.
/// `root`: the directory that was opened; only folders below it are looked at.
[[nodiscard]] std::vector<NodeGroup> group_ranks_by_node(const std::vector<std::shared_ptr<const Rank>>& ranks,
                                                         const std::string& root);

}  // namespace warpscope::trace
