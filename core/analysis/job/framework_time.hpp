#pragma once
// Time by phase of a training job, summed over its ranks. Used by the framework_metrics analysis and the
// OverallFrameworkMetrics rule.
#include <cstdint>
#include <map>
#include <string>

#include "core/analysis/request/scope.hpp"
#include "core/base/table.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

struct PhaseTime {
  std::uint64_t count = 0;
  Ns time = 0;
};

struct StepTime {
  std::map<std::string, PhaseTime> phases;  ///< by step name without number
  Ns outside = 0;                           ///< outside steps, between the first and the last step of each rank
  Ns span = 0;                              ///< from the start of the first step to the end of the last
  std::size_t ranks = 0;                    ///< ranks with at least two steps; others are ignored
  Interval longest{0, 0};                   ///< longest time between two steps …
  std::uint32_t rank = 0;                   ///< … and its rank (index)
};

/// Sums step times within the scope's ranks and range.
[[nodiscard]] StepTime time_of_steps(const trace::Profile& profile, const Scope& scope);

/// True if the rank was loaded from a SageMaker Debugger framework timeline.
[[nodiscard]] bool is_framework_timeline(const trace::Rank& rank);

/// Sums the durations of a framework timeline's events by phase, such as "Forward" and "DataLoaderWorker"; excludes
/// steps and operators.
[[nodiscard]] std::map<std::string, PhaseTime> phase_times(const trace::Profile& profile, const Scope& scope);

/// Returns a table of time spent in each phase of the training loop and outside steps.
[[nodiscard]] Table steps_table(const StepTime& time);
/// Returns a table of the time in other phases of a framework timeline, longest first.
[[nodiscard]] Table phases_table(const std::map<std::string, PhaseTime>& phases);

}  // namespace warpscope::analysis
