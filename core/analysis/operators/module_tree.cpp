#include "core/analysis/operators/module_tree.hpp"

#include <map>
#include <utility>

#include "core/analysis/operators/event_keys.hpp"
#include "core/analysis/operators/python_stacks.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/base/ascii.hpp"

namespace warpscope::analysis {

namespace {

class ModuleTreeBuilder {
 public:
  explicit ModuleTreeBuilder(const AnalysisInput& input) : input_(input) {}

  void add_rank(std::uint32_t r, const GpuRows::Rows& rows) {
    const trace::Rank& rank = *input_.profile.ranks[r];
    const HostEvents host(input_, r, rows, {});
    const PythonStacks stacks(input_, r, host.events(),
                              [](std::string_view frame) { return !module_of_frame(frame).empty(); });
    for (const GpuRow& row : rows) tree_.gpu_time = saturating_add(tree_.gpu_time, row.time.length());
    tree_.recorded = tree_.recorded || stacks.recorded();
    std::vector<std::uint32_t> node_of(stacks.nodes(), ModuleNode::kNone);
    for (std::uint32_t n = 1; n < stacks.nodes(); ++n) {
      node_of[n] = shared_node(node_of[stacks.parent(n)], stacks.name(n));
      ModuleNode& node = tree_.nodes[node_of[n]];
      node.calls += stacks.calls(n);
      node.host_total = saturating_add(node.host_total, stacks.time(n));
    }
    add_device_time(rank, host.events(), stacks.of_events(), node_of);
  }

  ModuleTree take() {
    for (ModuleNode& node : tree_.nodes) {
      node.host_self = node.host_total;
      node.device_total = node.device_self;
      node.backward_total = node.backward_self;
    }
    for (std::size_t n = tree_.nodes.size(); n-- > 0;) {
      const ModuleNode& node = tree_.nodes[n];
      if (node.parent == ModuleNode::kNone) continue;
      ModuleNode& parent = tree_.nodes[node.parent];
      parent.host_self -= node.host_total;
      parent.device_total = saturating_add(parent.device_total, node.device_total);
      parent.backward_total = saturating_add(parent.backward_total, node.backward_total);
    }
    return std::move(tree_);
  }

 private:
  std::uint32_t shared_node(std::uint32_t parent, NameId name) {
    const auto [entry, fresh] = index_.try_emplace({parent, name}, static_cast<std::uint32_t>(tree_.nodes.size()));
    if (fresh)
      tree_.nodes.push_back({.name = module_of_frame(input_.profile.names().view(name)),
                             .parent = parent,
                             .depth = parent == ModuleNode::kNone ? 0 : tree_.nodes[parent].depth + 1});
    return entry->second;
  }

  void add_device_time(const trace::Rank& rank, const std::vector<HostEvent>& events,
                       const std::vector<std::uint32_t>& stack_of, const std::vector<std::uint32_t>& node_of) {
    std::map<trace::SliceOrdinal, std::uint32_t> module_of_slice;
    for (std::size_t e = 0; e < events.size(); ++e)
      if (node_of[stack_of[e]] != ModuleNode::kNone) module_of_slice.emplace(events[e].slice, node_of[stack_of[e]]);
    // The forward operator of an event or of the nearest event around it. Parents come first.
    std::vector<std::uint32_t> backward_of(events.size(), ModuleNode::kNone);
    for (std::size_t e = 0; e < events.size(); ++e) {
      if (const trace::Connection* const forward = rank.forward_backward.cause_of(events[e].slice)) {
        if (const auto found = module_of_slice.find(forward->from); found != module_of_slice.end())
          backward_of[e] = found->second;
      } else if (events[e].parent != HostEvent::kNone) {
        backward_of[e] = backward_of[events[e].parent];
      }
      if (events[e].self_device == 0) continue;
      if (const std::uint32_t own = node_of[stack_of[e]]; own != ModuleNode::kNone)
        tree_.nodes[own].device_self = saturating_add(tree_.nodes[own].device_self, events[e].self_device);
      else if (backward_of[e] != ModuleNode::kNone)
        tree_.nodes[backward_of[e]].backward_self =
            saturating_add(tree_.nodes[backward_of[e]].backward_self, events[e].self_device);
    }
  }

  const AnalysisInput& input_;
  ModuleTree tree_;
  std::map<std::pair<std::uint32_t, NameId>, std::uint32_t> index_;
};

}  // namespace

ModuleTree module_tree(const AnalysisInput& input) {
  const StringTable& names = input.profile.names();
  bool any = false;
  for (NameId id = 0; id < names.size() && !any; ++id) any = !module_of_frame(names.view(id)).empty();
  if (!any) {
    const trace::Categories& categories = input.profile.dictionary->categories;
    ModuleTree none;
    for (std::size_t id = 0; id < categories.size(); ++id)
      none.recorded = none.recorded || categories.role(static_cast<trace::CategoryId>(id)) == trace::Role::python;
    return none;
  }
  const GpuRows rows(input.profile, input.scope, {}, input.cancel, input.shared);
  ModuleTreeBuilder builder(input);
  for (const std::uint32_t r : rows.ranks()) {
    if (cancelled(input.cancel)) break;
    builder.add_rank(r, *rows.of(r));
  }
  return builder.take();
}

std::string_view class_of_module(std::string_view module) {
  std::size_t end = module.size();
  while (end > 0 && is_digit(module[end - 1])) --end;
  return end > 1 && end < module.size() && module[end - 1] == '_' ? module.substr(0, end - 1) : module;
}

}  // namespace warpscope::analysis
