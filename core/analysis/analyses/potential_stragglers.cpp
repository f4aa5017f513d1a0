// potential_stragglers: ranks that arrive last in collectives, as HTA finds them; without `hta`, from late_ranks.
#include <algorithm>
#include <array>
#include <functional>
#include <tuple>

#include "core/analysis/ranks/late_arrivals.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/gpu_rows.hpp"
#include "core/analysis/shared/hta_stragglers.hpp"

namespace warpscope::analysis::registered::potential_stragglers {

namespace {

constexpr std::array kParameters{integer_parameter("num_candidates", "number of candidates", "2", 1, 1e6),
                                 kHtaParameter,
                                 kRoundingParameter,
                                 kCommunicationParameter,
                                 kClocksParameter,
                                 kKernelClassParameter};

struct Straggler {
  std::uint64_t steps = 0;  // among the latest
  Arrivals arrivals{};
};

using Stragglers = std::vector<std::pair<std::uint32_t, Straggler>>;  // by rank index

std::string add_as_hta(const AnalysisInput& input, const KernelClasses::Choice& choice, std::size_t most,
                       Stragglers& stragglers) {
  // Only complete kernels are comparable, so count only complete steps.
  const GpuRows all(input.profile, {input.scope.ranks, {}}, choice, input.cancel, input.shared);
  for (const auto& [rank, times] :
       hta_straggler_counts(input.profile, all, choice, most, input.scope.range, input.cancel))
    stragglers.push_back({rank, {.steps = times}});
  return stragglers.empty()
             ? "HTA compares ncclKernel… kernels across ranks; there are none in this selection."
             : "As in HTA, based on the start time of the last long execution of one ncclKernel… kernel.";
}

std::string add_late_ranks(const AnalysisInput& input, Stragglers& stragglers) {
  const auto comparison = compare_ranks(input);
  const ClockChoice clocks = clock_choice(input.values);
  for (const auto& [rank, arrivals] : late_arrivals(*comparison, input.scope, clocks).by_rank)
    stragglers.push_back({rank, {.arrivals = arrivals}});
  if (comparison->matches().compared.size() < 2) return too_few_ranks(input.profile, "Finding stragglers");
  if (stragglers.empty()) return joined_notes({"No collective ran on more than one rank.", comparison->match_note()});
  return joined_notes({"The same figures as in late_ranks, which also shows causes.", comparison->clock_note(clocks),
                       comparison->match_note()});
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const KernelClasses::Choice choice = KernelClasses::choice(input.values);
  const auto most = static_cast<std::size_t>(input.values.integer("num_candidates"));
  Table table("potential-stragglers", "Potential stragglers",
              {{"rank", "", ColumnRole::rank, "rank"},
               {"candidate", "", ColumnRole::remark, "candidate"},
               {"steps among the latest", "", ColumnKind::integer, "steps_among_latest"},
               {"delay caused", "", ColumnRole::delay_caused, "delay_caused(us)", 1000},
               {"wait time caused", "", ColumnRole::wait_caused, "wait_caused(us)", 1000},
               {"last to arrive", "", ColumnRole::last_to_arrive, "last_to_arrive"},
               {"collectives", "", ColumnRole::collectives, "collectives"}});
  Stragglers stragglers;
  table.note = choice.hta ? add_as_hta(input, choice, most, stragglers) : add_late_ranks(input, stragglers);
  std::ranges::stable_sort(stragglers, std::greater(), [](const auto& each) {
    return std::tuple(each.second.arrivals.marginal, each.second.steps, each.second.arrivals.waited_by_others);
  });
  for (std::size_t i = 0; i < stragglers.size(); ++i) {
    const auto& [rank, straggler] = stragglers[i];
    const Arrivals& arrivals = straggler.arrivals;
    const bool candidate = i < most && (choice.hta ? straggler.steps > 0 : arrivals.marginal > 0);
    std::vector<Cell> cells{input.profile.ranks[rank]->number, candidate ? "yes" : "no"};
    if (choice.hta)
      cells.emplace_back(straggler.steps);
    else
      cells.insert(cells.end(),
                   {Cell(), arrivals.marginal, arrivals.waited_by_others, arrivals.last, arrivals.collectives});
    table.add_row(cells);
  }
  return std::vector{std::move(table)};
}

}  // namespace

extern const Analysis kAnalysis{
    "potential_stragglers", "Potential stragglers",
    "Ranks that arrive last in collectives, with the delay each one causes and the wait time of the other ranks. The "
    "delay of a collective is the time between its last two arrivals and is charged to the last rank only; see "
    "late_ranks for causes. HTA compares the start times of a single kernel and recognizes only NCCL's old kernel "
    "names.",
    kParameters, run};

}  // namespace warpscope::analysis::registered::potential_stragglers
