#include "render/scene/hit_test.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/trace/resident_only.hpp"
#include "render/scene/heat_scene.hpp"
#include "render/scene/utilisation_scene.hpp"

namespace warpscope::scene {

namespace {

/// Returns the lanes that a row shows, in reverse drawing order.
std::vector<std::uint32_t> lanes_of_row(const trace::Profile& profile, const Row& row) {
  if (row.kind == RowKind::lane) return {row.item};
  std::vector<std::uint32_t> lanes;
  const trace::Rank& rank = *profile.ranks[row.rank];
  for (const std::uint32_t track : tracks_of_entry(profile.tree, row.entry))
    for (const std::uint32_t lane : outermost_lanes(rank, rank.tracks[track])) lanes.push_back(lane);
  std::reverse(lanes.begin(), lanes.end());
  return lanes;
}

Interval pixel_time(const TimeView& view, double px) {
  const Ns begin = view.to_time(std::floor(px));
  return {begin, std::max(saturating_add(begin, 1), view.to_time(std::floor(px) + 1))};
}

constexpr std::uint32_t kMostSeen = 4096;  // maximum number of slices checked individually while families are hidden

class LaneHit {
 public:
  LaneHit(const TimelineInput& input, std::uint32_t rank, std::uint32_t lane, double x)
      : view_(input.view),
        lane_(input.profile->ranks[rank]->lanes[lane]),
        rank_(rank),
        base_(input.profile->ranks[rank]->lane_start[lane]),
        x_(x),
        hidden_(input.hidden) {}

  /// Returns true if the lane has a slice at x, or with `near` within the tolerance.
  bool find(Hit& hit, bool near) const {
    const Interval pixel =
        near ? Interval{pixel_time(view_, x_ - kHitTolerancePx).begin, pixel_time(view_, x_ + kHitTolerancePx).end}
             : pixel_time(view_, x_);
    if (lane_.folded()) return find_folded(hit, pixel);
    const trace::IndexRange range = lane_.tree().overlapping(pixel.begin, pixel.end);
    if (range.empty()) return false;
    if (hidden_ != 0) {
      const trace::IntervalTree& tree = lane_.tree();
      const unsigned present = tree.single_family() ? family_bit(tree.family(range.first)) : tree.families_present();
      if ((present & ~hidden_) == 0) return false;
      if (range.count() <= kMostSeen) return find_shown(hit, range, pixel, near);
    }
    // A slice drawn individually under the exact point takes precedence over the others in its pixel.
    const std::uint32_t under = lane_.tree().at(hit.time);
    if (!near && under != trace::IntervalTree::kNone && wide(under)) return take_slice(hit, under);
    if (near) return take_slice(hit, nearest(range));
    if (range.count() == 1) return take_slice(hit, range.first);
    return take_bucket(hit, range.count(), pixel, lane_.tree().busy(pixel.begin, pixel.end),
                       lane_.tree().longest(range));
  }

 private:
  [[nodiscard]] trace::SliceRef ref(std::uint32_t i) const { return {rank_, base_ + i}; }
  [[nodiscard]] bool wide(std::uint32_t i) const {
    return view_.to_px(lane_.time().end(i)) - view_.to_px(lane_.time().begin(i)) >= kOwnRectPx;
  }
  bool take_slice(Hit& hit, std::uint32_t i) const {
    hit.kind = HitKind::slice;
    hit.slice = ref(i);
    return true;
  }
  /// `longest` may be IntervalTree::kNone.
  bool take_bucket(Hit& hit, std::uint32_t count, Interval pixel, Ns busy, std::uint32_t longest) const {
    hit.kind = HitKind::bucket;
    hit.count = count;
    hit.pixel = pixel;
    hit.share = static_cast<double>(busy) / static_cast<double>(pixel.length());
    if (longest != trace::IntervalTree::kNone) hit.slice = ref(longest);
    return true;
  }
  [[nodiscard]] std::uint32_t nearest(trace::IndexRange range) const {
    const auto distance = [&](std::uint32_t i) {
      return std::max({0.0, view_.to_px(lane_.time().begin(i)) - x_, x_ - view_.to_px(lane_.time().end(i))});
    };
    std::uint32_t best = range.first;
    for (std::uint32_t i = range.first; i < range.last; ++i)
      if (distance(i) < distance(best)) best = i;
    return best;
  }

  [[nodiscard]] bool shown(std::uint32_t i) const { return (hidden_ & family_bit(lane_.tree().family(i))) == 0; }

  /// Same as find() for the slices of `range` that are not hidden. With `near`, finds the longest of them.
  bool find_shown(Hit& hit, trace::IndexRange range, Interval pixel, bool near) const {
    std::vector<std::uint32_t> left;
    for (std::uint32_t i = range.first; i < range.last; ++i)
      if (shown(i)) left.push_back(i);
    if (left.empty()) return false;
    const auto under = std::ranges::find_if(left, [&](std::uint32_t i) {
      return wide(i) && lane_.time().begin(i) <= hit.time && hit.time < lane_.time().end(i);
    });
    if (!near && under != left.end()) return take_slice(hit, *under);
    const auto longest = *std::ranges::max_element(left, {}, [&](std::uint32_t i) { return lane_.time().duration(i); });
    if (near || left.size() == 1) return take_slice(hit, longest);
    Ns busy = 0;
    for (const std::uint32_t i : left)
      busy += std::min(pixel.end, lane_.time().end(i)) - std::max(pixel.begin, lane_.time().begin(i));
    return take_bucket(hit, static_cast<std::uint32_t>(left.size()), pixel, busy, longest);
  }

  bool find_folded(Hit& hit, Interval pixel) const {
    std::uint32_t count = 0;
    std::uint32_t longest = 0;
    lane_.for_each_overlapping(pixel.begin, pixel.end, [&](std::uint32_t i) {
      if (count++ == 0 || lane_.time().duration(i) > lane_.time().duration(longest)) longest = i;
    });
    if (count == 0) return false;
    if (count == 1) return take_slice(hit, longest);
    return take_bucket(hit, count, pixel, lane_.tree().busy(pixel.begin, pixel.end), longest);
  }

  const TimeView& view_;
  const trace::Lane& lane_;
  std::uint32_t rank_;
  trace::SliceOrdinal base_;
  double x_;
  FamilySet hidden_;
};

void find_in_row(const TimelineInput& input, const Row& row, double x, double y, Hit& hit) {
  const auto take_curve = [&](const trace::Counter& curve) {
    hit.kind = HitKind::curve;
    hit.pixel = pixel_time(input.view, x);
    hit.curve = &curve;
    hit.counter = counter_at(curve, input.view, x);
  };
  switch (row.kind) {
    case RowKind::header:
      return;
    case RowKind::counter:
      return take_curve(counter_of_row(*input.profile, row));
    case RowKind::heat: {
      const auto series = series_of_row(*input.profile, row);
      const std::size_t line =
          heat_line_at(series.size(), content_height(row.height, input.scale), y - canvas_y(input, row));
      return take_curve(series[line].counter);
    }
    case RowKind::utilisation: {
      hit.kind = HitKind::curve;
      hit.pixel = pixel_time(input.view, x);
      const std::optional<double> share = busy_share(busy_of_entry(*input.profile, row.entry, input.view), hit.pixel);
      hit.share = share.value_or(0);
      hit.covered = share.has_value();
      return;
    }
    case RowKind::lane:
    case RowKind::summary: {
      const std::vector<std::uint32_t> lanes = lanes_of_row(*input.profile, row);
      for (const bool near : {false, true})
        for (const std::uint32_t lane : lanes)
          if (LaneHit(input, row.rank, lane, x).find(hit, near)) return;
    }
  }
}

}  // namespace

Hit hit_test(const TimelineInput& input, double x, double y) {
  Hit hit;
  if (!input.profile || !input.layout) return hit;
  hit.time = input.view.to_time(x);
  const auto whole = static_cast<int>(std::floor(y));
  const int pinned = input.layout->pinned_height();
  hit.pinned = whole >= 0 && whole < pinned;
  hit.row = hit.pinned ? input.layout->pinned_at(whole) : input.layout->row_at(whole - pinned + input.scroll);
  if (hit.row == Row::kNone) return hit;
  hit.kind = HitKind::row;
  Hit found = hit;
  const trace::MissWatch watch;
  find_in_row(input, hit.pinned ? input.layout->pinned()[hit.row] : input.layout->rows()[hit.row], x, y, found);
  if (!watch.any()) return found;
  hit.kind = HitKind::absent;
  return hit;
}

}  // namespace warpscope::scene
