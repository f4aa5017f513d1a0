#pragma once
// Gives each moment of a GPU's evaluated time exactly one label, so labels add up to that time.
//
// Idle time is labeled gap by gap (idle_gaps.hpp). If GPU activity regularly starts before its launch, the clocks of
// host and GPU contradict each other, so causes are refused.
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/causes/gpu_window.hpp"
#include "core/analysis/causes/host_chain.hpp"
#include "core/analysis/ranks/collective_waits.hpp"
#include "core/analysis/shared/time_label.hpp"

namespace warpscope::analysis {

struct TimeAccount {
  std::array<std::vector<Interval>, kTimeLabels> of_label;  ///< disjoint, by start
  LabelTimes times{};                                       ///< their lengths
  std::uint64_t launches = 0;                               ///< known launches of the evaluated time's GPU activity
  std::uint64_t late_launches = 0;                          ///< launched while the GPU was idle
  std::uint64_t early_starts = 0;                           ///< that starts before its launch
  bool clocks_contradict = false;                           ///< causes are refused: all idle time is unknown

  [[nodiscard]] const std::vector<Interval>& of(TimeLabel label) const {
    return of_label[static_cast<std::size_t>(label)];
  }
  [[nodiscard]] Ns time(TimeLabel label) const { return times[static_cast<std::size_t>(label)]; }
};

/// `rows`: all activity of the GPU; `all`: where they come from; `chain`: of its rank. O(R log R + H) for R rows and H
/// pieces of the chain.
[[nodiscard]] TimeAccount time_account(const trace::Profile& profile, const GpuWindow& gpu, const GpuRows& all,
                                       std::span<const GpuRow> rows, const HostChain& chain,
                                       const CollectiveWaits& waits);

}  // namespace warpscope::analysis
