// late_ranks: how long ranks wait for each other in collectives, and which fault makes a rank late.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <utility>

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

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const auto comparison = compare_ranks(input);
  const trace::Profile& profile = input.profile;
  const ClockChoice clocks = clock_choice(input.values);
  const LateArrivals arrivals = late_arrivals(*comparison, input.scope, clocks);
  const bool compared = comparison->matches().compared.size() >= 2;
  const auto faults = compared ? shared_faults(input) : std::make_shared<const JobFaults>();
  Table by_step("late-by-step", "Late ranks by step",
                {col::step, col::rank, col::collectives, Column("times last", col::last_to_arrive),
                 col::ns("waited").alike(), Column("wait caused", col::wait_caused).alike()});
  std::map<std::uint32_t, Ns> steps;  // by rank
  for (const std::string_view step : arrivals.steps)
    for (auto at = arrivals.by_step.lower_bound({step, 0}); at != arrivals.by_step.end() && at->first.first == step;
         ++at) {
      const auto& [rank, sum] = std::pair(at->first.second, at->second);
      if (!step.empty()) ++steps[rank];
      by_step.add_row({step.empty() ? Cell("outside steps") : Cell(step), profile.ranks[rank]->number, sum.collectives,
                       sum.last, sum.waited, sum.caused});
    }
  Table by_rank(
      "late-ranks", "Late ranks",
      {col::rank, col::collectives, Column("times last", col::last_to_arrive), col::ns("waited per step").alike(),
       Column("wait caused per step", col::wait_caused).alike(), Column("cause", col::answer)});
  std::map<std::uint32_t, Arrivals> ranks = arrivals.by_rank;
  if (compared)
    for (const std::uint32_t rank : comparison->matches().compared) ranks.try_emplace(rank);
  const auto fault_of_rank = [&](const auto& each) -> const Fault* {
    if (const Fault* const own = fault_of(*faults, each.first)) return own;
    const auto group = std::ranges::find_if(faults->faults, [&](const Fault& fault) {
      return fault.group && std::ranges::binary_search(fault.ranks, each.first);
    });
    return group == faults->faults.end() ? nullptr : &*group;
  };
  std::vector<std::pair<std::uint32_t, Arrivals>> sorted(ranks.begin(), ranks.end());
  std::ranges::stable_sort(sorted, std::greater(), [&](const auto& each) {
    return std::pair(each.second.caused, fault_of_rank(each) != nullptr);
  });
  for (const auto& each : sorted) {
    const auto& [rank, sum] = each;
    const Ns count = std::max<Ns>(1, steps[rank]);
    const Fault* const fault = fault_of_rank(each);
    const std::string cause = fault == nullptr ? std::string() : cause_text(profile, *fault);
    by_rank.add_row({profile.ranks[rank]->number, sum.collectives, sum.last, sum.waited / count, sum.caused / count,
                     fault == nullptr ? Cell() : Cell(cause)});
  }
  const std::string roles =
      arrivals.excluded == 0
          ? ""
          : fmt::format("Excludes {} between ranks with different roles, which wait for each other by design.",
                        counted(arrivals.excluded, "collective or transfer", "collectives and transfers"));
  by_rank.note = by_step.note = joined_notes(
      {compared ? late_answer(profile, *comparison, *faults) : too_few_ranks(profile, "Finding late ranks"),
       arrivals.by_rank.empty() ? "" : comparison->clock_note(clocks), roles, comparison->match_note()});
  return std::vector{std::move(by_rank), std::move(by_step)};
}

constexpr std::array kCharts{ChartSpec{.table = "late-ranks",
                                       .y = ColumnRole::wait_caused,
                                       .if_zero = "No rank waits in a collective for another with the same role."},
                             ChartSpec{.table = "late-by-step",
                                       .kind = ChartKind::grid,
                                       .title = "Wait caused: time other ranks spend waiting for each rank",
                                       .x = ColumnRole::step,
                                       .y = ColumnRole::wait_caused}};

}  // namespace

extern const Analysis kAnalysis{
    "late_ranks",
    "Late ranks",
    "How long each rank waits for others in collectives, how long the others wait for it, and why. Wait caused is the "
    "time of all waiting ranks; if they wait for several, these share it equally. A rank may only pass on another's "
    "delay, so the cause is that of Findings and what_if. Counts only collectives among ranks with the same role: "
    "pipeline stages wait for each other by design; one with too much work shows it as its cause. Per step is the mean "
    "over steps; without steps, it is the whole recording. Counts only steps that lie entirely within the range.",
    kParameters,
    run,
    kCharts};

}  // namespace warpscope::analysis::registered::late_ranks
