#include "render/charts/box_plot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "render/charts/rows_layout.hpp"

namespace warpscope::charts {

namespace {

Scale scale_of(const BoxPlot& chart) {
  if (chart.range) return {chart.range->first, chart.range->second, 0, 1, chart.log && chart.range->first > 0};
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  const auto take = [&](double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  };
  for (const BoxStatistics& box : chart.boxes) {
    take(box.low);
    take(box.high);
    if (box.mean) take(*box.mean);
    for (const double value : box.outliers) take(value);
  }
  if (!(low <= high)) return {0, 1, 0, 1, false};
  if (chart.log && low > 0) return {low / 1.1, high * 1.1, 0, 1, true};
  const double margin = high > low ? (high - low) * 0.03 : std::max(1.0, std::abs(high) * 0.1);
  return {low >= 0 ? std::max(0.0, low - margin) : low - margin, high + margin, 0, 1, false};
}

void add_box(Drawing& drawing, const BoxStatistics& box, const Box& strip, const Scale& x, const ChartStyle& style) {
  const float line = style.px(1);
  const float middle = std::round((strip.y0 + strip.y1) / 2);
  const auto at = [&](double value) { return std::round(x.px(value)); };
  const auto add = [&](float x0, float y0, float x1, float y1, Color color) {
    drawing.shapes.emplace_back(FilledBox{{x0, y0, std::max(x1, x0 + line), std::max(y1, y0 + line)}, color, 0});
  };
  const Color whisker = style.colors().muted;
  const float cap = std::round(strip.height() / 4);
  add(at(box.low), middle, at(box.high), middle + line, whisker);
  add(at(box.low), middle - cap, at(box.low) + line, middle + cap, whisker);
  add(at(box.high) - line, middle - cap, at(box.high), middle + cap, whisker);
  add(at(box.lower_quartile), strip.y0, at(box.upper_quartile), strip.y1, box.color);
  const float half = std::max(line, style.px(1.5f));
  add(at(box.median) - half / 2, strip.y0, at(box.median) + half, strip.y1, scene::text_on(box.color));
  const float dot = style.px(2);
  for (const double value : box.outliers)
    drawing.shapes.emplace_back(FilledBox{
        {at(value) - dot, middle - dot, at(value) + dot, middle + dot}, scene::with_alpha(box.color, 0.8), dot});
  if (!box.mean) return;
  const float m = at(*box.mean);
  const float r = style.px(4);
  drawing.shapes.emplace_back(
      Polygon{{{m, middle - r}, {m + r, middle}, {m, middle + r}, {m - r, middle}}, style.colors().text});
}

}  // namespace

Drawing draw_box_plot(const BoxPlot& chart, float width, float height, const ChartStyle& style) {
  Drawing drawing{.width = width, .height = height, .shapes = {}, .hits = {}};
  std::vector<std::string> labels;
  for (const BoxStatistics& box : chart.boxes) labels.push_back(box.name);
  const RowsLayout rows = lay_out_rows(labels, {0, style.px(4), width, height}, style);
  drawing.plot = rows.plot;
  Scale x = scale_of(chart);
  x.from = rows.plot.x0;
  x.to = rows.plot.x1;
  const int x_lines = std::max(2, static_cast<int>(rows.plot.width() / style.px(84)));
  add_horizontal_axis(drawing, x, ticks_of(x, x_lines, chart.unit), rows.plot, style, true);
  add_row_labels(drawing, labels, rows, style);
  for (std::size_t r = 0; r < rows.shown; ++r) {
    add_box(drawing, chart.boxes[r], rows.bar(r, style), x, style);
    drawing.hits.push_back({static_cast<std::uint32_t>(r), rows.row(r)});
  }
  return drawing;
}

}  // namespace warpscope::charts
