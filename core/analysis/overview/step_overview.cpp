// step_overview: what each step spends its time on, and how well kernels fill the GPUs meanwhile.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/analysis/overview/gpu_fill.hpp"
#include "core/analysis/overview/step_split.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"

namespace warpscope::analysis::registered::step_overview {

namespace {

constexpr std::array kParameters{kCommunicationParameter, kKernelClassParameter};
constexpr std::array kUseRoles{ColumnRole::compute,       ColumnRole::exposed_communication,
                               ColumnRole::memory,        ColumnRole::memory_set,
                               ColumnRole::communication, ColumnRole::runtime,
                               ColumnRole::data_loader,   ColumnRole::host_work,
                               ColumnRole::other};
static_assert(kUseRoles.size() == kStepUses);

Table steps_table() {
  std::vector<Column> columns{{"rank", "", ColumnRole::rank},
                              {"step", "", ColumnRole::step},
                              {"begin", "", ColumnRole::start},
                              {"time", "", ColumnRole::duration, {}, 1, 0, 1}};
  for (std::size_t use = 0; use < kStepUses; ++use)
    columns.emplace_back(std::string(kStepUseWords[use]), "", ColumnKind::duration, kUseRoles[use], std::string(), 1, 0,
                         1);
  return {"steps", "Time of steps by use", std::move(columns)};
}

Table gpus_table() {
  return {"gpus",
          "How well kernels fill the GPUs",
          {{"rank", "", ColumnRole::rank},
           {"device", "", ColumnRole::device},
           {"steps", "", ColumnRole::duration},
           {"GPU utilization", "", ColumnRole::utilization},
           {"SM efficiency (estimated)", "", ColumnKind::share},
           {"occupancy (estimated)", "", ColumnKind::share},
           {"Tensor Core share", "", ColumnKind::share},
           {"kernel time", "", ColumnRole::total}}};
}

void add_gpus(Table& table, const trace::Rank& rank, const RankFill& fill, Ns steps) {
  const auto of_steps = [&](double time) { return steps > 0 ? Cell(time / static_cast<double>(steps)) : Cell(); };
  for (const GpuFill& gpu : fill.gpus)
    table.add_row({rank.number, rank.devices[gpu.device].id, steps, of_steps(static_cast<double>(gpu.busy)),
                   gpu.sm_time ? of_steps(*gpu.sm_time) : Cell(), gpu.occupancy,
                   share_of(gpu.tensor_cores, gpu.kernels), gpu.kernels});
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const trace::Profile& profile = input.profile;
  const KernelClasses::Choice choice{.communication = input.values.text(kCommunicationParameter.name),
                                     .rules = input.values.text(kKernelClassParameter.name)};
  const GpuRows all(profile, input.scope, choice, input.cancel, input.shared);
  Table steps = steps_table();
  Table gpus = gpus_table();
  std::size_t without_steps = 0;
  bool figures = false;
  std::string unread;
  for (const std::uint32_t r : all.ranks()) {
    if (cancelled(input.cancel)) break;
    const trace::Rank& rank = *profile.ranks[r];
    const auto rows = all.of(r);
    if (rank.steps.empty()) ++without_steps;
    for (const StepSplit& split : step_splits(input, r, *rows)) {
      std::vector<Cell> cells{rank.number, split.name.empty() ? Cell() : Cell(split.name),
                              split.time.begin - profile.span.begin, split.time.length()};
      cells.insert(cells.end(), split.uses.begin(), split.uses.end());
      steps.add_row(cells);
    }
    const std::vector<Interval> time = step_time(input, r);
    const RankFill fill = gpu_fill(input, r, *rows, time);
    if (!fill.unread.empty()) unread = "Cannot read the arguments of kernels: " + fill.unread;
    figures = figures || std::ranges::any_of(fill.gpus, [](const GpuFill& gpu) { return gpu.sm_time.has_value(); });
    add_gpus(gpus, rank, fill, total_length(time));
  }
  steps.note = joined_notes(
      {steps.rows() == 0 ? "Nothing was recorded here." : "",
       without_steps == 0 ? ""
       : without_steps == all.ranks().size()
           ? "The traces have no steps, so rows are whole recordings. Call the profiler's step() to record steps."
           : fmt::format("{} ranks have no steps; their rows are whole recordings.", without_steps)});
  gpus.note =
      joined_notes({gpus.rows() == 0 ? "No GPU activity here." : "", unread,
                    gpus.rows() == 0 || figures || !unread.empty()
                        ? ""
                        : "The traces do not record blocks per SM, so SM efficiency and occupancy are unknown."});
  return std::vector{std::move(steps), std::move(gpus)};
}

constexpr std::array kSeries{ChartSeries{ColumnRole::compute},       ChartSeries{ColumnRole::exposed_communication},
                             ChartSeries{ColumnRole::memory},        ChartSeries{ColumnRole::memory_set},
                             ChartSeries{ColumnRole::communication}, ChartSeries{ColumnRole::runtime},
                             ChartSeries{ColumnRole::data_loader},   ChartSeries{ColumnRole::host_work},
                             ChartSeries{ColumnRole::other}};
constexpr std::array kCharts{ChartSpec{"steps", ChartKind::columns, "Time of steps by use", kSeries}};

}  // namespace

extern const Analysis kAnalysis;
const Analysis kAnalysis{
    "step_overview",
    "Steps by use",
    "What each step spends its time on, one use at a time: kernels first, then communication "
    "that no kernel overlaps, memcpys, memsets, then the host: communication calls, runtime calls, "
    "the data loader, other operators. For each GPU: "
    "utilization during steps, and estimates of how many SMs are filled (blocks per SM, at most "
    "1) and of occupancy.",
    kParameters,
    run,
    false,
    {},
    nullptr,
    kCharts};

}  // namespace warpscope::analysis::registered::step_overview
