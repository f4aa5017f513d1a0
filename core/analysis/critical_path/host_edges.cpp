#include <algorithm>
#include <optional>
#include <utility>

#include "core/analysis/critical_path/path_edges.hpp"
#include "core/base/natural_merge.hpp"

namespace warpscope::analysis {
namespace {

using Event = PathGraph::Event;
using Node = PathGraph::Node;

/// True if both calls take the lock; connect_locks() connects these.
bool share_lock(const PathGraph& graph, Node a, Node b) {
  return graph.events[PathGraph::event_of(a)].locks && graph.events[PathGraph::event_of(b)].locks &&
         (PathGraph::is_begin(a) || !PathGraph::is_begin(b));
}

}  // namespace

void connect_locks(PathGraph& graph) {
  std::vector<Node> nodes;
  for (Event e = 0; e < graph.events.size(); ++e) {
    if (!graph.events[e].locks) continue;
    nodes.push_back(PathGraph::begin_of(e));
    nodes.push_back(PathGraph::end_of(e));
  }
  // Nodes of each thread are nearly in order.
  natural_merge_sort(nodes, [&](Node a, Node b) { return std::pair(graph.time(a), a) < std::pair(graph.time(b), b); });
  std::vector<Node> open;
  std::optional<Node> last;
  for (const Node node : nodes) {
    if (PathGraph::is_begin(node)) {
      open.push_back(node);
    } else {
      for (; !open.empty(); open.pop_back()) {
        const bool same = PathGraph::event_of(open.back()) == PathGraph::event_of(node);
        graph.connect(open.back(), node, same ? EdgeKind::operation : EdgeKind::dependency);
      }
      if (last && !PathGraph::is_begin(*last)) graph.connect(*last, node, EdgeKind::dependency);
    }
    last = node;
  }
}

std::vector<Node> connect_calls(PathGraph& graph, const PathThread& thread) {
  std::vector<Node> order;
  order.reserve(2 * static_cast<std::size_t>(thread.last - thread.first));
  std::vector<Event> open;
  std::optional<Node> last;
  const auto leave = [&] {
    const Event call = open.back();
    const Node end = PathGraph::end_of(call);
    if (!share_lock(graph, *last, end)) graph.connect(*last, end, EdgeKind::operation, graph.events[call].blocks);
    last = end;
    order.push_back(end);
    open.pop_back();
  };
  for (Event call = thread.first; call < thread.last; ++call) {
    PathGraph::EventFacts& facts = graph.events[call];
    while (!open.empty() && graph.events[open.back()].time.end <= facts.time.begin) leave();
    if (!open.empty()) facts.parent = open.back();
    const Node begin = PathGraph::begin_of(call);
    if (last && !share_lock(graph, *last, begin))
      graph.connect(*last, begin, open.empty() ? EdgeKind::dependency : EdgeKind::operation);
    last = begin;
    order.push_back(begin);
    open.push_back(call);
  }
  while (!open.empty()) leave();
  return order;
}

void connect_backward(PathGraph& graph, std::vector<Node> forward, const PathThread& backward) {
  const auto time = [&](Node node) { return graph.time(node); };
  natural_merge_sort(forward, [&](Node a, Node b) { return time(a) < time(b); });
  auto before = forward.begin();  // nodes up to here are no later than the last call's start
  std::optional<Node> done;       // end of the last call if it still needs an edge to what follows
  for (Event call = backward.first; call < backward.last; ++call) {
    const PathGraph::EventFacts& facts = graph.events[call];
    if (facts.parent != PathGraph::kNone) continue;
    const auto after = std::upper_bound(before, forward.end(), facts.time.begin,
                                        [&](Ns begin, Node node) { return begin < time(node); });
    if (done && after != before) graph.connect(*done, *before, EdgeKind::dependency);
    if (after != forward.begin() && (after != before || call == backward.first))
      graph.connect(*std::prev(after), PathGraph::begin_of(call), EdgeKind::dependency);
    const bool waited = after == forward.end() || time(*after) >= facts.time.end;
    done = waited ? std::optional(PathGraph::end_of(call)) : std::nullopt;
    before = after;
  }
  if (done && before != forward.end()) graph.connect(*done, *before, EdgeKind::dependency);
}

}  // namespace warpscope::analysis
