#include "render/charts/stacked_bars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "render/charts/legend.hpp"
#include "render/charts/rows_layout.hpp"

namespace warpscope::charts {

namespace {

constexpr int kLegendLines = 2;  // lines of the legend
constexpr int kLegendLinesOfOne = 5;

double positive(double value) { return value > 0 ? value : 0; }

double sum_of(const BarRow& row) {
  double sum = 0;
  for (const double value : row.values) sum += positive(value);
  return sum;
}

}  // namespace

Drawing draw(const StackedBars& chart, float width, float height, const ChartStyle& style) {
  Drawing drawing{.width = width, .height = height};
  std::vector<LegendEntry> names;
  for (const BarPart& part : chart.parts) names.push_back({part.name, part.color});
  std::vector<std::string> labels;
  double most = 0;
  float figures = 0;
  for (const BarRow& row : chart.rows) {
    labels.push_back(row.name);
    figures = std::max(figures, std::ceil(style.measure(row.figure, TextSize::small)));
  }
  if (figures > 0) figures += style.px(8);
  // A single bar leaves space for more legend lines.
  const int lines = chart.rows.size() == 1 ? kLegendLinesOfOne : kLegendLines;
  const float top = add_heading(drawing, chart.title, names, {0, 0, width, height}, style, lines);
  const RowsLayout rows =
      lay_out_rows(labels, {0, top + style.px(4), width - figures, height}, style, {.left_out = chart.left_out});
  drawing.plot = rows.plot;
  for (std::size_t r = 0; r < rows.shown; ++r) most = std::max(most, sum_of(chart.rows[r]));
  const Scale x{0, std::max(most, 1e-9), rows.plot.x0, rows.plot.x1, false};
  const int x_lines = std::max(2, static_cast<int>(rows.plot.width() / style.px(84)));
  add_horizontal_axis(drawing, x, ticks_of(x, x_lines, chart.unit), rows.plot, style, true);
  add_row_labels(drawing, labels, rows, style);
  for (std::size_t r = 0; r < rows.shown; ++r) {
    const BarRow& row = chart.rows[r];
    const Box strip = rows.bar(r, style);
    double at = 0;
    // The label can be hovered like its bar, which may be only a pixel wide.
    if (chart.parts.size() == 1) {
      const Box line = rows.row(r);
      drawing.hits.push_back({static_cast<std::uint32_t>(r), Box{0, line.y0, line.x0 - style.px(4), line.y1}});
    }
    for (std::size_t p = 0; p < chart.parts.size() && p < row.values.size(); ++p) {
      const double value = positive(row.values[p]);
      if (value <= 0) continue;
      const float from = std::round(x.px(at));
      const float to = std::round(x.px(at + value));
      at += value;
      const Box box{from, strip.y0, std::max(to, from + 1), strip.y1};
      drawing.fill(box, row.color.value_or(chart.parts[p].color));
      if (from > rows.plot.x0 && box.width() > style.px(3))
        drawing.fill({from, strip.y0, from + style.px(1), strip.y1}, style.ground);
      drawing.hits.push_back({static_cast<std::uint32_t>(r * chart.parts.size() + p), box});
    }
    if (row.figure.empty()) continue;
    const float y = std::floor((strip.y0 + strip.y1 - style.small_height) / 2);
    drawing.write({width, y}, row.figure, style.colors().text, TextSize::small, Align::right);
  }
  return drawing;
}

}  // namespace warpscope::charts
