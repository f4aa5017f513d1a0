#pragma once
// Finds the offset between two ranks' collective end times, given only the end and kind of each kernel (run). Clocks
// may differ by any amount, and either recording may be missing runs.
//
// Uses a Hough transform: every pair of runs with equal signatures that are at most 256 positions apart votes for the
// difference between their ends. True pairs agree to within microseconds, so their votes pile up; other votes scatter.
// A window's score is its number of votes minus the number of runs it leaves unpaired; the highest score wins. Training
// is repetitive, so an offset that is off by a whole step may score nearly as well. The runner-up's score shows how
// certain the result is. O(V log V) for V votes; at most 400 of the rank's runs vote.
#include <cstdint>
#include <optional>
#include <span>

#include "core/base/time.hpp"

namespace warpscope::analysis {

/// A run's end and signature. Only runs with equal signatures can belong to the same collective.
struct EndMark {
  Ns end = 0;
  std::uint32_t signature = 0;
};

struct EndOffset {
  struct Candidate {
    Ns offset = 0;
    double score = 0;  ///< fraction of voting runs that are paired, minus those unpaired within the common time
  };
  Candidate best;
  std::optional<Candidate> runner_up{};
  double agreement = 0;  ///< fraction of the shorter list that is paired

  /// True if a different offset fits the end times nearly as well.
  [[nodiscard]] bool ambiguous() const { return runner_up && runner_up->score > best.score - 0.1; }
};

/// Returns how far end times in `own` are ahead of those in `reference` (both sorted by end); nullopt if there are no
/// votes.
[[nodiscard]] std::optional<EndOffset> find_end_offset(std::span<const EndMark> own,
                                                       std::span<const EndMark> reference);

}  // namespace warpscope::analysis
