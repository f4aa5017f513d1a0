#include "render/charts/figure.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "core/base/word_at.hpp"

namespace warpscope::charts {
namespace {

constexpr float kFigureEdge = 24;
constexpr float kFigureGap = 12;

std::string quantity_of(Unit unit) {
  constexpr std::array<std::string_view, 6> kQuantities{"Time",      "Bytes", "Bandwidth (bytes per second)",
                                                        "Share (%)", "Count", "Value"};
  return std::string(word_at(kQuantities, unit));
}

std::string measured(std::string_view measure, Unit unit) {
  if (measure.empty()) return quantity_of(unit);
  return std::string(measure) + (unit == Unit::share && !measure.ends_with(')') ? " (%)" : "");
}

std::string x_of(Unit unit) { return unit == Unit::duration ? "Time since the start of the trace" : quantity_of(unit); }

Point moved(Point p, Point by) { return {p.x + by.x, p.y + by.y}; }

Shape moved(Shape shape, Point by) {
  std::visit(
      [by](auto& each) {
        using Each = std::decay_t<decltype(each)>;
        if constexpr (std::is_same_v<Each, FilledBox>)
          each.box = {each.box.x0 + by.x, each.box.y0 + by.y, each.box.x1 + by.x, each.box.y1 + by.y};
        else if constexpr (std::is_same_v<Each, Text>)
          each.at = moved(each.at, by);
        else
          for (Point& p : each.points) p = moved(p, by);
      },
      shape);
  return shape;
}

/// Returns the length in bytes of the longest prefix of `word` that fits; at least one letter.
std::size_t fitting(std::string_view word, float width, TextSize size, const ChartStyle& style) {
  std::size_t end = 0;
  while (end < word.size()) {
    std::size_t next = end + 1;
    while (next < word.size() && (static_cast<unsigned char>(word[next]) & 0xC0) == 0x80) ++next;
    if (end > 0 && style.measure(word.substr(0, next), size) > width) break;
    end = next;
  }
  return end;
}

}  // namespace

AxisTitles axis_titles(const StackedBars& chart, std::string_view measure) {
  return {measured(measure, chart.unit), ""};
}

AxisTitles axis_titles(const BoxPlot& chart, std::string_view measure) { return {measured(measure, chart.unit), ""}; }

AxisTitles axis_titles(const LineChart& chart, std::string_view measure) {
  return {x_of(chart.x_unit), measured(measure, chart.y_unit)};
}

AxisTitles axis_titles(const HistogramChart& chart, std::string_view measure) {
  return {measure.empty() ? chart.unit == Unit::duration ? "Duration" : quantity_of(chart.unit) : std::string(measure),
          "Count"};
}

AxisTitles axis_titles(const HeatMap& chart, std::string_view measure) {
  return {x_of(chart.x_unit), measured(measure, chart.unit)};
}

std::vector<std::string> wrapped(std::string_view words, float width, TextSize size, const ChartStyle& style) {
  std::vector<std::string> lines;
  std::string line;
  const auto flush = [&] {
    if (!line.empty()) lines.push_back(std::exchange(line, {}));
  };
  while (!words.empty()) {
    const std::size_t end = std::min(words.find_first_of(" \n"), words.size());
    std::string_view word = words.substr(0, end);
    const bool breaks = end < words.size() && words[end] == '\n';
    words.remove_prefix(std::min(end + 1, words.size()));
    if (!line.empty() && style.measure(line + " " + std::string(word), size) > width) flush();
    while (line.empty() && style.measure(word, size) > width) {
      const std::size_t part = fitting(word, width, size, style);
      if (part == word.size()) break;
      lines.emplace_back(word.substr(0, part));
      word.remove_prefix(part);
    }
    if (!word.empty()) line += (line.empty() ? "" : " ") + std::string(word);
    if (breaks) flush();
  }
  flush();
  return lines;
}

Drawing draw_figure(const Figure& figure, float width, float chart_height, const ChartStyle& style) {
  Drawing drawing;
  drawing.width = width;
  const float edge = style.px(kFigureEdge);
  const float room = std::max(1.0f, width - 2 * edge);
  float y = edge;
  const auto write = [&](const std::string& words, TextSize size, Color color) {
    for (std::string& line : wrapped(words, room, size, style)) {
      drawing.write({edge, y}, std::move(line), color, size);
      y += style.line_height(size);
    }
  };
  write(figure.title, TextSize::large, style.colors().text);
  write(figure.facts, TextSize::small, style.colors().muted);
  y += style.px(kFigureGap);
  if (!figure.axes.y.empty()) {
    write(figure.axes.y, TextSize::small, style.colors().text);
    y += style.px(4);
  }
  const Drawing chart = figure.make(room, chart_height, style);
  for (const Shape& shape : chart.shapes) drawing.shapes.push_back(moved(shape, {edge, y}));
  drawing.plot = {chart.plot.x0 + edge, chart.plot.y0 + y, chart.plot.x1 + edge, chart.plot.y1 + y};
  y += chart_height;
  if (!figure.axes.x.empty()) {
    y += style.px(4);
    const float middle = chart.plot.width() > 0 ? (drawing.plot.x0 + drawing.plot.x1) / 2 : width / 2;
    drawing.write({middle, y}, figure.axes.x, style.colors().text, TextSize::small, Align::centre);
    y += style.line_height(TextSize::small);
  }
  if (!figure.caption.empty()) {
    y += style.px(kFigureGap);
    write(figure.caption, TextSize::small, style.colors().muted);
  }
  drawing.height = std::ceil(y + edge);
  // The background goes below everything.
  drawing.shapes.insert(drawing.shapes.begin(), FilledBox{{0, 0, width, drawing.height}, style.ground, 0});
  return drawing;
}

}  // namespace warpscope::charts
