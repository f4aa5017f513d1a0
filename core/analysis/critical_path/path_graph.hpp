#pragma once
// HTA's dependency graph of one rank within a time window: starts and ends of calls and GPU activity, connected by
// weighted edges. Its longest path is HTA's critical path.
//
// There is no node table: event e has start node 2e and end node 2e + 1. Edges do not store their weight, which is the
// time between their nodes.
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/big_vector.hpp"
#include "core/base/time.hpp"
#include "core/trace/connections.hpp"

namespace warpscope::analysis {

enum class EdgeKind : std::uint8_t {
  operation,     ///< time of a call or of GPU activity
  dependency,    ///< between consecutive calls, and between calls that share a lock; zero weight
  launch_delay,  ///< from the start of a launch to the start of its GPU activity
  run_delay,     ///< from the end of GPU activity to the start of the next on its stream
  sync,          ///< from the end of GPU activity to its waiter; zero weight
};
inline constexpr std::size_t kEdgeKinds = 5;

/// The kind of work that determines the weight of an edge.
enum class BoundBy : std::uint8_t {
  cpu,
  data_loading,
  computation,
  communication,
  launch_overhead,
  run_overhead,
  nothing,  ///< dependency and sync edges, whose weight is zero
};
inline constexpr std::size_t kBounds = 7;

/// HTA's names: "critical_path_operator", "cpu_bound"; "" for nothing.
[[nodiscard]] std::string_view hta_name(EdgeKind kind);
[[nodiscard]] std::string_view hta_name(BoundBy bound);
class PathGraph {
 public:
  using Event = std::uint32_t;
  using Node = std::uint32_t;
  static constexpr Event kNone = 0xFFFFFFFFu;

  /// A call or GPU activity.
  struct EventFacts {
    Interval time;  ///< ns; with HTA's rounding, it may end before it starts
    trace::SliceOrdinal slice = 0;
    Event parent = kNone;  ///< parent of a call
    BoundBy bound = BoundBy::cpu;
    bool locks = false;   ///< takes the driver's lock
    bool blocks = false;  ///< its own time is spent waiting
  };
  struct Edge {
    Node from = 0;
    Node to = 0;
    EdgeKind kind = EdgeKind::operation;
    bool weightless = false;
  };
  struct Path {
    std::vector<std::uint32_t> edges;  ///< from first to last
    Ns length = 0;
    std::uint64_t cut = 0;  ///< nodes visited before all their predecessors, because of cycles
  };

  [[nodiscard]] static Node begin_of(Event event) { return 2 * event; }
  [[nodiscard]] static Node end_of(Event event) { return 2 * event + 1; }
  [[nodiscard]] static Event event_of(Node node) { return node / 2; }
  [[nodiscard]] static bool is_begin(Node node) { return node % 2 == 0; }

  void connect(Node from, Node to, EdgeKind kind, bool weightless = false) {
    edges.push_back({from, to, kind, weightless});
  }
  [[nodiscard]] Ns time(Node node) const {
    const Interval& event = events[event_of(node)].time;
    return is_begin(node) ? event.begin : event.end;
  }
  /// Returns the call or GPU activity that contains an operation edge or precedes a run_delay edge; kNone for edges of
  /// other kinds.
  [[nodiscard]] Event attributed(const Edge& edge) const;
  [[nodiscard]] BoundBy bound(const Edge& edge) const;
  /// Returns the weight of an edge in ns; 0 for edges that go back in time (because clocks differ or a call ends after
  /// its parent).
  [[nodiscard]] Ns weight(const Edge& edge) const;
  /// True if the weight of an edge is 0 only because the edge goes back in time.
  [[nodiscard]] bool leads_back(const Edge& edge) const;

  /// Returns the longest path; on ties, the one whose edges were added first. O(events + edges).
  [[nodiscard]] Path longest_path() const;

  BigVector<EventFacts> events;
  BigVector<Edge> edges;  ///< in order of connection
};

}  // namespace warpscope::analysis
