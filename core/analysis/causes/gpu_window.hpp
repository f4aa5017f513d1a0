#pragma once
// The evaluated time of one GPU.
#include <cstdint>
#include <vector>

#include "core/analysis/request/evaluated_time.hpp"
#include "core/analysis/shared/gpu_rows.hpp"

namespace warpscope::analysis {

struct GpuWindow {
  std::uint32_t rank = 0;        ///< index
  std::uint32_t device = 0;      ///< index into Rank::devices
  std::vector<Interval> parts;   ///< disjoint, by start: one per step, some may be empty
  std::uint32_t first_step = 0;  ///< of the rank: that of parts[0]
  std::size_t steps = 0;         ///< steps in `parts`; 0 if the trace has none
  Interval host;                 ///< the same steps on the host
  std::vector<Interval> busy;    ///< union of GPU activity, not limited to `parts`
  std::vector<Interval> idle;    ///< idle time in `parts`, excluding profiler overhead

  [[nodiscard]] Ns length() const { return total_length(parts); }
};

/// Returns a rank's GPUs that have activity, if any time is evaluated. `profiler`: the time of the profiler's own work.
[[nodiscard]] std::vector<GpuWindow> gpu_windows(const trace::Profile& profile, std::uint32_t rank,
                                                 const RowsByDevice& rows, const EvaluatedRank& time,
                                                 const std::vector<Interval>& profiler);

}  // namespace warpscope::analysis
