#pragma once
// When a job started and ended, and its first and last step: parts of SageMaker Debugger's report.
#include <optional>
#include <span>
#include <string_view>

#include "core/analysis/request/scope.hpp"
#include "core/base/time.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

struct JobTimes {
  /// Of the first and last sample of system metrics, or as in the saved output of describe-training-job, whichever is
  /// earlier or later; nullopt without either.
  std::optional<Ns> start, end;
  /// From the start of the first to the end of the last step of any phase; nullopt without steps.
  std::optional<Interval> steps;
  std::uint32_t first_rank = 0;  ///< index of the rank with the first step
  NameId first_step = 0;         ///< its name
};

/// Reads the steps of the scope's ranks that are in its range. Times of steps that are more than 30 days after the
/// start are of another clock; `start` and `end` are then left out.
[[nodiscard]] JobTimes job_times(const trace::Profile& profile, const Scope& scope = {});

}  // namespace warpscope::analysis
