#pragma once
// The tables of idle_time_breakdown: idle time of GPUs by cause, and of each stream by cause, as sums, statistics of
// gaps and side by side. HTA's causes of streams and ours differ, so the causes are given.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/shared/idle_gaps.hpp"
#include "core/base/table.hpp"

namespace warpscope::analysis {

/// Idle time of each GPU, while no stream runs anything.
class DeviceIdleTable {
 public:
  DeviceIdleTable();

  /// `time`: from the first to the last run of the GPU.
  void add(Cell rank, Cell device, Ns time, const std::vector<IdleGap>& gaps);
  /// With a note of what dominates; the same note says so of all GPUs.
  [[nodiscard]] Table take() &&;

 private:
  Table table_;
  Ns time_ = 0;
  IdleTimes sums_{};
};

/// Idle time of streams.
class StreamIdleTables {
 public:
  struct Cause {
    std::string_view name;
    std::string_view column;  ///< of the table side by side
    ColumnRole role;          ///< likewise
    bool always;              ///< has a row for each stream, without time too
  };

  /// `causes` live longer than this. `statistics_of_none`: statistics have rows without gaps too, as HTA's do.
  StreamIdleTables(std::span<const Cause> causes, bool statistics_of_none);

  /// `gaps`: of each cause.
  void add(Cell rank, Cell device, Cell stream, std::vector<std::vector<Ns>> gaps);
  [[nodiscard]] std::vector<Table> take() &&;

 private:
  std::span<const Cause> causes_;
  bool statistics_of_none_;
  Table times_;
  Table statistics_;
  Table by_stream_;
};

}  // namespace warpscope::analysis
