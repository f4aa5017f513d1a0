// comm_comp_overlap: communication/computation overlap, and exposed communication by step.
#include <fmt/format.h>

#include <array>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/samples.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/gpu_rows.hpp"
#include "core/analysis/shared/no_communication.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis::registered::comm_comp_overlap {

namespace {

constexpr std::array kParameters{kHtaParameter, kRoundingParameter, kKernelClassParameter};
constexpr std::string_view kNoStep = "outside steps";

struct Times {
  Ns communication = 0;
  Ns hidden = 0;

  void add(const std::vector<Interval>& communicating, const std::vector<Interval>& computing) {
    communication = saturating_add(communication, total_length(communicating));
    hidden = saturating_add(hidden, common_length(communicating, computing));
  }
  [[nodiscard]] Ns exposed() const { return communication - hidden; }
};

/// Accumulates one row of the second table.
struct StepTimes {
  bool ran = false;  ///< any GPU activity in the scope
  std::vector<GpuRow> communication{};
  Times times{};
};

/// Returns the rank's steps, then one entry for activity launched outside steps or without a launch record.
std::vector<StepTimes> times_by_step(const trace::Rank& rank, const std::vector<GpuRow>& rows,
                                     const std::vector<std::vector<Interval>>& computing, bool hta) {
  std::vector<StepTimes> steps(rank.steps.size() + 1);
  for (const GpuRow& row : rows) {
    const auto step = row.launch ? step_at(rank, rank.begin(*row.launch)) : std::nullopt;
    StepTimes& into = step ? steps[*step] : steps.back();
    into.ran = true;
    if (row.kind == KernelClass::communication) into.communication.push_back(row);
  }
  for (StepTimes& step : steps) {
    for_each_device_group(step.communication, hta, [&](std::uint32_t group, std::span<const GpuRow> own) {
      step.times.add(union_of(own, [](const GpuRow&) { return true; }), computing[group]);
    });
    step.communication = {};
  }
  return steps;
}

void add_steps(Table& table, const trace::Profile& profile, const trace::Rank& rank,
               const std::vector<StepTimes>& steps) {
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const Times& times = steps[s].times;
    const bool none = s == rank.steps.size();
    if (none ? times.communication == 0 : !steps[s].ran) continue;
    table.add_row({rank.number, none ? kNoStep : profile.names().view(rank.steps[s].name),
                   none ? Cell() : Cell(saturating_difference(rank.steps[s].time.begin, profile.span.begin)),
                   times.communication, times.hidden, times.exposed(), share_of(times.exposed(), times.communication)});
  }
}

std::string overlap_answer(Ns communicated, Ns exposed) {
  if (communicated == 0) return "";
  return fmt::format("{} of communication time overlaps computation; {} of {} is exposed.",
                     format_share(static_cast<double>(communicated - exposed) / static_cast<double>(communicated)),
                     format_duration(exposed), format_duration(communicated));
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const KernelClasses::Choice choice = KernelClasses::choice(input.values);
  const GpuRows all(input.profile, input.scope, choice, input.cancel, input.shared);
  Table ranks("comm-comp-overlap", "Communication/computation overlap",
              {col::rank, col::percent("hidden share").csv("comp_comm_overlap_pctg"),
               col::us(col::ns("communication"), "communication_time(us)"),
               col::us(Column("hidden", col::hidden_communication), "hidden_time(us)"),
               col::us(Column("exposed", col::exposed_communication), "exposed_time(us)")});
  Table steps("exposed-communication", "Exposed communication by step",
              {col::rank, col::step, col::begin().csv("begin(us)", 1000, 1),
               col::us(col::ns("communication"), "communication_time(us)"),
               col::us(Column("hidden", col::hidden_communication), "hidden_time(us)"),
               col::us(Column("exposed", col::exposed_communication), "exposed_time(us)"),
               col::percent("exposed share").csv("exposed_pctg")});
  NoCommunicationCheck check(input.profile, input.scope, choice);
  std::size_t without = 0;
  Ns communicated = 0;
  Ns exposed = 0;
  for (const std::uint32_t r : all.ranks()) {
    const trace::Rank& rank = *input.profile.ranks[r];
    const std::shared_ptr<const GpuRows::Rows> shared = all.of(r);
    const GpuRows::Rows& rows = *shared;
    if (cancelled(input.cancel)) break;
    check.add(rows);
    if (rows.empty()) {
      ++without;
      if (choice.hta) ranks.add_row({rank.number, Cell(), 0, 0, 0});
      continue;
    }
    Times times;
    std::vector<std::vector<Interval>> computing(device_groups(rank, choice.hta));
    for_each_device_group(rows, choice.hta, [&](std::uint32_t group, std::span<const GpuRow> own) {
      const auto of = [&](KernelClass kind) {
        return union_of(own, [&](const GpuRow& row) { return row.kind == kind; });
      };
      computing[group] = of(KernelClass::computation);
      times.add(of(KernelClass::communication), computing[group]);
    });
    communicated = saturating_add(communicated, times.communication);
    exposed = saturating_add(exposed, times.exposed());
    ranks.add_row(
        {rank.number, share_of(times.hidden, times.communication), times.communication, times.hidden, times.exposed()});
    add_steps(steps, input.profile, rank, times_by_step(rank, rows, computing, choice.hta));
  }
  const std::string missing = without_runs_note(without, all.ranks().size());
  const std::string warning = check.note();
  const bool none = missing.empty() && warning.empty() && communicated == 0;
  ranks.note = joined_notes({overlap_answer(communicated, exposed), missing, warning,
                             none ? "No communication kernels in this selection." : "",
                             impossible_note(count_impossible(input.profile, input.scope, kRunRoles), "GPU slice")});
  steps.note = steps.rows() == 0
                   ? ranks.note
                   : "GPU activity counts toward the step that launched it. Steps without launches are omitted.";
  return std::vector{std::move(ranks), std::move(steps)};
}

constexpr std::array kParts{ChartSeries{ColumnRole::exposed_communication},
                            ChartSeries{ColumnRole::hidden_communication}};
constexpr std::array kCharts{ChartSpec{"comm-comp-overlap", ChartKind::columns, "Communication", kParts},
                             ChartSpec{"exposed-communication", ChartKind::columns, "Communication by step", kParts}};

}  // namespace

extern const Analysis kAnalysis{
    "comm_comp_overlap",
    "Communication/computation overlap",
    "For each rank: the percentage of communication time that overlaps computation on the same device, and exposed "
    "communication, in total and by step. HTA reports only the percentage and merges the devices of a rank.",
    kParameters,
    run,
    kCharts};

}  // namespace warpscope::analysis::registered::comm_comp_overlap
