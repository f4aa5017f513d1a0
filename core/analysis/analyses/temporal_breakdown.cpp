// temporal_breakdown: idle, compute and other busy time of each rank.
#include <array>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/gpu_rows.hpp"
#include "core/analysis/shared/gpu_time.hpp"
#include "core/analysis/shared/no_communication.hpp"

namespace warpscope::analysis::registered::temporal_breakdown {

namespace {

constexpr std::array kParameters{kHtaParameter, kRoundingParameter, kKernelClassParameter};

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const KernelClasses::Choice choice = KernelClasses::choice(input.values);
  const GpuRows all(input.profile, input.scope, choice, input.cancel, input.shared);
  NoCommunicationCheck check(input.profile, input.scope, choice);
  const MeasuredTime measured(input.profile, input.scope);
  Table table("temporal-breakdown", "Temporal breakdown",
              {col::rank, col::us(col::idle, "idle_time(us)"), col::us(col::compute, "compute_time(us)"),
               col::us(Column("non-compute", col::non_compute), "non_compute_time(us)"),
               col::us(col::ns("kernel time"), "kernel_time(us)").labeled("time"),
               col::percent("idle share").csv("idle_time_pctg"), col::percent("compute share").csv("compute_time_pctg"),
               col::percent("non-compute share").csv("non_compute_time_pctg")});
  std::size_t without = 0;
  for (const std::uint32_t r : all.ranks()) {
    const std::shared_ptr<const GpuRows::Rows> shared = all.of(r);
    const GpuRows::Rows& rows = *shared;
    if (cancelled(input.cancel)) break;
    check.add(rows);
    const std::size_t devices = choice.hta ? 1 : gpus_in(input.profile, {{r}, {}}).size();
    const bool recorded = choice.hta || input.scope.whole();  // from the first to the last activity
    if (devices == 0 || (recorded && rows.empty())) {
      ++without;
      continue;
    }
    Interval time = recorded ? kEmptySpan : measured.on_gpu(r);
    Ns busy = 0;
    Ns compute = 0;
    for_each_device_group(rows, choice.hta, [&](std::uint32_t, std::span<const GpuRow> own) {
      const std::vector<Interval> runs = union_of(own, [](const GpuRow&) { return true; });
      if (recorded) time = cover(time, {runs.front().begin, runs.back().end});
      busy += total_length(runs);
      compute += total_length(union_of(own, [](const GpuRow& row) { return row.kind == KernelClass::computation; }));
    });
    const Ns whole = static_cast<Ns>(devices) * saturating_difference(time.end, time.begin);
    const Ns idle = whole - busy;
    const Ns other = busy - compute;
    table.add_row({input.profile.ranks[r]->number, idle, compute, other, whole, share_of(idle, whole),
                   share_of(compute, whole), share_of(other, whole)});
  }
  const std::string missing = without_runs_note(without, all.ranks().size());
  table.note = joined_notes(
      {missing, check.note(), impossible_note(count_impossible(input.profile, input.scope, kRunRoles), "GPU slice")});
  return std::vector{std::move(table)};
}

constexpr std::array kParts{ChartSeries{ColumnRole::compute}, ChartSeries{ColumnRole::non_compute},
                            ChartSeries{ColumnRole::idle}};
constexpr std::array kCharts{ChartSpec{"temporal-breakdown", ChartKind::columns, "Device time by rank", kParts}};

}  // namespace

extern const Analysis kAnalysis{
    .name = "temporal_breakdown",
    .title = "Temporal breakdown",
    .about =
        "For each rank: idle time, time during which a compute kernel ran, and time during which only communication, "
        "memcpys or memsets ran, as in where_time_goes, which also shows causes. HTA excludes the last step and "
        "activity without a launch record, and merges the devices of a rank.",
    .parameters = kParameters,
    .run = run,
    .charts = kCharts,
    .still_ours =
        "Device-wide waits have no stream. In traces from 2023, they have stream ID 4294967295, which HTA treats as a "
        "stream. Triton operators with a stream argument are host calls, not GPU activity."};

}  // namespace warpscope::analysis::registered::temporal_breakdown
