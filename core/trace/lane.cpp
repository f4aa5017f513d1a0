#include "core/trace/lane.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace warpscope::trace {

void OffsetColumn::reserve(std::size_t count) {
  low_.reserve(count);
  high_.reserve(count);
}

std::size_t OffsetColumn::resident_bytes() const { return low_.capacity() * sizeof(std::uint32_t) + high_.capacity(); }

namespace {

IntervalTree union_of(const TimeColumn& time) {
  std::vector<Interval> intervals;
  intervals.reserve(time.size());
  for (std::uint32_t i = 0; i < time.size(); ++i) intervals.push_back({time.begin(i), time.end(i)});
  return merged_intervals(intervals);
}

}  // namespace

Lane::Lane(LaneKind kind, std::uint16_t depth, Columns columns)
    : size_(static_cast<std::uint32_t>(columns.names.size())), kind_(kind), depth_(depth) {
  const bool alike = std::adjacent_find(columns.families.begin(), columns.families.end(), std::not_equal_to<>()) ==
                     columns.families.end();
  const std::span<const Family> families = columns.families;
  labels_ = std::make_shared<LabelColumn>(std::move(columns.names), std::move(columns.categories),
                                          alike || folded() ? std::span<const Family>{} : families);
  offsets_.edit() = std::move(columns.offsets);
  if (folded()) {
    folded_time_ = std::move(columns.time);
    folded_time_.shrink();
    tree_ = union_of(folded_time_);
  } else {
    tree_ = IntervalTree(std::move(columns.time), families, labels_);
  }
}

Lane::Lane(LaneKind kind, std::uint16_t depth, Stored stored)
    : tree_(std::move(stored.tree)),
      folded_time_(std::move(stored.folded_time)),
      labels_(std::move(stored.labels)),
      offsets_([size = stored.size, load = std::move(stored.load_offsets)] {
        if (load)
          if (auto loaded = load(); loaded && loaded->size() == size) return std::move(*loaded);
        OffsetColumn none;
        none.reserve(size);
        for (std::uint32_t i = 0; i < size; ++i) none.push_back(0);
        return none;
      }),
      size_(stored.size),
      kind_(kind),
      depth_(depth) {}

void Lane::shift(Ns delta) {
  tree_.shift(delta);
  folded_time_.shift(delta);
  overlap_ = {};
}

std::size_t Lane::whole_bytes() const {
  std::size_t bytes = tree_.whole_bytes() + folded_time_.whole_bytes() + size_ * OffsetColumn::kBytes;
  if (labels_) bytes += labels_->whole_bytes();
  if (folded()) bytes += OverlapIndex::bytes_for(folded_time_);
  return bytes;
}

std::size_t Lane::resident_bytes() const {
  std::size_t bytes = tree_.resident_bytes() + folded_time_.resident_bytes();
  if (labels_) bytes += labels_->resident_bytes();
  if (const OverlapIndex* overlap = overlap_.ready()) bytes += overlap->resident_bytes();
  if (const OffsetColumn* offsets = offsets_.ready()) bytes += offsets->resident_bytes();
  return bytes;
}

}  // namespace warpscope::trace
