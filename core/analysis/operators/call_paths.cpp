#include "core/analysis/operators/call_paths.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/analysis/operators/event_keys.hpp"
#include "core/analysis/operators/memory_owners.hpp"
#include "core/analysis/operators/python_stacks.hpp"
#include "core/analysis/request/runs.hpp"

namespace warpscope::analysis {

namespace {

constexpr std::uint32_t kNoPath = CallPathNode::kNone;

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

  /// Adds what is below each node to its totals.
  CallPaths take() {
    for (CallPathNode& node : paths.nodes) {
      node.cpu_total = saturating_add(node.cpu_total, node.self_cpu);
      node.device_total = saturating_add(node.device_total, node.self_device);
      node.memory_total = saturating_add(node.memory_total, node.self_memory);
    }
    for (std::size_t n = paths.nodes.size(); n-- > 0;) {
      const CallPathNode& node = paths.nodes[n];
      if (node.parent == kNoPath) continue;
      CallPathNode& parent = paths.nodes[node.parent];
      parent.cpu_total = saturating_add(parent.cpu_total, node.cpu_total);
      parent.device_total = saturating_add(parent.device_total, node.device_total);
      parent.memory_total = saturating_add(parent.memory_total, node.memory_total);
    }
    return std::move(paths);
  }

  CallPaths paths;

 private:
  std::map<std::pair<std::uint32_t, std::string_view>, std::uint32_t> index_;
};

/// The allocations of a rank, without releases.
std::vector<MemoryChange> allocated_in(const AnalysisInput& input, std::uint32_t r, CallPaths& paths) {
  auto changes = memory_changes(input, r);
  if (!changes) {
    paths.unread = changes.error().message();
    return {};
  }
  paths.with_memory = paths.with_memory || !changes->empty();
  std::erase_if(*changes, [](const MemoryChange& change) { return change.bytes <= 0; });
  return std::move(*changes);
}

void add_paths(const AnalysisInput& input, std::uint32_t r, const GpuRows::Rows& rows, PathsBy by, bool memory,
               PathTree& tree) {
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
      // Minus the time of its frames and events.
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
    // With frames, annotations are left out: frames inside them would have two parents.
    if (stacks && event.role == trace::Role::annotation) continue;
    std::uint32_t outer = event.parent;
    while (stacks && outer != HostEvent::kNone && node_of[outer] == kNoPath) outer = events[outer].parent;
    std::uint32_t parent = outer == HostEvent::kNone ? kNoPath : node_of[outer];
    // The innermost of the two: the event around it, or a frame that started inside that event.
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
  if (!memory) return;
  const std::vector<MemoryChange> allocations = allocated_in(input, r, tree.paths);
  const std::vector<std::uint32_t> owners =
      owners_of(*input.profile.ranks[r], events, allocations, [](const HostEvent&) { return true; });
  for (std::size_t a = 0; a < allocations.size(); ++a) {
    std::uint32_t owner = owners[a];
    while (owner != HostEvent::kNone && node_of[owner] == kNoPath) owner = events[owner].parent;
    if (owner == HostEvent::kNone) continue;
    std::int64_t& own = tree.paths.nodes[node_of[owner]].self_memory;
    own = saturating_add(own, allocations[a].bytes);
  }
}

}  // namespace

CallPaths call_paths(const AnalysisInput& input, PathsBy by, bool memory) {
  const GpuRows rows(input.profile, input.scope, {}, input.cancel, input.shared);
  PathTree tree;
  tree.paths.recorded = by == PathsBy::op;
  for (const std::uint32_t r : rows.ranks()) {
    if (cancelled(input.cancel)) break;
    add_paths(input, r, *rows.of(r), by, memory, tree);
  }
  // Frames and events that overlap without nesting may take more than the frame around them.
  for (CallPathNode& node : tree.paths.nodes) node.self_cpu = std::max<Ns>(0, node.self_cpu);
  return tree.take();
}

CallPaths callers_of(const CallPaths& paths) {
  PathTree tree;
  tree.paths.recorded = paths.recorded;
  tree.paths.with_memory = paths.with_memory;
  for (const CallPathNode& called : paths.nodes) {
    std::uint32_t at = kNoPath;
    for (const CallPathNode* step = &called;; step = &paths.nodes[step->parent]) {
      at = tree.node(at, step->name);
      CallPathNode& node = tree.paths.nodes[at];
      node.calls += called.calls;
      node.cpu_total = saturating_add(node.cpu_total, called.self_cpu);
      node.device_total = saturating_add(node.device_total, called.self_device);
      node.memory_total = saturating_add(node.memory_total, called.self_memory);
      if (step->parent == kNoPath) break;
    }
  }
  for (CallPathNode& node : tree.paths.nodes) {
    node.self_cpu = node.cpu_total;
    node.self_device = node.device_total;
    node.self_memory = node.memory_total;
  }
  return std::move(tree.paths);
}

std::vector<std::uint32_t> tree_order(const CallPaths& paths, Ns CallPathNode::*total, Ns least) {
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> children;
  for (std::uint32_t n = 0; n < paths.nodes.size(); ++n)
    if (paths.nodes[n].*total >= least) children[paths.nodes[n].parent].push_back(n);
  for (auto& [parent, list] : children)
    std::ranges::stable_sort(list, std::greater(), [&](std::uint32_t n) { return paths.nodes[n].*total; });
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> open(children[kNoPath].rbegin(), children[kNoPath].rend());
  while (!open.empty()) {
    const std::uint32_t next = open.back();
    open.pop_back();
    order.push_back(next);
    if (const auto below = children.find(next); below != children.end())
      open.insert(open.end(), below->second.rbegin(), below->second.rend());
  }
  return order;
}

}  // namespace warpscope::analysis
