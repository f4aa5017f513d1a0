#pragma once
// Differences in the setup of two profiles: devices, world size, precision and versions. Times of different setups can
// be compared, but the reader must know about the difference.
#include <string>

#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// "NVIDIA A100 → Tesla V100, world size 8 → 4, mostly FP32 → BF16, PyTorch 2.1 → 2.3"; "" if nothing differs. Ignores
/// facts that only one of the profiles records.
[[nodiscard]] std::string differing_setup(const trace::Profile& control, const trace::Profile& test);

}  // namespace warpscope::analysis
