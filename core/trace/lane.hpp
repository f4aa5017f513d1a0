#pragma once
// A lane: a row of slices in time order that never overlap, column by column. What a slice does not carry it does not
// cost: rank, track and depth follow from where its lane stands, arguments are read from the source when asked for.
// 19 bytes a slice and the tree; of a lane that a store holds, nothing but the tree until someone looks.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/string_table.hpp"
#include "core/trace/interval_tree.hpp"
#include "core/trace/label_column.hpp"
#include "core/trace/lazy.hpp"
#include "core/trace/overlap_index.hpp"

namespace warpscope::trace {

enum class LaneKind : std::uint8_t {
  nested,          ///< what was recorded, one lane a depth
  overflow,        ///< slices that overlap others without nesting in them
  folded,          ///< beyond the limit of lanes of a track: slices may overlap here
  gpu_annotation,  ///< shadows of annotations, under their stream
  sync,            ///< cuda_sync rows of a stream
  instant,         ///< marks of no length
  damaged,         ///< impossible slices, kept apart: out of span and utilisation
};

/// Byte offsets of up to 2^40 in 5 bytes each.
class OffsetColumn {
 public:
  OffsetColumn() = default;
  /// The low 32 and the high 8 bits of each.
  OffsetColumn(std::vector<std::uint32_t> low, std::vector<std::uint8_t> high)
      : low_(std::move(low)), high_(std::move(high)) {}
  void reserve(std::size_t count);
  void push_back(std::uint64_t offset) {
    low_.push_back(static_cast<std::uint32_t>(offset));
    high_.push_back(static_cast<std::uint8_t>(offset >> 32));
  }
  /// Appends offsets given as their low and high bits; both spans have the same size.
  void append(std::span<const std::uint32_t> low, std::span<const std::uint8_t> high) {
    low_.insert(low_.end(), low.begin(), low.end());
    high_.insert(high_.end(), high.begin(), high.end());
  }
  [[nodiscard]] std::uint64_t operator[](std::uint32_t i) const {
    return low_[i] | static_cast<std::uint64_t>(high_[i]) << 32;
  }
  [[nodiscard]] std::size_t size() const { return low_.size(); }
  static constexpr std::size_t kBytes = 5;  ///< of one
  [[nodiscard]] std::size_t resident_bytes() const;

 private:
  std::vector<std::uint32_t> low_;
  std::vector<std::uint8_t> high_;
};

class Lane {
 public:
  struct Columns {
    TimeColumn time;
    std::vector<NameId> names;
    std::vector<CategoryId> categories;
    OffsetColumn offsets;
    std::vector<Family> families;  // one per slice; used to build the tree, not kept
  };

  Lane() = default;
  /// `depth`: the row within its track, 0 on top. A folded lane's slices may overlap, all others' may not.
  Lane(LaneKind kind, std::uint16_t depth, Columns columns);

  /// A lane as it was written down. Of a folded one `tree` is the union and `folded_time` its slices; of others
  /// `folded_time` is empty. `load_offsets` may bring nothing: then all offsets are 0.
  struct Stored {
    std::uint32_t size = 0;
    IntervalTree tree;
    TimeColumn folded_time;
    std::shared_ptr<const LabelColumn> labels;
    std::function<std::optional<OffsetColumn>()> load_offsets;
  };
  Lane(LaneKind kind, std::uint16_t depth, Stored stored);

  [[nodiscard]] LaneKind kind() const { return kind_; }
  [[nodiscard]] std::uint16_t depth() const { return depth_; }
  [[nodiscard]] bool folded() const { return kind_ == LaneKind::folded; }
  [[nodiscard]] std::uint32_t size() const { return size_; }

  /// The slices in time order. (In a folded lane they overlap, and tree() is of their union.)
  [[nodiscard]] const TimeColumn& time() const { return folded() ? folded_time_ : tree_.time(); }
  [[nodiscard]] const IntervalTree& tree() const { return tree_; }
  [[nodiscard]] NameId name(std::uint32_t i) const { return labels_->name(i); }
  [[nodiscard]] CategoryId category(std::uint32_t i) const { return labels_->category(i); }
  /// Its name or its arguments say that it moves data between ranks. Of a folded lane only names are known: false.
  [[nodiscard]] bool communicates(std::uint32_t i) const {
    return !folded() && tree_.family(i) == Family::communication;
  }
  /// Where the slice's event begins in its source's decompressed text.
  [[nodiscard]] std::uint64_t offset(std::uint32_t i) const { return offsets()[i]; }

  /// Calls visit(index) for each slice that touches [a, b), in time order. O(log n + k).
  template <class Visit>
  void for_each_overlapping(Ns a, Ns b, Visit visit) const {
    if (folded()) {
      overlap_.get([this] { return OverlapIndex(folded_time_); }).for_each(folded_time_, a, b, visit);
      return;
    }
    const IndexRange range = tree_.overlapping(a, b);
    for (std::uint32_t i = range.first; i < range.last; ++i) visit(i);
  }

  /// Whole columns, brought in if need be: for those who write them down.
  [[nodiscard]] const LabelColumn::Arrays& labels() const { return labels_->arrays(); }
  [[nodiscard]] const OffsetColumn& offsets() const {
    return offsets_.get([this] { return bring_offsets(); });
  }

  void shift(Ns delta);
  /// Of what is in memory.
  [[nodiscard]] std::size_t resident_bytes() const;
  /// Of all of it, brought in and built or not: the same of a lane that was read and of one that a store holds.
  [[nodiscard]] std::size_t whole_bytes() const;

 private:
  [[nodiscard]] OffsetColumn bring_offsets() const;

  IntervalTree tree_;
  TimeColumn folded_time_;
  Lazy<OverlapIndex> overlap_;  // of a folded lane
  std::shared_ptr<const LabelColumn> labels_;
  Lazy<OffsetColumn> offsets_;
  std::function<std::optional<OffsetColumn>()> load_offsets_;
  std::uint32_t size_ = 0;
  LaneKind kind_ = LaneKind::nested;
  std::uint16_t depth_ = 0;
};

}  // namespace warpscope::trace
