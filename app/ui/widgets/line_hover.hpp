#pragma once
// What curves are where the pointer is: a line across them, and a tooltip with their values, the greatest first where
// there are many.
#include <string_view>

#include "app/ui/widgets/chart_view.hpp"
#include "render/charts/line_chart.hpp"

namespace warpscope::ui {

/// Of curves that `chart` draws over `time`, with the pointer at `pointer` from the chart's corner; nothing outside of
/// the axes. `further`: a last line of the tooltip.
void line_hover(const AppContext& app, const ChartView& chart, const charts::LineChart& lines,
                const charts::Scale& time, charts::Point pointer, std::string_view further);

}  // namespace warpscope::ui
