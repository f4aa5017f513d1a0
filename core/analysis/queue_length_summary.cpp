// queue_length_summary: how long the queues of launches were.
#include <array>

#include "core/analysis/queue_lengths.hpp"
#include "core/analysis/registry.hpp"
#include "core/analysis/runs.hpp"

namespace warpscope::analysis {

namespace {

constexpr std::array kParameters{kHtaParameter, kRoundingParameter};

Result<std::vector<Table>> run(const AnalysisInput& input) {
  std::vector<Column> columns{{"rank", "", ColumnKind::identifier, "rank"},
                              {"stream", "", ColumnKind::identifier, "stream"},
                              {"device", "", ColumnKind::identifier, "device"}};
  append_curve_columns(columns, {"queue length", "launches", ColumnKind::real, "queue_length"});
  Table table("queue-length-summary", "Launches that wait on each stream", std::move(columns));
  const QueueLengths::Choice choice = QueueLengths::Choice::of(input.values);
  QueueLengths queues(input.profile, input.scope, choice, input.cancel);
  std::vector<Cell> cells;
  for (const std::uint32_t r : queues.ranks()) {
    const trace::Rank& rank = *input.profile.ranks[r];
    const std::vector<QueueLength> lengths = queues.of(r);
    if (cancelled(input.cancel)) break;
    for (const auto& [device, track, length] : lengths) {
      cells.assign({rank.number, rank.tracks[track].id, rank.devices[device].id});
      append_curve_cells(cells, choice.hta ? statistics_of_samples(length.values) : statistics_by_time(length, true));
      table.add_row(cells);
    }
  }
  table.note = queues.note(table.rows());
  return std::vector{std::move(table)};
}

}  // namespace

namespace registered {
extern const Analysis queue_length_summary;
const Analysis queue_length_summary{
    "queue_length_summary", "Queue lengths",
    "How many launches waited on each stream, from its first launch to its last run; each length counts for as long as "
    "it held, and count is how often it changed. HTA's figures are of the changes, however long each length held.",
    kParameters, run};
}  // namespace registered

}  // namespace warpscope::analysis
