#pragma once
// The GPUs of a scope and their busy time, from the union of kernels, copies and sets that every device of the model
// keeps. A device that two processes share is two here, as it is in the timeline.
#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/scope.hpp"

namespace warpscope::analysis {

/// A device of a rank: indices into Profile::ranks and Rank::devices.
struct GpuRef {
  std::uint32_t rank = 0;
  std::uint32_t device = 0;
};

/// The devices of the scope's ranks, rank by rank.
[[nodiscard]] std::vector<GpuRef> gpus_in(const trace::Profile& profile, const Scope& scope);

struct GpuTime {
  std::size_t gpus = 0;
  Interval extent;  ///< looked at on each
  Ns busy = 0;      ///< summed over the GPUs: the union of what ran on each, within the extent

  /// GPUs · extent.
  [[nodiscard]] Ns total() const;
  [[nodiscard]] Ns idle() const { return total() - busy; }
};

/// O(GPUs · log slices).
[[nodiscard]] GpuTime gpu_time(const trace::Profile& profile, const Scope& scope);

/// "8 GPUs over 1.23 s.", or why there is nothing.
[[nodiscard]] std::string gpu_time_note(const GpuTime& time);

}  // namespace warpscope::analysis
