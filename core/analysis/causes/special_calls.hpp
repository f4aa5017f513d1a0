#pragma once
// Finds the host calls that rules look for, in one pass over a rank's host threads.
#include <array>
#include <vector>

#include "core/analysis/shared/host_work.hpp"
#include "core/base/progress.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

struct NamedCall {
  trace::SliceOrdinal slice = 0;
  NameId name = 0;
  Interval time;
};

/// Calls for the data loader, the compiler, device memory, waits and the profiler, by kind, sorted by start.
class SpecialCalls {
 public:
  SpecialCalls() = default;
  /// `rank`: index. O(host slices).
  SpecialCalls(const trace::Profile& profile, std::uint32_t rank, const HostWorkNames& names,
               const CancelToken* cancel);

  [[nodiscard]] const std::vector<NamedCall>& of(HostWork kind) const {
    return of_kind_[static_cast<std::size_t>(kind)];
  }

 private:
  std::array<std::vector<NamedCall>, kHostWorks> of_kind_;
};

/// Returns the intervals of `calls`, sorted and merged.
[[nodiscard]] std::vector<Interval> times_of(const std::vector<NamedCall>& calls);

}  // namespace warpscope::analysis
