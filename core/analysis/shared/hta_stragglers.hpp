#pragma once
// The stragglers that HTA finds, for comparison. Of kernels called ncclKernel… that take at least 1 % of a mean step,
// it takes the last one of each name, stream and step on each rank; of these the stream and name whose durations differ
// most between ranks; and counts in how many steps a rank was among the `candidates` last that began it. Newer NCCL
// calls its kernels otherwise, and the default stream 0 of ROCm does not count (B5, B6).
#include <map>

#include "core/analysis/shared/gpu_rows.hpp"

namespace warpscope::analysis {

/// `range`: only steps that lie within. Rank index → in how many steps it was a candidate; empty where HTA fails: one
/// rank, or no such kernel. O(slices).
[[nodiscard]] std::map<std::uint32_t, std::uint64_t> hta_straggler_counts(
    const trace::Profile& profile, const GpuRows& rows, const KernelClasses::Choice& choice, std::size_t candidates,
    const std::optional<Interval>& range, const CancelToken* cancel);

}  // namespace warpscope::analysis
