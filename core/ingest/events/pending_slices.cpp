#include "core/ingest/events/pending_slices.hpp"

#include <algorithm>
#include <utility>

namespace warpscope::ingest {

void PendingSlices::grow() {
  Segment segment;
  if (size_ < kSmall) {
    segment.capacity = std::max(size_, kFirst);
    segment.small = std::make_unique_for_overwrite<PendingSlice[]>(segment.capacity);
    segment.slices = segment.small.get();
  } else {
    segment.capacity = kLarge;
    segment.large = allocate_large(kHugePage);
    segment.slices = static_cast<PendingSlice*>(segment.large.get());
  }
  next_ = segment.slices;
  end_ = next_ + segment.capacity;
  segments_.push_back(std::move(segment));
}

void PendingSlices::begin_taking() {
  std::uint32_t left = size_;
  for (Segment& segment : segments_) {
    segment.left = std::min(left, segment.capacity);
    left -= segment.left;
  }
  next_ = end_ = nullptr;
}

void PendingSlices::give_back(Segment& segment) {
  segment.slices = nullptr;
  segment.small.reset();
  segment.large.reset();
}

}  // namespace warpscope::ingest
