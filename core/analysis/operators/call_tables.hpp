#pragma once
// All calls of one name: how long they take, in which steps and on which ranks. Shown beside a table of operators,
// kernels or modules for the selected row.
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
  bool on_device = false;  ///< GPU activity; otherwise slices of the host, and of devices only if the host has none
  Scope scope;

  friend bool operator==(const CallQuery&, const CallQuery&) = default;
};

struct CallTables {
  std::vector<trace::SliceRef> slices;  ///< longest first, then by start
  bool on_device = false;               ///< they are GPU activity
  std::vector<Table> distribution;      ///< bins of their durations, and statistics
  Table steps;                          ///< calls and time by step, in the order of steps; no rows without steps
  Table ranks;                          ///< calls and time by rank, in the order of ranks
};

/// Counts slices that cross an edge of the scope's range with the part inside, as the analyses do. A call belongs to
/// the step of the rank that it, or its launch, is in. O(lanes + slices of lanes with that name). The result is
/// incomplete if cancelled.
[[nodiscard]] CallTables call_tables(const trace::Profile& profile, const CallQuery& query, const CancelToken* cancel);

}  // namespace warpscope::analysis
