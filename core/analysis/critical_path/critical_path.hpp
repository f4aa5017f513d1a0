#pragma once
// The critical path of a stretch of a rank: of all chains of calls, launches, runs and waits that depend on each other,
// the one that takes longest. What lies on it is worth making faster; what does not would only wait longer.
//
// It is HTA's lightweight critical path. Time between two operators at the top of a thread counts as nothing, so it may
// be shorter than the stretch. Where the trace has no rows of waits (cuda_sync), HTA's hardly leaves the host; ours
// takes from the host's waiting calls what they waited for.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/critical_path/path_events.hpp"
#include "core/analysis/critical_path/path_graph.hpp"

namespace warpscope::analysis {

/// An edge of the path, in the order of time.
struct CriticalLink {
  EdgeKind kind = EdgeKind::operation;
  BoundBy bound = BoundBy::nothing;
  Ns weight = 0;                 ///< ns that it adds to the path
  trace::SliceOrdinal from = 0;  ///< the slices that it leads from and to; the same for a slice's own time
  trace::SliceOrdinal to = 0;
  bool from_begin = false;  ///< it leaves the first at its begin, else at its end
  bool to_begin = false;
  std::optional<trace::SliceOrdinal> slice;  ///< in whose time it lies, if in any
};

struct CriticalPath {
  Interval window;                  ///< what was looked at
  std::vector<CriticalLink> links;  ///< from the first to the last; none, with `reason`, if there is no path
  Ns length = 0;                    ///< sum of the links' weights
  std::string reason;               ///< why there is none; "" if there is one
  std::uint64_t calls = 0;          ///< that were looked at
  std::uint64_t runs = 0;           ///< likewise
  std::uint64_t back = 0;           ///< delays below nothing: they count as none
  bool waits_recorded = false;      ///< the trace tells what the host waited for
};

struct CriticalPathChoice {
  PathEvents::Choice events{};
  WhatIf what_if{};
};

/// Builds the graph of a window once; asks it as often as one likes.
class CriticalPathFinder {
 public:
  /// `window`: ns, absolute. The profile must outlive the finder. Cancelled, it is of no use. O(slices in the window +
  /// runs of the rank · log); some 100 B a call or run of the window while it lives.
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

/// Of a rank (index) of the profile, what begins in the window. Pure.
[[nodiscard]] CriticalPath find_critical_path(const trace::Profile& profile, std::uint32_t rank, Interval window,
                                              const CriticalPathChoice& choice = {},
                                              const CancelToken* cancel = nullptr);

}  // namespace warpscope::analysis
