#pragma once
// Uses launch sizes to estimate how well kernels fill a GPU during steps, as PyTorch's TensorBoard plugin does.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/shared/gpu_rows.hpp"

namespace warpscope::analysis {

struct GpuFill {
  std::uint32_t device = 0;  ///< index into Rank::devices
  Ns busy = 0;               ///< during steps; kernels, memcpys and memsets
  Ns kernels = 0;            ///< sum of the durations of kernels during steps
  /// Time during steps, weighted by the blocks per SM of the running kernels, at most 1; nullopt if not recorded.
  std::optional<double> sm_time{};
  /// Mean of the estimated occupancy (a fraction), weighted by duration; nullopt if not recorded.
  std::optional<double> occupancy{};
  Ns tensor_cores = 0;  ///< part of `kernels` in kernels whose names indicate Tensor Core use
};

struct RankFill {
  std::vector<GpuFill> gpus;
  std::string unread;  ///< why arguments are missing
};

/// `steps`: step_time() of the rank (index). `rows`: GpuRows::of(rank). O(n log n).
[[nodiscard]] RankFill gpu_fill(const AnalysisInput& input, std::uint32_t rank, const GpuRows::Rows& rows,
                                const std::vector<Interval>& steps);

}  // namespace warpscope::analysis
