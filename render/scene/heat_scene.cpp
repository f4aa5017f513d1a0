#include "render/scene/heat_scene.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "render/scene/palette.hpp"

namespace warpscope::scene {

namespace {

constexpr double kFullScale = 100;  // full scale of percentages
constexpr double kLeastCellPx = 3;  // width; up to twice that, since durations are powers of two
constexpr std::size_t kMostLines = 24;
constexpr int kHeatShades = 24;          // similar adjacent cells become one rectangle
constexpr double kLeastStrength = 0.06;  // idle must differ from unknown
constexpr std::uint8_t kUnknownShade = 254;
constexpr std::uint8_t kNotComputed = 255;

std::int64_t cell_at(Ns time, Ns duration) {
  return time >= 0 ? time / duration : -((-time + duration - 1) / duration);
}

std::uint8_t shade_of(std::span<const trace::MetricSeries> members, Ns begin, Ns end) {
  double sum = 0;
  double known = 0;
  for (const trace::MetricSeries& one : members) {
    const trace::Counter::Summary here = one.counter.summary(begin, end);
    sum += here.mean * here.known;
    known += here.known;
  }
  if (known <= 0) return kUnknownShade;
  return static_cast<std::uint8_t>(std::lround(std::clamp(sum / known / kFullScale, 0.0, 1.0) * kHeatShades));
}

}  // namespace

void HeatMaps::use(const std::shared_ptr<const trace::Profile>& profile) {
  if (profile_ != profile) maps_.clear();
  profile_ = profile;
}

void HeatMaps::forget() {
  maps_.clear();
  profile_.reset();
}

void HeatMaps::move_to(Cells& cells, Ns duration, std::int64_t first, std::size_t count, std::size_t lines) {
  Cells moved{duration, first, count, lines, std::vector<std::uint8_t>(count * lines, kNotComputed)};
  if (cells.duration == duration && cells.lines == lines) {
    const std::int64_t begin = std::max(first, cells.first);
    const std::int64_t end =
        std::min(first + static_cast<std::int64_t>(count), cells.first + static_cast<std::int64_t>(cells.count));
    for (std::size_t line = 0; begin < end && line < lines; ++line)
      std::copy_n(cells.shades.begin() + static_cast<std::ptrdiff_t>(line * cells.count) + (begin - cells.first),
                  end - begin, moved.shades.begin() + static_cast<std::ptrdiff_t>(line * count) + (begin - first));
  }
  cells = std::move(moved);
}

void HeatMaps::draw(std::span<const trace::MetricSeries> series, const TimeView& view, const CurveBox& box,
                    DrawList& out) {
  if (series.empty() || view.visible().empty()) return;
  const std::size_t lines = std::min({series.size(), static_cast<std::size_t>(box.height), kMostLines});
  const double least = std::max(1.0, kLeastCellPx * box.scale) * view.ns_per_px();
  const auto duration = static_cast<Ns>(std::bit_ceil(static_cast<std::uint64_t>(std::max(1.0, std::ceil(least)))));
  const std::int64_t first = cell_at(view.visible().begin, duration);
  const auto count = static_cast<std::size_t>(cell_at(view.visible().end - 1, duration) - first + 1);
  Cells& cells = maps_[series.data()];
  move_to(cells, duration, first, count, lines);
  const auto height_to = [&](std::size_t line) {
    return static_cast<int>(static_cast<std::size_t>(box.height) * line / lines);
  };
  for (std::size_t line = 0; line < lines; ++line) {
    const std::size_t member = series.size() * line / lines;
    const auto members = series.subspan(member, series.size() * (line + 1) / lines - member);
    const int y = box.y + height_to(line);
    const int height = std::clamp(height_to(line + 1) - height_to(line), 1, 255);
    for (std::size_t i = 0; i < count; ++i) {
      std::uint8_t& shade = cells.shades[line * count + i];
      const Ns begin = (first + static_cast<std::int64_t>(i)) * duration;
      if (shade == kNotComputed) shade = shade_of(members, begin, begin + duration);
      if (shade == kUnknownShade) continue;
      const auto x0 = static_cast<float>(std::max(0.0, std::round(view.to_px(begin))));
      const auto x1 = static_cast<float>(std::min(std::round(view.to_px(begin + duration)), view.width()));
      const Color color = with_alpha(box.color, kLeastStrength + (1 - kLeastStrength) * shade / kHeatShades);
      if (!out.rects.empty() && out.rects.back().x1 == x0 && out.rects.back().y == y && out.rects.back().color == color)
        out.rects.back().x1 = x1;
      else if (x1 > x0)
        out.rects.push_back({x0, x1, static_cast<std::int16_t>(y), static_cast<std::uint8_t>(height), 255, color});
    }
  }
}

std::size_t heat_line_at(std::size_t count, int height, double y) {
  if (count == 0) return 0;
  const double line = std::floor(y * static_cast<double>(count) / std::max(1, height));
  return static_cast<std::size_t>(std::clamp(line, 0.0, static_cast<double>(count - 1)));
}

}  // namespace warpscope::scene
