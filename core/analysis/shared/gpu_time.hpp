#pragma once
// The GPUs of a scope and their busy time, from the union of kernels, copies and sets that every device of the model
// keeps.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/request/scope.hpp"
#include "core/trace/gpus.hpp"

namespace warpscope::analysis {

/// The GPUs of the scope's ranks, rank by rank.
[[nodiscard]] std::vector<trace::Gpu> gpus_in(const trace::Profile& profile, const Scope& scope);

/// When a GPU was busy: what its file keeps, or the union of what several tell of it, O(runs · log runs) to make then.
/// The profile must outlive it.
class GpuBusy {
 public:
  GpuBusy(const trace::Profile& profile, const trace::Gpu& gpu);
  /// ns of the stretch, never more than its length. O(log runs).
  [[nodiscard]] Ns within(Interval time) const { return (own_ ? *own_ : *only_).busy(time.begin, time.end); }

 private:
  const trace::IntervalTree* only_ = nullptr;
  std::optional<trace::IntervalTree> own_;
};

struct GpuTime {
  std::size_t gpus = 0;
  Interval extent;   ///< looked at on each that the traces cover to its end
  Ns busy = 0;       ///< summed over the GPUs: the union of what ran on each, within the extent
  Ns total = 0;      ///< summed over the GPUs: what of the extent their traces cover; at most the greatest there is
  double whole = 0;  ///< the same, without that limit

  [[nodiscard]] Ns idle() const { return total - busy; }
  /// Of what the traces cover; no more than 1. 0 without GPUs.
  [[nodiscard]] double busy_share() const { return whole > 0 ? static_cast<double>(busy) / whole : 0; }
};

/// O(GPUs · log slices).
[[nodiscard]] GpuTime gpu_time(const trace::Profile& profile, const Scope& scope);

/// "8 GPUs over 1.23 s.", "8 GPUs over up to 1.23 s." where traces end earlier, or why there is nothing.
[[nodiscard]] std::string gpu_time_note(const GpuTime& time);

}  // namespace warpscope::analysis
