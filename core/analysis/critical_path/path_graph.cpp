#include "core/analysis/critical_path/path_graph.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace warpscope::analysis {

std::string_view hta_name(EdgeKind kind) {
  static constexpr std::array<std::string_view, kEdgeKinds> kNames{
      "critical_path_operator", "critical_path_dependency", "critical_path_kernel_launch_delay",
      "critical_path_kernel_kernel_delay", "critical_path_sync_dependency"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view hta_name(BoundBy bound) {
  static constexpr std::array<std::string_view, kBounds> kNames{"cpu_bound",
                                                                "data_loading",
                                                                "gpu_compute_bound",
                                                                "gpu_communication_bound",
                                                                "gpu_kernel_launch_overhead",
                                                                "gpu_kernel_kernel_overhead",
                                                                ""};
  return kNames[static_cast<std::size_t>(bound)];
}

PathGraph::Event PathGraph::attributed(const Edge& edge) const {
  if (edge.kind == EdgeKind::run_delay) return event_of(edge.from);
  if (edge.kind != EdgeKind::operation) return kNone;
  if (is_begin(edge.from)) return event_of(edge.from);
  return is_begin(edge.to) ? events[event_of(edge.from)].parent : event_of(edge.to);
}

BoundBy PathGraph::bound(const Edge& edge) const {
  if (edge.kind == EdgeKind::launch_delay) return BoundBy::launch_overhead;
  if (edge.kind == EdgeKind::run_delay) return BoundBy::run_overhead;
  if (edge.kind != EdgeKind::operation) return BoundBy::nothing;
  const Event event = attributed(edge);
  return event == kNone ? BoundBy::cpu : events[event].bound;
}

Ns PathGraph::weight(const Edge& edge) const {
  if (edge.weightless || edge.kind == EdgeKind::dependency || edge.kind == EdgeKind::sync) return 0;
  return std::max<Ns>(0, saturating_difference(time(edge.to), time(edge.from)));
}

bool PathGraph::leads_back(const Edge& edge) const {
  return (edge.kind == EdgeKind::launch_delay || edge.kind == EdgeKind::run_delay) && time(edge.to) < time(edge.from);
}

PathGraph::Path PathGraph::longest_path() const {
  constexpr std::uint32_t kNo = 0xFFFFFFFFu;
  const std::size_t nodes = 2 * events.size();
  BigVector<std::uint32_t> missing(nodes, 0);  // number of edges from unvisited nodes
  BigVector<std::uint32_t> first(nodes + 1, 0);
  for (const Edge& edge : edges) {
    ++missing[edge.to];
    ++first[edge.from + 1];
  }
  for (std::size_t n = 0; n < nodes; ++n) first[n + 1] += first[n];
  BigVector<std::uint32_t> leaving(first[nodes], 0);
  for (std::uint32_t e = 0; e < edges.size(); ++e) leaving[first[edges[e].from]++] = e;
  for (std::size_t n = nodes; n > 0; --n) first[n] = first[n - 1];
  first[0] = 0;

  // Visits nodes in topological order. The queue's links reuse slots of `missing` that are no longer needed.
  Node head = kNo;
  Node tail = kNo;
  std::vector<bool> queued(nodes);
  const auto queue = [&](Node node) {
    queued[node] = true;
    missing[node] = kNo;
    (head == kNo ? head : missing[tail]) = node;
    tail = node;
  };
  for (Node node = 0; node < nodes; ++node)
    if (missing[node] == 0) queue(node);

  Path path;
  BigVector<Ns> length(nodes, 0);
  BigVector<std::uint32_t> best(nodes, kNo);  // edge
  Node waiting = 0;
  std::optional<Node> last;
  for (;;) {
    if (head == kNo) {
      while (waiting < nodes && queued[waiting]) ++waiting;
      if (waiting == nodes) break;
      queue(waiting);
      ++path.cut;
    }
    const Node node = head;
    if (!last || length[node] > length[*last]) last = node;
    for (std::uint32_t k = first[node]; k < first[node + 1]; ++k) {
      const Edge& edge = edges[leaving[k]];
      if (queued[edge.to]) continue;
      const Ns reached = saturating_add(length[node], weight(edge));
      const bool first_of_equal = reached == length[edge.to] && leaving[k] < best[edge.to];
      if (reached > length[edge.to] || first_of_equal) {
        length[edge.to] = reached;
        best[edge.to] = leaving[k];
      }
      if (--missing[edge.to] == 0) queue(edge.to);
    }
    head = missing[node];
  }
  if (!last) return path;
  path.length = length[*last];
  for (Node node = *last; best[node] != kNo; node = edges[best[node]].from) path.edges.push_back(best[node]);
  std::ranges::reverse(path.edges);
  return path;
}

}  // namespace warpscope::analysis
