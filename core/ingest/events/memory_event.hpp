#pragma once
// Memory events from PyTorch's profiler (profile_memory=True): each allocation or release is an instant event named
// "[memory]".
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "core/base/time.hpp"

namespace warpscope::ingest {

inline constexpr std::string_view kMemoryEvent = "[memory]";
inline constexpr std::string_view kOutOfMemoryEvent = "[OutOfMemory]";

enum class MemoryOwner : std::uint8_t { host, device, other };

/// Returns the memory owner for a PyTorch device type number: the host for CPU, MKLDNN and IDEEP; a device for CUDA,
/// HIP, XPU, HPU, MTIA and other registered types.
[[nodiscard]] constexpr MemoryOwner memory_owner(std::int64_t device_type) {
  constexpr std::array<std::int64_t, 3> kHostTypes{0, 2, 5};
  constexpr std::array<std::int64_t, 6> kDeviceTypes{1, 6, 12, 15, 19, 20};
  if (std::ranges::find(kDeviceTypes, device_type) != kDeviceTypes.end()) return MemoryOwner::device;
  return std::ranges::find(kHostTypes, device_type) != kHostTypes.end() ? MemoryOwner::host : MemoryOwner::other;
}

/// An allocation or a release. Packed, because large traces contain hundreds of thousands of these.
struct MemorySample {
  static constexpr std::uint32_t kHost = 0x7FFFFFFF;  ///< greater than every device

  Ns time = 0;
  std::int64_t bytes = 0;  ///< in use on the device after the event if `is_total`, else the change
  float reserved = std::numeric_limits<float>::quiet_NaN();  ///< by the allocator after the event; NaN: not recorded
  std::uint32_t device : 31 = kHost;                         ///< device number
  std::uint32_t is_total : 1 = 0;
};
static_assert(sizeof(MemorySample) == 24);

/// Returns the name of the counter of what PyTorch's allocator reserves on a device: "GPU-0 memory reserved".
[[nodiscard]] inline std::string reserved_memory_counter(std::int64_t device) {
  return "GPU-" + std::to_string(device) + " memory reserved";
}

}  // namespace warpscope::ingest
