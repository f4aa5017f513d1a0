// queue_length_summary: statistics of queue depth.
#include <array>
#include <string_view>

#include "core/analysis/shared/curve_tables.hpp"
#include "core/analysis/shared/queue_lengths.hpp"

namespace warpscope::analysis::registered::queue_length_summary {

namespace {

constexpr std::array kParameters{kHtaParameter, kRoundingParameter};
/// HTA's columns, in HTA's order.
constexpr std::string_view kHtaOrder =
    "rank,stream,queue_length_count,queue_length_mean,queue_length_std,queue_length_min,"
    "queue_length_25%,queue_length_50%,queue_length_75%,queue_length_max";

Result<std::vector<Table>> run(const AnalysisInput& input) {
  std::vector<Column> columns{{"rank", "", ColumnRole::rank, "rank"},
                              {"stream", "", ColumnRole::stream, "stream"},
                              {"device", "", ColumnRole::device, "device"}};
  append_curve_columns(columns, {"queue length", "launches", ColumnKind::real, "queue_length"});
  Table table("queue-length-summary", "Launches waiting on each stream", std::move(columns), kHtaOrder);
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

extern const Analysis kAnalysis{
    .name = "queue_length_summary",
    .title = "Queue depth",
    .about =
        "Number of launches waiting on each stream, from the stream's first launch to the start of its last kernel. "
        "Each depth is weighted by its duration; count is the number of intervals with a constant depth. HTA's "
        "statistics count each change once, regardless of duration.",
    .parameters = kParameters,
    .run = run,
    .still_ours =
        "If a launch and a kernel start have the same timestamp, their order in HTA depends on its sort, so HTA's "
        "statistics may differ."};

}  // namespace warpscope::analysis::registered::queue_length_summary
