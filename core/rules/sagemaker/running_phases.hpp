#pragma once
// What the training processes do at given moments: the phases of their framework timelines, as AWS's report shows them
// for CPU and I/O bottlenecks.
#include <optional>
#include <vector>

#include "core/rules/facts.hpp"
#include "core/rules/rule.hpp"

namespace warpscope::rules {

/// Moments of a node.
struct NodeMoments {
  std::uint32_t node = 0;  ///< index into Profile::nodes
  std::vector<Ns> times;   ///< ascending
};

/// Shares of these moments at which a process of the node is in each phase; phases nest, so shares add up to more than
/// one. Nullopt without framework timelines at these moments. O(slices + moments · phases · log).
[[nodiscard]] std::optional<Detail> running_phases(Facts& facts, const std::vector<NodeMoments>& moments);

}  // namespace warpscope::rules
