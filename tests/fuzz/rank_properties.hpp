#pragma once
// Properties that every rank must have, whatever its source.
#include <string>

#include "core/trace/profile.hpp"

namespace warpscope::fuzz {

/// Throws Violation. `slices` is the number of collected slices; each must be in a lane.
void check_rank(const trace::Rank& rank, const trace::Dictionary& dictionary, std::uint64_t slices);

/// Describes a rank as text; equal for ranks with equal contents.
[[nodiscard]] std::string describe(const trace::Rank& rank, const trace::Dictionary& dictionary);

}  // namespace warpscope::fuzz
