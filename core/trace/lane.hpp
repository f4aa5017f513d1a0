#pragma once
// A lane: a row of non-overlapping slices in time order, stored column by column. Slices do not store properties of the
// lane (rank, track, depth), and arguments are read from the source on demand. Takes 19 bytes per slice plus the tree.
// For a lane in a store, nothing of that is in memory until first use.
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/trace/rank_rows.hpp"
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

  /// A lane of a rank in a store; set_rows() follows. `bytes`: see whole_bytes().
  Lane(LaneKind kind, std::uint16_t depth, std::uint32_t size, std::size_t bytes)
      : stored_bytes_(bytes), size_(size), kind_(kind), depth_(depth) {}

  [[nodiscard]] LaneKind kind() const { return kind_; }
  [[nodiscard]] std::uint16_t depth() const { return depth_; }
  [[nodiscard]] bool folded() const { return kind_ == LaneKind::folded; }
  [[nodiscard]] std::uint32_t size() const { return size_; }

  /// Returns the times of the slices, in order. In a folded lane, slices may overlap, and tree() is their union.
  [[nodiscard]] const TimeColumn& time() const { return folded() ? rows().folded_time : rows().tree.time(); }
  [[nodiscard]] const IntervalTree& tree() const { return rows().tree; }
  [[nodiscard]] NameId name(std::uint32_t i) const { return rows().labels->name(i); }
  [[nodiscard]] CategoryId category(std::uint32_t i) const { return rows().labels->category(i); }
  /// True if the slice's name or arguments show that it moves data between ranks. Always false in a folded lane, which
  /// stores only names.
  [[nodiscard]] bool communicates(std::uint32_t i) const {
    return !folded() && tree().family(i) == Family::communication;
  }
  /// Id of the slice's event; 0 if absent (ResidentOnly).
  [[nodiscard]] std::uint64_t event(std::uint32_t i) const {
    const OffsetColumn* offsets = rows().offsets.resident();
    return offsets != nullptr && i < offsets->size() ? (*offsets)[i] : 0;
  }
  /// Loads the event ids; returns false if ResidentOnly forbids it.
  [[nodiscard]] bool events_resident() const {
    const LaneRows* rows = rows_.resident();
    return rows != nullptr && rows->offsets.resident() != nullptr;
  }
  /// False if the lane is in a store and nothing of it is in memory.
  [[nodiscard]] bool opened() const { return rows_.ready() != nullptr; }

  /// Calls visit(index) for each slice that intersects [a, b), in time order. Results are wrong if the times are absent
  /// (ResidentOnly). O(log n + k).
  template <class Visit>
  void for_each_overlapping(Ns a, Ns b, Visit visit) const {
    const LaneRows& rows = this->rows();
    if (folded()) {
      if (rows.overlap.ready() == nullptr && !rows.folded_time.whole_resident()) return;
      rows.overlap.get([&] { return OverlapIndex(rows.folded_time); }).for_each(rows.folded_time, a, b, visit);
      return;
    }
    const IndexRange range = rows.tree.overlapping(a, b);
    for (std::uint32_t i = range.first; i < range.last; ++i) visit(i);
  }

  /// Return whole columns, loading them if needed even under ResidentOnly. For store writers.
  [[nodiscard]] const LabelColumn::Arrays& labels() const { return rows().labels->arrays(); }
  [[nodiscard]] const OffsetColumn& offsets() const { return rows().offsets.get(); }

  /// Only for a lane in memory.
  void shift(Ns delta) { rows_.shift(delta); }
  /// Replaces the rows of a lane in a store.
  void set_rows(RowPart<LaneRows> rows) { rows_ = std::move(rows); }
  /// Bytes in memory.
  [[nodiscard]] std::size_t resident_bytes() const;
  /// Size in bytes if everything were loaded and built. The same whether the lane comes from a trace or from a store.
  [[nodiscard]] std::size_t whole_bytes() const;

 private:
  [[nodiscard]] const LaneRows& rows() const { return rows_.get(); }

  RowPart<LaneRows> rows_;
  std::size_t stored_bytes_ = 0;  // whole_bytes() of a lane in a store
  std::uint32_t size_ = 0;
  LaneKind kind_ = LaneKind::nested;
  std::uint16_t depth_ = 0;
};

}  // namespace warpscope::trace
