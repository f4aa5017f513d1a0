// where_time_goes: GPU time of each rank by label (time_label.hpp), as totals, by step and over time.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/analysis/causes/special_calls.hpp"
#include "core/analysis/causes/time_account.hpp"
#include "core/analysis/ranks/rank_comparison.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/samples.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/gpu_time.hpp"
#include "core/analysis/shared/no_communication.hpp"
#include "core/analysis/shared/time_bins.hpp"
#include "core/base/format.hpp"
#include "core/base/threads/mutex.hpp"
#include "core/base/threads/parallel_for.hpp"

namespace warpscope::analysis::registered::where_time_goes {

namespace {

constexpr std::array kParameters{bin_parameter(), kKernelClassParameter};
/// Roles of the columns of busy time, by TimeLabel.
constexpr std::array<ColumnRole, kFirstIdle> kBusyRoles{ColumnRole::compute, ColumnRole::transfer, ColumnRole::waiting,
                                                        ColumnRole::memory};

struct StepTimes {
  NameId name = 0;
  Interval time;  ///< on the GPU
  LabelTimes times{};
};

/// Sums over a rank's GPUs.
struct RankTimes {
  std::uint32_t gpus = 0;
  Interval measured;  ///< on each of them
  LabelTimes times{};
  std::vector<StepTimes> steps;
  std::array<std::vector<Ns>, kFirstIdle> by_bin;
};

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

std::string rules_of(const AnalysisInput& input) { return input.values.text(kKernelClassParameter.name); }

/// The evaluated steps or the range; without either, all time from the first to the last activity.
EvaluatedRank evaluated_in(const Scope& scope, std::uint32_t rank, const GpuRows::Rows& rows, Interval measured) {
  if (scope.evaluated_on_gpu(rank)) return scope.evaluated->ranks[rank];
  Interval all = scope.range ? measured : kEmptySpan;
  if (scope.whole())
    for (const GpuRow& row : rows) all = cover(all, row.time);
  return {.host = all, .gpu = all, .gpu_steps = {all}};
}

RankTimes times_of_rank(const AnalysisInput& input, std::uint32_t r, const GpuRows& all, const GpuRows::Rows& rows,
                        const HostWorkNames& names, const CollectiveWaits& waits, const TimeBins& bins,
                        Interval measured) {
  RankTimes found;
  found.measured = measured;
  if (rows.empty()) return found;
  const trace::Profile& profile = input.profile;
  const RowsByDevice by_device(rows);
  const EvaluatedRank evaluated = evaluated_in(input.scope, r, rows, measured);
  const SpecialCalls calls(profile, r, names, input.cancel);
  const HostChain chain(profile, r, rows, names, input.cancel);
  for (std::vector<Ns>& sums : found.by_bin) sums.resize(bins.size());
  Scope own = input.scope;
  own.ranks = {r};
  for (const StepSample& step : step_samples(profile, own, input.cancel))
    if (step.source == StepSource::gpu)
      found.steps.push_back({step.name, {step.begin, saturating_add(step.begin, step.duration)}});
  for (const GpuWindow& gpu : gpu_windows(profile, r, by_device, evaluated, times_of(calls.of(HostWork::profiler)))) {
    const TimeAccount account = time_account(profile, gpu, all, by_device.of(gpu.device), chain, waits);
    ++found.gpus;
    add(found.times, account.times);
    for (StepTimes& step : found.steps)
      for (std::size_t l = 0; l < kTimeLabels; ++l)
        step.times[l] = saturating_add(step.times[l], common_length(step.time, account.of_label[l]));
    for (std::size_t l = 0; l < kFirstIdle; ++l) add_to_bins(found.by_bin[l], bins, account.of_label[l]);
  }
  return found;
}

constexpr ColumnRole role_of(TimeLabel label) {
  return is_idle(label) ? ColumnRole::idle_part : kBusyRoles[static_cast<std::size_t>(label)];
}

/// The labels of busy time, and those of idle time that occur.
std::vector<TimeLabel> labels_in(const LabelTimes& times) {
  std::vector<TimeLabel> labels;
  for (std::size_t l = 0; l < kTimeLabels; ++l)
    if (l < kFirstIdle || times[l] > 0) labels.push_back(static_cast<TimeLabel>(l));
  return labels;
}

std::vector<Column> with_labels(std::vector<Column> columns, std::span<const TimeLabel> labels,
                                ColumnKind kind = ColumnKind::duration) {
  for (const TimeLabel label : labels) {
    columns.push_back(Column(std::string(words_of(label).name), "", kind, role_of(label))
                          .refers(label)
                          .labeled(std::string(words_of(label).words)));
    columns.back().compared = 1;
  }
  return columns;
}

/// Adds the total, the idle time and its share, and the time of each label.
void append(std::vector<Cell>& cells, const LabelTimes& times, std::span<const TimeLabel> labels) {
  cells.insert(cells.end(), {total_of(times), idle_of(times), share_of(idle_of(times), total_of(times))});
  for (const TimeLabel label : labels) cells.emplace_back(times[static_cast<std::size_t>(label)]);
}

std::vector<Column> totals() {
  return {Column("time", col::total).alike(), Column(col::idle).alike(), col::percent("idle share")};
}

/// Returns "GPUs are idle for 52.3 % of the time, mostly short launch delays."
std::string idle_answer(const LabelTimes& times, bool one) {
  const Ns idle = idle_of(times);
  if (total_of(times) <= 0) return "";
  const double share = static_cast<double>(idle) / static_cast<double>(total_of(times));
  std::string text = fmt::format("{} idle for {} of the time", one ? "The GPU is" : "GPUs are", format_share(share));
  const auto* const most = std::ranges::max_element(times.begin() + kFirstIdle, times.end());
  if (*most > 0)
    text += fmt::format("{}{}", *most > idle / 2 ? ", mostly " : "; largest part: ",
                        kTimeLabelWords[static_cast<std::size_t>(most - times.begin())].words);
  return text + ".";
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const KernelClasses::Choice choice{.rules = rules_of(input)};
  const trace::Profile& profile = input.profile;
  const auto bins = time_bins(extent_of(profile, input.scope), input.values, gpus_in(profile, input.scope).size());
  if (!bins) return bins.error();
  // Activity after the evaluated steps or the range ends their last gaps, and so explains them.
  const GpuRows all(profile, {input.scope.ranks, {}}, choice, input.cancel, input.shared);
  const MeasuredTime measured(profile, input.scope);
  const HostWorkNames names(profile);
  const CollectiveWaits waits = waits_in_job(input);
  NoCommunicationCheck check(profile, input.scope, choice);
  std::vector<RankTimes> of_rank(all.ranks().size());
  Mutex checking;
  parallel_for(of_rank.size(), analysis_threads(), [&](std::size_t i) {
    if (cancelled(input.cancel)) return;
    const std::shared_ptr<const GpuRows::Rows> rows = all.of(all.ranks()[i]);
    of_rank[i] = times_of_rank(input, all.ranks()[i], all, *rows, names, waits, *bins, measured.on_gpu(all.ranks()[i]));
    const MutexLock lock(checking);
    check.add(*rows);
  });

  LabelTimes sum{};
  std::size_t gpus = 0;
  for (const RankTimes& rank : of_rank) {
    gpus += rank.gpus;
    add(sum, rank.times);
  }
  const std::vector<TimeLabel> labels = labels_in(sum);
  std::vector<Column> columns = totals();
  columns.insert(columns.begin(), col::rank);
  Table ranks("time-by-rank", "GPU time by rank", with_labels(std::move(columns), labels));
  columns = totals();
  columns.insert(columns.begin(), {col::rank, col::step, col::begin()});
  Table steps("time-by-step", "GPU time by step", with_labels(std::move(columns), labels));
  for (std::size_t i = 0; i < of_rank.size(); ++i) {
    const RankTimes& rank = of_rank[i];
    if (rank.gpus == 0) continue;
    const std::int64_t number = profile.ranks[all.ranks()[i]]->number;
    std::vector<Cell> cells{number};
    append(cells, rank.times, labels);
    ranks.add_row(cells);
    for (const StepTimes& step : rank.steps) {
      cells = {number, profile.names().view(step.name), saturating_difference(step.time.begin, profile.span.begin)};
      append(cells, step.times, labels);
      steps.add_row(cells);
    }
  }
  Table over_time("time-by-class", "GPU utilization over time by class",
                  with_labels({col::begin(), col::end}, labels_in({}), ColumnKind::share));
  if (gpus > 0) {
    over_time.reserve(bins->size());
    for (std::uint64_t b = 0; b < bins->size() && !cancelled(input.cancel); ++b) {
      const Interval bin = (*bins)[b];
      double whole = 0;
      std::array<Ns, kFirstIdle> busy{};
      for (std::size_t i = 0; i < of_rank.size(); ++i) {
        if (of_rank[i].gpus == 0) continue;
        whole += of_rank[i].gpus * static_cast<double>(common_length(bin, {of_rank[i].measured}));
        for (std::size_t l = 0; l < kFirstIdle; ++l) busy[l] = saturating_add(busy[l], of_rank[i].by_bin[l][b]);
      }
      const auto share = [&](std::size_t l) { return share_of(static_cast<double>(busy[l]), whole); };
      over_time.add_row(
          {bin.begin - profile.span.begin, bin.end - profile.span.begin, share(0), share(1), share(2), share(3)});
    }
  }
  const std::string missing =
      joined_notes({without_runs_note(static_cast<std::size_t>(std::ranges::count(of_rank, 0u, &RankTimes::gpus)),
                                      all.ranks().size()),
                    check.note()});
  ranks.note = joined_notes({idle_answer(sum, gpus == 1), missing,
                             impossible_note(count_impossible(profile, input.scope, kRunRoles), "GPU slice")});
  steps.note = ranks.note;
  over_time.note = gpus == 0 ? ranks.note : joined_notes({missing, bins->note()});
  return std::vector{std::move(ranks), std::move(over_time), std::move(steps)};
}

constexpr std::array<std::string_view, kFirstIdle> kDetails{"gpu_kernel_breakdown", "comm_comp_overlap", "late_ranks",
                                                            "memory_operations"};
constexpr auto kSeries = [] {
  std::array<ChartSeries, kTimeLabels> series{};
  for (std::size_t l = 0; l < kTimeLabels; ++l) {
    const auto label = static_cast<TimeLabel>(l);
    series[l] = {role_of(label), words_of(label).words, is_idle(label) ? "idle_time_breakdown" : kDetails[l],
                 static_cast<std::uint32_t>(l)};
  }
  return series;
}();
constexpr std::array kCharts{ChartSpec{"time-by-rank", ChartKind::time_use, "", kSeries},
                             ChartSpec{"time-by-class", ChartKind::areas, "", kSeries},
                             ChartSpec{"time-by-step", ChartKind::time_use, "", kSeries}};

}  // namespace

extern const Analysis kAnalysis{
    "where_time_goes",
    "Where the GPU time goes",
    "For each rank, in the evaluated steps, the range, or from the first to the last activity: computation; "
    "communication or waiting for other ranks; memory operations; and idle time by cause. Each moment counts once. A "
    "rank whose own work takes longer waits less for other ranks. Also over time and by step: a step on the GPU lasts "
    "from the end of the previous step's GPU activity to the end of its own.",
    kParameters,
    run,
    kCharts};

}  // namespace warpscope::analysis::registered::where_time_goes
