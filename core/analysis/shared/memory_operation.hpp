#pragma once
// Kinds of device memory operations, inferred from memcpy names.
#include <cstdint>
#include <string_view>

namespace warpscope::analysis {

enum class MemoryOperation : std::uint8_t {
  host_to_device,
  device_to_host,
  device_to_device,
  peer_to_peer,
  host_to_host,
  set,
  other_copy,  ///< unknown from the name
};
inline constexpr std::size_t kMemoryOperations = 7;

/// Returns "HtoD", "DtoH", "DtoD", "PtoP", "HtoH", "memset" or "other copy".
[[nodiscard]] std::string_view to_string(MemoryOperation operation);

/// Returns the direction of a copy, inferred from its name as written by CUPTI ("Memcpy HtoD (Pageable -> Device)") and
/// ROCm ("CopyHostToDevice").
[[nodiscard]] MemoryOperation copy_direction(std::string_view name);

}  // namespace warpscope::analysis
