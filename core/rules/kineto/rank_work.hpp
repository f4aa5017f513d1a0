#pragma once
// Compute time per GPU over the steps that the GPUs have in common, for rules that compare ranks. Ranks whose files end
// early are excluded because their last steps lack kernels.
#include <cstdint>
#include <string>
#include <vector>

#include "core/rules/facts.hpp"

namespace warpscope::rules {

struct GpuWork {
  std::size_t gpu = 0;          ///< index into Facts::gpus()
  std::uint32_t role = 0;       ///< GPUs with the same role do the same work
  std::vector<Interval> parts;  ///< the compared time, disjoint, by start
  std::size_t steps = 1;        ///< in `parts`; 1 if the trace has no steps
  Ns compute = 0;               ///< time with compute kernels, per step
};

struct RankWork {
  std::vector<GpuWork> gpus;           ///< in the order of Facts::gpus()
  std::vector<std::uint32_t> partial;  ///< excluded ranks (indices)
};

/// Ranks have the same role if they regularly run collectives together; pipeline stages do not. If no collectives are
/// matched, all ranks have the same role, except those that communicate only point to point.
[[nodiscard]] RankWork rank_work(Facts& facts);

enum class WorkDifference : std::uint8_t {
  slower_gpu,  ///< the same kernels, nearly all of which take longer
  more_work,   ///< more kernels, or some kernels take longer
  other_work,  ///< less than half of the time is in kernels that both GPUs run
};

struct WorkComparison {
  WorkDifference kind = WorkDifference::more_work;
  NameId most = 0;   ///< the kernel with the largest difference
  Ns only_here = 0;  ///< time per step in kernels that the other GPU does not run
};

/// Determines why `more` computes longer than `usual`. O(rows of both).
[[nodiscard]] WorkComparison compare_work(Facts& facts, const GpuWork& more, const GpuWork& usual);

/// Returns " Rank 3 is excluded because its trace ends early."; "" if no rank is excluded.
[[nodiscard]] std::string partial_words(Facts& facts, const std::vector<std::uint32_t>& partial);

}  // namespace warpscope::rules
