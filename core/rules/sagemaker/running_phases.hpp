#pragma once
// Share of sampled moments that the training processes spend in each phase of their framework timelines, as in AWS's
// report for CPU and I/O bottlenecks.
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

/// Returns the share of these moments at which a process of the node is in each phase. Phases nest, so shares may add
/// up to more than one. Nullopt without framework timelines at these moments. O(slices + moments · phases · log).
[[nodiscard]] std::optional<Detail> running_phases(Facts& facts, const std::vector<NodeMoments>& moments);

}  // namespace warpscope::rules
