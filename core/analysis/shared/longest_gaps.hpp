#pragma once
// Collects the longest gaps between GPU activity of streams or GPUs.
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/table.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

class LongestGaps {
 public:
  struct Gap {
    std::uint32_t rank = 0;            ///< index
    std::int64_t device = 0;           ///< number of the device
    std::int64_t stream = 0;           ///< stream of the gap; for a GPU's gap, of the activity that ended it
    std::string_view cause;            ///< cause of the largest part; must outlive this
    Interval time;                     ///< ns, absolute
    trace::SliceOrdinal next_run = 0;  ///< the activity that ended it
    std::optional<Ns> host_wait{};     ///< part of `time`; nullopt if not computed
    std::optional<trace::SliceOrdinal> awaited{};  ///< activity on another stream that next_run waited for
  };

  /// Keeps the `most` longest gaps; 0: all.
  explicit LongestGaps(std::size_t most) : most_(most) {}

  /// O(log most).
  void add(const Gap& gap);
  /// Returns the gaps by length, longest first, then by time. `zero`: Column::csv_zero of times. The note contains the
  /// total number of gaps.
  [[nodiscard]] Table table(std::string_view id, std::string_view title, const trace::Profile& profile, Ns zero) const;

 private:
  std::size_t most_;
  std::uint64_t added_ = 0;
  std::vector<Gap> gaps_;  // heap with the shortest on top, once it has `most_` gaps
};

}  // namespace warpscope::analysis
