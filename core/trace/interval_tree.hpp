#pragma once
// Everything that is asked of a row of slices, in logarithmic time: which slices lie in [a, b), how long the row was
// busy there and with what, which slice is the longest. Drawing at any zoom, hit-testing, utilisation, range selection
// and several analyses all ask this one structure.
//
// It is an implicit, static tree over blocks of 16 slices of a lane. Slices of a lane never overlap, so begins and ends
// are both sorted, and "which overlap" is a contiguous index range, found by binary search. Over the blocks stand
//   - prefix sums of busy time at block edges, in all and per colour family (kept only for families that occur): a sum
//     over [a, b) is a difference of two of them plus the two partial blocks at the edges;
//   - a complete binary tree, laid out in an array without pointers (node k has children 2k and 2k+1, leaf of block b
//   is
//     blocks + b), of the longest slice: a range maximum.
// Built bottom-up in O(n). Cost: 16 bytes a block and 8 more per family beyond the first, about 1.5 bytes a slice; the
// tree of the longest, half a byte of it, is built when it is first asked.
// The layout is the classical bottom-up segment tree; the idea of an aggregate forest over a trace's sorted events is
// Tristan Hume's (2021), the prefix sums are ours: they make shares exact instead of sampled.
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

/// Indices [first, last) of slices of one lane.
struct IndexRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;

  [[nodiscard]] std::uint32_t count() const { return last - first; }
  [[nodiscard]] bool empty() const { return first >= last; }
};

/// Busy time in ns, in all and by family.
struct BusyTime {
  Ns total = 0;
  std::array<Ns, kFamilies> by_family{};

  /// The family with the most time; the lower one on a tie.
  [[nodiscard]] Family dominant() const;
};

class IntervalTree {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  IntervalTree() = default;
  /// `time`: slices that do not overlap (each ends at or before the next begins). `families`: one per slice, or empty
  /// if all are of `Family{}`. O(n).
  IntervalTree(TimeColumn time, std::span<const Family> families);
  /// The same, of slices whose families `labels` holds too (it may be null if all are alike).
  IntervalTree(TimeColumn time, std::span<const Family> families, std::shared_ptr<const LabelColumn> labels);

  /// A tree as it was written down: nothing has to be looked at to have it.
  struct Sums {
    std::uint8_t present = 0;     ///< bit f is set if family f occurs
    std::vector<Ns> busy;         ///< blocks + 1 prefix sums
    std::vector<Ns> family_busy;  ///< blocks + 1 times one prefix sum per family present; empty if it is one
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

  /// The families of a block, two slices a byte, the earlier one in the low half. Only if !single_family().
  [[nodiscard]] const std::uint8_t* families_of_block(std::uint32_t block) const {
    return labels_->families_of_block(block);
  }

  /// Slices that touch [a, b): begin < b and end > a; a slice of no length where a <= begin < b. O(log n).
  [[nodiscard]] IndexRange overlapping(Ns a, Ns b) const;
  /// The slice that holds t, or kNone. O(log n).
  [[nodiscard]] std::uint32_t at(Ns t) const;
  /// Time covered within [a, b), clipped to it, in ns. O(log n).
  [[nodiscard]] Ns busy(Ns a, Ns b) const;
  [[nodiscard]] BusyTime busy_by_family(Ns a, Ns b) const;
  /// The longest slice of an index range by its whole duration (the earliest of equals), or kNone. O(log n).
  [[nodiscard]] std::uint32_t longest(IndexRange range) const;

  /// Busy time of all slices before slice i, whole. O(1) at a block edge, else up to 15 steps.
  [[nodiscard]] Ns busy_before(std::uint32_t i) const;
  /// The same of the first slice of a block (block == blocks(): of all): the raw prefix sums, for walks over many
  /// buckets that may answer at block edges.
  [[nodiscard]] Ns busy_before_block(std::uint32_t block) const { return busy_[block]; }
  [[nodiscard]] BusyTime busy_by_family_before_block(std::uint32_t block) const;
  /// The same, raw: one sum for each family that occurs, in the order of families. Only if !single_family().
  [[nodiscard]] std::span<const Ns> family_sums_before_block(std::uint32_t block) const {
    const auto families = static_cast<std::size_t>(std::popcount(present_));
    return {family_busy_.data() + families * block, families};
  }
  /// Bit f is set if family f occurs.
  [[nodiscard]] std::uint8_t families_present() const { return present_; }
  [[nodiscard]] bool single_family() const { return (present_ & (present_ - 1)) == 0; }

  void shift(Ns delta) { time_.shift(delta); }
  /// Of what is in memory.
  [[nodiscard]] std::size_t resident_bytes() const;
  /// Of all of it with its times, brought in and built or not; labels aside.
  [[nodiscard]] std::size_t whole_bytes() const;

 private:
  void number_families();
  void add_up(std::span<const Family> families);
  [[nodiscard]] std::vector<std::uint32_t> find_longest() const;
  void add_clipped(BusyTime& sum, std::uint32_t first, std::uint32_t last, Ns a, Ns b) const;
  [[nodiscard]] std::uint32_t longer(std::uint32_t i, std::uint32_t j) const;

  TimeColumn time_;
  std::shared_ptr<const LabelColumn> labels_;  // may be null if single_family()
  std::vector<Ns> busy_;                       // blocks + 1 prefix sums
  std::vector<Ns> family_busy_;  // blocks + 1 times one prefix sum per family present; empty if single_family()
  Lazy<std::vector<std::uint32_t>> longest_;  // 2 * blocks nodes, indices of slices
  std::array<std::uint8_t, kFamilies> family_slot_{};
  std::uint8_t present_ = 0;
};

/// The union of intervals as a tree of its own (one family): merges touching and overlapping ones. Input sorted by
/// begin.
[[nodiscard]] IntervalTree merged_intervals(std::span<const Interval> sorted);

}  // namespace warpscope::trace
