#pragma once
// A chart as a figure for a paper: one drawing with a background, title, source, chart with axis titles, and full
// caption. A chart in the window omits details that are shown next to it; a figure is self-contained.
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "render/charts/box_plot.hpp"
#include "render/charts/drawing.hpp"
#include "render/charts/heat_map.hpp"
#include "render/charts/histogram_chart.hpp"
#include "render/charts/line_chart.hpp"
#include "render/charts/stacked_bars.hpp"

namespace warpscope::charts {

struct AxisTitles {
  std::string x;  ///< below the chart, centered
  std::string y;  ///< above the axis, left
};

/// Returns the axis titles of a chart, with units. `measure` is the quantity shown by the curves or cells; if empty, it
/// is derived from their unit.
[[nodiscard]] AxisTitles axis_titles(const StackedBars& chart, std::string_view measure);
[[nodiscard]] AxisTitles axis_titles(const BoxPlot& chart, std::string_view measure);
[[nodiscard]] AxisTitles axis_titles(const LineChart& chart, std::string_view measure);
[[nodiscard]] AxisTitles axis_titles(const HistogramChart& chart, std::string_view measure);
[[nodiscard]] AxisTitles axis_titles(const HeatMap& chart, std::string_view measure);

struct Figure {
  std::string title;
  std::string facts;    ///< muted, below the title: job and scope
  std::string caption;  ///< below the chart, in as many lines as needed
  AxisTitles axes;
  std::function<Drawing(float width, float height, const ChartStyle& style)> make;
};

/// `width` is in px; the height is `chart_height` px plus the height of the text around the chart.
[[nodiscard]] Drawing draw_figure(const Figure& figure, float width, float chart_height, const ChartStyle& style);

/// Wraps `words` at spaces into lines of at most `width` px; splits longer words.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view words, float width, TextSize size,
                                               const ChartStyle& style);

}  // namespace warpscope::charts
