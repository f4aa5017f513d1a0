#pragma once
// A lane: a row of non-overlapping slices in time order, stored column by column. Slices do not store properties of the
// lane (rank, track, depth), and arguments are read from the source on demand. Takes 19 bytes per slice plus the tree.
// For a lane in a store, only the tree is in memory until first use.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/trace/interval_tree.hpp"
#include "core/trace/label_column.hpp"
#include "core/trace/lazy.hpp"
#include "core/trace/overlap_index.hpp"
#include "core/trace/string_table.hpp"

namespace warpscope::trace {

enum class LaneKind : std::uint8_t {
  nested,          ///< recorded slices, one lane per depth
  overflow,        ///< slices that overlap others without nesting
  folded,          ///< slices beyond the limit of lanes per track; may overlap
  gpu_annotation,  ///< GPU-side copies of annotations, under their stream
  sync,            ///< cuda_sync rows of a stream
  instant,         ///< zero-length markers
  damaged,         ///< invalid slices; excluded from span and utilization
};

/// Event ids up to 2^40, 5 bytes each. Ids are opaque; only the reader of the source's format can interpret them.
class OffsetColumn {
 public:
  OffsetColumn() = default;
  /// The low 32 and high 8 bits of each offset.
  OffsetColumn(std::vector<std::uint32_t> low, std::vector<std::uint8_t> high)
      : low_(std::move(low)), high_(std::move(high)) {}
  void reserve(std::size_t count);
  void push_back(std::uint64_t offset) {
    low_.push_back(static_cast<std::uint32_t>(offset));
    high_.push_back(static_cast<std::uint8_t>(offset >> 32));
  }
  /// Appends offsets, split into low and high bits; both spans must have the same size.
  void append(std::span<const std::uint32_t> low, std::span<const std::uint8_t> high) {
    low_.insert(low_.end(), low.begin(), low.end());
    high_.insert(high_.end(), high.begin(), high.end());
  }
  [[nodiscard]] std::uint64_t operator[](std::uint32_t i) const {
    return low_[i] | static_cast<std::uint64_t>(high_[i]) << 32;
  }
  [[nodiscard]] std::size_t size() const { return low_.size(); }
  static constexpr std::size_t kBytes = 5;  ///< per offset
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
    std::vector<Family> families;  // one per slice; used to build the tree, then dropped
  };

  Lane() = default;
  /// `depth`: the lane's row within its track; 0 is the top. Only slices of a folded lane may overlap.
  Lane(LaneKind kind, std::uint16_t depth, Columns columns);

  /// Serialized parts of a lane. For a folded lane, `tree` is the union of the slices and `folded_time` contains the
  /// slices themselves; otherwise, `folded_time` is empty. If `load_offsets` fails, all offsets are 0.
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

  /// Returns the times of the slices, in order. In a folded lane, slices may overlap, and tree() is their union.
  [[nodiscard]] const TimeColumn& time() const { return folded() ? folded_time_ : tree_.time(); }
  [[nodiscard]] const IntervalTree& tree() const { return tree_; }
  [[nodiscard]] NameId name(std::uint32_t i) const { return labels_->name(i); }
  [[nodiscard]] CategoryId category(std::uint32_t i) const { return labels_->category(i); }
  /// True if the slice's name or arguments show that it moves data between ranks. Always false in a folded lane, which
  /// stores only names.
  [[nodiscard]] bool communicates(std::uint32_t i) const {
    return !folded() && tree_.family(i) == Family::communication;
  }
  /// Id of the slice's event; 0 if absent (ResidentOnly).
  [[nodiscard]] std::uint64_t event(std::uint32_t i) const {
    const OffsetColumn* offsets = offsets_.resident();
    return offsets != nullptr ? (*offsets)[i] : 0;
  }
  /// Loads the event ids; returns false if ResidentOnly forbids it.
  [[nodiscard]] bool events_resident() const { return offsets_.resident() != nullptr; }

  /// Calls visit(index) for each slice that intersects [a, b), in time order. Results are wrong if the times are absent
  /// (ResidentOnly). O(log n + k).
  template <class Visit>
  void for_each_overlapping(Ns a, Ns b, Visit visit) const {
    if (folded()) {
      if (overlap_.ready() == nullptr && !folded_time_.whole_resident()) return;
      overlap_.get([this] { return OverlapIndex(folded_time_); }).for_each(folded_time_, a, b, visit);
      return;
    }
    const IndexRange range = tree_.overlapping(a, b);
    for (std::uint32_t i = range.first; i < range.last; ++i) visit(i);
  }

  /// Return whole columns, loading them if needed even under ResidentOnly. For store writers.
  [[nodiscard]] const LabelColumn::Arrays& labels() const { return labels_->arrays(); }
  [[nodiscard]] const OffsetColumn& offsets() const { return offsets_.get(); }

  void shift(Ns delta);
  /// Bytes in memory.
  [[nodiscard]] std::size_t resident_bytes() const;
  /// Size in bytes if everything were loaded and built. The same whether the lane comes from a trace or from a store.
  [[nodiscard]] std::size_t whole_bytes() const;

 private:
  IntervalTree tree_;
  TimeColumn folded_time_;
  Lazy<OverlapIndex> overlap_;  // of a folded lane
  std::shared_ptr<const LabelColumn> labels_;
  StoredColumn<OffsetColumn> offsets_;
  std::uint32_t size_ = 0;
  LaneKind kind_ = LaneKind::nested;
  std::uint16_t depth_ = 0;
};

}  // namespace warpscope::trace
