#pragma once
// Steps in all phases of a job: training, evaluation and others. Rank::steps contains only one phase.
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/request/scope.hpp"
#include "core/base/time.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// Returns the name of a step without its number: "ProfilerStep#12" and "step_12" → "ProfilerStep", "step".
[[nodiscard]] std::string_view phase_of(std::string_view step);

/// Returns the rank's steps in all phases, sorted by start. Rank::steps contains only the training phase; framework
/// timelines also contain other phases, such as evaluation.
[[nodiscard]] std::vector<trace::Step> all_steps(const trace::Profile& profile, const trace::Rank& rank);

// Start and end of a job and of its training loop, as in SageMaker Debugger's report.

struct JobTimes {
  /// Times of the first and last sample of system metrics, or those in the saved output of describe-training-job,
  /// whichever is earlier (start) or later (end); nullopt if neither exists.
  std::optional<Ns> start, end;
  /// From the start of the first step to the end of the last step, in any phase; nullopt without steps.
  std::optional<Interval> steps;
  std::uint32_t first_rank = 0;  ///< index of the rank with the first step
  NameId first_step = 0;         ///< its name
};

/// Uses the steps within the scope's ranks and range. Steps more than 30 days after the start must have been recorded
/// with a different clock; `start` and `end` are then nullopt.
[[nodiscard]] JobTimes job_times(const trace::Profile& profile, const Scope& scope = {});

}  // namespace warpscope::analysis
