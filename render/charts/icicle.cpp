#include "render/charts/icicle.hpp"

#include <algorithm>
#include <cmath>

namespace warpscope::charts {

namespace {

constexpr float kNarrowest = 0.5f;
constexpr float kRoomForName = 24;
constexpr float kRow = 19;   // approximate height of a level; px at 1×
constexpr float kAxis = 28;  // below the levels
constexpr double kDimmed = 0.3;

/// Returns where each box starts, in the chart's unit: after its siblings; the first child starts where its caller
/// starts.
std::vector<double> starts_of(const Icicle& chart) {
  std::vector<double> starts(chart.nodes.size(), 0);
  std::vector<double> next(1, 0.0);  // of each level
  for (std::size_t i = 0; i < chart.nodes.size(); ++i) {
    const IcicleNode& node = chart.nodes[i];
    if (node.depth >= next.size()) continue;
    starts[i] = next[node.depth];
    next.resize(node.depth + 1);
    next[node.depth] = starts[i] + std::max(0.0, node.value);
    next.push_back(starts[i]);
  }
  return starts;
}

/// Returns the callers of a box, nearest first.
std::vector<std::uint32_t> callers_of(const Icicle& chart, std::uint32_t node) {
  std::vector<std::uint32_t> callers;
  std::uint32_t depth = chart.nodes[node].depth;
  for (std::uint32_t i = node; i-- > 0 && depth > 0;) {
    if (chart.nodes[i].depth >= depth) continue;
    callers.push_back(i);
    depth = chart.nodes[i].depth;
  }
  return callers;
}

}  // namespace

Drawing draw(const Icicle& chart, float width, float height, const ChartStyle& style) {
  Drawing drawing{.width = width, .height = height};
  const auto count = static_cast<std::uint32_t>(chart.nodes.size());
  const bool zoomed = chart.root && *chart.root < count && chart.nodes[*chart.root].value > 0;
  double whole = 0;
  for (const IcicleNode& node : chart.nodes)
    if (node.depth == 0 && node.value > 0) whole += node.value;
  const float bottom = height - style.small_height - style.px(8);
  const float row = std::round(style.small_height + style.px(5));
  if (whole <= 0 || bottom < row) return drawing;
  const std::vector<double> starts = starts_of(chart);
  double from = 0;
  if (zoomed) {
    from = starts[*chart.root];
    whole = chart.nodes[*chart.root].value;
  }
  drawing.plot = {0, 0, width, bottom};
  const auto levels = static_cast<std::uint32_t>(bottom / row);
  const Scale axis{0, whole, 0, width, false};
  add_horizontal_axis(drawing, axis, ticks_of(axis, std::max(2, static_cast<int>(width / style.px(96))), chart.unit),
                      drawing.plot, style);
  const auto add_box = [&](std::uint32_t i, std::uint32_t level, float x0, float x1, bool dim) {
    if (level >= levels || x1 - x0 < kNarrowest) return;
    const IcicleNode& node = chart.nodes[i];
    const Color color =
        dim ? scene::blend(style.ground | 0xFF000000u, scene::with_alpha(node.color, kDimmed)) : node.color;
    const float y0 = row * static_cast<float>(level);
    const float gap = x1 - x0 > 3 * style.scale ? std::max(1.0f, std::floor(style.px(1))) : 0;
    const Box box{x0, y0, x1 - gap, y0 + row - std::max(1.0f, std::floor(style.px(1)))};
    drawing.fill(box, color);
    drawing.hits.push_back({i, box});
    if (box.width() < style.px(kRoomForName)) return;
    const std::string label = fit_label(node.name, box.width() - style.px(8), TextSize::small, style);
    if (!label.empty())
      drawing.write({box.x0 + style.px(4), y0 + (row - style.small_height) / 2}, label, scene::text_on(color));
  };
  std::uint32_t first = 0;
  std::uint32_t end = count;
  std::uint32_t top = 0;  // depth of the first level
  if (zoomed) {
    first = *chart.root;
    const std::vector<std::uint32_t> callers = callers_of(chart, first);
    const auto above = std::min(kCallersShown, static_cast<std::uint32_t>(callers.size()));
    for (std::uint32_t c = 0; c < above; ++c) add_box(callers[c], above - 1 - c, 0, width, true);
    top = chart.nodes[first].depth - above;
    end = first + 1;
    while (end < count && chart.nodes[end].depth > chart.nodes[first].depth) ++end;
  }
  std::uint32_t deepest = 0;
  for (std::uint32_t i = first; i < end; ++i) {
    const double start = starts[i] - from;
    const IcicleNode& node = chart.nodes[i];
    deepest = std::max(deepest, node.depth - top + 1);
    add_box(i, node.depth - top, axis.px(start), axis.px(start + node.value), node.dim);
  }
  if (deepest > levels) {
    const std::string more = "and " + std::to_string(deepest - levels) + " more levels: zoom in";
    drawing.write(
        {std::max(0.0f, width - style.measure(more, TextSize::small)), std::max(0.0f, bottom - style.small_height)},
        more, style.colors().muted);
  }
  return drawing;
}

float height_of(const Icicle& chart) {
  std::uint32_t levels = 1;
  for (const IcicleNode& node : chart.nodes) levels = std::max(levels, node.depth + 1);
  return static_cast<float>(levels) * kRow + kAxis;
}

}  // namespace warpscope::charts
