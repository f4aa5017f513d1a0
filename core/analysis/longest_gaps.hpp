#pragma once
// The longest gaps between runs of streams, one by one: which of them it is worth looking at.
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/table.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

class LongestGaps {
 public:
  struct Gap {
    std::uint32_t rank = 0;            ///< index
    std::int64_t device = 0;           ///< its number
    std::int64_t stream = 0;           ///< likewise
    std::string_view cause;            ///< lives longer than this
    Interval time;                     ///< ns, absolute
    trace::SliceOrdinal next_run = 0;  ///< that ended it
  };

  /// Keeps the `most` longest of those added; 0: all.
  explicit LongestGaps(std::size_t most) : most_(most) {}

  /// O(log most).
  void add(const Gap& gap);
  /// The longest first, of equal ones the earlier. `zero`: Column::csv_zero of times.
  [[nodiscard]] Table table(const trace::Profile& profile, Ns zero) const;
  /// How many were added.
  [[nodiscard]] std::uint64_t added() const { return added_; }

 private:
  std::size_t most_;
  std::uint64_t added_ = 0;
  std::vector<Gap> gaps_;  // a heap with the shortest on top, once there are `most_`
};

}  // namespace warpscope::analysis
