#pragma once
// Answers queries about a row of slices in logarithmic time: slices in [a, b), busy time (total and by family), and the
// longest slice. Used for drawing at any zoom level, hit-testing, utilization, range selection and several analyses.
//
// An implicit static tree over blocks of 16 slices of a lane. Slices of a lane never overlap, so both starts and ends
// are sorted, and the slices that overlap a range are a contiguous index range, found by binary search. The tree
// consists of
// - prefix sums of busy time at block edges, in total and for each color family present: a sum over [a, b) is the
//   difference of two prefix sums plus the two partial blocks at the edges;
// - a complete binary tree of longest slices for range maxima, in an array without pointers (node k has children 2k
//   and 2k+1, and the leaf of block b is blocks + b).
//
// Built bottom-up in O(n). Memory: 16 bytes per block plus 8 for each family beyond the first, or about 1.5 bytes per
// slice. Of this, the tree of longest slices takes half a byte and is built on first use. The layout is the classic
// bottom-up segment tree. The idea of aggregating sorted trace events comes from Tristan Hume (2021); the prefix sums
// are our addition and make utilization exact rather than sampled.
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/trace/category.hpp"
#include "core/trace/label_column.hpp"
#include "core/trace/lazy.hpp"
#include "core/trace/time_column.hpp"

namespace warpscope::trace {

/// Index range [first, last) of slices of one lane.
struct IndexRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;

  [[nodiscard]] std::uint32_t count() const { return last - first; }
  [[nodiscard]] bool empty() const { return first >= last; }
};

/// Busy time in ns, total and by family.
struct BusyTime {
  Ns total = 0;
  std::array<Ns, kFamilies> by_family{};

  /// Returns the family with the most time; the lowest-numbered one if tied.
  [[nodiscard]] Family dominant() const;
};

class IntervalTree {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  IntervalTree() = default;
  /// `time`: non-overlapping slices (each ends at or before the start of the next). `families`: one per slice, or empty
  /// if all are `Family{}`. O(n).
  IntervalTree(TimeColumn time, std::span<const Family> families);
  /// Same, with the families stored in `labels` (may be null if all families are equal).
  IntervalTree(TimeColumn time, std::span<const Family> families, std::shared_ptr<const LabelColumn> labels);

  /// The serialized parts of a tree. Building a tree from them requires no computation.
  struct Sums {
    std::uint8_t present = 0;     ///< bit f is set if family f occurs
    std::vector<Ns> busy;         ///< blocks + 1 prefix sums
    std::vector<Ns> family_busy;  ///< blocks + 1 times one prefix sum per family present; empty if there is only one
  };
  /// `labels` must not be null if several families are present.
  IntervalTree(TimeColumn time, Sums sums, std::shared_ptr<const LabelColumn> labels);

  [[nodiscard]] const TimeColumn& time() const { return time_; }
  [[nodiscard]] std::uint32_t size() const { return time_.size(); }
  [[nodiscard]] bool empty() const { return time_.empty(); }
  [[nodiscard]] Family family(std::uint32_t i) const {
    if (single_family()) return static_cast<Family>(present_ ? std::countr_zero(present_) : 0);
    return labels_->family(i);
  }

  /// True if the times and labels of all slices are in memory.
  [[nodiscard]] bool present() const { return time_.present() && (labels_ == nullptr || labels_->present()); }
  /// True if the times and labels of the block's slices are in memory. Loads them unless ResidentOnly forbids it. For
  /// absent blocks, the queries below return wrong results, except for sums at block edges.
  [[nodiscard]] bool resident(std::uint32_t block) const {
    return (labels_ == nullptr || labels_->resident(block)) && time_.resident(block);
  }

  /// Returns the families of a block, packed two slices per byte with the earlier one in the low half. Requires
  /// !single_family().
  [[nodiscard]] const std::uint8_t* families_of_block(std::uint32_t block) const {
    return labels_->families_of_block(block);
  }

  /// Returns the slices that intersect [a, b): begin < b and end > a; for zero-length slices a <= begin < b. O(log n).
  [[nodiscard]] IndexRange overlapping(Ns a, Ns b) const;
  /// Returns the slice at t, or kNone. O(log n).
  [[nodiscard]] std::uint32_t at(Ns t) const;
  /// Returns the busy time within [a, b) in ns; clips slices to the range. O(log n).
  [[nodiscard]] Ns busy(Ns a, Ns b) const;
  /// Returns the slice with the longest full duration in an index range (the first if tied); kNone if the range is
  /// empty or the times are absent (ResidentOnly). O(log n).
  [[nodiscard]] std::uint32_t longest(IndexRange range) const;

  /// Returns the full busy time of all slices before slice i. O(1) at a block edge, otherwise up to 15 steps.
  [[nodiscard]] Ns busy_before(std::uint32_t i) const;
  /// Same for the first slice of a block; block == blocks() returns the busy time of all slices. For scans over many
  /// buckets that start and end at block boundaries.
  [[nodiscard]] Ns busy_before_block(std::uint32_t block) const { return busy_[block]; }
  [[nodiscard]] BusyTime busy_by_family_before_block(std::uint32_t block) const;
  /// Same, by family: one sum per family present, in family order. Requires !single_family().
  [[nodiscard]] std::span<const Ns> family_sums_before_block(std::uint32_t block) const {
    const auto families = static_cast<std::size_t>(std::popcount(present_));
    return {family_busy_.data() + families * block, families};
  }
  /// Bit f is set if family f occurs.
  [[nodiscard]] std::uint8_t families_present() const { return present_; }
  [[nodiscard]] bool single_family() const { return (present_ & (present_ - 1)) == 0; }

  void shift(Ns delta) { time_.shift(delta); }
  /// Bytes in memory.
  [[nodiscard]] std::size_t resident_bytes() const;
  /// Size in bytes if everything were loaded and built; includes times, but not labels.
  [[nodiscard]] std::size_t whole_bytes() const {
    return bytes_for(size(), static_cast<std::size_t>(std::popcount(present_)));
  }
  /// `families`: the number of families that occur.
  [[nodiscard]] static std::size_t bytes_for(std::uint32_t size, std::size_t families) {
    const std::size_t blocks = TimeColumn::blocks_for(size);
    return TimeColumn::bytes_for(size) + (blocks + 1) * (1 + (families > 1 ? families : 0)) * sizeof(Ns) +
           2 * blocks * sizeof(std::uint32_t);
  }

 private:
  void number_families();
  void add_up(std::span<const Family> families);
  [[nodiscard]] std::vector<std::uint32_t> find_longest() const;
  [[nodiscard]] std::uint32_t longer(std::uint32_t i, std::uint32_t j) const;

  TimeColumn time_;
  std::shared_ptr<const LabelColumn> labels_;  // may be null if single_family()
  std::vector<Ns> busy_;                       // blocks + 1 prefix sums
  std::vector<Ns> family_busy_;  // blocks + 1 times one prefix sum per family present; empty if single_family()
  Lazy<std::vector<std::uint32_t>> longest_;  // 2 * blocks nodes, indices of slices
  std::array<std::uint8_t, kFamilies> family_slot_{};
  std::uint8_t present_ = 0;
};

/// Builds the union of intervals as a tree with one family; merges intervals that touch or overlap.
class IntervalUnion {
 public:
  /// Starts must not descend.
  void add(const Interval& next);
  [[nodiscard]] IntervalTree take();

 private:
  TimeColumn time_;
  Interval open_ = kEmptySpan;
};

/// Returns the union of `sorted`, which must be sorted by start.
[[nodiscard]] IntervalTree merged_intervals(std::span<const Interval> sorted);

}  // namespace warpscope::trace
