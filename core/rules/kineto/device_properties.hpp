#pragma once
// Properties of a device as PyTorch's profiler lists them in the trace.
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/trace/rank.hpp"

namespace warpscope::rules {

/// Returns an integer property such as "totalGlobalMem" of the device with that number; nullopt if it is not listed.
[[nodiscard]] std::optional<std::int64_t> device_property(const trace::Rank& rank, std::int64_t device,
                                                          std::string_view name);

}  // namespace warpscope::rules
