#pragma once
// What must be true of a rank, whatever it was read from.
#include <string>

#include "core/trace/profile.hpp"

namespace warpscope::fuzz {

/// Throws Violation. `slices`: how many were collected, each of which must be in a lane.
void check_rank(const trace::Rank& rank, const trace::Dictionary& dictionary, std::uint64_t slices);

/// All that a rank tells, as text: equal for ranks that look the same.
[[nodiscard]] std::string describe(const trace::Rank& rank, const trace::Dictionary& dictionary);

}  // namespace warpscope::fuzz
