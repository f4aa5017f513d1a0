// gpu_active_time, cpu_active_time, gpu_utilization and cpu_utilization: busy time of GPUs, or of the host threads that
// launch GPU work, in total and over time; or utilization sampled by SageMaker Debugger's agents.
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/gpu_time.hpp"
#include "core/analysis/shared/host_time.hpp"
#include "core/analysis/shared/intervals.hpp"
#include "core/analysis/shared/row_words.hpp"
#include "core/analysis/shared/sampled.hpp"
#include "core/analysis/shared/time_bins.hpp"

namespace warpscope::analysis::registered {

namespace {

/// A GPU, or a host thread that launches GPU work.
struct Worker {
  std::uint32_t node = 0;
  std::int64_t rank = 0;
  Cell name;                   ///< number of the GPU, label of the thread
  std::vector<Interval> time;  ///< in which it is busy or idle
  std::function<Ns(const std::vector<Interval>&)> busy;
};
using Workers = std::vector<Worker>;

Workers gpus_of(const AnalysisInput& input) {
  const MeasuredTime measured(input.profile, input.scope);
  Workers gpus;
  for (const trace::Gpu& gpu : gpus_in(input.profile, input.scope))
    gpus.push_back({gpu.node, gpu.rank, gpu.device, measured.of(gpu),
                    [busy = std::make_shared<GpuBusy>(input.profile, gpu)](const std::vector<Interval>& times) {
                      return busy->within(times);
                    }});
  return gpus;
}

Workers threads_of(const AnalysisInput& input) {
  const MeasuredTime measured(input.profile, input.scope);
  const auto shared = launching_threads(input.profile, input.scope, input.cancel, input.shared);
  Workers threads;
  for (const HostThread& thread : *shared) {
    const trace::Rank& rank = *input.profile.ranks[thread.rank];
    threads.push_back({input.profile.node_of_rank[thread.rank],
                       rank.number,
                       rank.tracks[thread.track].label,
                       {measured.on_host(thread.rank)},
                       [shared, &thread](const std::vector<Interval>& times) {
                         Ns sum = 0;
                         for (const Interval& time : times) sum += thread.busy.busy(time.begin, time.end);
                         return sum;
                       }});
  }
  return threads;
}

/// Which workers are shown, and how.
struct Panel {
  trace::Metric metric;
  bool prefers_samples;
  Workers (*workers)(const AnalysisInput& input);
};
constexpr Panel kGpus{trace::Metric::gpu_utilisation, false, gpus_of};
constexpr Panel kThreads{trace::Metric::cpu_utilisation, true, threads_of};

/// True if samples are shown. Errors: those of wants_samples().
Result<bool> shows_samples(const AnalysisInput& input, const Panel& panel) {
  const bool preferred = panel.prefers_samples || gpus_in(input.profile, input.scope).empty();
  return wants_samples(input, panel.metric, preferred);
}

/// Adds a row for each worker to `each`, and the sums over the workers to `table`.
void add_active(Table& table, Table& each, const AnalysisInput& input, const Workers& workers,
                std::array<WorkState, 2> states) {
  Ns busy = 0;
  Ns whole = 0;
  double whole_real = 0;  // the sum may overflow Ns
  for (const Worker& worker : workers) {
    const Ns own = worker.busy(worker.time);
    const Ns known = total_length(worker.time);
    busy = saturating_add(busy, own);
    whole = saturating_add(whole, known);
    whole_real += static_cast<double>(known);
    each.add_row(
        {input.profile.nodes[worker.node].label, worker.rank, worker.name, own, known - own, share_of(own, known)});
  }
  if (whole <= 0) return;
  const double share = static_cast<double>(busy) / whole_real;
  table.add_row({state_cell(states[0]), busy, share});
  table.add_row({state_cell(states[1]), whole - busy, 1 - share});
}

/// Adds a row for each bin and group of workers. `cells`: the first cells of a group's rows.
void add_bins(Table& table, const AnalysisInput& input, const TimeBins& bins, std::vector<Cell> cells,
              const std::vector<const Worker*>& workers) {
  const std::size_t first = cells.size();
  cells.resize(first + 3);
  for (std::uint64_t b = 0; b < bins.size() && !cancelled(input.cancel); ++b) {
    const Interval bin = bins[b];
    double busy = 0;
    double whole = 0;
    for (const Worker* worker : workers) {
      const std::vector<Interval> known = common({bin}, worker->time);
      busy += static_cast<double>(worker->busy(known));
      whole += static_cast<double>(total_length(known));
    }
    cells[first] = bin.begin - input.profile.span.begin;
    cells[first + 1] = bin.end - input.profile.span.begin;
    cells[first + 2] = share_of(busy, whole);
    table.add_row(cells);
  }
}

void add_node_bins(Table& table, const AnalysisInput& input, const TimeBins& bins, const Workers& workers) {
  std::map<std::uint32_t, std::vector<const Worker*>> nodes;
  for (const Worker& worker : workers) nodes[worker.node].push_back(&worker);
  table.reserve(nodes.size() * bins.size());
  for (const auto& [node, own] : nodes) add_bins(table, input, bins, {input.profile.nodes[node].label}, own);
}

Table active_table(std::string id, std::string title) {
  return {std::move(id), std::move(title), {col::state, col::total, col::share}};
}

Result<std::vector<Table>> run_gpu_active(const AnalysisInput& input) {
  Table table = active_table("gpu-active-time", "GPU active time");
  const auto sampled = shows_samples(input, kGpus);
  if (!sampled) return sampled.error();
  if (*sampled) return sampled_active_tables(input, kGpus.metric, table);
  Table each("by-gpu", "Active time by GPU",
             {col::node, col::rank, col::gpu, col::active, col::idle, col::percent("active share")});
  add_active(table, each, input, gpus_of(input), {WorkState::active, WorkState::idle});
  table.note = joined_notes({gpu_time_note(gpu_time(input.profile, input.scope)),
                             impossible_note(count_impossible(input.profile, input.scope, kRunRoles), "GPU slice")});
  return std::vector{std::move(table), std::move(each)};
}

Result<std::vector<Table>> run_cpu_active(const AnalysisInput& input) {
  const auto sampled = shows_samples(input, kThreads);
  if (!sampled) return sampled.error();
  if (*sampled)
    return sampled_active_tables(input, kThreads.metric, active_table("cpu-active-time", "CPU active time"));
  Table table = active_table("cpu-active-time", "Busy time of launching threads");
  Table each("by-thread", "Busy time of each launching thread",
             {col::node, col::rank, col::text("thread"), Column("busy", col::active), Column("not busy", col::idle),
              col::percent("busy share")});
  add_active(table, each, input, threads_of(input), {WorkState::busy, WorkState::not_busy});
  table.note = each.note = host_time_note(each.rows());
  return std::vector{std::move(table), std::move(each)};
}

Result<std::vector<Table>> run_gpu_utilization(const AnalysisInput& input) {
  Table table("gpu-utilization", "GPU utilization over time", {col::node, col::begin(), col::end, col::utilization});
  const auto sampled = shows_samples(input, kGpus);
  if (!sampled) return sampled.error();
  if (*sampled) return sampled_series_tables(input, kGpus.metric, table);
  const Workers gpus = gpus_of(input);
  const auto bins = time_bins(extent_of(input.profile, input.scope), input.values, gpus.size());
  if (!bins) return bins.error();
  add_node_bins(table, input, *bins, gpus);
  Table each("by-gpu", "Utilization by GPU over time",
             {col::node, col::rank, col::gpu, col::begin(), col::end, col::utilization});
  each.reserve(gpus.size() * bins->size());
  for (const Worker& gpu : gpus)
    add_bins(each, input, *bins, {input.profile.nodes[gpu.node].label, gpu.rank, gpu.name}, {&gpu});
  table.note = each.note =
      gpus.empty() ? gpu_time_note({}) : joined_notes({"Computed from kernels, memcpys and memsets.", bins->note()});
  return std::vector{std::move(table), std::move(each)};
}

Result<std::vector<Table>> run_cpu_utilization(const AnalysisInput& input) {
  const auto sampled = shows_samples(input, kThreads);
  if (!sampled) return sampled.error();
  if (*sampled)
    return sampled_series_tables(input, kThreads.metric, {"cpu-utilization", "CPU utilization over time", {}});
  const Workers threads = threads_of(input);
  const auto bins = time_bins(extent_of(input.profile, input.scope), input.values, threads.size());
  if (!bins) return bins.error();
  Table table("cpu-utilization", "Launching thread utilization over time",
              {col::node, col::begin(), col::end, col::percent("busy share")});
  add_node_bins(table, input, *bins, threads);
  table.note = joined_notes({host_time_note(threads.size()), threads.empty() ? "" : bins->note()});
  return std::vector{std::move(table)};
}

constexpr std::array<std::string_view, 3> kGpuSources{"auto", "kernels", kSampled};
constexpr std::array<std::string_view, 3> kCpuSources{"auto", "threads", kSampled};
constexpr Parameter kGpuSource = source_parameter(kGpuSources, "data source; auto: kernels if available");
constexpr Parameter kCpuSource = source_parameter(kCpuSources, "data source; auto: sampled if available");
constexpr std::array kGpuTotal{kGpuSource};
constexpr std::array kCpuTotal{kCpuSource};
constexpr std::array kGpuOverTime{bin_parameter(), kGpuSource};
constexpr std::array kCpuOverTime{bin_parameter(), kCpuSource};

constexpr std::array kActiveParts{ChartSeries{ColumnRole::active}, ChartSeries{ColumnRole::idle}};
constexpr std::array kGpuCharts{ChartSpec{"by-gpu", ChartKind::columns, "Time by GPU", kActiveParts},
                                ChartSpec{"each", ChartKind::columns, "Time by GPU", kActiveParts}};
constexpr std::array kCpuCharts{ChartSpec{"by-thread", ChartKind::columns, "Time by thread", kActiveParts},
                                ChartSpec{"each", ChartKind::columns, "Time by core", kActiveParts}};

}  // namespace

namespace gpu_active_time {
extern const Analysis kAnalysis{
    "gpu_active_time",
    "GPU active time",
    "GPU busy and idle time; idle time is that of where_time_goes. A GPU is busy while at least one kernel, memcpy or "
    "memset runs on it. With sampled data, busy time is the time during which the GPUs were not idle.",
    kGpuTotal,
    run_gpu_active,
    kGpuCharts};
}

namespace cpu_active_time {
extern const Analysis kAnalysis{"cpu_active_time",
                                "CPU active time",
                                "Sampled time during which CPU cores were not idle. Without samples: the time that "
                                "launching threads spent in operators and runtime calls.",
                                kCpuTotal,
                                run_cpu_active,
                                kCpuCharts};
}

namespace gpu_utilization {
extern const Analysis kAnalysis{
    "gpu_utilization", "GPU utilization over time",
    "Percentage of each time bin during which at least one kernel, memcpy or memset ran, averaged over the GPUs of a "
    "node. With sampled data, shows the sampled utilization, averaged over the GPUs of a node.",
    kGpuOverTime, run_gpu_utilization};
}

namespace cpu_utilization {
extern const Analysis kAnalysis{
    "cpu_utilization", "CPU utilization over time",
    "Sampled utilization, averaged over the CPU cores of a node. Without samples: the percentage of each time bin that "
    "launching threads spent in operators and runtime calls.",
    kCpuOverTime, run_cpu_utilization};
}

}  // namespace warpscope::analysis::registered
