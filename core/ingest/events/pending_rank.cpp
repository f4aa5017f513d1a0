#include "core/ingest/events/pending_rank.hpp"

#include <algorithm>

namespace warpscope::ingest {

namespace {

/// Keeps only the last entry for each slice.
void keep_last(SparseNumbers& numbers) {
  std::stable_sort(numbers.begin(), numbers.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::size_t kept = 0;
  for (const auto& entry : numbers) {
    if (kept > 0 && numbers[kept - 1].first == entry.first) --kept;
    numbers[kept++] = entry;
  }
  numbers.resize(kept);
}

}  // namespace

void PendingTrack::settle() {
  keep_last(durations);
  keep_last(correlations);
}

}  // namespace warpscope::ingest
