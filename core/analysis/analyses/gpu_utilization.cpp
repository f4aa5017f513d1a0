// gpu_utilization: utilization of the GPUs over time.
#include <algorithm>
#include <array>
#include <map>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/gpu_time.hpp"
#include "core/analysis/shared/sampled.hpp"
#include "core/analysis/shared/time_bins.hpp"
#include "core/trace/partial_ranks.hpp"

namespace warpscope::analysis::registered::gpu_utilization {

namespace {

constexpr const char* kId = "gpu-utilization";
constexpr const char* kTitle = "GPU utilization over time";
constexpr std::array<std::string_view, 3> kSources{"auto", "kernels", kSampled};
constexpr std::array kParameters{bin_parameter(),
                                 source_parameter(kSources, "data source; auto: kernels if available")};

struct BusyGpu {
  const trace::Gpu& gpu;
  GpuBusy busy;
  Ns end = 0;  ///< end of the period covered by its trace

  /// Returns the covered part of the bin.
  [[nodiscard]] Interval of(Interval bin) const { return {bin.begin, std::clamp(end, bin.begin, bin.end)}; }
};
using BusyGpus = std::vector<BusyGpu>;

Table by_node(const AnalysisInput& input, const TimeBins& bins, const BusyGpus& gpus) {
  const trace::Profile& profile = input.profile;
  Table table(kId, kTitle,
              {{"node", "", ColumnRole::node},
               Column{"begin", "", ColumnRole::start}.labeled("start"),
               {"end", "", ColumnRole::end},
               {"utilization", "", ColumnRole::utilization}});
  std::map<std::uint32_t, std::vector<const BusyGpu*>> nodes;
  for (const BusyGpu& each : gpus) nodes[each.gpu.node].push_back(&each);
  table.reserve(nodes.size() * bins.size());
  for (const auto& [node, own] : nodes) {
    for (std::uint64_t b = 0; b < bins.size() && !cancelled(input.cancel); ++b) {
      const Interval bin = bins[b];
      double busy = 0;
      double whole = 0;
      for (const BusyGpu* each : own) {
        busy += static_cast<double>(each->busy.within(each->of(bin)));
        whole += static_cast<double>(each->of(bin).length());
      }
      table.add_row({profile.nodes[node].label, bin.begin - profile.span.begin, bin.end - profile.span.begin,
                     share_of(busy, whole)});
    }
  }
  return table;
}

Table by_gpu(const AnalysisInput& input, const TimeBins& bins, const BusyGpus& gpus) {
  const trace::Profile& profile = input.profile;
  Table table("by-gpu", "Utilization by GPU over time",
              {{"node", "", ColumnRole::node},
               {"rank", "", ColumnRole::rank},
               {"gpu", "", ColumnRole::gpu},
               Column{"begin", "", ColumnRole::start}.labeled("start"),
               {"end", "", ColumnRole::end},
               {"utilization", "", ColumnRole::utilization}});
  table.reserve(gpus.size() * bins.size());
  for (const BusyGpu& each : gpus) {
    for (std::uint64_t b = 0; b < bins.size() && !cancelled(input.cancel); ++b) {
      const Interval bin = bins[b];
      const Interval own = each.of(bin);
      table.add_row({profile.nodes[each.gpu.node].label, each.gpu.rank, each.gpu.device, bin.begin - profile.span.begin,
                     bin.end - profile.span.begin, share_of(each.busy.within(own), own.length())});
    }
  }
  return table;
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const std::vector<trace::Gpu> gpus = gpus_in(input.profile, input.scope);
  const auto sampled = wants_samples(input, trace::Metric::gpu_utilisation, gpus.empty());
  if (!sampled) return sampled.error();
  if (*sampled) return sampled_series_tables(input, trace::Metric::gpu_utilisation, Table(kId, kTitle, {}));
  const auto bins = time_bins(extent_of(input.profile, input.scope), input.values, gpus.size());
  if (!bins) return bins.error();
  BusyGpus busy;
  busy.reserve(gpus.size());
  const trace::CoveredTime covered(input.profile);
  for (const trace::Gpu& gpu : gpus)
    busy.push_back({gpu, GpuBusy(input.profile, gpu), covered.of(gpu, input.profile.span).end});
  std::vector<Table> tables{by_node(input, *bins, busy), by_gpu(input, *bins, busy)};
  tables[0].note =
      gpus.empty() ? gpu_time_note({}) : joined_notes({"Computed from kernels, memcpys and memsets.", bins->note()});
  tables[1].note = tables[0].note;
  return tables;
}

}  // namespace

extern const Analysis kAnalysis{
    "gpu_utilization", "GPU utilization over time",
    "Percentage of each time bin during which at least one kernel, memcpy or memset ran, averaged over the GPUs of a "
    "node. With sampled data, shows the sampled utilization, averaged over the GPUs of a node.",
    kParameters, run};

}  // namespace warpscope::analysis::registered::gpu_utilization
