#pragma once
// Tables for idle_time_breakdown: GPU idle time by cause, and three tables of stream idle time by cause (sums, gap
// statistics, and causes side by side). The causes are passed in because HTA's differ from ours.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/shared/idle_gaps.hpp"
#include "core/base/table.hpp"

namespace warpscope::analysis {

/// Idle time of each GPU: the time during which none of its streams is active.
class DeviceIdleTable {
 public:
  DeviceIdleTable();

  /// `time`: the evaluated time, or from the first to the last activity of the GPU.
  void add(Cell rank, Cell device, Ns time, const std::vector<IdleGap>& gaps);
  /// Returns the table, with a note about the dominant cause over all GPUs.
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
    std::string_view column;  ///< name of the column in the table with causes side by side
    ColumnRole role;          ///< of `column`
    bool always;              ///< has a row for each stream, even if its time is 0
  };

  /// `causes` must outlive this object. `statistics_of_none`: include rows without gaps in statistics, as HTA does.
  StreamIdleTables(std::span<const Cause> causes, bool statistics_of_none);

  /// `gaps`: lengths of the gaps, by cause.
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
