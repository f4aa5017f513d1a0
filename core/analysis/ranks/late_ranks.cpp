// late_ranks: which ranks arrive last at collectives, and how long the others wait for them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "core/analysis/ranks/late_arrivals.hpp"
#include "core/analysis/ranks/late_explanation.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/base/counted.hpp"

namespace warpscope::analysis::registered::late_ranks {

namespace {

constexpr std::array kParameters{kClocksParameter, kKernelClassParameter};

struct RankSum : Arrivals {
  double lost = 0;  // ns that others waited because of this rank
};

std::vector<Column> figure_columns() {
  return {{"collectives", "", ColumnRole::collectives},
          {"times last", "", ColumnRole::last_to_arrive},
          {"waited", "", ColumnKind::duration, std::string(), 1, 0, 1},
          {"marginal as last", "", ColumnRole::delay_caused, {}, 1, 0, 1},
          Column("waited by others as last", "", ColumnRole::wait_caused, {}, 1, 0, 1).labeled("wait caused"),
          {"GPU time lost", "", ColumnRole::waiting, {}, 1, 0, 1}};
}

void add_figures(std::vector<Cell>& cells, const RankSum& sum) {
  cells.insert(cells.end(),
               {sum.collectives, sum.last, sum.waited, sum.marginal, sum.waited_by_others, std::llround(sum.lost)});
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const auto explanation = explain_late_ranks(input);
  const RankComparison& comparison = *explanation->comparison;
  const trace::Profile& profile = input.profile;
  const ClockChoice clocks = clock_choice(input.values);
  const LateArrivals arrivals = late_arrivals(comparison, input.scope, clocks);
  std::map<std::uint32_t, RankSum> ranks;
  for (const auto& [rank, sum] : arrivals.by_rank) ranks[rank] = RankSum{sum};
  std::map<std::pair<std::string_view, std::uint32_t>, RankSum> steps;
  for (const auto& [at, sum] : arrivals.by_step) steps[at] = RankSum{sum};
  for (const auto& [at, lost] : explanation->sum.by_step) {
    ranks[at.second].lost += lost;
    steps[at].lost += lost;
  }
  std::vector<Column> columns{{"rank", "", ColumnRole::rank}};
  for (Column& column : figure_columns()) columns.push_back(std::move(column));
  columns.push_back({"cause", "", ColumnRole::answer});
  Table by_rank("late-ranks", "Late ranks", std::move(columns));
  std::vector<std::pair<std::uint32_t, RankSum>> sorted(ranks.begin(), ranks.end());
  std::ranges::stable_sort(sorted, std::greater(), [](const auto& each) { return each.second.lost; });
  for (const auto& [rank, sum] : sorted) {
    std::vector<Cell> cells{profile.ranks[rank]->number};
    add_figures(cells, sum);
    const auto cause = std::ranges::find_if(explanation->sum.causes, [&, late = rank](const Blame& blame) {
      return blame.rank == late && blame.stands_out;
    });
    if (cause != explanation->sum.causes.end()) cells.emplace_back(cause->sentence);
    by_rank.add_row(cells);
  }
  columns = {{"step", "", ColumnRole::step}, {"rank", "", ColumnRole::rank}};
  for (Column& column : figure_columns()) columns.push_back(std::move(column));
  Table by_step("late-by-step", "Late ranks by step", std::move(columns));
  for (const std::string_view step : arrivals.steps)
    for (auto at = steps.lower_bound({step, 0}); at != steps.end() && at->first.first == step; ++at) {
      std::vector<Cell> cells{step.empty() ? Cell("outside steps") : Cell(step),
                              profile.ranks[at->first.second]->number};
      add_figures(cells, at->second);
      by_step.add_row(cells);
    }
  const std::string why = comparison.matches().compared.size() < 2 ? too_few_ranks(profile, "Finding late ranks")
                          : ranks.empty() ? "No collectives match across ranks with the same role."
                                          : conclusion(explanation->sum);
  const std::string roles =
      arrivals.excluded == 0
          ? ""
          : fmt::format("Excludes {} between ranks with different roles, such as pipeline stages.",
                        counted(arrivals.excluded, "collective or transfer", "collectives and transfers"));
  by_rank.note = by_step.note =
      joined_notes({why, ranks.empty() ? "" : comparison.clock_note(clocks), roles, comparison.match_note()});
  return std::vector{std::move(by_rank), std::move(by_step)};
}

constexpr std::array kCharts{ChartSpec{.table = "late-ranks", .y = ColumnRole::waiting},
                             ChartSpec{.table = "late-by-step",
                                       .kind = ChartKind::grid,
                                       .title = "GPU time lost: time other ranks spend waiting because of each rank",
                                       .x = ColumnRole::step,
                                       .y = ColumnRole::waiting}};

}  // namespace

extern const Analysis kAnalysis{
    "late_ranks",
    "Late ranks",
    "How often each rank arrives last at collectives, how long the others wait for it, and why. Counts only "
    "collectives among ranks with the same role, because pipeline stages wait for each other by design. GPU time lost "
    "is the time other ranks spend waiting because of this rank, directly or because other ranks pass on its delay. "
    "Marginal is how much earlier a collective could have started without its last rank. Counts only steps that lie "
    "entirely within the range.",
    kParameters,
    run,
    kCharts};

}  // namespace warpscope::analysis::registered::late_ranks
