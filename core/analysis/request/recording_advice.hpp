#pragma once
// Notes about data missing from the traces. They explain how to record it, but only for traces from PyTorch's profiler:
// its options do not exist in other programs.
#include <string>
#include <string_view>

#include "core/analysis/request/scope.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// True if any trace in the scope is from PyTorch's profiler, including merged traces.
[[nodiscard]] bool of_pytorch(const trace::Profile& profile, const Scope& scope);

/// Returns "`missing`; `advice`." for PyTorch traces, otherwise "`missing`.".
[[nodiscard]] std::string not_recorded_note(const trace::Profile& profile, const Scope& scope, std::string_view missing,
                                            std::string_view advice);

}  // namespace warpscope::analysis
