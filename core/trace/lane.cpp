#include "core/trace/lane.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace warpscope::trace {

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
  LaneRows rows;
  rows.labels = std::make_shared<LabelColumn>(std::move(columns.names), std::move(columns.categories),
                                              alike || folded() ? std::span<const Family>{} : families);
  rows.offsets.edit() = std::move(columns.offsets);
  if (folded()) {
    rows.folded_time = std::move(columns.time);
    rows.folded_time.shrink();
    rows.tree = union_of(rows.folded_time);
  } else {
    rows.tree = IntervalTree(std::move(columns.time), families, rows.labels);
  }
  rows_ = std::move(rows);
}

std::size_t Lane::whole_bytes() const {
  if (stored_bytes_ > 0) return stored_bytes_;
  const LaneRows& all = rows();
  std::size_t bytes =
      all.tree.whole_bytes() + all.folded_time.whole_bytes() + all.labels->whole_bytes() + size_ * OffsetColumn::kBytes;
  if (folded()) bytes += OverlapIndex::bytes_for(all.folded_time.size());
  return bytes;
}

std::size_t Lane::resident_bytes() const {
  const LaneRows* loaded = rows_.ready();
  return loaded != nullptr ? loaded->resident_bytes() : 0;
}

}  // namespace warpscope::trace
