#pragma once
// What nodes measured of themselves, counted: for `info` and the Information page.
#include "core/base/table.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// A row a node that has system metrics: what was found, how often was sampled, and what is missing. Begin and length
/// are of the samples; the begin counts from the profile's.
[[nodiscard]] Table metrics_table(const trace::Profile& profile);

}  // namespace warpscope::analysis
