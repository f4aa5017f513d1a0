#pragma once
// Creates a roofline from a table of problems and a table of peak rates, using the roles of their columns.
#include <optional>
#include <vector>

#include "core/base/table.hpp"
#include "render/charts/roofline.hpp"

namespace warpscope::plots {

/// `table` must have an intensity column and a rate column. The roofs come from the first of `tables` that has both
/// rate columns but no intensity column. Item i of the chart corresponds to row i. Returns nullopt if the table lacks
/// these columns or there is nothing to draw.
[[nodiscard]] std::optional<charts::Roofline> roofline_of(const Table& table, const std::vector<Table>& tables,
                                                          scene::Theme theme);

}  // namespace warpscope::plots
