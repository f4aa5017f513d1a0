#pragma once
// Makes a roofline from a table of problems and a table of peak rates, by the roles of their columns.
#include <optional>
#include <vector>

#include "core/base/table.hpp"
#include "render/charts/roofline.hpp"

namespace warpscope::plots {

/// `table` must have columns for an intensity and a rate. The roofs are the rows of the first of `tables` that has both
/// rates and no intensity. Item i of the chart is row i. Returns nullopt if the table lacks these columns or there is
/// nothing to draw.
[[nodiscard]] std::optional<charts::Roofline> roofline_of(const Table& table, const std::vector<Table>& tables,
                                                          scene::Theme theme);

}  // namespace warpscope::plots
