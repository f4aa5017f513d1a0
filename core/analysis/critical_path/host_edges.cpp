#include <algorithm>
#include <optional>
#include <utility>

#include "core/analysis/critical_path/path_edges.hpp"
#include "core/base/natural_merge.hpp"

namespace warpscope::analysis {
namespace {

using Event = PathGraph::Event;
using Node = PathGraph::Node;

/// Two nodes of calls that take the lock, of which connect_locks() takes care.
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
  // Of each thread they are nearly in order.
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

void connect_calls(PathGraph& graph, const PathThread& thread) {
  std::vector<Event> open;
  std::optional<Node> last;
  const auto leave = [&] {
    const Event call = open.back();
    const Node end = PathGraph::end_of(call);
    if (!share_lock(graph, *last, end)) graph.connect(*last, end, EdgeKind::operation, graph.events[call].blocks);
    last = end;
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
    open.push_back(call);
  }
  while (!open.empty()) leave();
}

}  // namespace warpscope::analysis
