// queue_length_time_series: how many launches waited on each stream, over time.
#include <array>

#include "core/analysis/queue_lengths.hpp"
#include "core/analysis/registry.hpp"
#include "core/analysis/runs.hpp"

namespace warpscope::analysis {

namespace {

constexpr std::array kParameters{kHtaParameter, kRoundingParameter};

Result<std::vector<Table>> run(const AnalysisInput& input) {
  Table table("queue-length-time-series", "Launches that wait on each stream, over time",
              {{"rank", "", ColumnKind::identifier, "rank"},
               {"device", "", ColumnKind::identifier, "pid"},
               {"stream", "", ColumnKind::identifier, "stream"},
               {"time", "", ColumnKind::time, "ts", 1000},
               {"queue length", "launches", ColumnKind::integer, "queue_length"}});
  QueueLengths queues(input.profile, input.scope, QueueLengths::Choice::of(input.values), input.cancel);
  for (const std::uint32_t r : queues.ranks()) {
    const trace::Rank& rank = *input.profile.ranks[r];
    const std::vector<QueueLength> lengths = queues.of(r);
    if (cancelled(input.cancel)) break;
    for (const auto& [device, track, length] : lengths)
      for (std::size_t i = 0; i < length.times.size(); ++i)
        table.add_row({rank.number, rank.devices[device].id, rank.tracks[track].id,
                       saturating_difference(length.times[i], input.profile.span.begin),
                       static_cast<std::int64_t>(length.values[i])});
  }
  table.note = queues.note(table.rows());
  std::vector<Table> tables;  // a list of them in braces would be copied
  tables.push_back(std::move(table));
  return tables;
}

}  // namespace

namespace registered {
extern const Analysis queue_length_time_series;
const Analysis queue_length_time_series{
    "queue_length_time_series", "Queue length over time",
    "How many launches wait on each stream: from the begin of the call until what it launched begins to run; a row for "
    "each change. HTA knows twelve calls only, counts a graph as no launch, and has streams of all devices as one.",
    kParameters, run};
}  // namespace registered

}  // namespace warpscope::analysis
