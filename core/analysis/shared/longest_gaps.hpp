#pragma once
// The longest gaps between runs of streams or GPUs, one by one: those worth looking at.
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
    std::uint32_t rank = 0;                        ///< index
    std::int64_t device = 0;                       ///< its number
    std::int64_t stream = 0;                       ///< of the gap, or of the run that ended a GPU's
    std::string_view cause;                        ///< of the largest part; lives longer than this
    Interval time;                                 ///< ns, absolute
    trace::SliceOrdinal next_run = 0;              ///< that ended it
    std::optional<Ns> host_wait{};                 ///< part of the time; nullopt if not computed
    std::optional<trace::SliceOrdinal> awaited{};  ///< run of another stream that next_run waited for
  };

  /// Keeps the `most` longest of those added; 0: all.
  explicit LongestGaps(std::size_t most) : most_(most) {}

  /// O(log most).
  void add(const Gap& gap);
  /// The longest first, of equal ones the earlier. `zero`: Column::csv_zero of times. A note has how many there are.
  [[nodiscard]] Table table(std::string_view id, std::string_view title, const trace::Profile& profile, Ns zero) const;

 private:
  std::size_t most_;
  std::uint64_t added_ = 0;
  std::vector<Gap> gaps_;  // a heap with the shortest on top, once there are `most_`
};

}  // namespace warpscope::analysis
