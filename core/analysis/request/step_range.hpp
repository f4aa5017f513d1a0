#pragma once
// Steps as a user writes them: by the numbers that their names end with, or by name. With range_of_steps() they become
// a scope's range.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/result.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// First and last of some steps: indices into Profile::steps.
using StepRange = std::pair<std::uint32_t, std::uint32_t>;

/// Reads "12-15", "12", "ProfilerStep#12": the numbers that the names of steps end with, or a name. Where a job counts
/// anew, those of the first count that has any. Errors: neither a number nor a name, or no step of that number.
[[nodiscard]] Result<StepRange> parse_step_range(const trace::Profile& profile, std::string_view text);

/// What parse_step_range() reads as these steps: "12-15"; their name, if there is but one and no number says it; "" if
/// nothing does.
[[nodiscard]] std::string step_range_text(const trace::Profile& profile, StepRange steps);

}  // namespace warpscope::analysis
