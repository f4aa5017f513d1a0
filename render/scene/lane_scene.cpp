#include "render/scene/lane_scene.hpp"

#include <algorithm>
#include <cmath>

#include "render/scene/bucket_walk.hpp"

namespace warpscope::scene {

namespace {

constexpr double kVisibleFillPx = 2;     // a single short slice fills at least this much of its pixel's height
constexpr std::uint8_t kMarkFill = 150;  // lower than slices, so that adjacent marks do not look like one slice
constexpr double kSeparatorFromPx = 4;   // slices at least this wide get a gap before a neighbor of the same color

Family widest_family(const PixelBusy& busy, Family otherwise) {
  auto best = static_cast<std::size_t>(otherwise);
  for (std::size_t f = 0; f < busy.by_family.size(); ++f)
    if (busy.by_family[f] > busy.by_family[best]) best = f;
  return static_cast<Family>(best);
}

/// Turns the output of the walk into rectangles and labels.
class LaneSink {
 public:
  LaneSink(const trace::Lane& lane, const trace::IntervalTree& tree, const std::uint32_t* indices, const TimeView& view,
           const LaneBox& box, DrawList& out)
      : lane_(lane),
        tree_(tree),
        indices_(indices),
        box_(box),
        out_(out),
        first_(out.rects.size()),
        left_(static_cast<float>(-kBleedPx)),
        right_(static_cast<float>(view.width() + kBleedPx)),
        single_(tree.single_family()),
        family_(tree.empty() ? Family{} : tree.family(0)),
        alpha_(with_alpha(0, box.alpha)),
        min_fill_(std::clamp(static_cast<int>(std::ceil(255 * kVisibleFillPx * box.scale / box.height)), 1, 255)) {
    for (std::size_t f = 0; f < trace::kFamilies; ++f)
      buckets_[f] = faded(lane.kind() == trace::LaneKind::damaged ? theme_colors(box.palette->theme()).damaged
                                                                  : box.palette->family(static_cast<Family>(f)));
  }

  void own(std::uint32_t i, double x0, double x1) {
    if (hides(i)) return;
    const float a = std::max(left_, static_cast<float>(std::max(x0, -kBleedPx)));
    const float b = std::min(right_, static_cast<float>(std::min<double>(x1, right_)));
    const std::uint32_t hash = named() ? box_.names->hash(name(i)) : 0;
    const Color color = color_of(i, hash);
    separate(a, color);
    push(a, b, 255, color);
    if (box_.labels && named() && b - a >= box_.label_min_px) add_label(i, hash, a, b, color);
  }

  void pixel(int px, const PixelBusy& busy) {
    double total = busy.total;
    const auto longest = busy.total > 0 ? Family{} : tree_.family(busy.slice);
    PixelBusy seen;
    const PixelBusy* shown = &busy;
    if (box_.hidden != 0 && (single_ || busy.count == 1)) {
      if (hides(busy.slice)) return;
    } else if (box_.hidden != 0) {
      seen = busy;
      total = 0;
      for (std::size_t f = 0; f < seen.by_family.size(); ++f) {
        if ((box_.hidden & family_bit(static_cast<Family>(f))) != 0) seen.by_family[f] = 0;
        total += seen.by_family[f];
      }
      if (total <= 0 && (busy.total > 0 || hides(busy.slice))) return;
      shown = &seen;
    }
    const int fill = std::clamp(static_cast<int>(total * 255.999), min_fill_, 255);
    Color color = 0;
    if (busy.count == 1 && named())
      color = color_of(busy.slice, box_.names->hash(name(busy.slice)));
    else
      color = buckets_[static_cast<std::size_t>(single_ ? family_ : widest_family(*shown, longest))];
    if (busy.estimated) color = with_alpha(color, box_.alpha * kAbsent);
    const auto x = static_cast<float>(px);
    // Merge equal adjacent columns into one rectangle.
    if (columns_end_ == x && out_.rects.back().fill == fill && out_.rects.back().color == color) {
      out_.rects.back().x1 = x + 1;
    } else {
      push(x, x + 1, static_cast<std::uint8_t>(fill), color);
    }
    columns_end_ = x + 1;
  }

 private:
  [[nodiscard]] bool hides(std::uint32_t i) const {
    return box_.hidden != 0 && (box_.hidden & family_bit(single_ ? family_ : tree_.family(i))) != 0;
  }
  // A folded lane's tree is the union of its slices, so its entries have no names.
  [[nodiscard]] bool named() const { return !lane_.folded(); }
  [[nodiscard]] NameId name(std::uint32_t i) const { return lane_.name(indices_ ? indices_[i] : i); }
  [[nodiscard]] trace::CategoryId category(std::uint32_t i) const { return lane_.category(indices_ ? indices_[i] : i); }
  [[nodiscard]] Color faded(Color color) const { return (color & 0x00FFFFFFu) | alpha_; }

  [[nodiscard]] Color color_of(std::uint32_t i, std::uint32_t hash) const {
    const Family family = single_ ? family_ : tree_.family(i);
    if (!named() || lane_.kind() == trace::LaneKind::damaged) return buckets_[static_cast<std::size_t>(family)];
    return faded(box_.palette->slice(family, hash));
  }

  void separate(float begin, Color color) {
    if (out_.rects.size() == first_ || columns_end_ > 0) return;
    Rect& before = out_.rects.back();
    if (before.color == color && begin - before.x1 < 0.5f && before.x1 - before.x0 >= kSeparatorFromPx)
      before.x1 = begin - box_.scale;
  }

  void push(float x0, float x1, std::uint8_t fill, Color color) {
    columns_end_ = -1;
    out_.rects.push_back(
        {x0, x1, static_cast<std::int16_t>(box_.y), static_cast<std::uint8_t>(box_.height), fill, color});
  }

  void add_label(std::uint32_t i, std::uint32_t hash, float a, float b, Color color) {
    const float x0 = std::max(a, 0.0f) + box_.label_padding_px;
    const float x1 = std::min(b, right_ - static_cast<float>(kBleedPx)) - box_.label_padding_px;
    if (x1 - x0 < box_.label_min_px - 2 * box_.label_padding_px) return;
    // The background shows through a dimmed slice, so the contrast is computed against the visible color.
    const bool plain = lane_.kind() != trace::LaneKind::damaged && box_.alpha >= 1;
    const Color seen = blend(theme_colors(box_.palette->theme()).ground, color);
    const Color text = plain ? box_.palette->text(single_ ? family_ : tree_.family(i), hash) : text_on(seen);
    out_.labels.push_back(
        {x0, x1, static_cast<float>(box_.y), static_cast<float>(box_.height), text,
         box_.slice_labels != nullptr ? box_.slice_labels->of(category(i), name(i)) : box_.names->view(name(i))});
  }

  const trace::Lane& lane_;
  const trace::IntervalTree& tree_;
  const std::uint32_t* indices_;
  const LaneBox& box_;
  DrawList& out_;
  std::size_t first_;
  float left_;
  float right_;
  bool single_;
  Family family_;
  Color alpha_;
  int min_fill_;
  float columns_end_ = -1;  // right edge of the last column, if the last rectangle is one
  std::array<Color, trace::kFamilies> buckets_{};
};

// Draws slices of zero length: one thin line per non-empty pixel. The search jumps to the next pixel.
void draw_marks(const trace::Lane& lane, const trace::IntervalTree& tree, const std::uint32_t* indices,
                const TimeView& view, const LaneBox& box, DrawList& out) {
  const trace::TimeColumn& time = tree.time();
  const Interval visible = view.visible();
  const float thickness = std::max(1.0f, std::floor(box.scale));
  for (std::uint32_t i = time.lower_bound(visible.begin); i < time.size() && time.begin(i) < visible.end;) {
    const double px = std::floor(view.to_px(time.begin(i)));
    constexpr std::uint32_t kBlock = trace::TimeColumn::kBlock;
    if (!tree.resident(i / kBlock)) {
      const auto x = static_cast<float>(std::max(px, -kBleedPx));
      out.rects.push_back({x, x + thickness, static_cast<std::int16_t>(box.y), static_cast<std::uint8_t>(box.height),
                           kMarkFill, with_alpha(box.palette->family(tree.family(i)), box.alpha * kAbsent)});
      i = (i / kBlock + 1) * kBlock;
      continue;
    }
    if ((box.hidden & family_bit(tree.family(i))) != 0) {
      ++i;
      continue;
    }
    const NameId name = lane.name(indices ? indices[i] : i);
    const Color color = box.palette->slice(tree.family(i), box.names->hash(name));
    const auto x = static_cast<float>(px);
    out.rects.push_back({x, x + thickness, static_cast<std::int16_t>(box.y), static_cast<std::uint8_t>(box.height),
                         kMarkFill, with_alpha(color, box.alpha)});
    i = time.lower_bound_from(i + 1, std::max(time.begin(i) + 1, view.to_time(px + thickness)));
  }
}

}  // namespace

void draw_lane(const trace::Lane& lane, const trace::IntervalTree& tree, const std::uint32_t* indices,
               const TimeView& view, const LaneBox& box, DrawList& out) {
  if (lane.kind() == trace::LaneKind::instant) {
    draw_marks(lane, tree, indices, view, box, out);
    return;
  }
  LaneSink sink(lane, tree, indices, view, box, out);
  walk_buckets(tree, view, kOwnRectPx, sink);
}

}  // namespace warpscope::scene
