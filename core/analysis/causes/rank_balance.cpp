// rank_balance: the steps of all ranks, overlaid. A rank that is slow at one activity waits less in collectives.
//
// Steps are measured on the GPU (samples.hpp), and their time is split as in where_time_goes (device_time.hpp); time in
// collectives is split at the arrival of the last rank. O(n log n) in the GPU activity of a rank, rank by rank.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

#include "core/analysis/causes/fault_text.hpp"
#include "core/analysis/ranks/collective_waits.hpp"
#include "core/analysis/ranks/rank_comparison.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/samples.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/device_time.hpp"
#include "core/base/counted.hpp"

namespace warpscope::analysis::registered::rank_balance {

namespace {

/// Computation, data transfer and waiting in collectives without computation, memory operations, idle time.
constexpr std::size_t kUses = 5;
constexpr std::array<std::string_view, kUses> kUseWords{"compute", "exposed transfer", "wait", "memory", "idle"};
constexpr std::array kRoles{ColumnRole::compute, ColumnRole::transfer, ColumnRole::waiting, ColumnRole::memory,
                            ColumnRole::idle};
using Uses = std::array<Ns, kUses>;

struct StepBalance {
  std::uint32_t rank = 0;  ///< index
  NameId name = 0;
  Interval time;  ///< on the GPU, as recorded
  Uses uses{};    ///< add up to the length of `time`
};

struct RankBalance {
  std::uint32_t rank = 0;        ///< index
  std::uint64_t steps = 0;       ///< at least 1
  Uses mean{};                   ///< of the steps
  const Fault* fault = nullptr;  ///< of this rank, but not of all
};

struct Balance {
  std::vector<StepBalance> steps;   ///< by rank, then by start
  std::vector<RankBalance> ranks;   ///< by index; only ranks with steps
  std::uint64_t without_steps = 0;  ///< ranks
};

Ns sum_of(const Uses& uses) { return std::accumulate(uses.begin(), uses.end(), Ns{0}); }

void add(Uses& sum, const Uses& uses) { std::ranges::transform(sum, uses, sum.begin(), std::plus()); }

void divide(Uses& uses, std::size_t by) {
  for (Ns& use : uses) use /= static_cast<Ns>(by);
}

void add_rank(const AnalysisInput& input, std::uint32_t r, const GpuRows::Rows& rows, const CollectiveWaits& waits,
              Balance& balance) {
  Scope own = input.scope;
  own.ranks = {r};
  const std::vector<DeviceTime> devices = device_times(rows, input.scope.evaluated_on_gpu(r));
  std::vector<Interval> waiting;
  for (const GpuRow& row : rows)
    if (row.kind == KernelClass::communication) waiting.push_back(waits.wait_of(r, row.slice, row.time));
  waiting = joined(std::move(waiting));
  std::vector<std::vector<Interval>> transfers;
  for (const DeviceTime& device : devices)
    transfers.push_back(without(device.uses[static_cast<std::size_t>(TimeUse::exposed_communication)], waiting));
  RankBalance sum{.rank = r};
  for (const StepSample& step : step_samples(input.profile, own, input.cancel)) {
    if (step.source != StepSource::gpu) continue;
    StepBalance split{.rank = r, .name = step.name, .time = {step.begin, step.begin + step.duration}};
    for (std::size_t d = 0; d < devices.size(); ++d) {
      const auto of = [&](TimeUse use) {
        return common_length(split.time, devices[d].uses[static_cast<std::size_t>(use)]);
      };
      const Ns transfer = common_length(split.time, transfers[d]);
      Uses uses{of(TimeUse::compute), transfer, of(TimeUse::exposed_communication) - transfer, of(TimeUse::memory), 0};
      uses.back() = step.duration - sum_of(uses);
      add(split.uses, uses);
    }
    divide(split.uses, std::max<std::size_t>(1, devices.size()));
    split.uses.back() += step.duration - sum_of(split.uses);  // rounding
    add(sum.mean, split.uses);
    ++sum.steps;
    balance.steps.push_back(split);
  }
  if (sum.steps == 0) {
    ++balance.without_steps;
    return;
  }
  divide(sum.mean, sum.steps);
  balance.ranks.push_back(sum);
}

/// Splits the steps within the scope's range.
Balance balance_of(const AnalysisInput& input, const RankComparison& comparison, const JobFaults& faults) {
  Balance balance;
  const GpuRows rows(input.profile, {input.scope.ranks, {}}, {.rules = input.values.text(kKernelClassParameter.name)},
                     input.cancel, input.shared);
  const CollectiveWaits waits(comparison, clock_choice(input.values));
  for (const std::uint32_t r : rows.ranks()) {
    if (cancelled(input.cancel)) break;
    add_rank(input, r, *rows.of(r), waits, balance);
  }
  for (RankBalance& rank : balance.ranks) rank.fault = fault_of(faults, rank.rank);
  return balance;
}

Uses mean_of(const std::vector<RankBalance>& ranks) {
  Uses mean{};
  for (const RankBalance& rank : ranks) add(mean, rank.mean);
  divide(mean, ranks.size());
  return mean;
}

constexpr std::array kParameters{kClocksParameter, kKernelClassParameter};
constexpr std::size_t kMostBarsOfRanks = 64;

std::vector<Column> with_uses(std::vector<Column> columns) {
  for (std::size_t use = 0; use < kUses; ++use)
    columns.emplace_back(std::string(kUseWords[use]), "", ColumnKind::duration, kRoles[use], std::string(), 1, 0, 1);
  return columns;
}

void append(std::vector<Cell>& cells, const Uses& uses) { cells.insert(cells.end(), uses.begin(), uses.end()); }

/// Bars: the mean of all ranks, the ranks at fault, then the others or, of many, those with the least and the most
/// computation.
Table bars_table(const trace::Profile& profile, const Balance& balance) {
  Table table("rank-balance", "Rank steps, overlaid",
              with_uses({{"ranks", "", ColumnRole::name}, {"time", "", ColumnKind::duration, {}, 1, 0, 1}}));
  const auto add_bar = [&](const std::string& name, const Uses& uses) {
    std::vector<Cell> cells{name, sum_of(uses)};
    append(cells, uses);
    table.add_row(cells);
  };
  if (balance.ranks.size() > 1) add_bar(fmt::format("mean of {} ranks", balance.ranks.size()), mean_of(balance.ranks));
  std::vector<const RankBalance*> others;
  const auto add_rank_bar = [&](const RankBalance& rank) {
    add_bar(fmt::format("rank {}", profile.ranks[rank.rank]->number), rank.mean);
  };
  for (const RankBalance& rank : balance.ranks)
    if (rank.fault != nullptr)
      add_rank_bar(rank);
    else
      others.push_back(&rank);
  if (others.size() > kMostBarsOfRanks) {
    const auto [least, most] = std::ranges::minmax_element(others, {}, [](const auto* rank) { return rank->mean[0]; });
    others = {*least, *most};
  }
  for (const RankBalance* const rank : others) add_rank_bar(*rank);
  return table;
}

Table ranks_table(const trace::Profile& profile, const Balance& balance) {
  std::vector<Column> columns = with_uses({{"rank", "", ColumnRole::rank},
                                           {"steps", "", ColumnRole::count},
                                           {"time", "", ColumnRole::duration, {}, 1, 0, 1}});
  columns.emplace_back("cause", "", ColumnRole::remark);
  Table table("ranks", "Rank balance", std::move(columns));
  for (const RankBalance& rank : balance.ranks) {
    std::vector<Cell> cells{profile.ranks[rank.rank]->number, rank.steps, sum_of(rank.mean)};
    append(cells, rank.mean);
    std::string cause;
    if (rank.fault != nullptr) cells.emplace_back(cause = cause_text(profile, *rank.fault));
    table.add_row(cells);
  }
  return table;
}

Table steps_table(const trace::Profile& profile, const Balance& balance) {
  Table table("steps", "Balance by step",
              with_uses({{"rank", "", ColumnRole::rank},
                         {"step", "", ColumnRole::step},
                         {"start", "", ColumnRole::start},
                         {"time", "", ColumnRole::duration, {}, 1, 0, 1}}));
  for (const StepBalance& step : balance.steps) {
    std::vector<Cell> cells{profile.ranks[step.rank]->number, profile.names().view(step.name),
                            saturating_difference(step.time.begin, profile.span.begin), step.time.length()};
    append(cells, step.uses);
    table.add_row(cells);
  }
  return table;
}

std::string answer_of(const trace::Profile& profile, const RankComparison& comparison, const JobFaults& faults,
                      const Balance& balance) {
  if (balance.ranks.empty())
    return balance.without_steps > 0 ? "The traces have no steps in this range." : "No GPU activity in this selection.";
  if (balance.ranks.size() < 2) return too_few_ranks(profile, "Comparing ranks");
  return late_answer(profile, comparison, faults);
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const auto comparison = compare_ranks(input);
  const auto faults = shared_faults(input);
  const Balance balance = balance_of(input, *comparison, *faults);
  std::vector<Table> tables{bars_table(input.profile, balance), ranks_table(input.profile, balance),
                            steps_table(input.profile, balance)};
  const std::string note = joined_notes(
      {answer_of(input.profile, *comparison, *faults, balance),
       balance.ranks.size() > 1 ? comparison->clock_note(clock_choice(input.values)) : "", comparison->match_note()});
  for (Table& table : tables) table.note = note;
  return tables;
}

constexpr std::array kSeries{ChartSeries{ColumnRole::compute}, ChartSeries{ColumnRole::transfer},
                             ChartSeries{ColumnRole::waiting}, ChartSeries{ColumnRole::memory},
                             ChartSeries{ColumnRole::idle}};
constexpr std::array kCharts{ChartSpec{"rank-balance", ChartKind::columns, "Mean step by rank", kSeries}};

}  // namespace

extern const Analysis kAnalysis{
    "rank_balance",
    "Rank steps, overlaid",
    "Each rank's mean step, from the end of the GPU activity launched before it to the end of its own. Each moment "
    "counts once, as the first of these that applies: computation; data transfer in collectives or waiting for their "
    "last rank; memory operations; idle. With more than 64 ranks, shows the mean, the ranks at fault (what_if), and "
    "those with the least and the most computation. Also lists each rank and each step.",
    kParameters,
    run,
    kCharts};

}  // namespace warpscope::analysis::registered::rank_balance
