#pragma once
// Splits collectives into wait time and transfer time, as the collectives analysis does: a member waits until the last
// rank has arrived.
#include <cstdint>
#include <unordered_map>

#include "core/analysis/ranks/rank_comparison.hpp"

namespace warpscope::analysis {

class CollectiveWaits {
 public:
  CollectiveWaits() = default;
  explicit CollectiveWaits(const RankComparison& comparison, ClockChoice choice = ClockChoice::aligned);

  /// Returns the interval during which a kernel waits for the last rank. The interval starts with the kernel; it is
  /// empty for the last rank and for unmatched kernels. `rank`: index.
  [[nodiscard]] Interval wait_of(std::uint32_t rank, trace::SliceOrdinal kernel, Interval time) const;
  /// Returns the remaining interval, during which the kernel transfers data.
  [[nodiscard]] Interval transfer_of(std::uint32_t rank, trace::SliceOrdinal kernel, Interval time) const {
    return {wait_of(rank, kernel, time).end, time.end};
  }

 private:
  std::unordered_map<std::uint64_t, Ns> waits_;  // by rank and kernel
};

/// Returns the waits of all ranks, whichever are in the scope: others may be the last. Requires kKernelClassParameter.
[[nodiscard]] CollectiveWaits waits_in_job(AnalysisInput input);

}  // namespace warpscope::analysis
