// queue_length_summary: how long the queues of launches were.
#include <array>

#include "core/analysis/shared/curve_tables.hpp"
#include "core/analysis/shared/queue_lengths.hpp"

namespace warpscope::analysis::registered::queue_length_summary {

namespace {

constexpr std::array kParameters{kHtaParameter, kRoundingParameter};

Result<std::vector<Table>> run(const AnalysisInput& input) {
  std::vector<Column> columns{{"rank", "", ColumnKind::identifier, "rank"},
                              {"stream", "", ColumnKind::identifier, "stream"},
                              {"device", "", ColumnKind::identifier, "device"}};
  append_curve_columns(columns, {"queue length", "launches", ColumnKind::real, "queue_length"});
  Table table("queue-length-summary", "Launches that wait on each stream", std::move(columns));
  table.csv_first = hta_summary_columns("rank,stream", "queue_length");
  const KernelClasses::Choice choice = KernelClasses::hta_choice(input.values);
  QueueLengths queues(input.profile, input.scope, choice, input.cancel, input.shared);
  std::vector<Cell> cells;
  for_each_curve(input, queues, table, [&](const trace::Rank& rank, const QueueLength& queue) {
    const StepCurve& length = queue.length;
    cells.assign({rank.number, rank.tracks[queue.track].id, rank.devices[queue.device].id});
    append_curve_cells(cells, choice.hta ? statistics_of_samples(length.values) : statistics_by_time(length, true));
    table.add_row(cells);
  });
  return std::vector{std::move(table)};
}

}  // namespace

extern const Analysis kAnalysis;
const Analysis kAnalysis{
    "queue_length_summary",
    "Queue lengths",
    "How many launches waited on each stream, from its first launch to the begin of its last run; each length counts "
    "for as long as "
    "it held, and count is of the lengths between changes. HTA's figures are of the changes, however long each length "
    "held.",
    kParameters,
    run,
    false,
    "Of launches and begins of runs at the very same time, HTA takes one before the other as its sort leaves "
    "them: its figures of samples may differ by what that moves."};

}  // namespace warpscope::analysis::registered::queue_length_summary
