// queue_length_time_series: queue depth of each stream over time.
#include <array>

#include "core/analysis/shared/curve_tables.hpp"
#include "core/analysis/shared/hta_columns.hpp"
#include "core/analysis/shared/queue_lengths.hpp"

namespace warpscope::analysis::registered::queue_length_time_series {

namespace {

constexpr std::array kParameters{kHtaParameter, kRoundingParameter};

Result<std::vector<Table>> run(const AnalysisInput& input) {
  Table table("queue-length-time-series", "Launches waiting on each stream over time",
              {{"rank", "", ColumnRole::rank, "rank"},
               {"device", "", ColumnRole::device, "pid"},
               {"stream", "", ColumnRole::stream, "stream"},
               {"time", "", ColumnRole::start, "ts", 1000, csv_zero(input)},
               {"queue length", "launches", ColumnKind::integer, "queue_length"}},
              "rank,ts,pid,tid=stream,stream,queue_length");
  QueueLengths queues(input.profile, input.scope, KernelClasses::hta_choice(input.values), input.cancel, input.shared);
  for_each_curve(input, queues, table, [&](const trace::Rank& rank, const QueueLength& queue) {
    add_changes(table, input, {rank.number, rank.devices[queue.device].id, rank.tracks[queue.track].id}, queue.length);
  });
  std::vector<Table> tables;  // an initializer list would copy them
  tables.push_back(std::move(table));
  return tables;
}

}  // namespace

extern const Analysis kAnalysis{
    .name = "queue_length_time_series",
    .title = "Queue depth over time",
    .about =
        "Number of launches waiting on each stream, from the start of the call to the "
        "start of the kernel, with one row per change. HTA recognizes only twelve calls, "
        "does not count graphs as launches, and merges streams across devices.",
    .parameters = kParameters,
    .run = run,
    .still_ours =
        "If launches and kernel starts have the same timestamp, HTA applies them in its "
        "sort order; the depth after all of them is the same. tid is the stream number. HTA's "
        "event_index column (the event's position in its file) is omitted."};

}  // namespace warpscope::analysis::registered::queue_length_time_series
