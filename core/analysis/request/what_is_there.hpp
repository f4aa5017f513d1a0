#pragma once
// What a profile has of what users ask for by name, for errors that say what could have been asked for.
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// Whether a host thread of these ranks (indices) recorded anything of a name that `wanted` takes. O(slices).
[[nodiscard]] bool has_call(const trace::Profile& profile, std::span<const std::uint32_t> ranks,
                            const std::function<bool(std::string_view)>& wanted);

/// "there are ProfilerStep, forward and 3 more": families of annotations of these ranks, most frequent first; "there
/// are none" without any.
[[nodiscard]] std::string annotations_there(const trace::Profile& profile, std::span<const std::uint32_t> ranks);
/// The same of operators by name. O(slices).
[[nodiscard]] std::string operators_there(const trace::Profile& profile, std::span<const std::uint32_t> ranks);

}  // namespace warpscope::analysis
