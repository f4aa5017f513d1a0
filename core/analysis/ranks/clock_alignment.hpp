#pragma once
// Time shifts that put all ranks in a profile on a common clock, for pages that show several ranks together. If clocks
// differ by milliseconds, a collective appears to end at a different time on each rank, and arrows point backward in
// time. Drift is not corrected; if it shifts times by more than the offset's standard error, the fit is rejected.
#include <string>
#include <vector>

#include "core/analysis/ranks/rank_comparison.hpp"
#include "core/analysis/request/host_question.hpp"

namespace warpscope::analysis {

struct ClockAlignment {
  std::vector<Ns> shifts;  ///< by rank index: ns to add to the rank's times; empty: times stay as recorded
  Ns error = 0;            ///< largest standard error of a shift
  Ns most = 0;             ///< largest offset from the median rank
  std::string refused;     ///< why clocks that may differ cannot be aligned; "" if they are aligned or need not be
};

/// Aligns the scope's ranks. If all offsets are at most 20 µs, none is corrected, so timestamps match those in the
/// files.
[[nodiscard]] ClockAlignment align_clocks(const AnalysisInput& input);
/// Aligns all ranks in a profile. `events` may be null. If the profile's host fails, `refused` is its error.
[[nodiscard]] ClockAlignment align_clocks(const trace::Profile& profile, const ingest::EventLookup* events,
                                          const CancelToken& cancel);

extern const HostQuestionKind kClocksQuestion;

}  // namespace warpscope::analysis
