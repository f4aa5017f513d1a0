// call_tree: calls by their path, from the outermost caller or from the innermost call, and stacks for flame graphs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>

#include "core/analysis/operators/call_paths.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis::registered::call_tree {

namespace {

constexpr std::array<std::string_view, 3> kStacks{"operator", "python", "module"};
constexpr std::array<std::string_view, 2> kDirections{"callees", "callers"};
constexpr std::array<std::string_view, 4> kMetrics{"cpu", "device", "memory", "calls"};
constexpr std::array kParameters{
    choice_parameter("stack", "what paths consist of: operators, and before them Python frames or modules", kStacks),
    choice_parameter("direction", "callees: from the outermost caller down; callers: from each call up", kDirections),
    choice_parameter("metric",
                     "what rows are sorted by and stacks are weighted with; memory: bytes allocated, freed or not",
                     kMetrics),
    real_parameter("least", "smallest share of the total that is listed", "0.001", 0, 1)};

/// One row per path: frames from the outermost to the innermost, and the weight of the innermost itself, in µs for
/// times. As text, a line each, as flame-graph tools read them. Semicolons in names would split a frame.
Table stacks_table(const CallPaths& paths, std::string_view metric) {
  const bool calls = metric == "calls";
  const bool memory = metric == "memory";
  Table table("stacks", "Stacks for flame graphs",
              {{"stack", "", ColumnKind::text},
               {calls ? "calls" : "weight",
                calls    ? ""
                : memory ? "B"
                         : "µs",
                ColumnKind::integer}});
  std::vector<std::string> path_of(paths.nodes.size());
  for (std::size_t n = 0; n < paths.nodes.size(); ++n) {
    const CallPathNode& node = paths.nodes[n];
    std::string name(node.name);
    for (char& c : name)
      if (c == ';' || c == '\n') c = ',';
    path_of[n] = node.parent == CallPathNode::kNone ? name : path_of[node.parent] + ';' + name;
    const std::int64_t weight = calls    ? static_cast<std::int64_t>(node.calls)
                                : memory ? node.self_memory
                                         : (metric == "device" ? node.self_device : node.self_cpu) / 1000;
    if (weight <= 0) continue;
    table.add_row({path_of[n], weight});
    table.text_layout += fmt::format("{} {}\n", path_of[n], weight);
  }
  return table;
}

/// The path that most time takes: from the largest root down as long as one call has most of its caller's time.
std::string hottest_path(const CallPaths& paths, Ns CallPathNode::*total, Ns all, std::string_view time) {
  constexpr double kMostOfCaller = 0.5;
  constexpr std::uint32_t kNone = CallPathNode::kNone;
  if (all <= 0) return "";
  std::vector<std::uint32_t> largest(paths.nodes.size(), kNone);  // child with most time, by caller
  std::uint32_t at = kNone;
  for (std::uint32_t n = 0; n < paths.nodes.size(); ++n) {
    const CallPathNode& node = paths.nodes[n];
    std::uint32_t& best = node.parent == kNone ? at : largest[node.parent];
    if (best == kNone || node.*total > paths.nodes[best].*total) best = n;
  }
  if (at == kNone || paths.nodes[at].*total <= 0) return "";
  std::vector<std::string_view> path{paths.nodes[at].name};
  for (std::uint32_t next = largest[at]; next != kNone; next = largest[at]) {
    if (static_cast<double>(paths.nodes[next].*total) < kMostOfCaller * static_cast<double>(paths.nodes[at].*total))
      break;
    at = next;
    path.push_back(paths.nodes[at].name);
  }
  constexpr std::size_t kShown = 3;  // innermost calls
  const std::span<const std::string_view> last = std::span(path).last(std::min(kShown, path.size()));
  return fmt::format("{}{} has {} of the {}.", path.size() > kShown ? "… > " : "", fmt::join(last, " > "),
                     format_share(static_cast<double>(paths.nodes[at].*total) / static_cast<double>(all)), time);
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const std::string& stack = input.values.text("stack");
  const std::string& metric = input.values.text("metric");
  const bool callers = input.values.text("direction") == "callers";
  const CallPaths down = call_paths(input,
                                    stack == "python"   ? PathsBy::python
                                    : stack == "module" ? PathsBy::module
                                                        : PathsBy::op,
                                    metric == "memory");
  const CallPaths paths = callers ? callers_of(down) : CallPaths(down);
  Ns cpu = 0;
  Ns device = 0;
  std::int64_t memory = 0;
  for (const CallPathNode& node : down.nodes) {
    cpu = saturating_add(cpu, node.self_cpu);
    device = saturating_add(device, node.self_device);
    memory = saturating_add(memory, node.self_memory);
  }
  const bool by_device = metric == "device";
  const bool by_memory = metric == "memory";
  Ns CallPathNode::*const total = by_device   ? &CallPathNode::device_total
                                  : by_memory ? &CallPathNode::memory_total
                                              : &CallPathNode::cpu_total;
  const Ns all = by_device ? device : by_memory ? memory : cpu;
  const auto least = static_cast<Ns>(input.values.real("least") * static_cast<double>(all));
  std::vector<Column> columns{
      {"name", "", ColumnRole::name},
      {"depth", "", ColumnRole::depth},
      {"calls", "", ColumnRole::count},
      {"CPU total", "", by_device || by_memory ? ColumnRole::cpu_total : ColumnRole::total, {}, 1, 0, 1},
      {"CPU share", "", ColumnKind::share},
      {"self CPU", "", ColumnRole::self_cpu, {}, 1, 0, 1},
      {"device total", "", by_device ? ColumnRole::total : ColumnRole::device_total, {}, 1, 0, 2},
      {"device share", "", ColumnKind::share},
      {"self device", "", ColumnRole::self_device, {}, 1, 0, 2},
      {std::string(kParentRow), "", ColumnRole::parent_row}};
  if (by_memory)
    columns.insert(columns.end(), {{"allocated", "", ColumnKind::bytes, ColumnRole::total},
                                   {"allocated share", "", ColumnKind::share},
                                   {"self allocated", "", ColumnKind::bytes}});
  Table table("call-tree", callers ? "Callers" : "Call tree", std::move(columns));
  ParentRows parents;
  const std::vector<std::uint32_t> order = tree_order(paths, total, std::max<Ns>(1, least));
  for (const std::uint32_t n : order) {
    const CallPathNode& node = paths.nodes[n];
    std::vector<Cell> cells{node.name,
                            node.depth,
                            node.calls,
                            node.cpu_total,
                            share_of(node.cpu_total, cpu),
                            node.self_cpu,
                            node.device_total,
                            share_of(node.device_total, device),
                            node.self_device,
                            parents.next(node.depth)};
    if (by_memory)
      cells.insert(cells.end(), {node.memory_total, share_of(node.memory_total, memory), node.self_memory});
    table.add_row(cells);
  }
  table.note = joined_notes(
      {hottest_path(paths, total, all,
                    by_device   ? "GPU time"
                    : by_memory ? "bytes allocated"
                                : "time on the host"),
       !down.unread.empty() ? "Cannot read allocations: " + down.unread : "",
       !by_memory || down.with_memory || down.nodes.empty() || !down.unread.empty()
           ? ""
           : "The traces do not record memory: record it with profile(profile_memory=True).",
       down.nodes.empty() ? "The traces have no operators." : "",
       down.recorded || down.nodes.empty() ? ""
       : stack == "module"                 ? "The traces have no modules: record them with profile(with_stack=True)."
                           : "The traces have no Python stacks: record them with profile(with_stack=True).",
       order.size() < paths.nodes.size()
           ? fmt::format("Shows {} of {} paths; least=0 shows all.", order.size(), paths.nodes.size())
           : ""});
  return std::vector{std::move(table), stacks_table(down, metric)};
}

constexpr std::array kCharts{ChartSpec{"call-tree", ChartKind::icicle}, ChartSpec{"stacks", ChartKind::none}};

}  // namespace

extern const Analysis kAnalysis{"call_tree",
                                "Call tree",
                                "Calls grouped by their path, with time on the host and GPU time, total and self: from "
                                "the outermost caller down or from each call up, by operator, Python frame or module.",
                                kParameters,
                                run,
                                kCharts};

}  // namespace warpscope::analysis::registered::call_tree
