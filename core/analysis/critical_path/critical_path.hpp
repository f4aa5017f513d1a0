#pragma once
// Critical path of one rank within a time window: the longest chain of dependent calls, launches, GPU activity and
// waits. Only speeding up work on the path shortens the window; anything else would just wait longer.
//
// Implements HTA's lightweight critical path. Time between two top-level operators of a thread counts as 0, so the path
// can be shorter than the window. Without recorded waits (cuda_sync), HTA's path stays almost entirely on the host;
// Warpscope infers waits from the host's blocking calls.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/critical_path/path_events.hpp"
#include "core/analysis/critical_path/path_graph.hpp"

namespace warpscope::analysis {

/// An edge on the path.
struct CriticalLink {
  EdgeKind kind = EdgeKind::operation;
  BoundBy bound = BoundBy::nothing;
  Ns weight = 0;                 ///< ns; contribution to the path
  trace::SliceOrdinal from = 0;  ///< connected slices; equal if the edge represents a slice's duration
  trace::SliceOrdinal to = 0;
  bool from_begin = false;  ///< the edge leaves `from` at its start, otherwise at its end
  bool to_begin = false;
  std::optional<trace::SliceOrdinal> slice;  ///< slice that contains the edge, if any
};

struct CriticalPath {
  Interval window;                  ///< the analyzed window
  std::vector<CriticalLink> links;  ///< from first to last; empty, with `reason`, if there is no path
  Ns length = 0;                    ///< sum of the weights of `links`
  std::string reason;               ///< why there is no path; "" if there is one
  std::uint64_t calls = 0;          ///< number of analyzed calls
  std::uint64_t runs = 0;           ///< number of analyzed kernels, memcpys and memsets
  std::uint64_t back = 0;           ///< number of negative delays, which count as 0
  bool waits_recorded = false;      ///< the trace records host waits
};

struct CriticalPathChoice {
  PathEvents::Choice events{};
  WhatIf what_if{};
};

/// Builds a window's graph once, for any number of queries.
class CriticalPathFinder {
 public:
  /// `window`: ns, absolute. The profile must outlive the finder. After cancellation, the finder is unusable. O(S + A
  /// log A) time for S slices in the window and A GPU activities on the rank; about 100 B of memory per call or GPU
  /// activity in the window.
  CriticalPathFinder(const trace::Profile& profile, std::uint32_t rank, Interval window,
                     const PathEvents::Choice& choice, const CancelToken* cancel = nullptr);

  [[nodiscard]] CriticalPath path(const WhatIf& what_if = {}) const;
  [[nodiscard]] const PathGraph& graph() const { return graph_; }

 private:
  Interval window_;
  PathGraph graph_;
  std::uint64_t calls_ = 0;
  std::uint64_t runs_ = 0;
  bool waits_recorded_ = false;
};

/// Finds the critical path of all work on a rank (index) that starts in the window. Pure function.
[[nodiscard]] CriticalPath find_critical_path(const trace::Profile& profile, std::uint32_t rank, Interval window,
                                              const CriticalPathChoice& choice = {},
                                              const CancelToken* cancel = nullptr);

}  // namespace warpscope::analysis
