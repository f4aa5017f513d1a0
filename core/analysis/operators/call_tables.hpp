#pragma once
// All calls with the same name: their durations, steps and ranks. Shown for the selected row in tables of operators,
// kernels or modules.
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/request/scope.hpp"
#include "core/base/progress.hpp"
#include "core/base/table.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

struct CallQuery {
  std::string name;        ///< of the slices
  bool on_device = false;  ///< GPU activity; otherwise host slices, or device slices if the host has none
  Scope scope;

  friend bool operator==(const CallQuery&, const CallQuery&) = default;
};

struct CallTables {
  std::vector<trace::SliceRef> slices;  ///< longest first, then by start
  bool on_device = false;               ///< `slices` are GPU activity
  std::vector<Table> distribution;      ///< histogram of their durations, and statistics
  Table steps;                          ///< calls and time by step, in the order of steps; no rows without steps
  Table ranks;                          ///< calls and time by rank, in the order of ranks
};

/// Clips slices to the scope's range, as the analyses do. Each call is assigned to the step that contains it or its
/// launch. O(lanes + slices in lanes that contain the name). After cancellation, the result is incomplete.
[[nodiscard]] CallTables call_tables(const trace::Profile& profile, CallQuery query, const CancelToken* cancel);

}  // namespace warpscope::analysis
