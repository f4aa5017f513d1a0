#pragma once
// Heat maps that are shown instead of one bar or curve per rank if there are many ranks. Hundreds of bars do not fit on
// any screen, and omitting some could hide the rank that matters.
#include <optional>

#include "core/base/table.hpp"
#include "render/charts/line_chart.hpp"
#include "render/plots/grid_plot.hpp"
#include "render/plots/part_bars.hpp"

namespace warpscope::plots {

/// Maximum number of per-rank bars or curves; if there are more, they become a heat map.
inline constexpr std::size_t kMostRankBars = 32;

/// True if the table has more than kMostRankBars rows, each for a different rank.
[[nodiscard]] bool is_of_many_ranks(const Table& table);

/// Creates a heat map with one row per bar and one column per part. If each bar has only one part, creates a grid with
/// 32 bars per row instead, in the same order. The title lists the bars farthest from the median. Returns nullopt for
/// up to kMostRankBars bars.
[[nodiscard]] std::optional<Grid> heat_of_bars(const PlottedBars& plotted);

/// If there are more than kMostRankBars bars, moves those whose parts are farthest from the median to the front, so
/// that a late rank is shown even if not all bars fit. Returns true if any bar was moved.
bool put_outliers_first(PlottedBars& plotted);

/// Creates a heat map with one row per curve. Each cell shows the maximum over its time range, so no peak is lost. The
/// title lists the curves with the highest means. Returns nullopt for up to kMostRankBars curves.
[[nodiscard]] std::optional<charts::HeatMap> heat_of_curves(const charts::LineChart& lines);

}  // namespace warpscope::plots
