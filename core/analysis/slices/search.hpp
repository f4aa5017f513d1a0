#pragma once
// Finds all slices of a profile that match a filter, in time order. Includes lanes of impossible slices, so corrupt
// slices can be found.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/analysis/slices/slice_matcher.hpp"
#include "core/base/progress.hpp"

namespace warpscope::analysis {

struct SearchOptions {
  std::size_t limit = 100'000;          ///< number of slices kept, earliest first
  const CancelToken* cancel = nullptr;  ///< checked every few thousand slices
};

struct SearchResult {
  std::vector<trace::SliceRef> slices;  ///< by start, then rank and ordinal; at most `limit`
  std::uint64_t total = 0;              ///< number of matches, kept or not
  Ns duration = 0;                      ///< ns, sum of the recorded durations of all matches; saturates
  bool cancelled = false;               ///< the other members are then partial

  [[nodiscard]] bool complete() const { return !cancelled && slices.size() == total; }
};

/// O(S + M log M) time for S slices and M matches; O(limit) memory. Takes a few ns per slice; run it on a worker
/// thread.
[[nodiscard]] SearchResult search(const SliceMatcher& matcher, const SearchOptions& options = {});

}  // namespace warpscope::analysis
