#pragma once
// Summary of system metrics, for `info` and the Information page.
#include "core/base/table.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// Returns a row per node with system metrics: which were found, the sampling interval, and what is missing. Start and
/// length are those of the samples; the start counts from the start of the profile.
[[nodiscard]] Table metrics_table(const trace::Profile& profile);

}  // namespace warpscope::analysis
