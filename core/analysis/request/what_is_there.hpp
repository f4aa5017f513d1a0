#pragma once
// Lists the names in a profile, for errors that suggest valid input.
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// True if a host thread of these ranks (indices) recorded a slice whose name satisfies `wanted`. O(slices).
[[nodiscard]] bool has_call(const trace::Profile& profile, std::span<const std::uint32_t> ranks,
                            const std::function<bool(std::string_view)>& wanted);

/// Returns the annotation families of these ranks, most frequent first: "ProfilerStep, forward and 3 more"; "none" if
/// there are none.
[[nodiscard]] std::string annotations_there(const trace::Profile& profile, std::span<const std::uint32_t> ranks);
/// Returns the operators of these ranks in the same format. O(slices).
[[nodiscard]] std::string operators_there(const trace::Profile& profile, std::span<const std::uint32_t> ranks);

}  // namespace warpscope::analysis
