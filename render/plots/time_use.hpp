#pragma once
// Charts of what GPUs spent their time on: a bar for each rank, and areas over time. Classes have the colors of the
// Timeline; idle time is divided by cause where the table has causes.
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/base/table.hpp"
#include "render/charts/line_chart.hpp"
#include "render/plots/part_bars.hpp"

namespace warpscope::plots {

inline constexpr std::string_view kTimeUseAnalysis = "where_time_goes";

/// Of the table by rank; nothing for others. `order`: of the rows, if the user chose one. O(rows).
[[nodiscard]] std::optional<PlottedBars> time_use_bars(const Table& table, scene::Theme theme,
                                                       std::span<const std::uint32_t> order = {});
/// Of the table over time; nothing for others. O(rows).
[[nodiscard]] std::optional<charts::LineChart> time_use_areas(const Table& table, scene::Theme theme);
/// The analysis that shows more of a part of a bar; "" if the part has none.
[[nodiscard]] std::string_view analysis_of_time_use(std::string_view part);

}  // namespace warpscope::plots
