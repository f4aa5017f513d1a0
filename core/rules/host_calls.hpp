#pragma once
// Finds the host calls that rules look for, in one pass over a rank's host threads.
#include <array>
#include <vector>

#include "core/analysis/causes/host_work.hpp"
#include "core/base/progress.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::rules {

enum class HostCallKind : std::uint8_t {
  overhead,     ///< work of the profiler itself
  data_loader,  ///< waiting for the next batch
  compilation,  ///< TorchDynamo and Inductor
  allocation,   ///< device memory allocated or freed through the driver
  wait,         ///< waiting for the GPU: synchronization, blocking memcpys
};
inline constexpr std::size_t kHostCallKinds = 5;

struct HostCall {
  trace::SliceOrdinal slice = 0;
  NameId name = 0;
  Interval time;
};

/// Host calls by kind, sorted by start.
struct HostCalls {
  std::array<std::vector<HostCall>, kHostCallKinds> of_kind;

  [[nodiscard]] const std::vector<HostCall>& of(HostCallKind kind) const {
    return of_kind[static_cast<std::size_t>(kind)];
  }
};

/// Finds a rank's host calls. `rank`: index. O(host slices).
[[nodiscard]] HostCalls host_calls(const trace::Profile& profile, std::uint32_t rank,
                                   const analysis::HostWorkNames& names, const CancelToken* cancel);

/// Returns the intervals of `calls`, sorted and merged.
[[nodiscard]] std::vector<Interval> times_of(const std::vector<HostCall>& calls);

}  // namespace warpscope::rules
