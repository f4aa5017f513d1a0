#pragma once
// Busy time of the host threads that launch GPU work. Without samples, a trace contains no other information about CPU
// usage. A thread is busy while it is in an operator, runtime call or driver call, including calls that wait.
// Annotations and Python frames are ignored, because they only enclose activity. This is not CPU utilization and must
// never be labeled as such.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/request/scope.hpp"
#include "core/analysis/request/shared_results.hpp"
#include "core/base/progress.hpp"

namespace warpscope::analysis {

struct HostThread {
  std::uint32_t rank = 0;   ///< index
  std::uint32_t track = 0;  ///< index into Rank::tracks
  trace::IntervalTree busy;
};

/// Returns the threads of the scope's ranks that launched GPU work, rank by rank. `shared`: results shared with other
/// analyses, or null. Never null. O(slices of these threads).
[[nodiscard]] std::shared_ptr<const std::vector<HostThread>> launching_threads(const trace::Profile& profile,
                                                                               const Scope& scope,
                                                                               const CancelToken* cancel = nullptr,
                                                                               SharedResults* shared = nullptr);

/// Returns a note for tables that could be mistaken for CPU utilization: explains the values, or why there are none.
[[nodiscard]] std::string host_time_note(std::size_t threads);

}  // namespace warpscope::analysis
