#pragma once
// Host calls of a rank that rules look for, found in one pass over its host threads.
#include <array>
#include <vector>

#include "core/base/progress.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::rules {

enum class HostCallKind : std::uint8_t {
  overhead,     ///< the profiler's own work
  data_loader,  ///< waiting for the next batch
  compilation,  ///< TorchDynamo and Inductor
  allocation,   ///< device memory allocated or freed through the driver
  wait,         ///< until the GPU is done: synchronization, blocking memcpys
};
inline constexpr std::size_t kHostCallKinds = 5;

struct HostCall {
  trace::SliceOrdinal slice = 0;
  NameId name = 0;
  Interval time;
};

/// By kind, sorted by start.
struct HostCalls {
  std::array<std::vector<HostCall>, kHostCallKinds> of_kind;

  [[nodiscard]] const std::vector<HostCall>& of(HostCallKind kind) const {
    return of_kind[static_cast<std::size_t>(kind)];
  }
};

/// True for runtime and driver calls that return only when the GPU is done. Whether a memcpy blocks depends on its
/// memory, so only calls that block according to their name are included.
[[nodiscard]] bool is_wait(std::string_view name);

/// O(host slices). `rank`: index.
[[nodiscard]] HostCalls host_calls(const trace::Profile& profile, std::uint32_t rank, const CancelToken* cancel);

/// Returns the times of calls, sorted and merged.
[[nodiscard]] std::vector<Interval> times_of(const std::vector<HostCall>& calls);

}  // namespace warpscope::rules
