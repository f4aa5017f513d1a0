#pragma once
// In what two profiles differ before anything ran: devices, world size, precision and versions. Times of different
// setups can be compared, but whoever does must know.
#include <string>

#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// "NVIDIA A100 → Tesla V100, world size 8 → 4, mostly FP32 → BF16, PyTorch 2.1 → 2.3"; "" if nothing differs. What
/// only one of them records is no difference.
[[nodiscard]] std::string differing_setup(const trace::Profile& control, const trace::Profile& test);

}  // namespace warpscope::analysis
