// rank_balance: the steps of all ranks, overlaid. All ranks leave the last common collective of a step together, so
// they differ only in how they spend the time before it: a rank that is slow at one activity waits less. This does not
// require a common clock.
//
// Each moment counts once, as the first of these that is active: computation, memory operations, data transfer in a
// collective, waiting in a collective for its last rank, the host. O(n log n) in the slices of a rank, rank by rank.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <string_view>
#include <vector>

#include "core/analysis/causes/fault_text.hpp"
#include "core/analysis/ranks/medians.hpp"
#include "core/analysis/ranks/rank_comparison.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/device_time.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis::registered::rank_balance {

namespace {

enum class BalanceUse : std::uint8_t {
  compute,
  transfer,  ///< in a collective after its last rank arrived, without computation; or unmatched communication
  wait,      ///< in a collective for its last rank
  copy,      ///< memcpys and memsets
  host,      ///< the GPUs are idle, and a thread is in an operator, a runtime call or the data loader
  idle,
};
constexpr std::size_t kBalanceUses = 6;
constexpr std::array<std::string_view, kBalanceUses> kBalanceWords{
    "compute", "exposed transfer", "wait", "copy", "host", "idle"};
using BalanceUses = std::array<Ns, kBalanceUses>;

Ns sum_of(const BalanceUses& uses) { return std::accumulate(uses.begin(), uses.end(), Ns{0}); }

struct StepBalance {
  std::uint32_t rank = 0;  ///< index
  NameId name = 0;
  Interval time;       ///< from the start of the step to the end of the last common collective, as recorded
  BalanceUses uses{};  ///< add up to the length of `time`
};

struct RankBalance {
  std::uint32_t rank = 0;        ///< index
  std::uint64_t steps = 0;       ///< at least 1
  BalanceUses mean{};            ///< of the steps
  const Fault* fault = nullptr;  ///< of this rank, but not of all
};

struct Balance {
  std::vector<StepBalance> steps;   ///< by rank, then by start
  std::vector<RankBalance> ranks;   ///< by index; only ranks with steps
  std::uint64_t uncommon = 0;       ///< steps without a common collective, which are counted up to their own end
  std::uint64_t without_steps = 0;  ///< ranks
};

constexpr Ns kNotMatched = -1;

/// `loads`: by name id, true for annotations of PyTorch's data loader.
std::vector<Interval> host_time(const trace::Profile& profile, const trace::Rank& rank,
                                const std::vector<bool>& loads) {
  std::vector<Interval> times;
  for (const trace::Track& track : rank.tracks) {
    if (track.kind != trace::TrackKind::thread || track.launches == 0) continue;
    for (const std::uint32_t l : recorded_lanes(rank, track)) {
      const trace::Lane& lane = rank.lanes[l];
      for_each_part(lane, std::nullopt, [&](std::uint32_t i, Interval time) {
        const trace::Role role = profile.categories().role(lane.category(i));
        const bool loading = role == trace::Role::annotation && loads[lane.name(i)];
        if (role != trace::Role::op && role != trace::Role::launch && !loading) return;
        if (!times.empty() && time.begin >= times.back().begin && time.begin <= times.back().end)
          times.back().end = std::max(times.back().end, time.end);
        else
          times.push_back(time);
      });
    }
  }
  return joined(std::move(times));
}

class Splitter {
 public:
  Splitter(const AnalysisInput& input, const RankComparison& comparison, ClockChoice choice)
      : input_(input), matches_(comparison.matches()), waits_(matches_.job.events.size(), kNotMatched) {
    std::uint32_t most = 0;
    for (const JobCollective& collective : matches_.collectives) most = std::max(most, collective.count);
    const StringTable& names = input.profile.names();
    for (NameId id = 0; id < names.size(); ++id) loads_.push_back(names.view(id).starts_with("enumerate(DataLoader)"));
    ends_.resize(input.profile.ranks.size());
    for (std::size_t r = 0; r < ends_.size(); ++r)
      ends_[r].assign(input.profile.ranks[r]->steps.size(), std::numeric_limits<Ns>::min());
    for (const JobCollective& collective : matches_.collectives) {
      const CollectiveTiming timing = comparison.timing(collective, choice);
      const auto members = matches_.members_of(collective);
      for (std::uint32_t m = 0; m < members.size(); ++m) {
        const CommunicationEvent& event = matches_.event(members[m]);
        if (timing.waits) waits_[members[m]] = std::clamp<Ns>(timing.wait_of(m), 0, event.time.length());
        if (collective.count != most || event.step == kNoIndex) continue;
        Ns& end = ends_[event.rank][event.step];
        end = std::max(end, event.time.end);
      }
    }
  }

  void add_rank(std::uint32_t r, const GpuRows::Rows& rows, Balance& balance) const {
    const trace::Rank& rank = *input_.profile.ranks[r];
    if (rank.steps.empty()) ++balance.without_steps;
    std::array<std::vector<Interval>, kBalanceUses> uses;
    const auto of = [&](BalanceUse use) -> std::vector<Interval>& { return uses[static_cast<std::size_t>(use)]; };
    of(BalanceUse::compute) = union_of(rows, [](const GpuRow& row) { return row.kind == KernelClass::computation; });
    of(BalanceUse::copy) = union_of(rows, [](const GpuRow& row) { return row.kind == KernelClass::memory; });
    for (std::uint32_t e = matches_.job.first[r]; e < matches_.job.first[r + 1]; ++e) {
      const Interval time = matches_.event(e).time;
      const Ns arrived = time.begin + std::max<Ns>(0, waits_[e]);
      of(BalanceUse::wait).push_back({time.begin, arrived});
      of(BalanceUse::transfer).push_back({arrived, time.end});
    }
    of(BalanceUse::host) = host_time(input_.profile, rank, loads_);
    std::vector<Interval> taken;
    for (const BalanceUse use :
         {BalanceUse::compute, BalanceUse::copy, BalanceUse::transfer, BalanceUse::wait, BalanceUse::host}) {
      std::vector<Interval>& times = of(use);
      times = without(joined(std::move(times)), taken);
      taken.insert(taken.end(), times.begin(), times.end());
      taken = joined(std::move(taken));
    }
    RankBalance sum{.rank = r};
    for (std::size_t s = 0; s < rank.steps.size(); ++s) {
      const trace::Step& step = rank.steps[s];
      if (!input_.scope.has_step(input_.profile, r, static_cast<std::uint32_t>(s))) continue;
      StepBalance split{.rank = r, .name = step.name, .time = step.time};
      if (ends_[r][s] > step.time.begin)
        split.time.end = ends_[r][s];
      else
        ++balance.uncommon;
      Ns rest = split.time.length();
      for (std::size_t use = 0; use + 1 < kBalanceUses; ++use) {
        split.uses[use] = common_length(split.time, uses[use]);
        rest -= split.uses[use];
      }
      split.uses[kBalanceUses - 1] = rest;
      for (std::size_t use = 0; use < kBalanceUses; ++use) sum.mean[use] += split.uses[use];
      ++sum.steps;
      balance.steps.push_back(split);
    }
    if (sum.steps == 0) return;
    for (Ns& use : sum.mean) use /= static_cast<Ns>(sum.steps);
    balance.ranks.push_back(sum);
  }

 private:
  const AnalysisInput& input_;
  const JobCollectives& matches_;
  std::vector<bool> loads_;            // by name id
  std::vector<Ns> waits_;              // by event
  std::vector<std::vector<Ns>> ends_;  // by rank and step: end of the last common collective
};

/// Splits the steps within the scope's range.
Balance balance_of(const AnalysisInput& input, const RankComparison& comparison, const JobFaults& faults,
                   ClockChoice choice) {
  Balance balance;
  const GpuRows rows(input.profile, {input.scope.ranks, {}}, {.rules = input.values.text(kKernelClassParameter.name)},
                     input.cancel, input.shared);
  const Splitter splitter(input, comparison, choice);
  for (const std::uint32_t r : rows.ranks()) {
    if (cancelled(input.cancel)) break;
    splitter.add_rank(r, *rows.of(r), balance);
  }
  for (RankBalance& rank : balance.ranks) rank.fault = fault_of(faults, rank.rank);
  return balance;
}

/// Returns a quantile of each use over the ranks.
BalanceUses quantile_of(const Balance& balance, double quantile) {
  BalanceUses uses{};
  if (balance.ranks.empty()) return uses;
  for (std::size_t use = 0; use < kBalanceUses; ++use) {
    std::vector<Ns> values;
    for (const RankBalance& rank : balance.ranks) values.push_back(rank.mean[use]);
    const auto at = values.begin() + std::lround(quantile * static_cast<double>(values.size() - 1));
    std::ranges::nth_element(values, at);
    uses[use] = *at;
  }
  return uses;
}

constexpr std::array kParameters{kClocksParameter, kKernelClassParameter};
constexpr std::array kRoles{ColumnRole::compute, ColumnRole::transfer,  ColumnRole::waiting,
                            ColumnRole::memory,  ColumnRole::host_work, ColumnRole::idle};
static_assert(kRoles.size() == kBalanceUses);
constexpr std::size_t kMostBarsOfRanks = 64;
constexpr std::array kQuantiles{0.05, 0.25, 0.5, 0.75, 0.95};
constexpr std::array<std::string_view, kQuantiles.size()> kQuantileWords{
    "5th percentile", "25th percentile", "median rank", "75th percentile", "95th percentile"};

std::vector<Column> with_uses(std::vector<Column> columns) {
  for (std::size_t use = 0; use < kBalanceUses; ++use)
    columns.emplace_back(std::string(kBalanceWords[use]), "", ColumnKind::duration, kRoles[use], std::string(), 1, 0,
                         1);
  return columns;
}

void append(std::vector<Cell>& cells, const BalanceUses& uses) { cells.insert(cells.end(), uses.begin(), uses.end()); }

/// Bars: the median, the ranks at fault, then the others. With many ranks, quantiles of each use replace the median and
/// the others.
Table bars_table(const trace::Profile& profile, const Balance& balance) {
  Table table("rank-balance", "Rank steps, overlaid",
              with_uses({{"ranks", "", ColumnRole::name}, {"time", "", ColumnKind::duration, {}, 1, 0, 1}}));
  const auto add = [&](const std::string& name, const BalanceUses& uses) {
    std::vector<Cell> cells{name, sum_of(uses)};
    append(cells, uses);
    table.add_row(cells);
  };
  const auto name_of = [&](const RankBalance& rank) {
    return fmt::format("rank {}", profile.ranks[rank.rank]->number);
  };
  const bool many = balance.ranks.size() > kMostBarsOfRanks;
  if (many)
    for (std::size_t q = 0; q < kQuantiles.size(); ++q)
      add(std::string(kQuantileWords[q]), quantile_of(balance, kQuantiles[q]));
  else if (balance.ranks.size() > 1)
    add("median rank", quantile_of(balance, 0.5));
  for (const bool at_fault : {true, false})
    for (const RankBalance& rank : balance.ranks)
      if ((rank.fault != nullptr) == at_fault && (at_fault || !many)) add(name_of(rank), rank.mean);
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
  const Balance balance = balance_of(input, *comparison, *faults, clock_choice(input.values));
  std::vector<Table> tables{bars_table(input.profile, balance), ranks_table(input.profile, balance),
                            steps_table(input.profile, balance)};
  const std::string note = joined_notes(
      {answer_of(input.profile, *comparison, *faults, balance),
       balance.uncommon == 0 ? ""
                             : fmt::format("Uses the whole step for {} without a collective common to all ranks.",
                                           counted(balance.uncommon, "step", "steps")),
       balance.ranks.size() > 1 ? comparison->clock_note(clock_choice(input.values)) : "", comparison->match_note()});
  for (Table& table : tables) table.note = note;
  return tables;
}

constexpr std::array kSeries{ChartSeries{ColumnRole::compute},   ChartSeries{ColumnRole::memory},
                             ChartSeries{ColumnRole::transfer},  ChartSeries{ColumnRole::waiting},
                             ChartSeries{ColumnRole::host_work}, ChartSeries{ColumnRole::idle}};
constexpr std::array kCharts{ChartSpec{
    "rank-balance", ChartKind::columns,
    "Mean step by rank, up to the last common collective; the median rank's bar shows the median of each part",
    kSeries}};

}  // namespace

extern const Analysis kAnalysis{
    "rank_balance",
    "Rank steps, overlaid",
    "Each rank's mean step, split by activity, up to the end of the last collective common to all ranks. Each moment "
    "counts once, as the first of these that applies: kernels; memory operations; data transfer in collectives "
    "or waiting for their last rank; the host running an operator, runtime call or data loader; idle. Shows means "
    "over the steps in the range; with more than 64 ranks, shows quantiles and the ranks at fault (what_if). Also "
    "lists "
    "each rank and each step.",
    kParameters,
    run,
    kCharts};

}  // namespace warpscope::analysis::registered::rank_balance
