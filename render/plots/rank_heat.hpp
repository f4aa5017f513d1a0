#pragma once
// Heat maps of ranks. They replace one bar or curve per rank if there are many ranks: hundreds of bars do not fit on
// any screen, and omitting some could hide the rank that matters. Grids of ranks and steps show which rank stands out
// and at which step this starts.
#include <optional>
#include <vector>

#include "core/analysis/request/chart_spec.hpp"
#include "core/base/table.hpp"
#include "render/charts/heat_map.hpp"
#include "render/charts/line_chart.hpp"
#include "render/plots/part_bars.hpp"

namespace warpscope::plots {

/// Maximum number of per-rank bars or curves; if there are more, they become a heat map.
inline constexpr std::size_t kMostRankBars = 32;

struct Grid {
  charts::HeatMap map;
  std::vector<std::uint32_t> cells;  ///< table row of each cell, row by row; kNoRow if a cell has no row
};

/// True if the table has more than kMostRankBars rows, each for a different rank.
[[nodiscard]] bool is_of_many_ranks(const Table& table);

/// Creates a heat map with one row per bar and one column per part. If each bar has only one part, creates a grid with
/// 32 bars per row instead, in the same order. The title lists the bars farthest from the median. Returns nullopt for
/// up to kMostRankBars bars.
[[nodiscard]] std::optional<Grid> heat_of_bars(const PlottedBars& plotted);

/// Creates one row per rank, in ascending order, and one column per distinct value in the column with role `spec.x`, in
/// table order. The column with role `spec.y` determines the colors. Returns nullopt if the table lacks these columns,
/// or if all values are 0. O(rows · log ranks).
[[nodiscard]] std::optional<Grid> grid_of(const analysis::ChartSpec& spec, const Table& table);

/// Creates a heat map with one row per curve. Each cell shows the maximum over its time range, so no peak is lost. The
/// title lists the curves with the highest means. Returns nullopt for up to kMostRankBars curves.
[[nodiscard]] std::optional<charts::HeatMap> heat_of_curves(const charts::LineChart& lines);

}  // namespace warpscope::plots
