#pragma once
// Level of detail. Walks the visible slices of one lane from left to right and passes to a sink
//   - each slice wide enough to be drawn individually,
//   - for every other non-empty pixel, its busy share, the share of each family, and the number of slices that touch
//   it.
// A zoomed-out lane is therefore an exact utilization chart, not a sample.
//
// Idea: if slices are small compared to a pixel, whole blocks of 16 are summed as differences of the tree's prefix
// sums, and a galloping search finds the block at the pixel's right edge. This takes O(pixels · log n) at any zoom
// level. A block that straddles the edge is read slice by slice if it is wider than kExactBlockPx, so each pixel's
// share is exact. A narrower block is split in proportion to time. No time is lost, and at most a quarter of the
// block's width, less than 1/4 px, is misplaced (if all busy time is at one end). At most 16 slices are read per pixel.
// Orbit and Tracy also jump from pixel to pixel, but they report one slice per pixel instead of a busy share.
//
// If a block is not in memory and the thread must not load it (trace::ResidentOnly), its busy time is spread evenly
// from its start to the start of the next block.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "core/trace/interval_tree.hpp"
#include "render/scene/view.hpp"

namespace warpscope::scene {

/// Contents of a pixel as shares of the pixel's time (0…1), excluding slices drawn individually.
struct PixelBusy {
  double total = 0;
  std::array<double, trace::kFamilies> by_family{};  ///< only filled if the tree has several families
  std::uint32_t count = 0;                           ///< slices touching the pixel
  std::uint32_t slice = 0;                           ///< the first of these slices
  bool estimated = false;                            ///< includes evenly spread time of absent slices
};

/// Blocks up to this width are split in proportion to time. At most kOwnRectPx, so none of their slices is drawn
/// individually.
inline constexpr double kExactBlockPx = 1.0;

/// `kAllPresent`: all blocks are in memory, so the walk does not check each block. The sink must provide
/// own(std::uint32_t slice, double x0, double x1), which gets unclipped positions, and pixel(int px, const PixelBusy&),
/// which is called at most once for each px of [0, width), from left to right. If a wide slice shares a pixel, own() is
/// called before pixel().
template <class Sink, bool kAllPresent>
class BucketWalk {
 public:
  BucketWalk(const trace::IntervalTree& tree, const TimeView& view, double own_px, Sink& sink)
      : tree_(tree),
        time_(tree.time()),
        sink_(sink),
        origin_(view.origin().ns),
        fraction_(view.origin().fraction),
        ns_per_px_(view.ns_per_px()),
        px_per_ns_(view.px_per_ns()),
        own_ns_(static_cast<Ns>(std::ceil(own_px * view.ns_per_px()))),
        width_(static_cast<int>(std::ceil(view.width()))),
        blocks_(tree.time().blocks()),
        right_(origin_ - 1) {
    if (!tree.single_family()) {
      family_sums_ = tree.family_sums_before_block(0).data();
      for (std::size_t f = 0; f < trace::kFamilies; ++f)
        if (tree.families_present() & (1u << f)) present_[present_count_++] = static_cast<std::uint8_t>(f);
    }
    const Interval visible = view.visible();
    const trace::IndexRange range = tree.overlapping(visible.begin, visible.end);
    i_ = range.first;
    last_ = range.last;
    // The ends of slices in an absent block are unknown, so any of these slices may extend into the view.
    if (i_ > 0 && absent((i_ - 1) / kBlock)) i_ = (i_ - 1) / kBlock * kBlock;
  }

  void run() {
    if (i_ < last_ && absent(i_ / kBlock)) spread_block(i_ / kBlock);
    if (i_ < last_ && time_.begin(i_) < origin_) {
      // This is the only slice that may start long before the view.
      const double x0 = (static_cast<double>(saturating_difference(time_.begin(i_), origin_)) - fraction_) * px_per_ns_;
      look_at(i_, x0);
      ++i_;
    }
    while (i_ < last_)
      if (i_ % kBlock != 0 || !take_blocks()) look_at_slices();
    flush();
  }

 private:
  static constexpr std::uint32_t kBlock = trace::TimeColumn::kBlock;
  static constexpr std::uint32_t kNearBlocks = 8;
  static constexpr int kClosed = -1;

  // std::floor is a library call unless the compiler may assume SSE 4.1; x is small.
  [[nodiscard]] static int floor_px(double x) {
    const int whole = static_cast<int>(x);
    return whole - static_cast<int>(x < whole);
  }
  [[nodiscard]] bool absent(std::uint32_t block) const { return !kAllPresent && !tree_.resident(block); }
  /// `t` must be in view.
  [[nodiscard]] double to_px(Ns t) const { return (static_cast<double>(t - origin_) - fraction_) * px_per_ns_; }
  /// Returns the first whole ns at or after the left edge of a pixel >= 0.
  [[nodiscard]] Ns edge_time(int px) const {
    const double offset = fraction_ + px * ns_per_px_;
    const auto whole = static_cast<Ns>(offset);
    return origin_ + whole + static_cast<Ns>(static_cast<double>(whole) < offset);
  }
  [[nodiscard]] double block_end_px(std::uint32_t block) const {
    if (block + 1 < blocks_) return to_px(time_.block_begin(block + 1));
    return (static_cast<double>(saturating_difference(time_.end(time_.size() - 1), origin_)) - fraction_) * px_per_ns_;
  }
  /// Returns the first block after `block` that starts at or after t. The next few blocks are counted without branches,
  /// because the number of blocks per pixel is unpredictable; after that the search gallops.
  [[nodiscard]] std::uint32_t next_block(std::uint32_t block, Ns t) const {
    ++block;
    if (block + kNearBlocks <= blocks_) {
      std::uint32_t before = 0;
      for (std::uint32_t k = 0; k < kNearBlocks; ++k) before += time_.block_begin(block + k) < t ? 1 : 0;
      block += before;
      if (before < kNearBlocks) return block;
    }
    return time_.block_lower_bound_from(block, t);
  }

  /// Sums blocks pixel by pixel, starting with the one at i_, until a block is too wide to split. Whole blocks come
  /// from prefix sums; a block that straddles the pixel's right edge is split proportionally. Returns false if the
  /// first block is already too wide.
  bool take_blocks() {
    std::uint32_t block = i_ / kBlock;
    const double x0 = to_px(time_.block_begin(block));
    if (x0 < 0 || block_end_px(block) - x0 > kExactBlockPx) return false;
    for (int px = static_cast<int>(x0); block * kBlock < last_; ++px) {
      open(px, block * kBlock);
      // The last block that starts in this pixel; all blocks before it also end in this pixel.
      const std::uint32_t edge = next_block(block, right_) - 1;
      const double begin = to_px(time_.block_begin(edge));
      const double end = block_end_px(edge);
      if (end - begin > kExactBlockPx) {
        add_blocks(block, edge);
        i_ = edge * kBlock;
        return true;
      }
      if (end <= px + 1)
        add_blocks(block, edge + 1);
      else
        add_blocks_and_split(block, edge, px + 1, (px + 1 - begin) / (end - begin));
      block = edge + 1;
    }
    i_ = block * kBlock;
    return true;
  }

  /// Reads the slices up to the next block one by one. Most slices are in the current pixel, so they are summed as
  /// integers and converted to shares once.
  void look_at_slices() {
    const std::uint32_t block = i_ / kBlock;
    if (absent(block)) {
      spread_block(block);
      return;
    }
    const std::uint32_t block_begin = block * kBlock;
    const std::uint32_t end = std::min(last_, block_begin + kBlock);
    const trace::TimeColumn::Block slices = time_.block(block);
    const std::uint8_t* families = present_count_ != 0 ? tree_.families_of_block(block) : nullptr;
    while (i_ < end) {
      const std::uint32_t first = i_;
      Ns total = 0;
      Ns begin = 0;
      std::array<Ns, trace::kFamilies> by_family{};
      for (; i_ < end; ++i_) {
        const std::uint32_t k = i_ - block_begin;
        begin = slices.begin(k);
        const Ns length = std::max<Ns>(0, slices.duration(k));
        if (length > right_ - begin) break;
        total += length;
        if (families != nullptr) by_family[families[k / 2] >> (k % 2 * 4) & (trace::kFamilies - 1)] += length;
      }
      if (i_ > first) {
        busy_.count += i_ - first;
        busy_.total += px_per_ns_ * static_cast<double>(total);
        for (std::uint32_t k = 0; k < present_count_; ++k)
          busy_.by_family[present_[k]] += px_per_ns_ * static_cast<double>(by_family[present_[k]]);
      }
      if (i_ == end) return;
      look_at(i_, to_px(begin));
      ++i_;
    }
  }

  /// Adds a block whose slices are not in memory.
  void spread_block(std::uint32_t block) {
    i_ = (block + 1) * kBlock;
    const double begin =
        (static_cast<double>(saturating_difference(time_.block_begin(block), origin_)) - fraction_) * px_per_ns_;
    const double end = block_end_px(block);
    const double length = std::max(end - begin, 1e-9);
    const auto busy_px = [&](Ns before, Ns after) { return px_per_ns_ * static_cast<double>(after - before); };
    const double total = busy_px(tree_.busy_before_block(block), tree_.busy_before_block(block + 1));
    const Ns* before = family_sums_ + std::size_t{block} * present_count_;
    const int last = static_cast<int>(std::min<double>(width_, std::ceil(end)));
    for (int px = static_cast<int>(std::max(0.0, std::floor(begin))); px < last; ++px) {
      const double part = (std::min<double>(px + 1, end) - std::max<double>(px, begin)) / length;
      if (part <= 0) continue;
      open(px, block * kBlock);
      busy_.estimated = true;
      busy_.count += slices(block, block + 1);
      busy_.total += part * total;
      for (std::uint32_t k = 0; k < present_count_; ++k)
        busy_.by_family[present_[k]] += part * busy_px(before[k], before[present_count_ + k]);
    }
  }

  void look_at(std::uint32_t i, double x0) {
    const Ns length = std::max<Ns>(0, time_.duration(i));
    const double x1 = x0 + static_cast<double>(length) * px_per_ns_;
    if (length >= own_ns_) {
      if (px_ < x0 && px_ < floor_px(std::min<double>(x0, width_))) flush();
      sink_.own(i, x0, x1);
      return;
    }
    int px = floor_px(x0);
    if (x1 <= px + 1) {
      add_slice(px, i, x1 - x0);
      return;
    }
    add_slice(px, i, px + 1 - x0);
    while (x1 > ++px) add_slice(px, i, std::min<double>(x1, px + 1) - px);
  }

  void open(int px, std::uint32_t slice) {
    if (px == px_) return;
    flush();
    px_ = px;
    right_ = edge_time(px + 1);
    busy_.total = 0;
    for (std::uint32_t k = 0; k < present_count_; ++k) busy_.by_family[present_[k]] = 0;
    busy_.count = 0;
    busy_.slice = slice;
    if constexpr (!kAllPresent) busy_.estimated = false;
  }

  void flush() {
    if (px_ >= 0 && px_ < width_) sink_.pixel(px_, busy_);
    px_ = kClosed;
    right_ = origin_ - 1;
  }

  void add_slice(int px, std::uint32_t slice, double share) {
    if (px < 0) return;
    open(px, slice);
    busy_.total += share;
    ++busy_.count;
    if (present_count_ != 0) busy_.by_family[static_cast<std::size_t>(tree_.family(slice))] += share;
  }

  [[nodiscard]] std::uint32_t slices(std::uint32_t first_block, std::uint32_t last_block) const {
    return std::min(last_block * kBlock, time_.size()) - first_block * kBlock;
  }

  /// Adds blocks [first, last), which are entirely in the current pixel.
  void add_blocks(std::uint32_t first, std::uint32_t last) {
    busy_.count += slices(first, last);
    busy_.total += px_per_ns_ * static_cast<double>(tree_.busy_before_block(last) - tree_.busy_before_block(first));
    const Ns* before = family_sums_ + static_cast<std::size_t>(first) * present_count_;
    const Ns* until = family_sums_ + static_cast<std::size_t>(last) * present_count_;
    for (std::uint32_t k = 0; k < present_count_; ++k)
      busy_.by_family[present_[k]] += px_per_ns_ * static_cast<double>(until[k] - before[k]);
  }

  /// Adds blocks [first, edge) and the fraction `left` of block `edge` to the current pixel, and the rest of `edge` to
  /// the next pixel.
  void add_blocks_and_split(std::uint32_t first, std::uint32_t edge, int next_px, double left) {
    const auto share = [&](Ns at_first, Ns at_edge, Ns after, double& rest) {
      const double part = px_per_ns_ * static_cast<double>(after - at_edge);
      rest = part - left * part;
      return px_per_ns_ * static_cast<double>(at_edge - at_first) + left * part;
    };
    double rest = 0;
    std::array<double, trace::kFamilies> rests;
    busy_.count += slices(first, edge + 1);
    busy_.total +=
        share(tree_.busy_before_block(first), tree_.busy_before_block(edge), tree_.busy_before_block(edge + 1), rest);
    const Ns* at_first = family_sums_ + static_cast<std::size_t>(first) * present_count_;
    const Ns* at_edge = family_sums_ + static_cast<std::size_t>(edge) * present_count_;
    for (std::uint32_t k = 0; k < present_count_; ++k)
      busy_.by_family[present_[k]] += share(at_first[k], at_edge[k], at_edge[present_count_ + k], rests[k]);
    open(next_px, edge * kBlock);
    busy_.count = slices(edge, edge + 1);
    busy_.total = rest;
    for (std::uint32_t k = 0; k < present_count_; ++k) busy_.by_family[present_[k]] = rests[k];
  }

  const trace::IntervalTree& tree_;
  const trace::TimeColumn& time_;
  Sink& sink_;
  Ns origin_;
  double fraction_;
  double ns_per_px_;
  double px_per_ns_;
  Ns own_ns_;  // slices at least this long are drawn individually
  int width_;
  std::uint32_t blocks_;
  std::array<std::uint8_t, trace::kFamilies> present_{};  // families present, if several
  std::uint32_t present_count_ = 0;
  const Ns* family_sums_ = nullptr;
  std::uint32_t i_ = 0;
  std::uint32_t last_ = 0;
  int px_ = kClosed;  // current pixel
  Ns right_;          // right edge of the current pixel; before the view if there is none
  PixelBusy busy_;
};

/// walk_buckets() for a tree with absent blocks. Marked cold so that the other walk is still inlined.
template <class Sink>
[[gnu::cold, gnu::noinline]] void walk_absent_buckets(const trace::IntervalTree& tree, const TimeView& view,
                                                      double own_px, Sink& sink) {
  BucketWalk<Sink, false>(tree, view, own_px, sink).run();
}

/// Passes the visible contents of `tree` to `sink`. Slices at least `own_px` wide are passed individually.
template <class Sink>
void walk_buckets(const trace::IntervalTree& tree, const TimeView& view, double own_px, Sink& sink) {
  if (tree.empty()) return;
  if (tree.present())
    BucketWalk<Sink, true>(tree, view, own_px, sink).run();
  else
    walk_absent_buckets(tree, view, own_px, sink);
}

}  // namespace warpscope::scene
