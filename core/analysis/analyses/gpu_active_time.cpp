// gpu_active_time: GPU busy and idle time.
#include <array>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/gpu_time.hpp"
#include "core/analysis/shared/row_words.hpp"
#include "core/analysis/shared/sampled.hpp"
#include "core/trace/partial_ranks.hpp"

namespace warpscope::analysis::registered::gpu_active_time {

namespace {

constexpr const char* kId = "gpu-active-time";
constexpr const char* kTitle = "GPU active time";
constexpr std::array<std::string_view, 3> kSources{"auto", "kernels", kSampled};
constexpr std::array kParameters{source_parameter(kSources, "data source; auto: kernels if available")};

Table by_gpu(const AnalysisInput& input, Interval extent) {
  Table table("by-gpu", "Active time by GPU",
              {{"node", "", ColumnRole::node},
               {"rank", "", ColumnRole::rank},
               {"gpu", "", ColumnRole::gpu},
               {"active", "", ColumnRole::active},
               {"idle", "", ColumnRole::idle},
               {"active share", "", ColumnKind::share}});
  const trace::CoveredTime covered(input.profile);
  for (const trace::Gpu& gpu : gpus_in(input.profile, input.scope)) {
    const Interval own = covered.of(gpu, extent);
    const Ns active = GpuBusy(input.profile, gpu).within(own);
    table.add_row({input.profile.nodes[gpu.node].label, gpu.rank, gpu.device, active, own.length() - active,
                   share_of(active, own.length())});
  }
  return table;
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const auto sampled =
      wants_samples(input, trace::Metric::gpu_utilisation, gpus_in(input.profile, input.scope).empty());
  if (!sampled) return sampled.error();
  if (*sampled) return sampled_active_tables(input, trace::Metric::gpu_utilisation, Table(kId, kTitle, {}));
  const GpuTime time = gpu_time(input.profile, input.scope);
  Table table(kId, kTitle,
              {{"state", "", ColumnRole::state}, {"total", "", ColumnRole::total}, {"share", "", ColumnRole::share}});
  table.note = joined_notes(
      {gpu_time_note(time), impossible_note(count_impossible(input.profile, input.scope, kRunRoles), "GPU slice")});
  if (time.total > 0) {
    table.add_row({word_at(kWorkStates, WorkState::active), time.busy, time.busy_share()});
    table.add_row({word_at(kWorkStates, WorkState::idle), time.idle(), 1 - time.busy_share()});
  }
  Table each = by_gpu(input, time.extent);
  return std::vector{std::move(table), std::move(each)};
}

constexpr std::array kParts{ChartSeries{ColumnRole::active}, ChartSeries{ColumnRole::idle}};
constexpr std::array kCharts{ChartSpec{"by-gpu", ChartKind::columns, "Time by GPU", kParts},
                             ChartSpec{"each", ChartKind::columns, "Time by GPU", kParts}};

}  // namespace

extern const Analysis kAnalysis{
    "gpu_active_time",
    "GPU active time",
    "GPU busy and idle time over the period covered by the traces. A GPU is busy while at least one kernel, memcpy or "
    "memset runs on it. With sampled data, busy time is the time during which the GPUs were not idle.",
    kParameters,
    run,
    kCharts};

}  // namespace warpscope::analysis::registered::gpu_active_time
