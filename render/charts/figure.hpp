#pragma once
// A chart as a figure of a paper: its title, where it is from, the chart with titled axes, and its whole caption, as
// one drawing on its own ground. The window's charts leave out what stands beside them there; a figure stands alone.
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "render/charts/drawing.hpp"
#include "render/charts/heat_map.hpp"
#include "render/charts/histogram_chart.hpp"
#include "render/charts/line_chart.hpp"
#include "render/charts/stacked_bars.hpp"

namespace warpscope::charts {

struct AxisTitles {
  std::string x;  ///< below the chart, in its middle
  std::string y;  ///< above the axis, at its left
};

/// What the axes of a chart measure, with units. `measure`: of the curves or cells, else their unit's quantity.
[[nodiscard]] AxisTitles axis_titles(const StackedBars& chart, std::string_view measure);
[[nodiscard]] AxisTitles axis_titles(const LineChart& chart, std::string_view measure);
[[nodiscard]] AxisTitles axis_titles(const HistogramChart& chart, std::string_view measure);
[[nodiscard]] AxisTitles axis_titles(const HeatMap& chart, std::string_view measure);

struct Figure {
  std::string title;
  std::string facts;    ///< muted, below the title: which job, which part of it
  std::string caption;  ///< below the chart, as many lines as it takes
  AxisTitles axes;
  std::function<Drawing(float width, float height, const ChartStyle& style)> make;
};

/// `width` px wide; as high as the chart of `chart_height` px and the words around it.
[[nodiscard]] Drawing draw_figure(const Figure& figure, float width, float chart_height, const ChartStyle& style);

/// `words` in lines of at most `width` px, broken at spaces; a word that is longer is cut into pieces.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view words, float width, TextSize size,
                                               const ChartStyle& style);

}  // namespace warpscope::charts
