#pragma once
// Shifts that put the ranks of a profile on one clock, for pages that draw ranks below each other. If clocks are
// milliseconds apart, a collective seems to end at different times, and arrows point back in time. Drift is not
// corrected: within a recording, it shifts times by less than the error of the offset; otherwise, the fit is refused.
#include <string>
#include <vector>

#include "core/analysis/ranks/rank_comparison.hpp"

namespace warpscope::analysis {

struct ClockAlignment {
  std::vector<Ns> shifts;  ///< by rank index: ns to add to the rank's times; empty: times stay as recorded
  Ns error = 0;            ///< largest standard error of a shift
  Ns most = 0;             ///< largest offset from the median rank
  std::string refused;     ///< why clocks that may differ cannot be aligned; "" if they are aligned or need not be
};

/// Does not correct offsets of up to 20 µs; the window then shows the times in the files.
[[nodiscard]] ClockAlignment align_clocks(const AnalysisInput& input);
/// Aligns all ranks of a profile. `events` may be null.
[[nodiscard]] ClockAlignment align_clocks(const trace::Profile& profile, const ingest::EventLookup* events,
                                          const CancelToken& cancel);

}  // namespace warpscope::analysis
