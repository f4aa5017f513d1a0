#pragma once
// The GPUs in a scope and their busy time: the union of kernels, memcpys and memsets, which the profile stores per
// device.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/request/scope.hpp"
#include "core/trace/gpus.hpp"

namespace warpscope::analysis {

/// Returns the GPUs of the scope's ranks, rank by rank.
[[nodiscard]] std::vector<trace::Gpu> gpus_in(const trace::Profile& profile, const Scope& scope);

/// Busy time of a GPU. Uses the stored intervals if only one file contains the GPU; otherwise builds their union in O(n
/// log n) for n stored intervals. The profile must outlive this object.
class GpuBusy {
 public:
  GpuBusy(const trace::Profile& profile, const trace::Gpu& gpu);
  /// Returns the busy time in a range, in ns; at most the length of the range. O(log runs).
  [[nodiscard]] Ns within(Interval time) const { return (own_ ? *own_ : *only_).busy(time.begin, time.end); }

 private:
  const trace::IntervalTree* only_ = nullptr;
  std::optional<trace::IntervalTree> own_;
};

struct GpuTime {
  std::size_t gpus = 0;
  Interval extent;   ///< evaluated time range; shorter for GPUs whose traces end earlier
  Ns busy = 0;       ///< summed over the GPUs: union of GPU activity within the extent
  Ns total = 0;      ///< summed over the GPUs: part of the extent that their traces cover; saturates
  double whole = 0;  ///< `total` without saturation

  [[nodiscard]] Ns idle() const { return total - busy; }
  /// Returns the busy fraction of the covered time, at most 1; 0 without GPUs.
  [[nodiscard]] double busy_share() const { return whole > 0 ? static_cast<double>(busy) / whole : 0; }
};

/// O(GPUs · log slices).
[[nodiscard]] GpuTime gpu_time(const trace::Profile& profile, const Scope& scope);

/// Returns "8 GPUs over 1.23 s.", "8 GPUs over up to 1.23 s." if some traces end earlier, or the reason for an empty
/// result.
[[nodiscard]] std::string gpu_time_note(const GpuTime& time);

}  // namespace warpscope::analysis
