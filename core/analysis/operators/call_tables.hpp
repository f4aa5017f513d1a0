#pragma once
// The calls of a table row: their durations, steps and ranks. Shown for the selected row in tables of operators,
// kernels or modules, and for chart items on the Dashboard.
#include <vector>

#include "core/analysis/operators/row_calls.hpp"

namespace warpscope::analysis {

/// Maximum number of calls in CallTables::list.
inline constexpr std::size_t kMostListed = 5000;

struct CallTables {
  std::vector<trace::SliceRef> slices;  ///< longest first, then by start
  Ns total = 0;
  bool on_device = false;           ///< `slices` are GPU activity
  Table list;                       ///< the longest: slice, start, duration, rank, track
  std::vector<Table> distribution;  ///< histogram of their durations, and statistics
  Table steps;                      ///< calls and time by step, in the order of steps; no rows without steps
  Table ranks;                      ///< calls and time by rank, in the order of ranks
};

/// Each call is assigned to the step that contains it or its launch. After cancellation, the result is incomplete.
[[nodiscard]] CallTables call_tables(const trace::Profile& profile, CallQuery query, const CancelToken* cancel);

}  // namespace warpscope::analysis
