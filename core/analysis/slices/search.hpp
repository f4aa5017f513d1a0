#pragma once
// All slices of a profile that pass a filter, in time order. Every lane is searched, those of impossible slices too:
// what is damaged must be findable.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/analysis/slices/slice_matcher.hpp"
#include "core/base/progress.hpp"

namespace warpscope::analysis {

struct SearchOptions {
  std::size_t limit = 100'000;          ///< slices that are kept: the earliest ones
  const CancelToken* cancel = nullptr;  ///< looked at every few thousand slices
};

struct SearchResult {
  std::vector<trace::SliceRef> slices;  ///< by begin, then rank and ordinal; at most `limit`
  std::uint64_t total = 0;              ///< how many pass, kept or not
  Ns duration = 0;                      ///< sum over all that pass, as recorded; saturates
  bool cancelled = false;               ///< the rest is then of what was searched by then

  [[nodiscard]] bool complete() const { return !cancelled && slices.size() == total; }
};

/// O(slices + matches · log matches) time, O(limit) memory. A few ns a slice; meant for a worker thread.
[[nodiscard]] SearchResult search(const SliceMatcher& matcher, const SearchOptions& options = {});

}  // namespace warpscope::analysis
