#pragma once
// HTA's lightweight critical path of one rank within a time window, for comparison: the longest chain of dependent
// calls, launches, GPU activity and recorded waits. Time between two top-level operators of a thread counts as 0, so
// the path can be shorter than the window, and without recorded waits (cuda_sync) it stays almost entirely on the host.
// Warpscope's own critical path is in critical_path/job_path.hpp.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/critical_path/path_events.hpp"
#include "core/analysis/critical_path/path_graph.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/base/table.hpp"

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
};

/// Finds the path of all work on a rank (index) that starts in the window: ns, absolute. O(S + A log A) time for S
/// slices in the window and A GPU activities on the rank; about 100 B of memory per call or GPU activity in the window.
[[nodiscard]] CriticalPath find_hta_path(const trace::Profile& profile, std::uint32_t rank, Interval window,
                                         const PathEvents::Choice& choice, const CancelToken* cancel = nullptr);

/// Returns the tables of HTA's critical path analysis: bottlenecks, lengths, edge types and edges.
[[nodiscard]] Result<std::vector<Table>> hta_path_tables(const AnalysisInput& input);

}  // namespace warpscope::analysis
