#include "core/trace/rank_rows.hpp"

namespace warpscope::trace {

void OffsetColumn::reserve(std::size_t count) {
  low_.reserve(count);
  high_.reserve(count);
}

std::size_t OffsetColumn::resident_bytes() const { return low_.capacity() * sizeof(std::uint32_t) + high_.capacity(); }

void LaneRows::shift(Ns delta) {
  tree.shift(delta);
  folded_time.shift(delta);
  overlap = {};
}

std::size_t LaneRows::resident_bytes() const {
  std::size_t bytes = tree.resident_bytes() + folded_time.resident_bytes() + labels->resident_bytes();
  if (const OverlapIndex* index = overlap.ready()) bytes += index->resident_bytes();
  if (const OffsetColumn* ids = offsets.ready()) bytes += ids->resident_bytes();
  return bytes;
}

std::shared_ptr<const LabelColumn> LaneRows::no_labels() {
  static const auto kNone =
      std::make_shared<const LabelColumn>(0, false, Family{}, nullptr, LabelColumn::Arrays(), LabelColumn::Load());
  return kNone;
}

void RankRows::shift(Ns delta) {
  for (LaneRows& lane : lanes) lane.shift(delta);
  for (IntervalTree& tree : busy) tree.shift(delta);
}

}  // namespace warpscope::trace
