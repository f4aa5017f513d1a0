// rank_balance: the steps of all ranks laid over each other. In each step, ranks end together, at the end of the last
// collective that they have in common; so what differs from rank to rank is how they got there.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/analysis/ranks/balance_split.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis::registered::rank_balance {

namespace {

constexpr std::array kParameters{kClocksParameter, kKernelClassParameter};
constexpr std::array kRoles{ColumnRole::compute, ColumnRole::transfer,  ColumnRole::waiting,
                            ColumnRole::memory,  ColumnRole::host_work, ColumnRole::idle};
static_assert(kRoles.size() == kBalanceUses);
constexpr std::size_t kMostBarsOfRanks = 64;
constexpr std::array kQuantiles{0.05, 0.25, 0.5, 0.75, 0.95};
constexpr std::array<std::string_view, kQuantiles.size()> kQuantileWords{
    "5 % of ranks below", "25 % of ranks below", "median rank", "75 % of ranks below", "95 % of ranks below"};

std::vector<Column> with_uses(std::vector<Column> columns) {
  for (std::size_t use = 0; use < kBalanceUses; ++use)
    columns.emplace_back(std::string(kBalanceWords[use]), "", ColumnKind::duration, kRoles[use], std::string(), 1, 0,
                         1);
  return columns;
}

void append(std::vector<Cell>& cells, const BalanceUses& uses) { cells.insert(cells.end(), uses.begin(), uses.end()); }

/// Bars: the median, the ranks that stand out, then the others; of many ranks quantiles of each use instead of the
/// median and the others.
Table bars_table(const trace::Profile& profile, const Balance& balance) {
  Table table("rank-balance", "Steps of ranks, overlaid",
              with_uses({{"ranks", "", ColumnRole::name}, {"time", "", ColumnKind::duration, {}, 1, 0, 1}}));
  const auto add = [&](const std::string& name, const BalanceUses& uses) {
    Ns time = 0;
    for (const Ns each : uses) time += each;
    std::vector<Cell> cells{name, time};
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
  for (const std::uint32_t r : outliers_of(balance)) add(name_of(balance.ranks[r]), balance.ranks[r].mean);
  for (const RankBalance& rank : balance.ranks)
    if (!many && !rank.stands_out) add(name_of(rank), rank.mean);
  return table;
}

Table ranks_table(const trace::Profile& profile, const Balance& balance) {
  std::vector<Column> columns = with_uses({{"rank", "", ColumnRole::rank},
                                           {"steps", "", ColumnRole::count},
                                           {"time", "", ColumnRole::duration, {}, 1, 0, 1}});
  columns.emplace_back("differs in", "", ColumnRole::remark);
  columns.emplace_back("difference", "", ColumnKind::duration, std::string(), 1, 0, 1);
  columns.emplace_back("median of peers", "", ColumnKind::duration, std::string(), 1, 0, 1);
  columns.emplace_back("deviation of peers", "", ColumnKind::duration, std::string(), 1, 0, 1);
  columns.emplace_back("stands out", "", ColumnKind::text);
  Table table("ranks", "Balance of ranks", std::move(columns));
  for (const RankBalance& rank : balance.ranks) {
    std::vector<Cell> cells{profile.ranks[rank.rank]->number, rank.steps, rank.time()};
    append(cells, rank.mean);
    if (rank.peers > 0)
      cells.insert(cells.end(), {kBalanceWords[rank.differs_in], rank.difference, rank.median, rank.deviation,
                                 rank.stands_out ? "yes" : "no"});
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

std::string answer_of(const trace::Profile& profile, const Balance& balance) {
  constexpr std::size_t kMost = 3;
  if (balance.ranks.empty())
    return balance.without_steps > 0 ? "The traces have no steps in this range." : "No GPU activity here.";
  if (balance.ranks.size() < 2) return "Comparing ranks takes several, and there is only one here.";
  const std::vector<std::uint32_t> outliers = outliers_of(balance);
  if (outliers.empty()) return "No rank stands out from its peers.";
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, outliers.size()); ++i) {
    const RankBalance& rank = balance.ranks[outliers[i]];
    text += fmt::format("{} {}: {} {} {} time per step than its peers ({})", i == 0 ? "Rank" : "; rank",
                        profile.ranks[rank.rank]->number, format_duration(std::abs(rank.difference)),
                        rank.difference > 0 ? "more" : "less", kBalanceWords[rank.differs_in],
                        format_duration(rank.median));
  }
  if (outliers.size() > kMost)
    text += fmt::format("; and {}", counted(outliers.size() - kMost, "other rank", "other ranks"));
  return text + ".";
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const auto comparison = compare_ranks(input);
  const Balance balance = balance_of(input, *comparison, clock_choice(input.values));
  std::vector<Table> tables{bars_table(input.profile, balance), ranks_table(input.profile, balance),
                            steps_table(input.profile, balance)};
  const std::string note = joined_notes(
      {answer_of(input.profile, balance),
       balance.uncommon == 0
           ? ""
           : fmt::format("{} without a collective that all ranks have in common count to their own end.",
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
    "Mean step by rank, up to the last common collective; of the median rank: the median of each part", kSeries}};

}  // namespace

extern const Analysis kAnalysis{
    "rank_balance",
    "Steps of ranks, overlaid",
    "What the mean step of each rank consists of, up to the end of the last collective that all ranks have in common, "
    "where they are together again. Each moment counts once: kernels; else memory operations; else data transfer of "
    "collectives, and waiting in them for the last rank; else the host, while it is in an operator, a runtime call or "
    "the data loader; else idle. Means over the steps in the range, against the median of the ranks of the same role; "
    "of more than 64 ranks, quantiles and the ranks that stand out. Then each rank and each step.",
    kParameters,
    run,
    kCharts};

}  // namespace warpscope::analysis::registered::rank_balance
