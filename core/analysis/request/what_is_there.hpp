#pragma once
// Lists the names in a profile, for notes and errors that suggest valid input.
#include <cstdint>
#include <span>
#include <string>

#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// Returns the annotation families of these ranks (indices), most frequent first: "ProfilerStep, forward and 3 more";
/// "none" if there are none.
[[nodiscard]] std::string annotations_there(const trace::Profile& profile, std::span<const std::uint32_t> ranks);

}  // namespace warpscope::analysis
