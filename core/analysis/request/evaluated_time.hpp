#pragma once
// The part of a recording that is evaluated: the same complete steps on every rank. Findings, causes and time splits
// all use it, so they agree.
//
// If a rank has four or more of these steps, its first and last are excluded, because they include profiler startup and
// shutdown. The host's part extends from the start of the first step to the end of the last. The GPUs' part extends
// from the end of the activity launched before the first step to the end of the activity launched in the last, so
// activity belongs to the step that launched it, however far the GPUs run behind the host. If no activity was launched
// before the first step, the GPUs' part starts with that step or, if earlier activity was still running then, with the
// first activity launched in it. Without steps, all of the recording is evaluated.
//
// O(L log S) for L launches and S steps of a rank.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/request/shared_results.hpp"
#include "core/base/progress.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

struct EvaluatedRank {
  Interval host;  ///< empty: nothing is evaluated
  Interval gpu;   ///< empty: no GPU activity is evaluated
  std::uint32_t first_step = 0;
  std::uint32_t steps = 0;  ///< from `first_step`; 0 without steps
  /// The GPUs' part of each step, disjoint and adjacent; without steps, all of it. Adds up to `gpu`.
  std::vector<Interval> gpu_steps;

  [[nodiscard]] bool has_step(std::uint32_t step) const { return step - first_step < steps; }
};

/// Returns the parts of a rank's `steps` steps from `first` on, as above but whether common and complete or not.
[[nodiscard]] EvaluatedRank steps_of_rank(const trace::Profile& profile, std::uint32_t rank, std::uint32_t first,
                                          std::uint32_t steps, const CancelToken* cancel = nullptr);

struct EvaluatedTime {
  std::vector<EvaluatedRank> ranks;  ///< by rank index
  bool trimmed = false;              ///< excludes first and last steps
  /// Why some of the ranks with GPU activity have no steps: "the trace has no steps"; "" if all have some.
  std::string no_steps;

  EvaluatedTime(const trace::Profile& profile, const CancelToken* cancel);

  /// Returns "Covers 3 steps, excluding the first and last."; "" without steps.
  [[nodiscard]] std::string note() const;
};

/// Returns the evaluated time of a profile, computed once per `shared` (may be null).
[[nodiscard]] std::shared_ptr<const EvaluatedTime> evaluated_time(const trace::Profile& profile,
                                                                  const CancelToken* cancel, SharedResults* shared);

}  // namespace warpscope::analysis
