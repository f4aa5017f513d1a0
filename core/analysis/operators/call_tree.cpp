// call_tree: calls by path, from the outermost caller or from the innermost call, and stacks for flame graphs.
//
// Groups calls by path from the outermost caller, as profilers and flame graphs do. Equal paths on all threads and
// ranks share a node. Paths consist of operators, annotations and runtime calls. With Python stacks or nn.Modules, they
// consist of those frames and the operators and calls inside them, without annotations.
//
// The self time of a frame or module is its time outside events. O(n log n) in the slices of the host.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/operators/event_keys.hpp"
#include "core/analysis/operators/host_events.hpp"
#include "core/analysis/operators/python_stacks.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis::registered::call_tree {

namespace {

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
};

struct CallPaths {
  std::vector<CallPathNode> nodes;  ///< parents before children
  bool recorded = false;            ///< the traces have the requested frames; true for PathsBy::op
};

constexpr std::uint32_t kNoPath = CallPathNode::kNone;
constexpr std::uint32_t kMostFrames = 512;

/// Adds nodes by parent and name.
class PathTree {
 public:
  std::uint32_t node(std::uint32_t parent, std::string_view name) {
    const auto [entry, fresh] = index_.try_emplace({parent, name}, static_cast<std::uint32_t>(paths.nodes.size()));
    if (fresh)
      paths.nodes.push_back(
          {.name = name, .parent = parent, .depth = parent == kNoPath ? 0 : paths.nodes[parent].depth + 1});
    return entry->second;
  }

  /// Adds the descendants of each node to its totals.
  CallPaths take() {
    for (CallPathNode& node : paths.nodes) {
      node.cpu_total = saturating_add(node.cpu_total, node.self_cpu);
      node.device_total = saturating_add(node.device_total, node.self_device);
    }
    for (std::size_t n = paths.nodes.size(); n-- > 0;) {
      const CallPathNode& node = paths.nodes[n];
      if (node.parent == kNoPath) continue;
      CallPathNode& parent = paths.nodes[node.parent];
      parent.cpu_total = saturating_add(parent.cpu_total, node.cpu_total);
      parent.device_total = saturating_add(parent.device_total, node.device_total);
    }
    return std::move(paths);
  }

  CallPaths paths;

 private:
  std::map<std::pair<std::uint32_t, std::string_view>, std::uint32_t> index_;
};

void add_paths(const AnalysisInput& input, std::uint32_t r, const GpuRows::Rows& rows, PathsBy by, PathTree& tree) {
  const HostEvents host(input, r, rows, {});
  const std::vector<HostEvent>& events = host.events();
  const StringTable& names = input.profile.names();
  std::optional<PythonStacks> stacks;
  std::vector<std::uint32_t> node_of_frame;
  if (by != PathsBy::op) {
    stacks.emplace(input, r, events,
                   [&](std::string_view frame) { return by == PathsBy::python || !module_of_frame(frame).empty(); });
    tree.paths.recorded = tree.paths.recorded || stacks->nodes() > 1;
    node_of_frame.resize(stacks->nodes(), kNoPath);
    for (std::uint32_t n = 1; n < stacks->nodes(); ++n) {
      const std::string_view frame = names.view(stacks->name(n));
      node_of_frame[n] =
          tree.node(node_of_frame[stacks->parent(n)], by == PathsBy::module ? module_of_frame(frame) : frame);
      CallPathNode& node = tree.paths.nodes[node_of_frame[n]];
      node.calls += stacks->calls(n);
      // Excludes the time of its frames and events.
      node.self_cpu = saturating_add(node.self_cpu, stacks->time(n));
      if (const std::uint32_t parent = node_of_frame[stacks->parent(n)]; parent != kNoPath)
        tree.paths.nodes[parent].self_cpu -= stacks->time(n);
    }
  }
  std::vector<std::uint32_t> node_of(events.size(), kNoPath);
  for (std::uint32_t e = 0; e < events.size(); ++e) {
    const HostEvent& event = events[e];
    if (event.merged) {
      node_of[e] = node_of[event.parent];
      continue;
    }
    // With frames, annotations are omitted because any frames inside them would have two parents.
    if (stacks && event.role == trace::Role::annotation) continue;
    std::uint32_t outer = event.parent;
    while (stacks && outer != HostEvent::kNone && node_of[outer] == kNoPath) outer = events[outer].parent;
    std::uint32_t parent = outer == HostEvent::kNone ? kNoPath : node_of[outer];
    // The inner of the two: the event around it, or a frame that started inside that event.
    if (stacks) {
      const std::uint32_t frame = stacks->of_events()[e];
      if (outer == HostEvent::kNone || frame != stacks->of_events()[outer]) {
        parent = node_of_frame[frame];
        if (parent != kNoPath) tree.paths.nodes[parent].self_cpu -= event.time.length();
      }
    }
    node_of[e] = tree.node(parent, listed_name(names.view(event.name)));
    CallPathNode& node = tree.paths.nodes[node_of[e]];
    ++node.calls;
    node.self_cpu = saturating_add(node.self_cpu, event.self());
    node.self_device = saturating_add(node.self_device, event.self_device);
  }
}

CallPaths call_paths(const AnalysisInput& input, PathsBy by) {
  const GpuRows rows(input.profile, input.scope, {}, input.cancel, input.shared);
  PathTree tree;
  tree.paths.recorded = by == PathsBy::op;
  for (const std::uint32_t r : rows.ranks()) {
    if (cancelled(input.cancel)) break;
    add_paths(input, r, *rows.of(r), by, tree);
  }
  // Frames and events that overlap without nesting may add up to more than the enclosing frame.
  for (CallPathNode& node : tree.paths.nodes) node.self_cpu = std::max<Ns>(0, node.self_cpu);
  return tree.take();
}

/// Returns the same calls grouped by path from the innermost call: children are callers. The totals of a node are the
/// self times of the calls at the end of its path.
CallPaths callers_of(const CallPaths& paths) {
  PathTree tree;
  tree.paths.recorded = paths.recorded;
  for (const CallPathNode& called : paths.nodes) {
    std::uint32_t at = kNoPath;
    for (const CallPathNode* step = &called;; step = &paths.nodes[step->parent]) {
      at = tree.node(at, step->name);
      CallPathNode& node = tree.paths.nodes[at];
      node.calls += called.calls;
      node.cpu_total = saturating_add(node.cpu_total, called.self_cpu);
      node.device_total = saturating_add(node.device_total, called.self_device);
      if (step->parent == kNoPath) break;
    }
  }
  for (CallPathNode& node : tree.paths.nodes) {
    node.self_cpu = node.cpu_total;
    node.self_device = node.device_total;
  }
  return std::move(tree.paths);
}

constexpr std::array<std::string_view, 3> kStacks{"operator", "python", "module"};
constexpr std::array<std::string_view, 2> kDirections{"callees", "callers"};
constexpr std::array<std::string_view, 3> kMetrics{"cpu", "device", "calls"};
constexpr std::array kParameters{
    choice_parameter("stack", "path contents: operators only, or also the enclosing Python frames or modules", kStacks),
    choice_parameter("direction", "callees: from the outermost caller down; callers: from each call up", kDirections),
    choice_parameter("metric", "metric for sorting rows and weighting stacks", kMetrics),
    real_parameter("least", "minimum fraction of the total for a path to be shown", "0.001", 0, 1)};

/// One row per path: frames from the outermost to the innermost, and the weight of the innermost itself, in µs for
/// times. As text, one line per path, as flame-graph tools expect. Semicolons in names would split a frame. Paths list
/// at most kMostFrames frames, because the text of deeper ones would grow with the square of the depth.
Table stacks_table(const CallPaths& paths, std::string_view metric) {
  const bool calls = metric == "calls";
  Table table("stacks", "Stacks for flame graphs",
              {col::text("stack"), {calls ? "calls" : "weight", calls ? "" : "µs", ColumnKind::integer}});
  std::vector<std::uint32_t> shown(paths.nodes.size());  // the node itself or, if it is too deep, its listed ancestor
  std::vector<std::int64_t> weights(paths.nodes.size());
  bool deeper = false;
  for (std::uint32_t n = 0; n < paths.nodes.size(); ++n) {
    const CallPathNode& node = paths.nodes[n];
    shown[n] = node.depth < kMostFrames ? n : shown[node.parent];
    deeper = deeper || shown[n] != n;
    const std::int64_t weight =
        calls ? static_cast<std::int64_t>(node.calls) : (metric == "device" ? node.self_device : node.self_cpu) / 1000;
    if (weight > 0) weights[shown[n]] = saturating_add(weights[shown[n]], weight);
  }
  std::vector<std::string> path_of(paths.nodes.size());
  for (std::uint32_t n = 0; n < paths.nodes.size(); ++n) {
    if (shown[n] != n) continue;
    const CallPathNode& node = paths.nodes[n];
    std::string name(node.name);
    for (char& c : name)
      if (c == ';' || c == '\n') c = ',';
    path_of[n] = node.parent == kNoPath ? name : path_of[node.parent] + ';' + name;
    if (weights[n] == 0) continue;
    table.add_row({path_of[n], weights[n]});
    table.text_layout += fmt::format("{} {}\n", path_of[n], weights[n]);
  }
  if (deeper)
    table.note =
        fmt::format("Stacks end after {} frames; the weight of deeper frames is added to the last one.", kMostFrames);
  return table;
}

/// Returns the path with the most time: starts at the largest root and descends while one call accounts for most of its
/// caller's time.
std::string hottest_path(const CallPaths& paths, Ns CallPathNode::*total, Ns all, std::string_view time) {
  constexpr double kMostOfCaller = 0.5;
  if (all <= 0) return "";
  std::vector<std::uint32_t> largest(paths.nodes.size(), kNoPath);  // child with the most time, by caller
  std::uint32_t at = kNoPath;
  for (std::uint32_t n = 0; n < paths.nodes.size(); ++n) {
    const CallPathNode& node = paths.nodes[n];
    std::uint32_t& best = node.parent == kNoPath ? at : largest[node.parent];
    if (best == kNoPath || node.*total > paths.nodes[best].*total) best = n;
  }
  if (at == kNoPath || paths.nodes[at].*total <= 0) return "";
  std::vector<std::string_view> path{paths.nodes[at].name};
  for (std::uint32_t next = largest[at]; next != kNoPath; next = largest[at]) {
    if (static_cast<double>(paths.nodes[next].*total) < kMostOfCaller * static_cast<double>(paths.nodes[at].*total))
      break;
    at = next;
    path.push_back(paths.nodes[at].name);
  }
  constexpr std::size_t kShown = 3;  // innermost calls
  const std::span<const std::string_view> last = std::span(path).last(std::min(kShown, path.size()));
  return fmt::format("{}{} accounts for {} of the {}.", path.size() > kShown ? "… > " : "", fmt::join(last, " > "),
                     format_share(static_cast<double>(paths.nodes[at].*total) / static_cast<double>(all)), time);
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const std::string& stack = input.values.text("stack");
  const std::string& metric = input.values.text("metric");
  const bool callers = input.values.text("direction") == "callers";
  const CallPaths down = call_paths(input, stack == "python"   ? PathsBy::python
                                           : stack == "module" ? PathsBy::module
                                                               : PathsBy::op);
  const CallPaths paths = callers ? callers_of(down) : CallPaths(down);
  Ns cpu = 0;
  Ns device = 0;
  for (const CallPathNode& node : down.nodes) {
    cpu = saturating_add(cpu, node.self_cpu);
    device = saturating_add(device, node.self_device);
  }
  const bool by_device = metric == "device";
  Ns CallPathNode::*const total = by_device ? &CallPathNode::device_total : &CallPathNode::cpu_total;
  const Ns all = by_device ? device : cpu;
  const auto least = static_cast<Ns>(input.values.real("least") * static_cast<double>(all));
  std::vector<Column> columns{
      col::name,
      col::depth,
      Column("calls", col::count),
      {"CPU total", "", by_device ? ColumnRole::cpu_total : ColumnRole::total, {}, 1, 0, 1},
      col::percent("CPU share"),
      Column(col::self_cpu).alike(),
      {"device total", "", by_device ? ColumnRole::total : ColumnRole::device_total, {}, 1, 0, 2},
      col::percent("device share"),
      Column(col::self_device).alike(2),
      Column(std::string(kParentRow), col::parent_row)};
  Table table("call-tree", callers ? "Callers" : "Call tree", std::move(columns));
  ParentRows parents;
  std::vector<std::uint32_t> order = depth_first(paths.nodes, [&](const CallPathNode& node) { return node.*total; });
  std::erase_if(order, [&](std::uint32_t n) { return paths.nodes[n].*total < std::max<Ns>(1, least); });
  for (const std::uint32_t n : order) {
    const CallPathNode& node = paths.nodes[n];
    table.add_row({node.name, node.depth, node.calls, node.cpu_total, share_of(node.cpu_total, cpu), node.self_cpu,
                   node.device_total, share_of(node.device_total, device), node.self_device, parents.next(node.depth)});
  }
  table.note = joined_notes(
      {hottest_path(paths, total, all, by_device ? "GPU time" : "time on the host"),
       down.nodes.empty() ? "The traces have no operators." : "",
       down.recorded || down.nodes.empty() ? ""
       : stack == "module"                 ? not_recorded_note(input.profile, input.scope, "The traces have no modules",
                                                               "to record them, use profile(with_stack=True)")
                           : not_recorded_note(input.profile, input.scope, "The traces have no Python stacks",
                                               "to record them, use profile(with_stack=True)"),
       order.size() < paths.nodes.size()
           ? fmt::format("Shows {} of {} paths; least=0 shows all.", order.size(), paths.nodes.size())
           : ""});
  return std::vector{std::move(table), stacks_table(down, metric)};
}

constexpr std::array kCharts{ChartSpec{"call-tree", ChartKind::icicle}, ChartSpec{"stacks", ChartKind::none}};

}  // namespace

extern const Analysis kAnalysis{"call_tree",
                                "Call tree",
                                "Calls grouped by path, from the outermost caller down or from each call up, by "
                                "operator, Python frame or module, with total and self time on the host and on GPUs.",
                                kParameters,
                                run,
                                kCharts};

}  // namespace warpscope::analysis::registered::call_tree
