#pragma once
// Draws ranks and steps as a heat map to show which rank stands out and at which step this starts.
#include <optional>
#include <vector>

#include "core/analysis/request/chart_spec.hpp"
#include "core/base/table.hpp"
#include "render/charts/heat_map.hpp"

namespace warpscope::plots {

struct Grid {
  charts::HeatMap map;
  std::vector<std::uint32_t> cells;  ///< table row of each cell, row by row; kNoCell if a cell has no row
};

inline constexpr std::uint32_t kNoCell = ~std::uint32_t{0};

/// Creates one row per rank, in ascending order, and one column per distinct value in the column with role `spec.x`, in
/// table order. The column with role `spec.y` determines the colors. Returns nullopt if the table lacks these columns,
/// or if all values are 0. O(rows · log ranks).
[[nodiscard]] std::optional<Grid> grid_of(const analysis::ChartSpec& spec, const Table& table);

}  // namespace warpscope::plots
