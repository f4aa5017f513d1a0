#pragma once
// Splits collectives into waiting and transfer. All ranks leave a collective together, and the kernel of the last rank
// to arrive is the shortest: it only transfers, while longer kernels waited before. This needs no common clock.
#include <cstdint>
#include <unordered_map>

#include "core/analysis/ranks/collective_matching.hpp"
#include "core/analysis/ranks/job_matching.hpp"
#include "core/base/time.hpp"

namespace warpscope::rules {

class CollectiveWaits {
 public:
  CollectiveWaits() = default;
  /// `job`: for sends and receives, whose pairs `matches` does not have.
  CollectiveWaits(const analysis::CollectiveMatches& matches, const analysis::JobCollectives& job);

  /// The part of a kernel that waits for the last rank: from its start on, empty for the last rank and for kernels that
  /// are not matched. `rank`: index.
  [[nodiscard]] Interval wait_of(std::uint32_t rank, trace::SliceOrdinal kernel, Interval time) const;
  /// The rest of the kernel.
  [[nodiscard]] Interval transfer_of(std::uint32_t rank, trace::SliceOrdinal kernel, Interval time) const {
    return {wait_of(rank, kernel, time).end, time.end};
  }

 private:
  std::unordered_map<std::uint64_t, Ns> transfers_;  // ns, by rank and kernel
};

}  // namespace warpscope::rules
