#pragma once
// Shows the values of curves at the pointer: a vertical line and a tooltip, highest values first if there are many.
#include <string_view>

#include "app/ui/widgets/chart_view.hpp"
#include "render/charts/line_chart.hpp"

namespace warpscope::ui {

/// `lines`: curves drawn by `chart`; `pointer` is relative to the chart's corner. Draws nothing outside the axes.
/// `further`: last line of the tooltip.
void line_hover(const AppContext& app, const ChartView& chart, const charts::LineChart& lines, charts::Point pointer,
                std::string_view further);

}  // namespace warpscope::ui
