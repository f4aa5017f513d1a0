#pragma once
// What a GPU spent its time on, each moment counted once: it computes; else it communicates, which is then exposed;
// else it only moves memory; else it is idle. From its first to its last run, so that the parts add up to that time.
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/shared/gpu_rows.hpp"

namespace warpscope::analysis {

enum class TimeUse : std::uint8_t { compute, exposed_communication, memory };
inline constexpr std::array<std::string_view, 3> kTimeUses{"compute", "exposed communication", "memory"};

struct DeviceTime {
  std::uint32_t device = 0;                                  ///< index into Rank::devices
  Interval time;                                             ///< from the first to the last run
  std::array<std::vector<Interval>, kTimeUses.size()> uses;  ///< by TimeUse: disjoint, by begin

  [[nodiscard]] Ns of(TimeUse use) const { return total_length(uses[static_cast<std::size_t>(use)]); }
};

/// One for each device of a rank that ran anything. `rows`: of the rank, by begin. O(devices · rows).
[[nodiscard]] std::vector<DeviceTime> device_times(const std::vector<GpuRow>& rows, std::uint32_t devices);

/// What is in `from` and not in `other`; both as union_of() makes them, and so is the result. O(from + other).
[[nodiscard]] std::vector<Interval> without(std::span<const Interval> from, std::span<const Interval> other);

}  // namespace warpscope::analysis
