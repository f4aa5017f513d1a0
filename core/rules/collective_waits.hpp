#pragma once
// Splits collectives into wait time and transfer time. All ranks finish a collective together, so the last rank to
// arrive has the shortest kernel. That kernel only transfers data; longer kernels also wait. This works without
// synchronized clocks.
#include <cstdint>
#include <unordered_map>

#include "core/analysis/ranks/collective_matching.hpp"
#include "core/analysis/ranks/job_matching.hpp"
#include "core/base/time.hpp"

namespace warpscope::rules {

class CollectiveWaits {
 public:
  CollectiveWaits() = default;
  /// `job`: matches for sends and receives, which `matches` does not include.
  CollectiveWaits(const analysis::CollectiveMatches& matches, const analysis::JobCollectives& job);

  /// Returns the interval during which a kernel waits for the last rank. The interval starts with the kernel; it is
  /// empty for the last rank and for unmatched kernels. `rank`: index.
  [[nodiscard]] Interval wait_of(std::uint32_t rank, trace::SliceOrdinal kernel, Interval time) const;
  /// Returns the remaining interval, during which the kernel transfers data.
  [[nodiscard]] Interval transfer_of(std::uint32_t rank, trace::SliceOrdinal kernel, Interval time) const {
    return {wait_of(rank, kernel, time).end, time.end};
  }

 private:
  std::unordered_map<std::uint64_t, Ns> transfers_;  // duration of the transfer, by rank and kernel
};

}  // namespace warpscope::rules
