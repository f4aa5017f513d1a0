#include "core/analysis/critical_path/critical_path.hpp"

#include <algorithm>

#include "core/analysis/critical_path/path_edges.hpp"

namespace warpscope::analysis {

CriticalPathFinder::CriticalPathFinder(const trace::Profile& profile, std::uint32_t rank, Interval window,
                                       const PathEvents::Choice& choice, const CancelToken* cancel)
    : window_(window) {
  const PathEvents found = collect_path_events(profile, rank, window, choice, graph_, cancel);
  calls_ = graph_.events.size() - found.runs.size();
  runs_ = found.runs.size();
  waits_recorded_ = found.waits_recorded;
  graph_.edges.reserve(2 * calls_ + 3 * runs_);
  connect_locks(graph_);
  std::vector<PathGraph::Node> forward;
  for (const PathThread& thread : found.threads) {
    std::vector<PathGraph::Node> nodes = connect_calls(graph_, thread);
    if (thread.pass == Pass::forward) forward = std::move(nodes);
  }
  for (const PathThread& thread : found.threads)
    if (thread.pass == Pass::backward) connect_backward(graph_, forward, thread);
  const bool hta = choice.classes.hta;
  connect_runs(graph_, *profile.ranks[rank], found, {.causal = !hta, .ended_only = !hta});
}

CriticalPath CriticalPathFinder::path(const WhatIf& what_if) const {
  CriticalPath path;
  path.window = window_;
  path.calls = calls_;
  path.runs = runs_;
  path.waits_recorded = waits_recorded_;
  path.back = static_cast<std::uint64_t>(
      std::ranges::count_if(graph_.edges, [&](const PathGraph::Edge& edge) { return graph_.leads_back(edge); }));
  const PathGraph::Path found = graph_.longest_path(what_if);
  path.length = found.length;
  path.links.reserve(found.edges.size());
  for (const std::uint32_t e : found.edges) {
    const PathGraph::Edge& edge = graph_.edges[e];
    CriticalLink& link = path.links.emplace_back();
    link.kind = edge.kind;
    link.bound = graph_.bound(edge);
    link.weight = graph_.weight(edge, what_if);
    link.from = graph_.events[PathGraph::event_of(edge.from)].slice;
    link.to = graph_.events[PathGraph::event_of(edge.to)].slice;
    link.from_begin = PathGraph::is_begin(edge.from);
    link.to_begin = PathGraph::is_begin(edge.to);
    const PathGraph::Event event = graph_.attributed(edge);
    if (event != PathGraph::kNone) link.slice = graph_.events[event].slice;
  }
  if (calls_ == 0)
    path.reason = "No operator or runtime call starts in this range.";
  else if (path.links.empty())
    path.reason = "None of the work that starts in this range has dependencies.";
  return path;
}

CriticalPath find_critical_path(const trace::Profile& profile, std::uint32_t rank, Interval window,
                                const CriticalPathChoice& choice, const CancelToken* cancel) {
  return CriticalPathFinder(profile, rank, window, choice.events, cancel).path(choice.what_if);
}

}  // namespace warpscope::analysis
