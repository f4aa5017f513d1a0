#pragma once
// Serializes a rank into its body in a store: its sections, then the head, which refers to all of them.
#include <cstdint>
#include <vector>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/store/format.hpp"
#include "core/store/section_writer.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::store {

struct RankBody {
  std::vector<std::uint8_t> bytes;
  SectionRef head;  ///< relative to the body
  std::uint64_t slices = 0;
};

/// Serializes a rank; loads columns that are not in memory. O(n). Errors: a reader would reject the rank (its parts are
/// inconsistent, or a time is too far from zero); cancelled.
[[nodiscard]] Result<RankBody> write_rank(const trace::Rank& rank, const trace::Dictionary& dictionary,
                                          const Packing& packing, const CancelToken* cancel);

/// Maximum distance of spans, steps and counters from time zero, in ns. Ensures that time differences do not overflow.
inline constexpr Ns kFarthest = Ns{1} << 62;

/// Checks the invariants of every rank that is written or read: tracks partition the lanes, ids are in range, the span
/// is within 2^62 ns of zero. Empty on success.
[[nodiscard]] Failure check_rank(const trace::Rank& rank);

}  // namespace warpscope::store
