#pragma once
// How busy the host threads were that launch to GPUs: what a trace knows of the CPU when nobody sampled it. A thread is
// busy while it is in an operator or in a call of the runtime or driver, waiting calls included; annotations and Python
// frames, which only enclose what happens, do not count. It is no CPU utilization, and is never called so.
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

/// The threads of the scope's ranks that launched something, rank by rank. `shared`: others that ask the same, or null.
/// Never null. O(slices of these threads).
[[nodiscard]] std::shared_ptr<const std::vector<HostThread>> launching_threads(const trace::Profile& profile,
                                                                               const Scope& scope,
                                                                               const CancelToken* cancel = nullptr,
                                                                               SharedResults* shared = nullptr);

/// What the figures are of, or why there are none; for tables that a reader may take for CPU utilization.
[[nodiscard]] std::string host_time_note(std::size_t threads);

}  // namespace warpscope::analysis
