#pragma once
// Finds how far the end times of one rank's collectives are ahead of another rank's, given only the end and kind of
// each kernel (run). Clocks may differ by any amount, and either recording may lack runs.
//
// The method is a Hough transform. Every pair of runs with equal signatures that are at most 256 positions apart votes
// for the difference between their ends. True pairs agree within microseconds, so their votes pile up; other votes
// scatter. A window's score is its number of votes minus the number of runs it leaves without a partner; the highest
// score wins. Training is repetitive, so an offset that is wrong by a whole step may score nearly as well. The
// runner-up shows how certain the answer is. O(votes · log votes); at most 400 runs of the rank vote.
#include <cstdint>
#include <optional>
#include <span>

#include "core/base/time.hpp"

namespace warpscope::analysis {

/// The end of a run and its signature: only runs with equal signatures can belong to one collective.
struct EndMark {
  Ns end = 0;
  std::uint32_t signature = 0;
};

struct EndOffset {
  struct Candidate {
    Ns offset = 0;
    double score = 0;  ///< fraction of the voting runs with a partner, minus those without one in the common time
  };
  Candidate best;
  std::optional<Candidate> runner_up{};
  double agreement = 0;  ///< fraction of the shorter list that has a partner

  /// True if a different offset explains the ends nearly as well.
  [[nodiscard]] bool ambiguous() const { return runner_up && runner_up->score > best.score - 0.1; }
};

/// Returns how far the ends of `own` are ahead of those of `reference` (both sorted by end); nullopt if they have no
/// signature in common.
[[nodiscard]] std::optional<EndOffset> find_end_offset(std::span<const EndMark> own,
                                                       std::span<const EndMark> reference);

}  // namespace warpscope::analysis
