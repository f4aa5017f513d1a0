// late_ranks: which ranks arrive last at collectives, and how long the others wait for them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>

#include "core/analysis/causes/fault_text.hpp"
#include "core/analysis/ranks/late_arrivals.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/base/counted.hpp"

namespace warpscope::analysis::registered::late_ranks {

namespace {

constexpr std::array kParameters{kClocksParameter, kKernelClassParameter};

std::vector<Column> figure_columns() {
  return {{"collectives", "", ColumnRole::collectives},
          {"times last", "", ColumnRole::last_to_arrive},
          {"waited", "", ColumnKind::duration, std::string(), 1, 0, 1},
          {"marginal as last", "", ColumnRole::delay_caused, {}, 1, 0, 1},
          {"waited by others as last", "", ColumnKind::duration, std::string(), 1, 0, 1},
          {"wait caused", "", ColumnRole::wait_caused}};
}

void add_figures(std::vector<Cell>& cells, const Arrivals& sum) {
  cells.insert(cells.end(), {sum.collectives, sum.last, sum.waited, sum.marginal, sum.waited_by_others, sum.caused});
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const auto comparison = compare_ranks(input);
  const trace::Profile& profile = input.profile;
  const ClockChoice clocks = clock_choice(input.values);
  const LateArrivals arrivals = late_arrivals(*comparison, input.scope, clocks);
  const bool compared = comparison->matches().compared.size() >= 2 && !arrivals.by_rank.empty();
  const auto faults = compared ? shared_faults(input) : std::make_shared<const JobFaults>();
  std::vector<Column> columns{{"rank", "", ColumnRole::rank}};
  for (Column& column : figure_columns()) columns.push_back(std::move(column));
  columns.push_back({"cause", "", ColumnRole::answer});
  Table by_rank("late-ranks", "Late ranks", std::move(columns));
  std::vector<std::pair<std::uint32_t, Arrivals>> sorted(arrivals.by_rank.begin(), arrivals.by_rank.end());
  std::ranges::stable_sort(sorted, std::greater(), [](const auto& each) { return each.second.caused; });
  std::vector<std::string> causes;
  causes.reserve(sorted.size());  // cells refer to them
  for (const auto& [rank, sum] : sorted) {
    std::vector<Cell> cells{profile.ranks[rank]->number};
    add_figures(cells, sum);
    if (const Fault* const fault = fault_of(*faults, rank))
      cells.emplace_back(causes.emplace_back(cause_text(profile, *fault)));
    by_rank.add_row(cells);
  }
  columns = {{"step", "", ColumnRole::step}, {"rank", "", ColumnRole::rank}};
  for (Column& column : figure_columns()) columns.push_back(std::move(column));
  Table by_step("late-by-step", "Late ranks by step", std::move(columns));
  for (const std::string_view step : arrivals.steps)
    for (auto at = arrivals.by_step.lower_bound({step, 0}); at != arrivals.by_step.end() && at->first.first == step;
         ++at) {
      std::vector<Cell> cells{step.empty() ? Cell("outside steps") : Cell(step),
                              profile.ranks[at->first.second]->number};
      add_figures(cells, at->second);
      by_step.add_row(cells);
    }
  const std::string why = comparison->matches().compared.size() < 2 ? too_few_ranks(profile, "Finding late ranks")
                          : compared                                ? late_answer(profile, *comparison, *faults)
                                     : "No collectives match across ranks with the same role.";
  const std::string roles =
      arrivals.excluded == 0
          ? ""
          : fmt::format("Excludes {} between ranks with different roles, such as pipeline stages.",
                        counted(arrivals.excluded, "collective or transfer", "collectives and transfers"));
  by_rank.note = by_step.note =
      joined_notes({why, compared ? comparison->clock_note(clocks) : "", roles, comparison->match_note()});
  return std::vector{std::move(by_rank), std::move(by_step)};
}

constexpr std::array kCharts{ChartSpec{.table = "late-ranks", .y = ColumnRole::wait_caused},
                             ChartSpec{.table = "late-by-step",
                                       .kind = ChartKind::grid,
                                       .title = "Wait caused: time other ranks spend waiting for each rank",
                                       .x = ColumnRole::step,
                                       .y = ColumnRole::wait_caused}};

}  // namespace

extern const Analysis kAnalysis{
    "late_ranks",
    "Late ranks",
    "How often each rank arrives last at collectives, how long the others wait for it, and why. Counts only "
    "collectives among ranks with the same role, because pipeline stages wait for each other by design. Wait caused "
    "is how long other ranks waited for this one; where they waited for several, these share the time equally. It may "
    "pass on another rank's delay. The cause "
    "comes from the replay (what_if). "
    "Marginal is how much earlier a collective could have started without its last rank. Counts only steps that lie "
    "entirely within the range.",
    kParameters,
    run,
    kCharts};

}  // namespace warpscope::analysis::registered::late_ranks
