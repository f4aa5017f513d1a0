// queue_length_time_series: how many launches waited on each stream, over time.
#include <array>

#include "core/analysis/shared/curve_tables.hpp"
#include "core/analysis/shared/hta_columns.hpp"
#include "core/analysis/shared/queue_lengths.hpp"

namespace warpscope::analysis::registered::queue_length_time_series {

namespace {

constexpr std::array kParameters{kHtaParameter, kRoundingParameter};

Result<std::vector<Table>> run(const AnalysisInput& input) {
  Table table("queue-length-time-series", "Launches that wait on each stream, over time",
              {{"rank", "", ColumnKind::identifier, "rank"},
               {"device", "", ColumnKind::identifier, "pid"},
               {"stream", "", ColumnKind::identifier, "stream"},
               {"time", "", ColumnKind::time, "ts", 1000, csv_zero(input)},
               {"queue length", "launches", ColumnKind::integer, "queue_length"}});
  table.csv_first = "rank,ts,pid,tid=stream,stream,queue_length";
  QueueLengths queues(input.profile, input.scope, KernelClasses::hta_choice(input.values), input.cancel, input.shared);
  for_each_curve(input, queues, table, [&](const trace::Rank& rank, const QueueLength& queue) {
    add_changes(table, input, {rank.number, rank.devices[queue.device].id, rank.tracks[queue.track].id}, queue.length);
  });
  std::vector<Table> tables;  // a list of them in braces would be copied
  tables.push_back(std::move(table));
  return tables;
}

}  // namespace

extern const Analysis kAnalysis;
const Analysis kAnalysis{
    "queue_length_time_series",
    "Queue length over time",
    "How many launches wait on each stream: from the begin of the call until what it launched begins to run; a row for "
    "each change. HTA knows twelve calls only, counts a graph as no launch, and has streams of all devices as one.",
    kParameters,
    run,
    false,
    "Of launches and begins of runs at the very same time, HTA adds one before the other as its sort leaves "
    "them; after all of them the length is the same. tid is the number of the stream. The column event_index, an "
    "event's place in its file, is "
    "not there."};

}  // namespace warpscope::analysis::registered::queue_length_time_series
