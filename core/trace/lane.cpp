#include "core/trace/lane.hpp"

#include <utility>

namespace warpscope::trace {

void OffsetColumn::reserve(std::size_t count) {
  low_.reserve(count);
  high_.reserve(count);
}

void OffsetColumn::push_back(std::uint64_t offset) {
  low_.push_back(static_cast<std::uint32_t>(offset));
  high_.push_back(static_cast<std::uint8_t>(offset >> 32));
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
    : names_(std::move(columns.names)),
      categories_(std::move(columns.categories)),
      offsets_(std::move(columns.offsets)),
      kind_(kind),
      depth_(depth) {
  if (folded()) {
    folded_time_ = std::move(columns.time);
    folded_time_.shrink();
    overlap_ = OverlapIndex(folded_time_);
    tree_ = union_of(folded_time_);
  } else {
    tree_ = IntervalTree(std::move(columns.time), columns.families);
  }
}

void Lane::shift(Ns delta) {
  tree_.shift(delta);
  folded_time_.shift(delta);
  overlap_.shift(delta);
}

std::size_t Lane::resident_bytes() const {
  return tree_.resident_bytes() + folded_time_.resident_bytes() + overlap_.resident_bytes() +
         names_.capacity() * sizeof(NameId) + categories_.capacity() + offsets_.resident_bytes();
}

}  // namespace warpscope::trace
