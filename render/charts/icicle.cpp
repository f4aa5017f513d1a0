#include "render/charts/icicle.hpp"

#include <algorithm>
#include <cmath>

namespace warpscope::charts {

namespace {

constexpr float kNarrowest = 0.5f;
constexpr float kRoomForName = 24;

}  // namespace

Drawing draw_icicle(const Icicle& chart, float width, float height, const ChartStyle& style) {
  Drawing drawing{.width = width, .height = height, .shapes = {}, .hits = {}};
  double whole = 0;
  for (const IcicleNode& node : chart.nodes)
    if (node.depth == 0 && node.value > 0) whole += node.value;
  const float bottom = height - style.small_height - style.px(8);
  const float row = std::round(style.small_height + style.px(5));
  if (whole <= 0 || bottom < row) return drawing;
  drawing.plot = {0, 0, width, bottom};
  const auto levels = static_cast<std::uint32_t>(bottom / row);
  const Scale x{0, whole, 0, width, false};
  add_horizontal_axis(drawing, x, ticks_of(x, std::max(2, static_cast<int>(width / style.px(96))), chart.unit),
                      drawing.plot, style);
  // Where the next box of each level starts: after its siblings, at first where its caller starts.
  std::vector<double> next(1, 0.0);
  for (std::uint32_t i = 0; i < chart.nodes.size(); ++i) {
    const IcicleNode& node = chart.nodes[i];
    if (node.depth >= next.size()) continue;
    const double start = next[node.depth];
    next.resize(node.depth + 1);
    next[node.depth] = start + std::max(0.0, node.value);
    next.push_back(start);
    const float x0 = x.px(start);
    const float x1 = x.px(start + node.value);
    if (node.depth >= levels || x1 - x0 < kNarrowest) continue;
    const float y0 = row * static_cast<float>(node.depth);
    const float gap = x1 - x0 > 3 * style.scale ? std::max(1.0f, std::floor(style.px(1))) : 0;
    const Box box{x0, y0, x1 - gap, y0 + row - std::max(1.0f, std::floor(style.px(1)))};
    drawing.shapes.emplace_back(FilledBox{box, node.color, 0});
    drawing.hits.push_back({i, box});
    if (box.width() < style.px(kRoomForName)) continue;
    const std::string label = fit_label(node.name, box.width() - style.px(8), TextSize::small, style);
    if (!label.empty())
      drawing.shapes.emplace_back(Text{{box.x0 + style.px(4), y0 + (row - style.small_height) / 2},
                                       label,
                                       scene::text_on(node.color),
                                       TextSize::small,
                                       Align::left});
  }
  return drawing;
}

}  // namespace warpscope::charts
