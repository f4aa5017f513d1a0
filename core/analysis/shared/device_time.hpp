#pragma once
// Breakdown of GPU time in which each moment counts once, as the first of these that applies: computation, exposed
// communication, memory operations, idle. The parts add up to the time from the first to the last GPU activity.
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/shared/gpu_rows.hpp"
#include "core/base/table.hpp"

namespace warpscope::analysis {

enum class TimeUse : std::uint8_t { compute, exposed_communication, memory };
inline constexpr std::array<std::string_view, 3> kTimeUses{"compute", "exposed communication", "memory"};
/// Column roles for the time of each use, indexed by TimeUse.
inline constexpr std::array kUseRoles{ColumnRole::compute, ColumnRole::exposed_communication, ColumnRole::memory};

struct DeviceTime {
  std::uint32_t device = 0;                                  ///< index into Rank::devices
  Interval time;                                             ///< from the first to the last GPU activity, or `whole`
  std::array<std::vector<Interval>, kTimeUses.size()> uses;  ///< by TimeUse: disjoint, by start

  [[nodiscard]] Ns of(TimeUse use) const { return total_length(uses[static_cast<std::size_t>(use)]); }
};

/// Returns one DeviceTime for each of a rank's devices that has GPU activity. `rows`: the rank's rows, sorted by start.
/// O(rows log rows).
[[nodiscard]] std::vector<DeviceTime> device_times(const std::vector<GpuRow>& rows,
                                                   const std::optional<Interval>& whole = {});

/// Subtracts `other` from `from`. Arguments and result are disjoint and sorted, as returned by union_of(). O(from +
/// other).
[[nodiscard]] std::vector<Interval> without(std::span<const Interval> from, std::span<const Interval> other);

/// Sorts intervals, drops empty ones and merges those that touch. The result is disjoint and sorted by start.
[[nodiscard]] std::vector<Interval> joined(std::vector<Interval> intervals);

}  // namespace warpscope::analysis
