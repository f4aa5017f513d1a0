#pragma once
// Calls grouped by their path from the outermost caller: the tree of a profiler and of flame graphs. Equal paths of all
// threads and ranks share a node. Paths consist of operators, annotations and runtime calls; with Python stacks or
// nn.Modules, they consist of those frames and the operators and calls inside them, without annotations.
//
// Time that a frame or module spends outside events is its self time. O(n log n) in the slices of the host.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/request/registry.hpp"

namespace warpscope::analysis {

enum class PathsBy : std::uint8_t { op, python, module };

struct CallPathNode {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  std::string_view name;
  std::uint32_t parent = kNone;
  std::uint32_t depth = 0;
  std::uint64_t calls = 0;
  Ns self_cpu = 0;
  Ns cpu_total = 0;
  Ns self_device = 0;  ///< GPU activity launched by the node itself
  Ns device_total = 0;
  std::int64_t self_memory =
      0;  ///< bytes that the node itself allocates on the host and on devices, whether freed or not
  std::int64_t memory_total = 0;
};

struct CallPaths {
  std::vector<CallPathNode> nodes;  ///< parents before children
  bool with_memory = false;         ///< allocations were requested, and the traces record them
  std::string unread;               ///< why allocations of some ranks are missing
  bool recorded = false;            ///< the traces have the requested frames; true for PathsBy::op
};

/// `memory`: also sums allocations, which requires reading their arguments.
[[nodiscard]] CallPaths call_paths(const AnalysisInput& input, PathsBy by, bool memory = false);

/// Returns the same calls grouped by path from the innermost call: children are callers. The totals of a node are the
/// self times of the calls at the end of its path.
[[nodiscard]] CallPaths callers_of(const CallPaths& paths);

/// Returns the nodes depth first, children with a larger `total` first; leaves out nodes below `least`.
[[nodiscard]] std::vector<std::uint32_t> tree_order(const CallPaths& paths, Ns CallPathNode::*total, Ns least);

}  // namespace warpscope::analysis
