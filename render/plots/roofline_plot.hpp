#pragma once
// Creates a roofline from a table of problems and a table of peak rates, using the roles of their columns.
#include <optional>
#include <vector>

#include "core/base/table.hpp"
#include "render/charts/roofline.hpp"

namespace warpscope::plots {

/// `table` must have columns for the intensity, the FLOP rate and the total time. The roofs come from the first of
/// `tables` that has columns for byte and FLOP rates but no intensity column. Item i of the chart corresponds to row i.
/// Returns nullopt if `table` lacks these columns or there is nothing to draw.
[[nodiscard]] std::optional<charts::Roofline> roofline_of(const Table& table, const std::vector<Table>& tables,
                                                          scene::Theme theme);

}  // namespace warpscope::plots
