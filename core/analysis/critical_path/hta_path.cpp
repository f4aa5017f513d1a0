#include "core/analysis/critical_path/hta_path.hpp"

#include <algorithm>

#include "core/analysis/critical_path/path_edges.hpp"

namespace warpscope::analysis {

CriticalPath find_hta_path(const trace::Profile& profile, std::uint32_t rank, Interval window,
                           const PathEvents::Choice& choice, const CancelToken* cancel) {
  PathGraph graph;
  const PathEvents found = collect_path_events(profile, rank, window, choice, graph, cancel);
  CriticalPath path;
  path.window = window;
  path.calls = graph.events.size() - found.runs.size();
  path.runs = found.runs.size();
  graph.edges.reserve(2 * path.calls + 3 * path.runs);
  connect_locks(graph);
  for (const PathThread& thread : found.threads) connect_calls(graph, thread);
  connect_runs(graph, *profile.ranks[rank], found);
  path.back = static_cast<std::uint64_t>(
      std::ranges::count_if(graph.edges, [&](const PathGraph::Edge& edge) { return graph.leads_back(edge); }));
  const PathGraph::Path longest = graph.longest_path();
  path.length = longest.length;
  path.links.reserve(longest.edges.size());
  for (const std::uint32_t e : longest.edges) {
    const PathGraph::Edge& edge = graph.edges[e];
    CriticalLink& link = path.links.emplace_back();
    link.kind = edge.kind;
    link.bound = graph.bound(edge);
    link.weight = graph.weight(edge);
    link.from = graph.events[PathGraph::event_of(edge.from)].slice;
    link.to = graph.events[PathGraph::event_of(edge.to)].slice;
    link.from_begin = PathGraph::is_begin(edge.from);
    link.to_begin = PathGraph::is_begin(edge.to);
    const PathGraph::Event event = graph.attributed(edge);
    if (event != PathGraph::kNone) link.slice = graph.events[event].slice;
  }
  if (path.calls == 0)
    path.reason = "No operator or runtime call starts in this range.";
  else if (path.links.empty())
    path.reason = "None of the work that starts in this range has dependencies.";
  return path;
}

}  // namespace warpscope::analysis
