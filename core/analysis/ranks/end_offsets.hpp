#pragma once
// Finds by how much the end times of one rank's collectives are ahead of another's, when nothing but the ends and what
// runs is known: clocks may differ by anything, and either recording may lack runs.
//
// A Hough transform: every pair of runs of equal signature, at most 256 positions apart, votes for the difference of
// its ends. True pairs agree within microseconds and pile up; others scatter. The densest window of votes wins, minus
// the runs that it leaves without a partner. Training repeats itself, so an offset of a whole step may score nearly as
// well: the runner-up shows how sure the answer is. O(votes · log votes); at most 400 runs of the rank vote.
#include <cstdint>
#include <optional>
#include <span>

#include "core/base/time.hpp"

namespace warpscope::analysis {

/// The end of a run, and what runs: only equal signatures can be of one collective.
struct EndMark {
  Ns end = 0;
  std::uint32_t signature = 0;
};

struct EndOffset {
  struct Candidate {
    Ns offset = 0;
    double score = 0;  ///< share of the voting runs with a partner, minus those without one in the common time
  };
  Candidate best;
  std::optional<Candidate> runner_up{};
  double agreement = 0;  ///< share of the shorter list that has a partner

  /// True if a different offset explains the ends nearly as well.
  [[nodiscard]] bool ambiguous() const { return runner_up && runner_up->score > best.score - 0.1; }
};

/// Returns how far the ends of `own` are ahead of those of `reference` (both by end); nullopt if no signature is in
/// both.
[[nodiscard]] std::optional<EndOffset> find_end_offset(std::span<const EndMark> own,
                                                       std::span<const EndMark> reference);

}  // namespace warpscope::analysis
