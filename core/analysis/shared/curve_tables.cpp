#include "core/analysis/shared/curve_tables.hpp"

namespace warpscope::analysis {

void add_changes(Table& table, const AnalysisInput& input, std::vector<Cell> cells, const StepCurve& curve) {
  const std::size_t names = cells.size();
  const bool whole = table.columns()[names + 1].kind == ColumnKind::integer;
  cells.resize(names + 2);
  for (std::size_t i = 0; i < curve.times.size(); ++i) {
    cells[names] = saturating_difference(curve.times[i], input.profile.span.begin);
    cells[names + 1] = whole ? Cell(static_cast<std::int64_t>(curve.values[i])) : Cell(curve.values[i]);
    table.add_row(cells);
  }
}

}  // namespace warpscope::analysis
