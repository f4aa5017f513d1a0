#pragma once
// Creates stacked bars and areas from a table. Parts come from either columns, such as the uses of GPU time, or several
// rows, such as the idle causes of each stream and rank.
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/request/chart_spec.hpp"
#include "core/base/table.hpp"
#include "render/charts/line_chart.hpp"
#include "render/charts/stacked_bars.hpp"

namespace warpscope::plots {

/// Marks an item without a table row: its bar lacks this part.
inline constexpr std::uint32_t kNoRow = ~std::uint32_t{0};

/// A bar chart, and the table row of each of its items (item = row × number of parts + part).
struct PlottedBars {
  charts::StackedBars bars;
  std::vector<std::uint32_t> rows{};
  std::vector<std::uint32_t> order{};  ///< all rows of the table, in bar order; empty: the table's own order
};

/// Creates the bars of a chart of kind `columns`, `time_use` or `rows`. `order`: order of the
/// rows, if the user sorted them; bars are then in the order of their first rows. O(rows · log rows).
[[nodiscard]] std::optional<PlottedBars> part_bars(const analysis::ChartSpec& chart, const Table& table,
                                                   scene::Theme theme, std::span<const std::uint32_t> order = {});
/// Creates the areas of a chart of kind `areas`. O(rows).
[[nodiscard]] std::optional<charts::LineChart> part_areas(const analysis::ChartSpec& chart, const Table& table,
                                                          scene::Theme theme);
/// Returns the analysis that shows details of the part with this label; "" if there is none.
[[nodiscard]] std::string_view detail_of(const analysis::ChartSpec& chart, std::string_view part);

}  // namespace warpscope::plots
