// potential_stragglers: which ranks the others wait for in their collectives.
//
// Whoever comes early into a collective waits in it for the last, and all leave it at about the same time: who is in it
// for the shortest time came last. So a rank was late by what its run of a collective is shorter than the longest of
// all ranks' runs of it, which needs no clocks that agree. Runs of ranks are of one collective if they are the k-th of
// their name in the same step.
#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "core/analysis/gpu_rows.hpp"
#include "core/analysis/hta_stragglers.hpp"
#include "core/analysis/registry.hpp"
#include "core/analysis/runs.hpp"
#include "core/analysis/samples.hpp"
#include "core/analysis/tables.hpp"

namespace warpscope::analysis::registered::potential_stragglers {

namespace {

constexpr std::array kParameters{Parameter{.name = "num_candidates",
                                           .about = "how many ranks are named, in each step and in all",
                                           .kind = ParameterKind::integer,
                                           .preset = "2",
                                           .least = 1,
                                           .most = 1e6},
                                 kHtaParameter, kRoundingParameter, kCommunicationParameter, kKernelClassParameter};

/// Collectives that take less of a mean step than this are left out.
constexpr double kLeastShare = 0.01;

/// The k-th step of a name.
using StepKey = std::pair<NameId, std::uint32_t>;

/// The k-th run of a name in a step.
struct CollectiveKey {
  StepKey step;
  NameId name = 0;
  std::uint32_t occurrence = 0;
  friend auto operator<=>(const CollectiveKey&, const CollectiveKey&) = default;
};

struct Run {
  CollectiveKey collective;
  std::uint32_t rank = 0;  // index
  Ns duration = 0;
};

struct Late {
  Ns by = 0;
  std::uint64_t collectives = 0;
};

std::vector<StepKey> keys_of(const trace::Rank& rank) {
  std::map<NameId, std::uint32_t> seen;
  std::vector<StepKey> keys;
  for (const trace::Step& step : rank.steps) keys.emplace_back(step.name, seen[step.name]++);
  return keys;
}

void add_runs(std::vector<Run>& runs, const trace::Rank& rank, std::uint32_t index, const std::vector<GpuRow>& rows,
              const std::optional<Interval>& range) {
  const std::vector<StepKey> keys = keys_of(rank);
  std::map<std::pair<StepKey, NameId>, std::uint32_t> seen;
  for (const GpuRow& row : rows) {
    if (row.kind != KernelClass::communication || !row.launch) continue;
    const auto step = step_at(rank, rank.begin(*row.launch));
    if (step && (!range || is_within(rank.steps[*step].time, *range)))
      runs.push_back({{keys[*step], row.name, seen[{keys[*step], row.name}]++}, index, row.time.length()});
  }
}

/// When the first rank began each step.
std::map<StepKey, Ns> begins_of(const trace::Profile& profile, const std::vector<std::uint32_t>& ranks) {
  std::map<StepKey, Ns> begins;
  for (const std::uint32_t r : ranks) {
    const std::vector<StepKey> keys = keys_of(*profile.ranks[r]);
    for (std::size_t s = 0; s < keys.size(); ++s) {
      const Ns begin = profile.ranks[r]->steps[s].time.begin;
      Ns& first = begins.try_emplace(keys[s], begin).first->second;
      first = std::min(first, begin);
    }
  }
  return begins;
}

Ns mean_step(const trace::Profile& profile, const std::vector<std::uint32_t>& ranks) {
  Ns sum = 0;
  Ns steps = 0;
  for (const std::uint32_t r : ranks) {
    for (const trace::Step& step : profile.ranks[r]->steps) sum = saturating_add(sum, step.time.length());
    steps += static_cast<Ns>(profile.ranks[r]->steps.size());
  }
  return steps == 0 ? 0 : sum / steps;
}

/// By step: how late each rank came to the collectives that it shares with others. O(n log n).
std::map<StepKey, std::map<std::uint32_t, Late>> lateness(std::vector<Run> runs, Ns least) {
  std::ranges::sort(runs, {}, [](const Run& run) { return std::pair(run.collective, run.rank); });
  std::map<StepKey, std::map<std::uint32_t, Late>> late;
  for (auto from = runs.begin(); from != runs.end();) {
    const auto to = std::find_if(from, runs.end(), [&](const Run& run) { return run.collective != from->collective; });
    Ns longest = 0;
    for (auto run = from; run != to; ++run) longest = std::max(longest, run->duration);
    if (to - from > 1 && longest >= least) {
      for (auto run = from; run != to; ++run) {
        Late& rank = late[run->collective.step][run->rank];
        rank.by = saturating_add(rank.by, longest - run->duration);
        ++rank.collectives;
      }
    }
    from = to;
  }
  return late;
}

/// The ranks that were latest by far: at most `most`, and none that was not late.
std::vector<std::uint32_t> latest(const std::map<std::uint32_t, Late>& ranks, std::size_t most) {
  std::vector<std::pair<Ns, std::uint32_t>> order;
  for (const auto& [rank, late] : ranks)
    if (late.by > 0) order.emplace_back(late.by, rank);
  std::ranges::stable_sort(order, std::greater(), [](const auto& each) { return each.first; });
  order.resize(std::min(order.size(), most));
  std::vector<std::uint32_t> result;
  for (const auto& [by, rank] : order) result.push_back(rank);
  return result;
}

struct OfAllSteps {
  std::uint64_t candidate = 0;  ///< in how many steps
  Late late;
};

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const trace::Profile& profile = input.profile;
  const KernelClasses::Choice choice = KernelClasses::choice(input.values);
  const auto most = static_cast<std::size_t>(input.values.integer("num_candidates"));
  // Only runs that are whole can be compared, so steps count whole or not at all.
  const GpuRows all(profile, {input.scope.ranks, {}}, choice, input.cancel);
  Table ranks("potential-stragglers", "Potential stragglers",
              {{"rank", "", ColumnKind::identifier, "rank"},
               {"candidate", "", ColumnKind::text, "candidate"},
               {"steps as candidate", "", ColumnKind::integer, "steps_as_candidate"},
               {"late by", "", ColumnKind::duration, "late_by(us)", 1000},
               {"collectives", "", ColumnKind::integer, "collectives"}});
  Table by_step("stragglers-by-step", "Lateness by step",
                {{"rank", "", ColumnKind::identifier, "rank"},
                 {"step", "", ColumnKind::text, "step"},
                 {"candidate", "", ColumnKind::text, "candidate"},
                 {"late by", "", ColumnKind::duration, "late_by(us)", 1000},
                 {"collectives", "", ColumnKind::integer, "collectives"}});
  std::map<std::uint32_t, OfAllSteps> sums;
  std::string note;
  if (choice.hta) {
    for (const auto& [rank, times] : hta_straggler_counts(profile, all, choice, most, input.scope.range, input.cancel))
      sums[rank].candidate = times;
    note = "As HTA counts: by the begin of the last long run of one kernel called ncclKernel….";
  } else {
    std::vector<Run> runs;
    for (const std::uint32_t r : all.ranks()) {
      add_runs(runs, *profile.ranks[r], r, all.of(r), input.scope.range);
      if (cancelled(input.cancel)) break;
    }
    const Ns least = static_cast<Ns>(kLeastShare * static_cast<double>(mean_step(profile, all.ranks())));
    const std::map<StepKey, std::map<std::uint32_t, Late>> by_key = lateness(std::move(runs), least);
    std::vector<StepKey> steps;
    for (const auto& [step, late] : by_key) steps.push_back(step);
    std::ranges::sort(steps, {}, [&, begins = begins_of(profile, all.ranks())](const StepKey& step) {
      return std::tuple(begins.at(step), profile.names().view(step.first), step.second);
    });
    for (const StepKey& step : steps) {
      const std::map<std::uint32_t, Late>& late = by_key.at(step);
      const std::vector<std::uint32_t> candidates = latest(late, most);
      for (const auto& [rank, of] : late) {
        const bool candidate = std::ranges::find(candidates, rank) != candidates.end();
        by_step.add_row({profile.ranks[rank]->number, profile.names().view(step.first), candidate ? "yes" : "no", of.by,
                         of.collectives});
        OfAllSteps& sum = sums[rank];
        sum.candidate += candidate;
        sum.late.by = saturating_add(sum.late.by, of.by);
        sum.late.collectives += of.collectives;
      }
    }
  }
  std::vector<std::pair<std::uint32_t, OfAllSteps>> order(sums.begin(), sums.end());
  std::ranges::stable_sort(order, std::greater(),
                           [](const auto& each) { return std::pair(each.second.candidate, each.second.late.by); });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& [rank, sum] = order[i];
    const bool candidate = i < most && sum.candidate > 0;
    ranks.add_row({profile.ranks[rank]->number, candidate ? "yes" : "no", sum.candidate,
                   choice.hta ? Cell() : Cell(sum.late.by), choice.hta ? Cell() : Cell(sum.late.collectives)});
  }
  if (sums.empty())
    note = all.ranks().size() < 2 ? "Stragglers are found by comparing ranks, and there are no two here."
                                  : "No collective that takes 1 % of a step ran in the same step of several ranks.";
  ranks.note = by_step.note = note;
  if (choice.hta && !sums.empty()) by_step.note = "HTA does not tell steps apart.";
  return std::vector{std::move(ranks), std::move(by_step)};
}

}  // namespace

extern const Analysis kAnalysis;
const Analysis kAnalysis{
    "potential_stragglers", "Potential stragglers",
    "Ranks that come late into collectives of at least 1 % of a step: by how much their runs are shorter than the "
    "longest, step by step; steps in the range count whole or not at all. HTA compares the begins of one kernel, of "
    "NCCL's old names only.",
    kParameters, run};

}  // namespace warpscope::analysis::registered::potential_stragglers
