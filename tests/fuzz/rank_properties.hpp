#pragma once
// What must be true of a rank, whatever it was read from.
#include "core/ingest/pending_rank.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::fuzz {

/// Slices and marks that were collected.
[[nodiscard]] std::uint64_t slices_of(const ingest::PendingRank& pending);

/// Throws Violation. `slices`: how many were collected, each of which must be in a lane.
void check_rank(const trace::Rank& rank, const trace::Dictionary& dictionary, std::uint64_t slices);

}  // namespace warpscope::fuzz
