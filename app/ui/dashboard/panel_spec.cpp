#include "app/ui/dashboard/panel_spec.hpp"

#include <algorithm>
#include <array>

namespace warpscope::ui {
namespace {

constexpr std::string_view kNoGpu =
    "This profile has no GPU activity. If the job used GPUs, add their ProfilerActivity (CUDA, XPU, …) to activities.";
constexpr std::string_view kNoHost =
    "This profile has neither system metrics nor threads that launch GPU work. Put the job's system folder "
    "(SageMaker Debugger) next to the traces, or record both host and GPU activities.";
constexpr std::string_view kNoHostMetrics =
    "This profile has no samples of this metric. Record with warpscope record, or put the job's system folder "
    "(SageMaker Debugger) next to the traces.";
constexpr std::string_view kNoSteps =
    "This profile has no steps. Call prof.step() after each iteration, or annotate steps with "
    "record_function(\"step_1\").";
constexpr std::string_view kNoAnnotations =
    "Annotate the code with record_function(\"Forward\") or smprof.annotate(\"Forward\").";

/// Indexed by PanelNeed. Only histograms of annotations need none of these.
constexpr std::array<std::string_view, kPanelNeeds> kMissing{
    kNoAnnotations, kNoGpu, kNoGpu, kNoSteps, kNoHost, kNoHostMetrics, kNoHostMetrics, kNoHostMetrics};

constexpr std::array kOfComputation{analysis::ChartSeries{ColumnRole::share, "of computation"}};

/// `whole`: label of the sum, in one or two words. By default, names are the first text, values the first number.
constexpr analysis::ChartSpec pie(std::string_view whole, ColumnRole names = ColumnRole::none,
                                  ColumnRole values = ColumnRole::none,
                                  std::span<const analysis::ChartSeries> shares = {}) {
  return {.kind = analysis::ChartKind::pie, .series = shares, .x = names, .y = values, .whole = whole};
}

constexpr std::array kSpecs{
    PanelSpec{.id = "where_time_goes",
              .title = "Where the GPU time goes",
              .about = "Per rank",
              .analysis = "where_time_goes",
              .need = PanelNeed::gpu_activity},
    PanelSpec{.id = "step_time",
              .title = "Step time distribution",
              .about = "Duration of each step on each rank",
              .analysis = "step_time",
              .need = PanelNeed::steps},
    PanelSpec{.id = "utilization_by_class",
              .title = "GPU utilization by class",
              .about = "Share of time per class, across all GPUs",
              .analysis = "where_time_goes",
              .table = "time-by-class",
              .need = PanelNeed::gpu_activity},
    PanelSpec{.id = "gpu_utilization",
              .title = "GPU utilization over time",
              .about = "Share of time with GPU activity",
              .analysis = "gpu_utilization",
              .chart = {.kind = analysis::ChartKind::lines, .y = ColumnRole::utilization},
              .need = PanelNeed::gpu_load},
    PanelSpec{.id = "kernel_time",
              .title = "Total time by GPU kernel",
              .about = "Summed over all GPUs",
              .analysis = "kernel_time",
              .chart = pie("kernel time", ColumnRole::kernel, ColumnRole::total),
              .need = PanelNeed::gpu_activity},
    PanelSpec{.id = "kernel_time_top",
              .title = "Total time of the top GPU kernels",
              .about = "Summed over all GPUs",
              .analysis = "kernel_time",
              .table = "top-kernels",
              .chart = {.y = ColumnRole::total},
              .need = PanelNeed::gpu_activity},
    PanelSpec{.id = "kernel_launches",
              .title = "Launch counts of all GPU kernels",
              .about = "Launches per kernel, across all GPUs",
              .analysis = "kernel_launches",
              .chart = pie("launches", ColumnRole::kernel, ColumnRole::count),
              .need = PanelNeed::gpu_activity},
    PanelSpec{.id = "kernel_launches_top",
              .title = "Launch counts of the top GPU kernels",
              .about = "Launches per kernel, across all GPUs",
              .analysis = "kernel_launches",
              .table = "top-kernels",
              .chart = {.y = ColumnRole::count},
              .need = PanelNeed::gpu_activity},
    PanelSpec{.id = "kernel_precision",
              .title = "Kernel precision distribution",
              .about = "Kernel time by precision, inferred from names",
              .analysis = "kernel_precision",
              .chart = pie("kernel time", ColumnRole::precision, ColumnRole::total, kOfComputation),
              .need = PanelNeed::gpu_activity},
    PanelSpec{.id = "gpu_activity",
              .title = "GPU activity distribution",
              .about = "Kernels, memory operations, waits, idle time",
              .analysis = "gpu_activity",
              .chart = pie("with overlaps", ColumnRole::activity, ColumnRole::total),
              .need = PanelNeed::gpu_activity},
    PanelSpec{.id = "memory_operations",
              .title = "GPU memory operations distribution",
              .about = "Memcpys by direction, and memsets",
              .analysis = "memory_operations",
              .chart = pie("memcpys, memsets", ColumnRole::memory_operation, ColumnRole::total),
              .need = PanelNeed::gpu_activity,
              .missing = "This profile has no memcpys or memsets. Add ProfilerActivity.CUDA to activities."},
    PanelSpec{.id = "cpu_utilization",
              .title = "CPU utilization over time",
              .about = "Mean over cores or launching threads",
              .analysis = "cpu_utilization",
              .chart = {.kind = analysis::ChartKind::lines},
              .need = PanelNeed::host_load},
    PanelSpec{.id = "host_memory",
              .title = "Host memory over time",
              .about = "Sampled memory usage per node",
              .analysis = "host_metrics",
              .chart = {.kind = analysis::ChartKind::lines},
              .need = PanelNeed::host_memory,
              .parameter = "metric",
              .value_of_parameter = "memory"},
    PanelSpec{.id = "disk",
              .title = "Disk over time",
              .about = "Sampled reads and writes per node",
              .analysis = "host_metrics",
              .chart = {.kind = analysis::ChartKind::lines},
              .need = PanelNeed::disk,
              .parameter = "metric",
              .value_of_parameter = "disk"},
    PanelSpec{.id = "network",
              .title = "Network over time",
              .about = "Sampled network traffic per node",
              .analysis = "host_metrics",
              .chart = {.kind = analysis::ChartKind::lines},
              .need = PanelNeed::network,
              .parameter = "metric",
              .value_of_parameter = "network"},
    PanelSpec{.id = "gpu_active_time",
              .title = "GPU active time",
              .about = "Any kernel, memcpy or memset, across all GPUs",
              .analysis = "gpu_active_time",
              .chart = pie("total GPU time"),
              .need = PanelNeed::gpu_load},
    PanelSpec{.id = "cpu_active_time",
              .title = "CPU active time",
              .about = "CPU cores or launching threads",
              .analysis = "cpu_active_time",
              .chart = pie("total thread time"),
              .need = PanelNeed::host_load},
};

constexpr PanelSpec kMade{
    .id = "histogram", .title = "", .about = "Annotation durations", .analysis = "annotation_histogram"};

}  // namespace

std::span<const PanelSpec> panel_specs() { return kSpecs; }

const PanelSpec* find_panel_spec(std::string_view id) {
  const auto found = std::ranges::find(kSpecs, id, &PanelSpec::id);
  return found == kSpecs.end() ? nullptr : &*found;
}

const PanelSpec& made_histogram_spec() { return kMade; }

std::string_view missing_of(PanelNeed need) { return kMissing[static_cast<std::size_t>(need)]; }

}  // namespace warpscope::ui
