#pragma once
// Turns a rank into the bytes of its body in a store: sections one after the other, the head last, because it names all
// others.
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

/// An Error if the rank is not one that a reader would take: its parts contradict each other, or a time lies absurdly
/// far out. Also if `cancel` says so. Brings in columns that are not in memory. O(n).
[[nodiscard]] Result<RankBody> write_rank(const trace::Rank& rank, const trace::Dictionary& dictionary,
                                          const Packing& packing, const CancelToken* cancel);

/// Spans, steps and counters reach no farther from zero, in ns: no difference of two times overflows.
inline constexpr Ns kFarthest = Ns{1} << 62;

/// What has to hold of every rank that is written or read: tracks share out the lanes, ids are in range, the span is
/// within 2^62 ns of zero. Empty if it does.
[[nodiscard]] Failure check_rank(const trace::Rank& rank);

}  // namespace warpscope::store
