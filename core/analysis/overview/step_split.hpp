#pragma once
// Splits the time of each training step by activity. Each moment is assigned to the first StepUse that applies, as
// in the overview of PyTorch's TensorBoard plugin. GPU activity on any device comes first, so host work counts only
// while the GPUs are idle.
//
// O(n log n) in the slices of a rank.
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/shared/gpu_rows.hpp"

namespace warpscope::analysis {

enum class StepUse : std::uint8_t {
  kernel,  ///< except communication kernels; the TensorBoard plugin shows this and the next use as "Kernel"
  communication_kernel,  ///< while no other kernel runs
  memcpy,
  memset,
  communication,  ///< the host is in an operator of a communication library
  runtime,        ///< the host is in a call of the runtime or driver
  data_loader,    ///< the host waits for the next batch
  cpu,            ///< the host is in an operator
  other,          ///< none of the above
};
inline constexpr std::size_t kStepUses = 9;
inline constexpr std::array<std::string_view, kStepUses> kStepUseWords{
    "kernel",  "exposed communication", "memcpy", "memset", "communication calls",
    "runtime", "data loader",           "CPU",    "other"};

struct StepSplit {
  std::string_view name;  ///< of the step; "" for the whole recording of a trace without steps
  Interval time;
  std::array<Ns, kStepUses> uses{};  ///< adds up to the length of `time`
};

/// Splits the steps of a rank (index) within the scope's range. `rows`: GpuRows::of(rank), with classes.
[[nodiscard]] std::vector<StepSplit> step_splits(const AnalysisInput& input, std::uint32_t rank,
                                                 const GpuRows::Rows& rows);

/// Returns the steps of a rank within the scope's range, merged where they overlap; without steps, returns the range or
/// the rank's time span.
[[nodiscard]] std::vector<Interval> step_time(const AnalysisInput& input, std::uint32_t rank);

}  // namespace warpscope::analysis
