#pragma once
// Finds stragglers as HTA does, for comparison. HTA considers kernels named ncclKernel… that take at least 1 % of a
// mean step, and among these, only the last one per name, stream and step on each rank. It picks the stream and name
// whose durations differ most between ranks and counts the steps in which a rank was among the last `candidates` to
// start that kernel. It misses kernels from newer NCCL versions, which have different names, and kernels on ROCm's
// default stream 0 (B5, B6).
#include <map>

#include "core/analysis/shared/gpu_rows.hpp"

namespace warpscope::analysis {

/// Returns, by rank index, the number of steps in which the rank was a candidate. Returns an empty map if HTA fails
/// because there is only one rank or no matching kernel. Counts only steps within `range`. O(slices).
[[nodiscard]] std::map<std::uint32_t, std::uint64_t> hta_straggler_counts(
    const trace::Profile& profile, const GpuRows& rows, const KernelClasses::Choice& choice, std::size_t candidates,
    const std::optional<Interval>& range, const CancelToken* cancel);

}  // namespace warpscope::analysis
