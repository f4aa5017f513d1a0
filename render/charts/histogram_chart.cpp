#include "render/charts/histogram_chart.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "render/charts/legend.hpp"

namespace warpscope::charts {

namespace {

constexpr int kMostLines = 4;
constexpr float kBinTickSpacing = 84;
constexpr double kLeastSpan = 1e-4;    // relative to the values; below it, axis labels would not differ
constexpr double kSpanOfEqual = 0.05;  // to either side, for nearly equal values
constexpr float kLeastBarOfEqual = 8;

/// True if the values are equal or too close for an axis from minimum to maximum.
bool nearly_equal(const HistogramChart& chart) {
  const double low = chart.bins.front().begin;
  const double high = chart.bins.back().end;
  return !(high - low > kLeastSpan * std::max(std::abs(low), std::abs(high)));
}

Scale value_scale(const HistogramChart& chart) {
  Scale scale;
  scale.low = chart.bins.front().begin;
  scale.high = chart.bins.back().end;
  if (nearly_equal(chart)) {
    const double about = std::max({std::abs(scale.low), std::abs(scale.high), 1.0}) * kSpanOfEqual;
    const double middle = scale.low + (scale.high - scale.low) / 2;
    return {middle - about, middle + about, 0, 1, false};
  }
  return scale;
}

Scale count_scale(const HistogramChart& chart) {
  double most = 1;
  for (const HistogramBin& bin : chart.bins) most = std::max(most, bin.count);
  // Leave room above the highest bar.
  return {0, most * 1.05, 0, 1, false};
}

struct PlacedMark {
  const HistogramMark* mark;  // nullptr: the label of the spread, without a line
  std::string label;
  float x = 0;
  float left = 0;
  float right = 0;
  int line = -1;  // -1: not placed
};

/// True if `mark` fits on its line: labels must not overlap, and the vertical line below a label must not cross a lower
/// label.
bool fits(const PlacedMark& mark, const std::vector<PlacedMark>& placed, float gap) {
  return std::ranges::none_of(placed, [&](const PlacedMark& other) {
    if (other.line < 0) return false;
    if (other.line == mark.line) return mark.left < other.right + gap && other.left < mark.right + gap;
    const PlacedMark& upper = other.line < mark.line ? other : mark;
    const PlacedMark& lower = other.line < mark.line ? mark : other;
    return upper.mark != nullptr && upper.x > lower.left - gap && upper.x < lower.right + gap;
  });
}

/// Returns the required resolution of marks: the narrowest bin, which is the first; infinite if all marks are equal.
double resolution_of(const HistogramChart& chart) {
  const auto differs = [&](const HistogramMark& mark) { return mark.value != chart.marks.front().value; };
  if (chart.bins.empty() || std::ranges::none_of(chart.marks, differs)) return HUGE_VAL;
  return chart.bins.front().end - chart.bins.front().begin;
}

/// Merges marks with equal values, as for a single value: "median, mean, p95 12.3 ms", with as many names as fit half
/// the width.
std::vector<HistogramMark> joined_marks(const HistogramChart& chart, float width, const ChartStyle& style) {
  std::vector<HistogramMark> joined;
  for (const HistogramMark& mark : chart.marks) {
    const auto same = std::ranges::find(joined, mark.value, &HistogramMark::value);
    if (same == joined.end()) {
      joined.push_back(mark);
      continue;
    }
    same->strong = same->strong || mark.strong;
    const std::string names = same->name + ", " + mark.name;
    const std::string label = names + " " + format_value_at(mark.value, chart.unit, resolution_of(chart));
    if (style.measure(label, TextSize::small) <= width / 2) same->name = names;
  }
  return joined;
}

/// Places labels next to their lines, strong ones first, the others from the right: left of the line if possible,
/// otherwise centered on it, otherwise right of it.
std::vector<PlacedMark> place_marks(const HistogramChart& chart, const std::vector<HistogramMark>& joined,
                                    const Scale& scale, float width, float height, const ChartStyle& style) {
  std::vector<PlacedMark> marks;
  for (const HistogramMark& mark : joined) {
    if (!std::isfinite(mark.value) || mark.value < scale.low || mark.value > scale.high * (1 + 1e-9)) continue;
    marks.push_back({&mark, mark.name + " " + format_value_at(mark.value, chart.unit, resolution_of(chart)),
                     std::round(scale.px(mark.value))});
  }
  if (chart.spread && !chart.spread_name.empty() && chart.spread->second > scale.low)
    marks.push_back({nullptr, chart.spread_name, std::round(scale.px(std::min(scale.high, chart.spread->second)))});
  std::ranges::stable_sort(marks, std::greater{}, &PlacedMark::x);
  std::ranges::stable_partition(marks, [](const PlacedMark& m) { return m.mark != nullptr && m.mark->strong; });
  const auto most = std::clamp(static_cast<int>(height / (4 * style.small_height)), 1, kMostLines);
  std::vector<PlacedMark> placed;
  for (PlacedMark& mark : marks) {
    const float size = style.measure(mark.label, TextSize::small);
    const float beside = style.px(3);
    for (int line = 0; line < most; ++line) {
      for (const float left : {mark.x - size - beside, mark.x - size / 2, mark.x + beside}) {
        mark.line = line;
        mark.left = left;
        mark.right = left + size;
        if (left >= 0 && mark.right <= width && fits(mark, placed, style.px(4))) break;
        mark.line = -1;
      }
      if (mark.line >= 0) break;
    }
    placed.push_back(mark);
  }
  return placed;
}

void add_bars(Drawing& drawing, const HistogramChart& chart, const Scale& x, const Scale& y, const ChartStyle& style) {
  const Box& plot = drawing.plot;
  for (std::size_t i = 0; i < chart.bins.size(); ++i) {
    const HistogramBin& bin = chart.bins[i];
    float left = std::round(x.px(bin.begin));
    float right = std::round(x.px(bin.end));
    const bool gap = right - left >= 3 * style.px(1);
    if (gap) right -= style.px(1);
    right = std::max(right, left + style.px(chart.bins.size() == 1 ? kLeastBarOfEqual : 1));
    if (chart.bins.size() == 1) {  // around its value
      const float shift = std::floor((right - left) / 2 - (x.px(bin.end) - x.px(bin.begin)) / 2);
      left = std::max(plot.x0, left - shift);
      right = std::min(plot.x1, right - shift);
    }
    if (bin.count <= 0) continue;
    const float top = std::min(std::round(y.px(bin.count)), plot.y1 - style.px(2));
    const Color color = chart.chosen == i ? style.colors().accent : chart.color;
    drawing.fill({left, top, right, plot.y1}, color);
    // The whole column is hoverable, since low bars are hard to hit.
    drawing.hits.push_back({static_cast<std::uint32_t>(i), Box{left, plot.y0, right, plot.y1}});
  }
}

}  // namespace

Drawing draw(const HistogramChart& chart, float width, float height, const ChartStyle& style) {
  Drawing drawing{.width = width, .height = height};
  if (chart.bins.empty()) return drawing;
  Scale x = value_scale(chart);
  Scale y = count_scale(chart);
  const float bottom = height - style.small_height - style.px(7);
  const int y_lines = std::max(2, static_cast<int>(height / style.px(48)));
  const std::vector<AxisTick> y_ticks = ticks_of(y, y_lines, Unit::count);
  const float left = label_width(y_ticks, style);
  const float head = add_heading(drawing, chart.title, {}, {0, 0, width, height}, style);
  drawing.plot = {left, 0, std::max(left + 1, width - style.px(2)), bottom};
  x.from = drawing.plot.x0;
  x.to = drawing.plot.x1;
  const std::vector<HistogramMark> joined = joined_marks(chart, width, style);  // `marks` points into it
  const std::vector<PlacedMark> marks = place_marks(chart, joined, x, width, height, style);
  int lines = 0;
  for (const PlacedMark& mark : marks) lines = std::max(lines, mark.line + 1);
  drawing.plot.y0 = head + static_cast<float>(lines) * (style.small_height + style.px(1)) + style.px(6);
  y.from = drawing.plot.y1;
  y.to = drawing.plot.y0;

  if (chart.spread) {
    const float from = std::clamp(x.px(chart.spread->first), drawing.plot.x0, drawing.plot.x1);
    const float to = std::clamp(x.px(chart.spread->second), drawing.plot.x0, drawing.plot.x1);
    drawing.fill({from, drawing.plot.y0, to, drawing.plot.y1}, scene::with_alpha(style.colors().text, 0.06));
  }
  add_vertical_axis(drawing, y, y_ticks, drawing.plot, style);
  const int x_lines = std::max(2, static_cast<int>(drawing.plot.width() / style.px(kBinTickSpacing)));
  add_bars(drawing, chart, x, y, style);
  add_horizontal_axis(drawing, x, ticks_of(x, x_lines, chart.unit), drawing.plot, style);
  for (const PlacedMark& mark : marks) {
    const float row = style.small_height + style.px(1);
    const bool over = mark.left < mark.x && mark.x < mark.right;
    const float line_y =
        mark.line < 0 ? drawing.plot.y0 - style.px(3) : head + static_cast<float>(mark.line + (over ? 1 : 0)) * row;
    const bool strong = mark.mark != nullptr && mark.mark->strong;
    const Color color = strong ? style.colors().text : style.colors().muted;
    if (mark.mark != nullptr) {
      // A border in the background color keeps the line visible on bars of any color.
      drawing.fill({mark.x - style.px(1), drawing.plot.y0, mark.x + style.px(2), drawing.plot.y1},
                   scene::with_alpha(style.ground, 0.55));
      drawing.line({{mark.x + 0.5f, line_y}, {mark.x + 0.5f, drawing.plot.y1}}, color, style.px(1),
                   strong ? 0 : style.px(3));
    }
    if (mark.line < 0) continue;
    drawing.write({mark.left, head + static_cast<float>(mark.line) * row}, mark.label, color);
  }
  return drawing;
}

}  // namespace warpscope::charts
