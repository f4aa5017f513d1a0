#pragma once
// What had to happen before what in a stretch of a rank: the begins and ends of calls and runs, and the edges between
// them that take time or none. The longest path through it is the critical path.
//
// An event is two nodes, so nodes need no table: the begin of event e is node 2e, its end 2e + 1. An edge's time is the
// distance of its nodes, so it need not be kept either.
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/big_vector.hpp"
#include "core/base/time.hpp"
#include "core/trace/connections.hpp"

namespace warpscope::analysis {

enum class EdgeKind : std::uint8_t {
  operation,     ///< time of a call or a run
  dependency,    ///< from one call to the next, and between calls that share a lock; takes no time
  launch_delay,  ///< from the begin of a launch to the begin of its run
  run_delay,     ///< from the end of a run to the begin of the next on its stream
  sync,          ///< from the end of a run to who waited for it; takes no time
};
inline constexpr std::size_t kEdgeKinds = 5;

/// What the time of an edge is spent on.
enum class BoundBy : std::uint8_t {
  cpu,
  data_loading,
  computation,
  communication,
  memory,
  launch_overhead,
  run_overhead,
  nothing,  ///< edges that take no time
};
inline constexpr std::size_t kBounds = 8;

/// As HTA writes them: "critical_path_operator", "cpu_bound"; "" for nothing.
[[nodiscard]] std::string_view hta_name(EdgeKind kind);
[[nodiscard]] std::string_view hta_name(BoundBy bound);
/// As a user writes them: "operator", "launch", "kernel"; "compute", "cpu", "launch", "gap".
[[nodiscard]] std::string_view word_of(EdgeKind kind);
[[nodiscard]] std::string_view word_of(BoundBy bound);

/// What would be if things took another time, or were not waited for.
struct WhatIf {
  std::array<double, kBounds> scale = {1, 1, 1, 1, 1, 1, 1, 1};  ///< of the time of each bound; not negative
  std::array<bool, kEdgeKinds> without{};                        ///< edges of this kind do not exist

  friend bool operator==(const WhatIf&, const WhatIf&) = default;
};

class PathGraph {
 public:
  using Event = std::uint32_t;
  using Node = std::uint32_t;
  static constexpr Event kNone = 0xFFFFFFFFu;

  /// A call or a run.
  struct EventFacts {
    Interval time;  ///< ns; rounded as HTA does, it may end before it begins
    trace::SliceOrdinal slice = 0;
    Event parent = kNone;  ///< of a call: the one that it lies in
    BoundBy bound = BoundBy::cpu;
    bool locks = false;   ///< takes the lock of the driver
    bool blocks = false;  ///< its own time is time that it waits
  };
  struct Edge {
    Node from = 0;
    Node to = 0;
    EdgeKind kind = EdgeKind::operation;
    bool weightless = false;
  };
  struct Path {
    std::vector<std::uint32_t> edges;  ///< from the first to the last
    Ns length = 0;
    std::uint64_t cut = 0;  ///< nodes that were taken before all that leads to them, since edges go round in a circle
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
  /// The call or run in whose time an edge lies; kNone of edges that lie between two or take no time.
  [[nodiscard]] Event attributed(const Edge& edge) const;
  [[nodiscard]] BoundBy bound(const Edge& edge) const;
  /// ns, not negative: what leads back in time (other clocks, a call that ends after the one it lies in) takes none.
  [[nodiscard]] Ns weight(const Edge& edge) const;
  /// The same with the bound's factor, rounded to ns.
  [[nodiscard]] Ns weight(const Edge& edge, const WhatIf& what_if) const;
  /// True for an edge that would take time if it did not lead back in time.
  [[nodiscard]] bool leads_back(const Edge& edge) const;

  /// The path that takes longest; of several the one whose edges were connected first. O(events + edges).
  [[nodiscard]] Path longest_path(const WhatIf& what_if = {}) const;

  BigVector<EventFacts> events;
  BigVector<Edge> edges;  ///< in the order in which they were connected
};

}  // namespace warpscope::analysis
