#pragma once
// Charts of what GPUs spent their time on: a bar for each rank, and areas over time. Classes have the colors of the
// Timeline; idle time is divided by cause where the table has causes.
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/analysis/request/chart_spec.hpp"
#include "core/base/table.hpp"
#include "render/charts/line_chart.hpp"
#include "render/plots/part_bars.hpp"

namespace warpscope::plots {

/// Bars of a chart of kind time_use; nothing for others. `order`: of the rows, if the user chose one. O(rows).
[[nodiscard]] std::optional<PlottedBars> time_use_bars(const analysis::ChartSpec& chart, const Table& table,
                                                       scene::Theme theme, std::span<const std::uint32_t> order = {});
/// Areas of the series of a chart of kind areas; nothing for others. O(rows).
[[nodiscard]] std::optional<charts::LineChart> time_use_areas(const analysis::ChartSpec& chart, const Table& table,
                                                              scene::Theme theme);
/// The analysis that shows more of a part of a bar, by its label; "" if the part has none.
[[nodiscard]] std::string_view detail_of(const analysis::ChartSpec& chart, std::string_view part);

}  // namespace warpscope::plots
