#pragma once
// Creates a pie from a table: one part per row, with the row's color.
#include <cstddef>
#include <optional>
#include <vector>

#include "core/analysis/request/chart_spec.hpp"
#include "core/base/table.hpp"
#include "render/charts/pie.hpp"

namespace warpscope::plots {

/// Item i of the chart corresponds to row i of tables[index]. The legend shows shares of the sum and, if there are any,
/// shares of another total: those of `spec.series`, or another table's shares of GPU time for the same rows. Returns
/// nullopt if the table lacks the columns or all values are 0. O(rows · log rows).
[[nodiscard]] std::optional<charts::PieChart> pie_of(const analysis::ChartSpec& spec, const std::vector<Table>& tables,
                                                     std::size_t index, scene::Theme theme);

}  // namespace warpscope::plots
