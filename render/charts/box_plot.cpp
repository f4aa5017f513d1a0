#include "render/charts/box_plot.hpp"

#include <algorithm>
#include <cmath>

#include "render/charts/legend.hpp"
#include "render/charts/rows_layout.hpp"

namespace warpscope::charts {

namespace {

/// Adds a whisker and its cap.
void add_whisker(Drawing& drawing, float from, float to, const Box& strip, const ChartStyle& style) {
  const float y = std::round((strip.y0 + strip.y1) / 2);
  const float cap = std::round(strip.height() / 4);
  const Color color = style.colors().text;
  drawing.line({{from, y}, {to, y}}, color, style.px(1));
  drawing.line({{to, y - cap}, {to, y + cap}}, color, style.px(1));
}

}  // namespace

Drawing draw(const BoxPlot& chart, float width, float height, const ChartStyle& style) {
  Drawing drawing{.width = width, .height = height};
  std::vector<std::string> labels;
  std::vector<std::string> figures;
  float figure_width = 0;
  double low = chart.unit == Unit::share ? 0 : HUGE_VAL;
  double high = chart.unit == Unit::share ? 1 : -HUGE_VAL;
  for (const BoxRow& row : chart.rows) {
    labels.push_back(row.name);
    figures.push_back(format_value(row.p50, chart.unit));
    figure_width = std::max(figure_width, std::ceil(style.measure(figures.back(), TextSize::small)));
    low = std::min(low, row.lower);
    high = std::max(high, row.upper);
  }
  if (chart.rows.empty() || !(low <= high)) return drawing;
  figure_width += style.px(12);
  const std::vector<LegendEntry> names{{"25th percentile to median", chart.below},
                                       {"median to 75th percentile", chart.above}};
  const float top = add_heading(drawing, chart.title, names, {0, 0, width, height}, style);
  const RowsLayout rows =
      lay_out_rows(labels, {0, top + style.px(4), width - figure_width, height}, style, {.left_out = chart.left_out});
  drawing.plot = rows.plot;
  const Scale x{low, std::max(high, low + 1e-9), rows.plot.x0, rows.plot.x1, false};
  const int x_lines = std::max(2, static_cast<int>(rows.plot.width() / style.px(84)));
  add_horizontal_axis(drawing, x, ticks_of(x, x_lines, chart.unit), rows.plot, style, true);
  add_row_labels(drawing, labels, rows, style);
  for (std::size_t r = 0; r < rows.shown; ++r) {
    const BoxRow& row = chart.rows[r];
    const Box strip = rows.bar(r, style);
    const float p25 = std::round(x.px(row.p25));
    const float p50 = std::round(x.px(row.p50));
    const float p75 = std::round(x.px(row.p75));
    if (row.lower < row.p25) add_whisker(drawing, p25, std::round(x.px(row.lower)), strip, style);
    if (row.upper > row.p75) add_whisker(drawing, p75, std::round(x.px(row.upper)), strip, style);
    if (p50 > p25) drawing.fill({p25, strip.y0, p50, strip.y1}, chart.below);
    if (p75 > p50) drawing.fill({p50, strip.y0, p75, strip.y1}, chart.above);
    const float median = std::clamp(p50 - style.px(1), rows.plot.x0, rows.plot.x1 - style.px(2));
    drawing.fill({median, strip.y0, median + style.px(2), strip.y1}, style.colors().text);
    drawing.hits.push_back({static_cast<std::uint32_t>(r), rows.row(r)});
    const float y = std::floor((strip.y0 + strip.y1 - style.small_height) / 2);
    drawing.write({width, y}, figures[r], style.colors().text, TextSize::small, Align::right);
  }
  return drawing;
}

}  // namespace warpscope::charts
