// where_time_goes: GPU time of each rank by use, as totals and over time.
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/device_time.hpp"
#include "core/analysis/shared/gpu_rows.hpp"
#include "core/analysis/shared/gpu_time.hpp"
#include "core/analysis/shared/idle_gaps.hpp"
#include "core/analysis/shared/no_communication.hpp"
#include "core/analysis/shared/time_bins.hpp"
#include "core/trace/partial_ranks.hpp"

namespace warpscope::analysis::registered::where_time_goes {

namespace {

constexpr std::array kParameters{bin_parameter(), kKernelClassParameter};
/// Adds to each bin the part of it that the intervals cover.
void add_to_bins(std::vector<Ns>& sums, const TimeBins& bins, const std::vector<Interval>& intervals) {
  for (const Interval& each : intervals) {
    if (each.end <= bins.extent.begin || bins.width <= 0) continue;
    const Ns first = std::max<Ns>(0, each.begin - bins.extent.begin) / bins.width;
    for (auto b = static_cast<std::uint64_t>(first); b < bins.size(); ++b) {
      const Interval bin = bins[b];
      if (bin.begin >= each.end) break;
      sums[b] += std::max<Ns>(0, std::min(bin.end, each.end) - std::max(bin.begin, each.begin));
    }
  }
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const KernelClasses::Choice choice{.rules = input.values.text(kKernelClassParameter.name)};
  const trace::Profile& profile = input.profile;
  const auto bins = time_bins(extent_of(profile, input.scope), input.values, gpus_in(profile, input.scope).size());
  if (!bins) return bins.error();
  const GpuRows all(profile, input.scope, choice, input.cancel, input.shared);
  NoCommunicationCheck check(profile, input.scope, choice);
  Table ranks(
      "time-by-rank", "GPU time by rank",
      {col::rank, Column(col::compute).alike(), Column(col::exposed_communication).alike(), Column(col::memory).alike(),
       Column(col::idle).alike(), Column(col::host_wait).alike(), Column(col::stream_wait).alike(),
       Column(col::kernel_wait).alike(), Column(col::unknown).alike(), Column(col::no_launch_record).alike(),
       Column(col::host_callback).alike(), Column("time", col::total).alike(), col::percent("idle share")});
  std::array<std::vector<Ns>, kTimeUses.size()> by_bin;
  for (auto& sums : by_bin) sums.resize(bins->size());
  std::size_t without_runs = 0;
  std::vector<std::uint32_t> rank_of_device;
  for (const std::uint32_t r : all.ranks()) {
    const std::shared_ptr<const GpuRows::Rows> own = all.of(r);
    const GpuRows::Rows& rows = *own;
    if (cancelled(input.cancel)) break;
    check.add(rows);
    std::array<Ns, kTimeUses.size()> sums{};
    Ns time = 0;
    IdleTimes parts{};
    const RowsByDevice by_device(rows);
    const auto evaluated = input.scope.evaluated_on_gpu(r);
    for (const DeviceTime& device : device_times(rows, evaluated)) {
      rank_of_device.push_back(r);
      time = saturating_add(time, device.time.length());
      const IdleTimes idle = IdleGaps(profile, r, all, by_device.of(device.device)).of_device(evaluated).parts;
      for (std::size_t c = 0; c < parts.size(); ++c) parts[c] = saturating_add(parts[c], idle[c]);
      for (std::size_t use = 0; use < sums.size(); ++use) {
        sums[use] = saturating_add(sums[use], total_length(device.uses[use]));
        add_to_bins(by_bin[use], *bins, device.uses[use]);
      }
    }
    if (rows.empty()) {
      ++without_runs;
      continue;
    }
    const Ns idle = time - sums[0] - sums[1] - sums[2];
    ranks.add_row({profile.ranks[r]->number, sums[0], sums[1], sums[2], idle, parts[0], parts[1], parts[2], parts[3],
                   parts[4], parts[5], time, share_of(idle, time)});
  }
  Table over_time("time-by-class", "GPU utilization over time by class",
                  {col::begin(), col::end, Column("compute", ColumnKind::share, col::compute),
                   Column("exposed communication", ColumnKind::share, col::exposed_communication),
                   Column("memory", ColumnKind::share, col::memory)});
  if (!rank_of_device.empty()) {
    const trace::CoveredTime covered(profile);
    over_time.reserve(bins->size());
    for (std::uint64_t b = 0; b < bins->size() && !cancelled(input.cancel); ++b) {
      const Interval bin = (*bins)[b];
      double whole = 0;
      for (const std::uint32_t r : rank_of_device) whole += static_cast<double>(covered.of(r, bin).length());
      const auto share = [&](std::size_t use) { return share_of(static_cast<double>(by_bin[use][b]), whole); };
      over_time.add_row({bin.begin - profile.span.begin, bin.end - profile.span.begin, share(0), share(1), share(2)});
    }
  }
  const std::string missing = joined_notes({without_runs_note(without_runs, all.ranks().size()), check.note()});
  ranks.note = joined_notes({missing, impossible_note(count_impossible(profile, input.scope, kRunRoles), "GPU slice")});
  over_time.note = rank_of_device.empty() ? ranks.note : joined_notes({missing, bins->note()});
  return std::vector{std::move(ranks), std::move(over_time)};
}

constexpr std::string_view kIdleDetail = "idle_time_breakdown";
constexpr std::array kUses{
    ChartSeries{ColumnRole::compute, "compute", "gpu_kernel_breakdown"},
    ChartSeries{ColumnRole::exposed_communication, "exposed communication", "comm_comp_overlap"},
    ChartSeries{ColumnRole::memory, "memory", "memory_operations"},
    ChartSeries{ColumnRole::host_wait, "idle: host wait", kIdleDetail},
    ChartSeries{ColumnRole::stream_wait, "idle: stream wait", kIdleDetail},
    ChartSeries{ColumnRole::kernel_wait, "idle: kernel wait", kIdleDetail},
    ChartSeries{ColumnRole::unknown, "idle: unknown", kIdleDetail},
    ChartSeries{ColumnRole::no_launch_record, "idle: no launch record", kIdleDetail},
    ChartSeries{ColumnRole::host_callback, "idle: host callback", kIdleDetail},
    ChartSeries{ColumnRole::idle, "idle", kIdleDetail},
};
constexpr std::array kCharts{ChartSpec{"time-by-rank", ChartKind::time_use, "", kUses},
                             ChartSpec{"time-by-class", ChartKind::areas, "", kUses}};

}  // namespace

extern const Analysis kAnalysis{"where_time_goes",
                                "Where the GPU time goes",
                                "For each rank, in the evaluated steps or from the first to the last activity on its "
                                "GPUs: computation, exposed communication, memory "
                                "operations alone, and idle time by cause. A second table shows utilization over time.",
                                kParameters,
                                run,
                                kCharts};

}  // namespace warpscope::analysis::registered::where_time_goes
