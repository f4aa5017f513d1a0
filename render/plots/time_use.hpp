#pragma once
// Creates charts of GPU time by use: one bar per rank, or areas over time. Classes have their Timeline colors; idle
// time is split by cause if the table has causes.
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/analysis/request/chart_spec.hpp"
#include "core/base/table.hpp"
#include "render/charts/line_chart.hpp"
#include "render/plots/part_bars.hpp"

namespace warpscope::plots {

/// Creates the bars of a chart of kind `time_use`; returns nullopt for other kinds. `order`: order of the rows, if the
/// user sorted them. O(rows).
[[nodiscard]] std::optional<PlottedBars> time_use_bars(const analysis::ChartSpec& chart, const Table& table,
                                                       scene::Theme theme, std::span<const std::uint32_t> order = {});
/// Creates the areas of a chart of kind `areas`; returns nullopt for other kinds. O(rows).
[[nodiscard]] std::optional<charts::LineChart> time_use_areas(const analysis::ChartSpec& chart, const Table& table,
                                                              scene::Theme theme);
/// Returns the analysis that shows details of the part with this label; "" if there is none.
[[nodiscard]] std::string_view detail_of(const analysis::ChartSpec& chart, std::string_view part);

}  // namespace warpscope::plots
