// modules: the tree of nn.Modules, with their time on the host and on GPUs.
//
// Builds the tree of nn.Modules that ran, with the host time of each and the GPU time it launched. Modules are frames
// of the recorded Python stacks ("nn.Module: Linear_3"), so this is a tree of calls: a module called from two places
// has two nodes. Equal paths on all ranks share a node.
//
// Kernels in CUDA graphs are attributed to the module that was annotated during the capture. Its qualified name,
// "layers.0.mlp", is a path in the tree.
//
// GPU time of the backward pass is attributed to the module of the forward operator; the profiler records the forward
// operator of each backward operator. O(n log n) in the slices of the host.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/operators/event_keys.hpp"
#include "core/analysis/operators/python_stacks.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/base/ascii.hpp"
#include "core/base/format.hpp"
#include "core/base/parse_number.hpp"

namespace warpscope::analysis::registered::modules {

namespace {

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
  TextIds texts;                  ///< owns the names from CUDA graphs
  Ns gpu_time = 0;                ///< of all GPU activity, including activity outside modules
  bool recorded = false;          ///< the traces have Python stacks
};

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

  /// Adds the kernels of CUDA graphs. Each launch of a graph calls its modules once.
  void add_graphs(const GpuRows::Rows& rows, const GraphModules& modules) {
    std::set<std::pair<std::uint32_t, trace::SliceOrdinal>> calls;
    for (const GpuRow& row : rows) {
      const auto module = modules.find(row.slice);
      if (module == modules.end()) continue;
      tree_.recorded = true;
      std::uint32_t node = ModuleNode::kNone;
      for (const std::string_view part : parts_of(module->second, ".")) node = shared_node(node, part);
      if (node == ModuleNode::kNone) continue;
      if (calls.emplace(node, *row.launch).second) ++tree_.nodes[node].calls;
      tree_.nodes[node].device_self = saturating_add(tree_.nodes[node].device_self, row.time.length());
    }
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
    return shared_node(parent, module_of_frame(input_.profile.names().view(name)));
  }
  std::uint32_t shared_node(std::uint32_t parent, std::string_view module) {
    const std::uint32_t text = tree_.texts.intern(module);
    const auto [entry, fresh] = index_.try_emplace({parent, text}, static_cast<std::uint32_t>(tree_.nodes.size()));
    if (fresh)
      tree_.nodes.push_back({.name = tree_.texts.view(text),
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
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> index_;  // by parent and text
};

ModuleTree module_tree(const AnalysisInput& input) {
  const StringTable& names = input.profile.names();
  bool any = false;
  bool graphs = false;
  for (NameId id = 0; id < names.size() && !(any && graphs); ++id) {
    any = any || !module_of_frame(names.view(id)).empty();
    graphs = graphs || is_graph_launch(names.view(id));
  }
  if (!any && !graphs) {
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
    const auto of_rank = rows.of(r);
    builder.add_rank(r, *of_rank);
    if (!graphs) continue;
    if (const auto modules = graph_modules_of(input, r, *of_rank)) builder.add_graphs(*of_rank, *modules);
  }
  return builder.take();
}

/// Returns "Linear" for "Linear_3".
std::string_view class_of_module(std::string_view module) {
  std::size_t end = module.size();
  while (end > 0 && is_digit(module[end - 1])) --end;
  return end > 1 && end < module.size() && module[end - 1] == '_' ? module.substr(0, end - 1) : module;
}

Ns gpu_time(const ModuleNode& node) { return saturating_add(node.device_total, node.backward_total); }

std::string path_of(const ModuleTree& tree, std::uint32_t n) {
  std::string path(tree.nodes[n].name);
  for (std::uint32_t at = tree.nodes[n].parent; at != ModuleNode::kNone; at = tree.nodes[at].parent)
    path = std::string(tree.nodes[at].name) + '/' + path;
  return path;
}

std::vector<Column> time_columns() {
  return {Column("calls", col::count),
          Column("GPU time", col::total).alike(),
          col::share_of_gpu_time,
          Column("forward total", col::device_total).alike(),
          Column("forward self", col::self_device).alike(),
          col::ns("backward total").alike(),
          col::ns("backward self").alike(),
          Column("host total", col::cpu_total).alike(2),
          Column("host self", col::self_cpu).alike(2)};
}

/// Sums over the modules of a class.
struct ClassSum {
  std::set<std::string_view> modules;
  ModuleNode sum;
};

/// Returns a sentence about the class with the most GPU self time.
std::string answer_of(std::string_view name, const ClassSum& sum, Ns own, Ns all) {
  if (own <= 0 || all <= 0) return "";
  return fmt::format("Modules of class {} ({}) have the most GPU self time: {} ({}).", name, sum.modules.size(),
                     format_duration(own), format_share(static_cast<double>(own) / static_cast<double>(all)));
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const ModuleTree tree = module_tree(input);
  const Ns all = tree.gpu_time;
  std::vector<Column> columns{col::module, col::depth};
  for (Column& column : time_columns()) columns.push_back(std::move(column));
  columns.push_back(col::text("path"));
  columns.push_back(Column(std::string(kParentRow), col::parent_row));
  Table table("modules", "Modules", std::move(columns));
  std::map<std::string_view, ClassSum> classes;
  ParentRows parents;
  const auto size_of = [](const ModuleNode& node) { return std::pair(gpu_time(node), node.host_total); };
  for (const std::uint32_t n : depth_first(tree.nodes, size_of)) {
    const ModuleNode& node = tree.nodes[n];
    table.add_row({node.name, node.depth, node.calls, gpu_time(node), share_of(gpu_time(node), all), node.device_total,
                   node.device_self, node.backward_total, node.backward_self, node.host_total, node.host_self,
                   path_of(tree, n), parents.next(node.depth)});
    ClassSum& sum = classes[class_of_module(node.name)];
    sum.modules.insert(node.name);
    sum.sum.calls += node.calls;
    sum.sum.device_self = saturating_add(sum.sum.device_self, node.device_self);
    sum.sum.backward_self = saturating_add(sum.sum.backward_self, node.backward_self);
    sum.sum.host_self = saturating_add(sum.sum.host_self, node.host_self);
  }
  table.note = !tree.recorded
                   ? not_recorded_note(input.profile, input.scope, "The traces have no modules",
                                       "to record them, use profile(with_stack=True)")
                   : joined_notes({tree.nodes.empty() ? "No nn.Modules in this selection." : "",
                                   tree.nodes.empty() || all > 0 ? "" : "No GPU activity in this selection."});
  Table by_class("module-classes", "Module classes, excluding nested modules",
                 {Column("class", col::module), col::integer("modules"), Column("calls", col::count),
                  Column("GPU time", col::total), col::share_of_gpu_time, Column("forward self", col::self_device),
                  col::ns("backward self"), Column("host self", col::self_cpu)});
  std::vector<std::pair<std::string_view, const ClassSum*>> order;
  for (const auto& [name, sum] : classes) order.emplace_back(name, &sum);
  const auto self_time = [](const ClassSum& of) { return saturating_add(of.sum.device_self, of.sum.backward_self); };
  std::ranges::stable_sort(order, std::greater(), [&](const auto& each) { return self_time(*each.second); });
  for (const auto& [name, sum] : order)
    by_class.add_row({name, sum->modules.size(), sum->sum.calls, self_time(*sum), share_of(self_time(*sum), all),
                      sum->sum.device_self, sum->sum.backward_self, sum->sum.host_self});
  if (!order.empty())
    table.note = joined_notes(
        {answer_of(order.front().first, *order.front().second, self_time(*order.front().second), all), table.note});
  by_class.note = table.note;
  return std::vector{std::move(table), std::move(by_class)};
}

constexpr std::array kCharts{ChartSpec{"modules", ChartKind::icicle}};

}  // namespace

extern const Analysis kAnalysis{
    "modules",
    "Modules",
    "Tree of nn.Modules from the recorded Python stacks and from annotations of CUDA graphs, with calls, GPU time of "
    "the forward pass and the "
    "corresponding backward pass, and host time. Self excludes nested modules. A second table sums times by module "
    "class.",
    {},
    run,
    kCharts};

}  // namespace warpscope::analysis::registered::modules
