#pragma once
// Groups ranks by host. In order of preference: SageMaker's `algo-N` folder; the host name in a file's metadata or
// name; a subfolder per host if that separates devices with the same number; else the devices themselves, because a
// repeated device number must be on a different host. Without any of these there is one node.
#include <memory>
#include <string>
#include <vector>

#include "core/trace/rank.hpp"

namespace warpscope::trace {

struct NodeGroup {
  std::string label;                 ///< SageMaker's label ("algo-2"), or empty
  std::string host;                  ///< real name, or empty
  std::string key;                   ///< value by which the group was formed
  std::vector<std::uint32_t> ranks;  ///< indices into the input, ascending
};

/// Returns the groups in display order: by SageMaker's number, else by host name, else by first rank. `root`: the
/// opened directory; only folders below it are considered.
[[nodiscard]] std::vector<NodeGroup> group_ranks_by_node(const std::vector<std::shared_ptr<const Rank>>& ranks,
                                                         const std::string& root);

}  // namespace warpscope::trace
