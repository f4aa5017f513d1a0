#pragma once
// HTA's changes to a trace at load time: it drops the last training step and may round times.
//
// If all ranks together have at least two different ProfilerSteps, HTA keeps only host activity that started before the
// last of them. The start of a step is the latest start of any row with its name, including its device shadows, so the
// complete last step is kept if the trace has shadows (B7).
#include <optional>
#include <vector>

#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// Rounds `time` as HTA does: up to whole µs.
[[nodiscard]] Ns hta_rounded(Ns time);
/// Rounds the start up and the end down to whole µs; the result may end before it starts.
[[nodiscard]] Interval hta_rounded(Interval time);

class HtaSteps {
 public:
  /// If `hta` is false, nothing is dropped.
  explicit HtaSteps(const trace::Profile& profile, bool hta = true);

  /// Returns the start of a rank's last step; HTA drops everything after it. Returns nullopt if HTA keeps everything.
  /// O(shadows).
  [[nodiscard]] std::optional<Ns> last_begin(const trace::Rank& rank) const;

 private:
  std::vector<NameId> names_;  // distinct names, over all ranks
};

/// Returns HTA's time zero, in ns since the start of the profile: the start of the first row that is not a span of the
/// profiler itself. O(lanes).
[[nodiscard]] Ns hta_zero(const trace::Profile& profile, bool rounding);

/// Returns the length of a rank's trace according to HTA: from the start of the first row that it keeps to the start of
/// the last. O(slices).
[[nodiscard]] Ns hta_trace_length(const trace::Profile& profile, std::uint32_t rank, bool rounding);

}  // namespace warpscope::analysis
