#pragma once
// Heat maps instead of charts with one bar or curve per rank. No screen has room for hundreds of bars, and a chart that
// leaves some out hides the rank that matters.
#include <optional>

#include "core/base/table.hpp"
#include "render/charts/line_chart.hpp"
#include "render/plots/grid_plot.hpp"
#include "render/plots/part_bars.hpp"

namespace warpscope::plots {

/// Maximum number of bars or curves of ranks; more become a heat map.
inline constexpr std::size_t kMostRankBars = 32;

/// True if the table has more than kMostRankBars rows, each of another rank.
[[nodiscard]] bool is_of_many_ranks(const Table& table);

/// Makes a heat map of bars with a column per part; of bars with one part, a grid with 32 bars per row, in their order.
/// The title names the bars farthest from the median. Nullopt up to kMostRankBars bars.
[[nodiscard]] std::optional<Grid> heat_of_bars(const PlottedBars& plotted);

/// Of more than kMostRankBars bars, moves those with the part farthest from its median to the front, where there is no
/// room for all: a late rank must not be among those left out. True if it did.
bool put_outliers_first(PlottedBars& plotted);

/// Makes a heat map with a row per curve. Cells are the maximum of their time, so no peak is lost. The title names the
/// curves with the highest means. Nullopt up to kMostRankBars curves.
[[nodiscard]] std::optional<charts::HeatMap> heat_of_curves(const charts::LineChart& lines);

}  // namespace warpscope::plots
