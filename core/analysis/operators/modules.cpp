// modules: the tree of nn.Modules, with their time on the host and on GPUs.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "core/analysis/operators/module_tree.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis::registered::modules {

namespace {

Ns gpu_time(const ModuleNode& node) { return saturating_add(node.device_total, node.backward_total); }

/// Depth first, children with more GPU time before others.
std::vector<std::uint32_t> in_order(const ModuleTree& tree) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> children;
  for (std::uint32_t n = 0; n < tree.nodes.size(); ++n) children[tree.nodes[n].parent].push_back(n);
  for (auto& [parent, list] : children)
    std::ranges::stable_sort(list, std::greater(), [&](std::uint32_t n) {
      return std::pair(gpu_time(tree.nodes[n]), tree.nodes[n].host_total);
    });
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> open = children[ModuleNode::kNone];
  std::ranges::reverse(open);
  while (!open.empty()) {
    const std::uint32_t next = open.back();
    open.pop_back();
    order.push_back(next);
    const std::vector<std::uint32_t>& below = children[next];
    open.insert(open.end(), below.rbegin(), below.rend());
  }
  return order;
}

std::string path_of(const ModuleTree& tree, std::uint32_t n) {
  std::string path(tree.nodes[n].name);
  for (std::uint32_t at = tree.nodes[n].parent; at != ModuleNode::kNone; at = tree.nodes[at].parent)
    path = std::string(tree.nodes[at].name) + '/' + path;
  return path;
}

std::vector<Column> time_columns() {
  return {{"calls", "", ColumnRole::count},
          {"GPU time", "", ColumnRole::total, {}, 1, 0, 1},
          {"share of GPU time", "", ColumnRole::share_of_gpu_time},
          {"forward total", "", ColumnRole::device_total, {}, 1, 0, 1},
          {"forward self", "", ColumnRole::self_device, {}, 1, 0, 1},
          {"backward total", "", ColumnKind::duration, std::string(), 1, 0, 1},
          {"backward self", "", ColumnKind::duration, std::string(), 1, 0, 1},
          {"host total", "", ColumnRole::cpu_total, {}, 1, 0, 2},
          {"host self", "", ColumnRole::self_cpu, {}, 1, 0, 2}};
}

/// Sums over the modules of a class.
struct ClassSum {
  std::set<std::string_view> modules;
  ModuleNode sum;
};

/// The class with most GPU time of its own.
std::string answer_of(std::string_view name, const ClassSum& sum, Ns own, Ns all) {
  if (own <= 0 || all <= 0) return "";
  return fmt::format("Modules of the class {} ({}) have most GPU time of their own: {} ({}).", name, sum.modules.size(),
                     format_duration(own), format_share(static_cast<double>(own) / static_cast<double>(all)));
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const ModuleTree tree = module_tree(input);
  const Ns all = tree.gpu_time;
  std::vector<Column> columns{{"module", "", ColumnRole::module}, {"depth", "", ColumnRole::depth}};
  for (Column& column : time_columns()) columns.push_back(std::move(column));
  columns.push_back({"path", "", ColumnKind::text});
  columns.push_back({std::string(kParentRow), "", ColumnRole::parent_row});
  Table table("modules", "Modules", std::move(columns));
  std::map<std::string_view, ClassSum> classes;
  ParentRows parents;
  for (const std::uint32_t n : in_order(tree)) {
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
  table.note = !tree.recorded ? "The traces have no modules: record them with profile(with_stack=True)."
                              : joined_notes({tree.nodes.empty() ? "No nn.Module ran here." : "",
                                              tree.nodes.empty() || all > 0 ? "" : "No GPU activity here."});
  Table by_class("module-classes", "Classes of modules, without nested modules",
                 {{"class", "", ColumnRole::module},
                  {"modules", "", ColumnKind::integer},
                  {"calls", "", ColumnRole::count},
                  {"GPU time", "", ColumnRole::total},
                  {"share of GPU time", "", ColumnRole::share_of_gpu_time},
                  {"forward self", "", ColumnRole::self_device},
                  {"backward self", "", ColumnKind::duration},
                  {"host self", "", ColumnRole::self_cpu}});
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

extern const Analysis kAnalysis{"modules",
                                "Modules",
                                "The tree of nn.Modules from the recorded Python stacks, with calls, GPU time launched "
                                "in the forward pass and by the backward pass of the same operators, and time on the "
                                "host. Self excludes nested modules. Also summed up by class.",
                                {},
                                run,
                                kCharts};

}  // namespace warpscope::analysis::registered::modules
