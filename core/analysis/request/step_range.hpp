#pragma once
// Parses and formats steps as users enter them: the numbers at the end of step names, or a step name. range_of_steps()
// converts them to a scope's range.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/result.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// Returns the number at the end of a step's name; nullopt if there is none.
[[nodiscard]] std::optional<std::int64_t> step_number(std::string_view step);

/// First and last step: indices into Profile::steps.
using StepRange = std::pair<std::uint32_t, std::uint32_t>;

/// Parses "12-15", "12" or "ProfilerStep#12": numbers at the end of step names, or a step name. If a job restarts its
/// numbering, the first series that contains any of the numbers is used. Errors: neither a number nor a name, or no
/// step with that number.
[[nodiscard]] Result<StepRange> parse_step_range(const trace::Profile& profile, std::string_view text);

/// Formats steps for parse_step_range(): "12-15"; the name of a single step if its number does not uniquely identify
/// it; "" if neither is possible.
[[nodiscard]] std::string step_range_text(const trace::Profile& profile, StepRange steps);

}  // namespace warpscope::analysis
