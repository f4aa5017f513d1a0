#include "core/analysis/shared/idle_tables.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/statistics.hpp"

namespace warpscope::analysis {

namespace {

std::vector<Column> stream_columns(std::initializer_list<Column> figures) {
  std::vector<Column> columns{{"rank", "", ColumnRole::rank, "rank"},
                              {"stream", "", ColumnRole::stream, "stream"},
                              {"cause", "", ColumnRole::wait_cause, "idle_category"},
                              {"device", "", ColumnRole::device, "device"}};
  columns.insert(columns.end(), figures);
  return columns;
}

std::vector<Column> side_by_side(std::span<const StreamIdleTables::Cause> causes) {
  std::vector<Column> columns{{"rank", "", ColumnRole::rank, "rank"},
                              {"device", "", ColumnRole::device, "device"},
                              {"stream", "", ColumnRole::stream, "stream"}};
  for (const auto& cause : causes) columns.push_back({std::string(cause.column), "", cause.role, {}, 1, 0, 1});
  return columns;
}

/// Returns the sample standard deviation; empty for fewer than two values.
Cell sample_deviation(const Statistics& of) {
  if (of.count < 2) return {};
  const auto count = static_cast<double>(of.count);
  return of.stddev * std::sqrt(count / (count - 1));
}

/// Returns a share. HTA's sums may be negative, and so may their shares.
Cell signed_share(Ns part, Ns whole) {
  if (whole == 0) return {};
  return static_cast<double>(part) / static_cast<double>(whole);
}

Ns sum_of(std::span<const Ns> values) { return std::accumulate(values.begin(), values.end(), Ns{0}, saturating_add); }

}  // namespace

DeviceIdleTable::DeviceIdleTable()
    : table_("device-idle", "GPU idle time by cause",
             {{"rank", "", ColumnRole::rank, "rank"},
              {"device", "", ColumnRole::device, "device"},
              {"time", "", ColumnRole::total, {}, 1, 0, 1},
              {"idle", "", ColumnRole::idle, {}, 1, 0, 1},
              {"idle share", "", ColumnKind::share},
              {"host wait", "", ColumnRole::host_wait, {}, 1, 0, 1},
              {"stream wait", "", ColumnRole::stream_wait, {}, 1, 0, 1},
              {"kernel wait", "", ColumnRole::kernel_wait, {}, 1, 0, 1},
              {"unknown", "", ColumnRole::unknown, {}, 1, 0, 1},
              {"no launch record", "", ColumnRole::no_launch_record, {}, 1, 0, 1},
              {"host callback", "", ColumnRole::host_callback, {}, 1, 0, 1},
              {"gaps", "", ColumnKind::integer},
              {"longest", "", ColumnKind::duration}}) {}

void DeviceIdleTable::add(Cell rank, Cell device, Ns time, const std::vector<IdleGap>& gaps) {
  IdleTimes parts{};
  Ns longest = 0;
  for (const IdleGap& gap : gaps) {
    for (std::size_t c = 0; c < parts.size(); ++c) parts[c] = saturating_add(parts[c], gap.parts[c]);
    longest = std::max(longest, gap.time.length());
  }
  const Ns idle = sum_of(parts);
  table_.add_row({rank, device, time, idle, share_of(idle, time), parts[0], parts[1], parts[2], parts[3], parts[4],
                  parts[5], gaps.size(), longest});
  time_ = saturating_add(time_, time);
  for (std::size_t c = 0; c < parts.size(); ++c) sums_[c] = saturating_add(sums_[c], parts[c]);
}

Table DeviceIdleTable::take() && {
  const Ns idle = sum_of(sums_);
  if (idle > 0) table_.note = idle_sentence(idle, time_, sums_, table_.rows() == 1);
  return std::move(table_);
}

StreamIdleTables::StreamIdleTables(std::span<const Cause> causes, bool statistics_of_none)
    : causes_(causes),
      statistics_of_none_(statistics_of_none),
      times_("idle-time-breakdown", "Stream idle time by cause",
             stream_columns({{"idle", "", ColumnRole::idle, "idle_time", 1000},
                             {"share", "", ColumnRole::share, "idle_time_ratio", 100},
                             {"gaps", "", ColumnKind::integer, "intervals"}}),
             "rank,stream,idle_category,idle_time,idle_time_ratio"),
      statistics_("idle-intervals", "Gaps by stream",
                  stream_columns({{"count", "", ColumnRole::count, "count"},
                                  {"mean", "", ColumnRole::mean, "mean", 1000, 0, 1},
                                  {"stddev", "", ColumnRole::stddev, "std", 1000, 0, 1},
                                  {"min", "", ColumnRole::min, "min", 1000, 0, 1},
                                  {"25 %", "", ColumnKind::duration, "25%", 1000, 0, 1},
                                  {"median", "", ColumnRole::median, "50%", 1000, 0, 1},
                                  {"75 %", "", ColumnKind::duration, "75%", 1000, 0, 1},
                                  {"max", "", ColumnRole::max, "max", 1000, 0, 1}}),
                  "idle_category,rank,stream,count,mean,std,min,25%,50%,75%,max"),
      by_stream_("idle-by-stream", "Idle time by stream", side_by_side(causes)) {}

void StreamIdleTables::add(Cell rank, Cell device, Cell stream, std::vector<std::vector<Ns>> gaps) {
  std::vector<Ns> sums;
  sums.reserve(gaps.size());
  for (const std::vector<Ns>& values : gaps) sums.push_back(sum_of(values));
  const Ns total = sum_of(sums);
  std::vector<Cell> side{rank, device, stream};
  side.insert(side.end(), sums.begin(), sums.end());
  by_stream_.add_row(side);
  for (std::size_t c = 0; c < causes_.size(); ++c) {
    std::vector<Ns>& values = gaps[c];
    if (values.empty() && !causes_[c].always) continue;
    times_.add_row({rank, stream, causes_[c].name, device, sums[c], signed_share(sums[c], total), values.size()});
    if (values.empty()) {
      if (statistics_of_none_) statistics_.add_row({rank, stream, causes_[c].name, device, 0});
      continue;
    }
    const Statistics figures = statistics(values);
    std::ranges::sort(values);
    statistics_.add_row({rank, stream, causes_[c].name, device, values.size(), figures.mean, sample_deviation(figures),
                         figures.min, quantile(values, 0.25), quantile(values, 0.5), quantile(values, 0.75),
                         figures.max});
  }
}

std::vector<Table> StreamIdleTables::take() && {
  std::vector<Table> tables;
  for (Table* table : {&times_, &statistics_, &by_stream_}) tables.push_back(std::move(*table));
  return tables;
}

}  // namespace warpscope::analysis
