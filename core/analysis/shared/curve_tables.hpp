#pragma once
// Writes per-rank curves to tables: one row per change of a curve, or one row of statistics per curve.
#include <vector>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/shared/step_curve.hpp"

namespace warpscope::analysis {

/// Calls visit(rank, curve) for each curve of each rank, then sets the note of the table filled by the visitor.
/// `curves` must have ranks(), of(rank) and note(rows), like QueueLengths. Stops when cancelled.
template <class Curves, class Visit>
void for_each_curve(const AnalysisInput& input, Curves& curves, Table& table, Visit visit) {
  for (const std::uint32_t r : curves.ranks()) {
    const auto of_rank = curves.of(r);
    if (cancelled(input.cancel)) break;
    for (const auto& each : *of_rank) visit(*input.profile.ranks[r], each);
  }
  table.note = curves.note(table.rows());
}

/// Adds one row per change of `curve`: `cells`, the time since the start of the profile, and the value.
void add_changes(Table& table, const AnalysisInput& input, std::vector<Cell> cells, const StepCurve& curve);

}  // namespace warpscope::analysis
