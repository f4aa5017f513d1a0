#pragma once
// The tree of nn.Modules that ran, with the time that each took on the host and launched on GPUs. Modules are frames of
// the recorded Python stacks ("nn.Module: Linear_3"), so this is a call tree: a module that is called from two places
// has two nodes. Equal paths of all ranks share a node.
//
// GPU time of the backward pass belongs to the module of the forward operator, found through the arrows that the
// profiler records between the two. O(n log n) in the slices of the host.
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/analysis/request/registry.hpp"

namespace warpscope::analysis {

struct ModuleNode {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  std::string_view name;  ///< "Linear_3"
  std::uint32_t parent = kNone;
  std::uint32_t depth = 0;
  std::uint64_t calls = 0;
  Ns host_total = 0;
  Ns host_self = 0;     ///< without nested modules
  Ns device_total = 0;  ///< GPU activity launched in the module
  Ns device_self = 0;
  Ns backward_total = 0;  ///< GPU activity of the backward pass of its operators
  Ns backward_self = 0;
};

struct ModuleTree {
  std::vector<ModuleNode> nodes;  ///< parents before children
  Ns gpu_time = 0;                ///< of all GPU activity, including activity outside modules
  bool recorded = false;          ///< the traces have Python stacks
};

[[nodiscard]] ModuleTree module_tree(const AnalysisInput& input);

/// Returns "Linear" for "Linear_3".
[[nodiscard]] std::string_view class_of_module(std::string_view module);

}  // namespace warpscope::analysis
