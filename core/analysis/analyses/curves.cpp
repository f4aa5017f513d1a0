// queue_length_time_series, queue_length_summary, time_blocked_on_full_queue, memory_bw_time_series and
// memory_bw_summary: queue depth of streams and bandwidth of memory operations, change by change and as statistics.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/hta.hpp"
#include "core/analysis/shared/memory_bandwidth.hpp"
#include "core/analysis/shared/queue_lengths.hpp"
#include "core/base/format.hpp"
#include "core/trace/partial_ranks.hpp"

namespace warpscope::analysis::registered {

namespace {

constexpr std::array kCurveParameters{kHtaParameter, kRoundingParameter};

/// Calls visit(rank, curve) for each curve of each rank, then returns the table that the visitor filled, with its note.
/// `curves`: QueueLengths or MemoryBandwidths. Stops when cancelled.
template <class Curves, class Visit>
std::vector<Table> filled(Table table, const AnalysisInput& input, Curves& curves, Visit visit) {
  for (const std::uint32_t r : curves.ranks()) {
    const auto of_rank = curves.of(r);
    if (cancelled(input.cancel)) break;
    for (const auto& each : *of_rank) visit(table, *input.profile.ranks[r], each);
  }
  table.note = curves.note(table.rows());
  std::vector<Table> tables;  // an initializer list would copy it
  tables.push_back(std::move(table));
  return tables;
}

/// Adds one row per change of `curve`: `cells`, the time since the start of the profile, and the value.
void add_changes(Table& table, const AnalysisInput& input, std::vector<Cell> cells, const StepCurve& curve) {
  const std::size_t names = cells.size();
  const bool whole = table.columns()[names + 1].kind == ColumnKind::integer;
  cells.resize(names + 2);
  for (std::size_t i = 0; i < curve.times.size(); ++i) {
    cells[names] = saturating_difference(curve.times[i], input.profile.span.begin);
    cells[names + 1] = whole ? Cell(static_cast<std::int64_t>(curve.values[i])) : Cell(curve.values[i]);
    table.add_row(cells);
  }
}

QueueLengths queues_of(const AnalysisInput& input) {
  return {input.profile, input.scope, KernelClasses::hta_choice(input.values), input.cancel, input.shared};
}

Column time_column(const AnalysisInput& input) { return Column("time", col::start).csv("ts", 1000, csv_zero(input)); }

Result<std::vector<Table>> run_queue_series(const AnalysisInput& input) {
  QueueLengths queues = queues_of(input);
  return filled({"queue-length-time-series",
                 "Launches waiting on each stream over time",
                 {col::rank, Column(col::device).csv("pid"), col::stream, time_column(input),
                  Column("queue length", "launches", ColumnKind::integer, "queue_length")},
                 "rank,ts,pid,tid=stream,stream,queue_length"},
                input, queues, [&](Table& table, const trace::Rank& rank, const QueueLength& queue) {
                  add_changes(table, input, {rank.number, rank.devices[queue.device].id, rank.tracks[queue.track].id},
                              queue.length);
                });
}

Result<std::vector<Table>> run_queue_summary(const AnalysisInput& input) {
  std::vector<Column> columns{col::rank, col::stream, col::device};
  append_curve_columns(columns, {"queue length", "launches", ColumnKind::real, "queue_length"});
  const bool hta = input.values.flag(kHtaParameter.name);
  QueueLengths queues = queues_of(input);
  std::vector<Cell> cells;
  return filled({"queue-length-summary", "Launches waiting on each stream", std::move(columns),
                 "rank,stream,queue_length_count,queue_length_mean,queue_length_std,queue_length_min,"
                 "queue_length_25%,queue_length_50%,queue_length_75%,queue_length_max"},
                input, queues, [&](Table& table, const trace::Rank& rank, const QueueLength& queue) {
                  const StepCurve& length = queue.length;
                  cells.assign({rank.number, rank.tracks[queue.track].id, rank.devices[queue.device].id});
                  append_curve_cells(cells,
                                     hta ? statistics_of_samples(length.values) : statistics_by_time(length, true));
                  table.add_row(cells);
                });
}

Result<std::vector<Table>> run_full_queue(const AnalysisInput& input) {
  const trace::Profile& profile = input.profile;
  Table table("time-blocked-on-full-queue", "Time with a full launch queue, by stream",
              {col::rank, col::stream, col::ns("blocked").csv("duration_at_max_queue_length", 1000),
               Column(col::share).csv("relative_duration_at_max_queue_length", 100), col::device,
               Column("longest queue", "launches", ColumnKind::real, "longest_queue")});
  const std::int64_t most = input.values.integer("max_queue_length");
  const KernelClasses::Choice choice = KernelClasses::hta_choice(input.values);
  const Interval extent = extent_of(profile, input.scope);
  const trace::CoveredTime covered(profile);
  QueueLengths queues = queues_of(input);
  std::size_t streams = 0;
  double longest = 0;
  for (const std::uint32_t r : queues.ranks()) {
    const trace::Rank& rank = *profile.ranks[r];
    const Ns whole = choice.hta ? hta_trace_length(profile, r, choice.rounding) : covered.of(r, extent).length();
    const std::shared_ptr<const std::vector<QueueLength>> lengths = queues.of(r);
    if (cancelled(input.cancel)) break;
    streams += lengths->size();
    std::vector<std::array<Cell, 6>> rows;
    for (const auto& [device, track, length] : *lengths) {
      const double longest_here = *std::ranges::max_element(length.values);
      longest = std::max(longest, longest_here);
      const auto full = static_cast<double>(most);
      if (choice.hta && longest_here < full) continue;
      if (choice.hta) rows.clear();  // HTA keeps only the last stream per rank
      const Ns blocked = time_at_least(length, full);
      rows.push_back({rank.number, rank.tracks[track].id, blocked, share_of(blocked, whole), rank.devices[device].id,
                      longest_here});
    }
    for (const auto& row : rows) table.add_row(row);
  }
  if (streams > 0 && longest < static_cast<double>(most))
    table.note = fmt::format("No launch queue reached {} launches; the deepest had {}.", format_count(most),
                             format_count(static_cast<std::int64_t>(longest)));
  table.note = joined_notes({table.note, queues.note(streams)});
  return std::vector{std::move(table)};
}

Result<std::vector<Table>> run_bandwidth_series(const AnalysisInput& input) {
  MemoryBandwidths bandwidths(input, KernelClasses::hta_choice(input.values));
  return filled({"memory-bw-time-series",
                 "Memory bandwidth by operation over time",
                 {col::rank, Column(col::device).csv("pid"), Column(col::kind).csv("name"), time_column(input),
                  Column("bandwidth", "B/s", ColumnKind::bytes, "memory_bw_gbps", 1'000'000'000)},
                 "rank,ts,pid,name,memory_bw_gbps"},
                input, bandwidths, [&](Table& table, const trace::Rank& rank, const MemoryBandwidth& each) {
                  add_changes(table, input, {rank.number, rank.devices[each.device].id, each.kind}, each.rate);
                });
}

/// Statistics of HTA's samples: positive values only.
CurveStatistics of_positive_samples(const StepCurve& rate) {
  std::vector<double> values = rate.values;
  std::erase_if(values, [](double value) { return !(value > 0); });
  return statistics_of_samples(std::move(values));
}

Result<std::vector<Table>> run_bandwidth_summary(const AnalysisInput& input) {
  std::vector<Column> columns{col::rank, Column(col::kind).csv("name"), col::device};
  append_curve_columns(columns, {"bandwidth", "B/s", ColumnKind::bytes, "memory_bw_gbps", 1'000'000'000});
  columns.push_back(col::integer("copies"));
  const KernelClasses::Choice choice = KernelClasses::hta_choice(input.values);
  MemoryBandwidths bandwidths(input, choice);
  std::vector<Cell> cells;
  return filled({"memory-bw-summary", "Memory bandwidth by operation", std::move(columns),
                 "rank,name,memory_bw_gbps_count,memory_bw_gbps_mean,memory_bw_gbps_std,memory_bw_gbps_min,"
                 "memory_bw_gbps_25%,memory_bw_gbps_50%,memory_bw_gbps_75%,memory_bw_gbps_max"},
                input, bandwidths, [&](Table& table, const trace::Rank& rank, const MemoryBandwidth& each) {
                  const CurveStatistics figures =
                      choice.hta ? of_positive_samples(each.rate) : statistics_by_time(each.rate, false);
                  if (figures.count == 0) return;
                  cells.assign({rank.number, each.kind, rank.devices[each.device].id});
                  append_curve_cells(cells, figures);
                  cells.emplace_back(each.count);
                  table.add_row(cells);
                });
}

constexpr std::array kFullQueueParameters{
    integer_parameter("max_queue_length", "capacity of a stream's launch queue", "1024", 1), kHtaParameter,
    kRoundingParameter};
constexpr std::array kFullQueueCharts{
    ChartSpec{.table = "time-blocked-on-full-queue", .if_zero = "No launch queue was ever full."}};

}  // namespace

namespace queue_length_time_series {
extern const Analysis kAnalysis{
    .name = "queue_length_time_series",
    .title = "Queue depth over time",
    .about =
        "Number of launches waiting on each stream, from the start of the call to the "
        "start of the kernel, with one row per change. HTA recognizes only twelve calls, "
        "does not count graphs as launches, and merges streams across devices.",
    .parameters = kCurveParameters,
    .run = run_queue_series,
    .still_ours =
        "If launches and kernel starts have the same timestamp, HTA applies them in its "
        "sort order; the depth after all of them is the same. tid is the stream number. HTA's "
        "event_index column (the event's position in its file) is omitted."};
}

namespace queue_length_summary {
extern const Analysis kAnalysis{
    .name = "queue_length_summary",
    .title = "Queue depth",
    .about =
        "Number of launches waiting on each stream, from the stream's first launch to the start of its last kernel. "
        "Each depth is weighted by its duration; count is the number of intervals with a constant depth. HTA's "
        "statistics count each change once, regardless of duration.",
    .parameters = kCurveParameters,
    .run = run_queue_summary,
    .still_ours =
        "If a launch and a kernel start have the same timestamp, their order in HTA depends on its sort, so HTA's "
        "statistics may differ."};
}

namespace time_blocked_on_full_queue {
extern const Analysis kAnalysis{"time_blocked_on_full_queue",
                                "Time blocked on a full queue",
                                "Time during which max_queue_length or more launches waited on a stream, so the host "
                                "had to wait before the next launch. Percentages are relative to the selected time. "
                                "HTA reports only one stream per rank: the last one whose queue was full.",
                                kFullQueueParameters,
                                run_full_queue,
                                kFullQueueCharts};
}

namespace memory_bw_time_series {
extern const Analysis kAnalysis{
    .name = "memory_bw_time_series",
    .title = "Memory bandwidth over time",
    .about =
        "Bandwidth of memcpys and memsets by kind, with one row per change. The rate is bytes divided by duration. If "
        "all durations are whole µs, recorded rates consistent with the duration are used, and the duration is "
        "recomputed as bytes divided by rate. HTA uses any rate in the trace, and merges memcpys across devices.",
    .parameters = kCurveParameters,
    .run = run_bandwidth_series,
    .still_ours =
        "The rate is 0 where HTA's floating-point sums leave rounding errors. Simultaneous changes may be listed in a "
        "different order."};
}

namespace memory_bw_summary {
extern const Analysis kAnalysis{
    .name = "memory_bw_summary",
    .title = "Memory bandwidth",
    .about =
        "Bandwidth of memcpys and memsets by kind, while at least one of that kind is running. Each rate is weighted "
        "by its duration; count is the number of intervals with a constant, nonzero rate. If all durations are whole "
        "µs, recorded rates consistent with the durations are used. HTA's statistics count each start and end once, "
        "regardless of duration.",
    .parameters = kCurveParameters,
    .run = run_bandwidth_summary,
    .still_ours =
        "HTA counts rounding errors in its floating-point sums as samples just above 0. Warpscope treats them as 0 and "
        "does not count them."};
}

}  // namespace warpscope::analysis::registered
