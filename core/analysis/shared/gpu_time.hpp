#pragma once
// The GPUs in a scope, the time that is evaluated on them, and their busy time: the union of kernels, memcpys and
// memsets, which the profile stores per device. In the evaluated steps, busy and idle time equal those of the account
// (causes/time_account.hpp).
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/request/scope.hpp"
#include "core/trace/gpus.hpp"
#include "core/trace/partial_ranks.hpp"

namespace warpscope::analysis {

/// Returns the GPUs of the scope's ranks, rank by rank.
[[nodiscard]] std::vector<trace::Gpu> gpus_in(const trace::Profile& profile, const Scope& scope);

/// The time during which GPUs and host threads are busy or idle: the evaluated time of their ranks or, in other scopes,
/// what the traces cover of the range or the profile's span. Must not outlive the profile and the scope.
class MeasuredTime {
 public:
  MeasuredTime(const trace::Profile& profile, const Scope& scope)
      : scope_(scope), covered_(profile), extent_(extent_of(profile, scope)) {}

  /// Return disjoint intervals, by start: those of a GPU, whose ranks may have several files, and those of a rank.
  [[nodiscard]] std::vector<Interval> of(const trace::Gpu& gpu) const;
  [[nodiscard]] Interval on_gpu(std::uint32_t rank) const {
    return scope_.evaluated_on_gpu(rank).value_or(covered_.of(rank, extent_));
  }
  [[nodiscard]] Interval on_host(std::uint32_t rank) const {
    return scope_.evaluated_on_gpu(rank) ? *scope_.on_host(rank) : covered_.of(rank, extent_);
  }

 private:
  const Scope& scope_;
  trace::CoveredTime covered_;
  Interval extent_;
};

/// Busy time of a GPU. Uses the stored intervals if only one file contains the GPU; otherwise builds their union in O(n
/// log n) for n stored intervals. The profile must outlive this object.
class GpuBusy {
 public:
  GpuBusy(const trace::Profile& profile, const trace::Gpu& gpu);
  /// Returns the busy time in disjoint intervals, in ns; at most their length. O(log runs) for each.
  [[nodiscard]] Ns within(const std::vector<Interval>& times) const;

 private:
  const trace::IntervalTree* only_ = nullptr;
  std::optional<trace::IntervalTree> own_;
};

struct GpuTime {
  std::size_t gpus = 0;
  Ns longest = 0;    ///< of the GPUs' measured times
  Ns total = 0;      ///< summed over the GPUs: measured time; saturates
  double whole = 0;  ///< `total` without saturation
};

/// O(GPUs).
[[nodiscard]] GpuTime gpu_time(const trace::Profile& profile, const Scope& scope);

/// Returns "8 GPUs over 1.23 s.", "8 GPUs over up to 1.23 s." if the times differ, or the reason for an empty result.
[[nodiscard]] std::string gpu_time_note(const GpuTime& time);

}  // namespace warpscope::analysis
