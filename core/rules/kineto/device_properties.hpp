#pragma once
// Device properties that the PyTorch profiler writes to the trace.
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include "core/trace/rank.hpp"

namespace warpscope::rules {

/// Returns an integer property, such as "totalGlobalMem", by device number.
[[nodiscard]] std::map<std::int64_t, std::int64_t> device_properties(const trace::Rank& rank, std::string_view name);
/// Returns it for one device; nullopt if the trace does not contain it.
[[nodiscard]] std::optional<std::int64_t> device_property(const trace::Rank& rank, std::int64_t device,
                                                          std::string_view name);

/// Returns false for NVIDIA GPUs that do not compute in bf16, which came with Ampere (compute capability 8.0); true for
/// others and if the compute capability is unknown.
[[nodiscard]] bool has_bf16(const trace::Rank& rank, std::int64_t device);

}  // namespace warpscope::rules
