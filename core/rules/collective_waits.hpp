#pragma once
// Splits collectives into wait time and transfer time. All ranks leave a collective together, so the last rank to
// arrive has the shortest kernel. That kernel only transfers data; longer kernels also wait. This needs no common
// clock.
#include <cstdint>
#include <unordered_map>

#include "core/analysis/ranks/collective_matching.hpp"
#include "core/analysis/ranks/job_matching.hpp"
#include "core/base/time.hpp"

namespace warpscope::rules {

class CollectiveWaits {
 public:
  CollectiveWaits() = default;
  /// `job`: matches sends and receives, which are not in `matches`.
  CollectiveWaits(const analysis::CollectiveMatches& matches, const analysis::JobCollectives& job);

  /// Returns the interval in which a kernel waits for the last rank. It starts with the kernel and is empty for the
  /// last rank and for unmatched kernels. `rank`: index.
  [[nodiscard]] Interval wait_of(std::uint32_t rank, trace::SliceOrdinal kernel, Interval time) const;
  /// Returns the rest of the kernel's interval, in which it transfers data.
  [[nodiscard]] Interval transfer_of(std::uint32_t rank, trace::SliceOrdinal kernel, Interval time) const {
    return {wait_of(rank, kernel, time).end, time.end};
  }

 private:
  std::unordered_map<std::uint64_t, Ns> transfers_;  // duration of the transfer, by rank and kernel
};

}  // namespace warpscope::rules
