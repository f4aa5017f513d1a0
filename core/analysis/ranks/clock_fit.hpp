#pragma once
// Estimates clock offsets between ranks from collectives. All ranks leave a collective together, so any difference
// between its recorded end times is a clock offset.
//
// Model: end of collective c on rank r = T_c + θ_r + ρ_r (T_c − t₀). The T_c are eliminated. This leaves a
// Huber-weighted least-squares problem (iteratively reweighted, 1.5 σ) over the ranks. Conjugate gradients solve it and
// converge even when pipeline stages form a chain. Each kind and size of collective has its own σ. Offsets are relative
// to the median of the ranks connected by collectives. A rank's drift ρ is used only if a jackknife over eight time
// blocks shows that it is significant.
//
// O(ranks + members) per iteration.
#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/ranks/job_matching.hpp"

namespace warpscope::analysis {

struct RankClock {
  double offset = 0;       ///< how far the rank's clock is ahead at ClockFit::middle, in ns
  double drift = 0;        ///< ns gained per ns; 0 unless significant
  double error = 0;        ///< standard error of the offset, ns
  double drift_error = 0;  ///< standard error of the fitted drift, significant or not; 0 if drift was not fitted
  std::uint64_t collectives = 0;
  std::uint32_t component = kNoIndex;  ///< set of ranks connected by collectives; kNoIndex without collectives
  std::string refused;                 ///< why times of the rank cannot be compared; "" if they can
};

struct ClockFit {
  std::vector<RankClock> ranks;  ///< by rank index
  Ns middle = 0;                 ///< time at which offsets apply
  Ns span = 0;                   ///< from the first to the last collective
  double sigma = 0;              ///< ns: scatter of ends after alignment
  double residual_p95 = 0;       ///< ns
  double violations = 0;         ///< fraction of collectives that some rank leaves before the last one arrives
  std::uint32_t components = 0;
  std::string refused;  ///< why no times can be compared; "" if they can

  [[nodiscard]] bool safe() const { return refused.empty(); }
  /// Converts a time recorded on a rank (index) to the common clock.
  [[nodiscard]] Ns aligned(std::uint32_t rank, Ns time) const;
};

/// Fits clocks. Rejects ranks whose matched runs do not end at the same time as on other ranks and removes them from
/// `matches`. Such ranks belong to another job or were matched incorrectly.
[[nodiscard]] ClockFit fit_clocks(JobCollectives& matches);

}  // namespace warpscope::analysis
