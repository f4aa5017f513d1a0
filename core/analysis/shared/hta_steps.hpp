#pragma once
// What HTA does to a trace when it loads it: it leaves out the last training step, and may round times.
//
// Where all ranks together have at least two different ProfilerSteps, only what the host did before the last of them
// began is kept. "Began" is the latest begin of any row of such a name, shadows on devices included, so the last step
// is kept whole where the trace has shadows (B7).
#include <optional>
#include <vector>

#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// `time` as HTA rounds it: up to whole µs.
[[nodiscard]] Ns hta_rounded(Ns time);
/// Begin up and end down to whole µs: it may end before it begins.
[[nodiscard]] Interval hta_rounded(Interval time);

class HtaSteps {
 public:
  explicit HtaSteps(const trace::Profile& profile);

  /// When the last step of a rank begins, from which on nothing counts; nothing if all of it does. O(shadows).
  [[nodiscard]] std::optional<Ns> last_begin(const trace::Rank& rank) const;

 private:
  std::vector<NameId> names_;  // different ones, over all ranks
};

/// What HTA's times count from, in ns since the profile's begin: where the first row begins that is not a span of the
/// profiler itself. O(lanes).
[[nodiscard]] Ns hta_zero(const trace::Profile& profile, bool rounding);

/// What HTA takes for the length of a rank's trace: from the begin of the first row that it keeps to the begin of the
/// last. O(slices).
[[nodiscard]] Ns hta_trace_length(const trace::Profile& profile, std::uint32_t rank, bool rounding);

}  // namespace warpscope::analysis
