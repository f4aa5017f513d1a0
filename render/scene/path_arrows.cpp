#include "render/scene/path_arrows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace warpscope::scene {
namespace {

constexpr int kPieces = 16;        // segments of a curve for measuring its distance
constexpr double kLeastBend = 12;  // px at 1×
constexpr double kMostBend = 120;

Point on_curve(const Arrow& arrow, double t) {
  const double u = 1 - t;
  const double a = u * u * u;
  const double b = 3 * u * u * t;
  const double c = 3 * u * t * t;
  const double d = t * t * t;
  return {a * arrow.from.x + b * arrow.control1.x + c * arrow.control2.x + d * arrow.to.x,
          a * arrow.from.y + b * arrow.control1.y + c * arrow.control2.y + d * arrow.to.y};
}

double distance_to_piece(Point at, Point a, Point b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double length = dx * dx + dy * dy;
  const double t = length > 0 ? std::clamp(((at.x - a.x) * dx + (at.y - a.y) * dy) / length, 0.0, 1.0) : 0;
  return std::hypot(at.x - a.x - t * dx, at.y - a.y - t * dy);
}

/// Of the arrows in a cell, only the heaviest is kept.
struct ArrowCell {
  std::int64_t column = 0;  // column of their end time
  double from_y = 0;
  double to_y = 0;

  friend auto operator<=>(const ArrowCell&, const ArrowCell&) = default;
};

struct Candidate {
  ArrowCell cell;
  Ns weight = 0;
  PathArrow arrow;
};

/// Keeps the heaviest arrow of each cell and at most kPathArrowLimit in total.
void thin(std::vector<Candidate>& all) {
  std::ranges::sort(all, [](const Candidate& a, const Candidate& b) {
    return std::tuple(a.cell, -a.weight, a.arrow.link) < std::tuple(b.cell, -b.weight, b.arrow.link);
  });
  all.erase(std::unique(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.cell == b.cell; }),
            all.end());
  if (all.size() <= kPathArrowLimit) return;
  std::ranges::nth_element(all, all.begin() + kPathArrowLimit, {},
                           [](const Candidate& each) { return std::pair(-each.weight, each.arrow.link); });
  all.resize(kPathArrowLimit);
}

/// Replaces the default curve, which would form a loop between distant rows at close times.
void straighten(Arrow& arrow, float scale) {
  if (arrow.from_end == ArrowEnd::edge || arrow.to_end == ArrowEnd::edge) return;
  const double px = static_cast<double>(scale);
  const double bend = std::clamp(std::abs(arrow.to.x - arrow.from.x) / 2, kLeastBend * px, kMostBend * px);
  arrow.control1 = {arrow.from.x + bend, arrow.from.y};
  arrow.control2 = {arrow.to.x - bend, arrow.to.y};
}

std::vector<PathBar> bars_in_view(const TimelineInput& input, const PathChain& chain) {
  std::vector<PathBar> bars;
  const Interval visible = input.view.visible();
  std::uint32_t index = Layout::kNone;
  std::optional<PathLane> lane_before;
  for (const PathSegment& segment : chain.segments()) {
    if (segment.delay || segment.time.end <= visible.begin || segment.time.begin >= visible.end) continue;
    const PathLane lane{segment.rank, segment.lane};
    if (lane_before != lane) index = input.layout->row_of_lane(*input.profile, lane.rank, lane.lane);
    lane_before = lane;
    if (index == Layout::kNone) continue;
    const Row& row = input.layout->rows()[index];
    const int y = canvas_y(input, row);
    if (y + row.height <= input.layout->pinned_height() || y >= input.height) continue;
    bars.push_back({std::max(-1.0, input.view.to_px(segment.time.begin)),
                    std::min(input.view.width() + 1, input.view.to_px(segment.time.end)), static_cast<double>(y)});
  }
  std::ranges::sort(bars, {}, [](const PathBar& bar) { return std::pair(bar.y, bar.x0); });
  std::size_t kept = 0;
  for (const PathBar& bar : bars) {
    if (kept > 0 && bars[kept - 1].y == bar.y && bar.x0 <= bars[kept - 1].x1 + 1)
      bars[kept - 1].x1 = std::max(bars[kept - 1].x1, bar.x1);
    else
      bars[kept++] = bar;
  }
  bars.resize(kept);
  return bars;
}

}  // namespace

PathInView path_in_view(const TimelineInput& input, const PathChain& chain) {
  PathInView result;
  if (!input.profile || !input.layout) return result;
  const std::size_t ranks = input.profile->ranks.size();
  if (std::ranges::any_of(chain.ranks(), [&](const PathRank& each) { return each.rank >= ranks; })) return result;
  const trace::IndexRange near = chain.near(input.view.visible());
  const double least = kPathCellPx * input.scale;
  const auto cell_ns = std::max<Ns>(1, std::llround(least * input.view.ns_per_px()));
  std::vector<Candidate> candidates;
  for (std::uint32_t i = near.first; i < near.last; ++i) {
    const PathLink& link = chain.links()[i];
    const bool own_row = !link.changes_rank() && link.from_lane == link.to_lane;
    // Most links join consecutive calls; reject those that are too short before building an arrow.
    if (own_row && std::abs(input.view.to_px(link.reached) - input.view.to_px(link.left)) < least) continue;
    auto arrow = make_arrow(input, link.from_rank, {link.from, link.from_lane, link.left}, link.to_rank,
                            {link.to, link.to_lane, link.reached});
    if (!arrow) continue;
    const bool flat = arrow->from.y == arrow->to.y;
    if (flat && std::abs(arrow->to.x - arrow->from.x) < least) continue;
    ++result.links;
    straighten(*arrow, input.scale);
    const Ns weight = link.changes_rank() ? std::numeric_limits<Ns>::max() : link.weight;
    candidates.push_back({{link.reached / cell_ns, arrow->from.y, arrow->to.y}, weight, PathArrow{*arrow, i, flat}});
  }
  thin(candidates);
  result.bars = bars_in_view(input, chain);
  std::ranges::sort(candidates, {}, [](const Candidate& each) { return each.arrow.link; });
  result.arrows.reserve(candidates.size());
  for (const Candidate& each : candidates) result.arrows.push_back(each.arrow);
  return result;
}

std::optional<std::size_t> arrow_near(std::span<const PathArrow> arrows, Point at, double reach) {
  std::optional<std::size_t> nearest;
  for (std::size_t i = 0; i < arrows.size(); ++i) {
    const Arrow& arrow = arrows[i].arrow;
    // A curve lies within the bounding box of its four points.
    const auto [x0, x1] = std::minmax({arrow.from.x, arrow.control1.x, arrow.control2.x, arrow.to.x});
    const auto [y0, y1] = std::minmax({arrow.from.y, arrow.control1.y, arrow.control2.y, arrow.to.y});
    if (at.x < x0 - reach || at.x > x1 + reach || at.y < y0 - reach || at.y > y1 + reach) continue;
    Point before = arrow.from;
    for (int piece = 1; piece <= kPieces; ++piece) {
      const Point next = on_curve(arrow, static_cast<double>(piece) / kPieces);
      if (const double far = distance_to_piece(at, before, next); far < reach) {
        reach = far;
        nearest = i;
      }
      before = next;
    }
  }
  return nearest;
}

Point middle_of(const Arrow& arrow) { return on_curve(arrow, 0.5); }

}  // namespace warpscope::scene
