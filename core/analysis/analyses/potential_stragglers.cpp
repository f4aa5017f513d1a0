// potential_stragglers: ranks that arrive last in collectives, and the wait time they cause.
//
// All ranks leave a collective at about the same time, so the rank with the shortest duration arrived last. This does
// not require synchronized clocks. Without the last rank, the collective would have started when the second to last
// arrived. That difference is charged to the last rank. No other rank delayed the collective, no matter how late it
// was.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "core/analysis/ranks/collective_matching.hpp"
#include "core/analysis/ranks/rank_comparison.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/gpu_rows.hpp"
#include "core/analysis/shared/hta_stragglers.hpp"
#include "core/base/format.hpp"
#include "core/trace/recordings.hpp"

namespace warpscope::analysis::registered::potential_stragglers {

namespace {

constexpr std::array kParameters{
    integer_parameter("num_candidates", "number of candidates to list per step and in total", "2", 1, 1e6),
    kHtaParameter, kRoundingParameter, kCommunicationParameter, kKernelClassParameter};

/// Delay and wait time caused by a rank.
struct Late {
  Ns delay = 0;            ///< ns by which collectives would have started earlier
  Ns wait = 0;             ///< ns, sum of the other ranks' wait time for it
  std::uint64_t last = 0;  ///< number of collectives in which it arrived last
  std::uint64_t collectives = 0;

  Late& operator+=(const Late& other) {
    delay = saturating_add(delay, other.delay);
    wait = saturating_add(wait, other.wait);
    last += other.last;
    collectives += other.collectives;
    return *this;
  }
};

/// Recording and step.
using StepPlace = std::pair<std::uint32_t, StepKey>;
using LateRanks = std::map<std::uint32_t, Late>;  // by rank index

/// Returns the time at which the first rank started each step.
std::map<StepPlace, Ns> starts_of(const trace::Profile& profile, const trace::Recordings& recordings,
                                  const std::vector<std::uint32_t>& ranks) {
  std::map<StepPlace, Ns> starts;
  for (const std::uint32_t r : ranks) {
    const std::vector<StepKey> keys = step_keys(*profile.ranks[r]);
    for (std::size_t s = 0; s < keys.size(); ++s) {
      const Ns start = profile.ranks[r]->steps[s].time.begin;
      Ns& first = starts.try_emplace({recordings.of_rank[r], keys[s]}, start).first->second;
      first = std::min(first, start);
    }
  }
  return starts;
}

/// Charges a collective to the last rank to arrive, or to none if several ranks tie for last or a kernel has no
/// duration.
void charge(const MatchedCollective& collective, LateRanks& ranks) {
  for (const CollectiveMember& member : collective.members) ++ranks[member.rank].collectives;
  const LastArrival last = last_arrival(collective);
  if (last.delay == 0 || last.length <= 0) return;
  Late& late = ranks[last.member->rank];
  ++late.last;
  late.delay = saturating_add(late.delay, last.delay);
  late.wait = saturating_add(late.wait, last.wait);
}

/// Returns the ranks that caused the most delay: at most `most`, excluding ranks that caused none.
std::vector<std::uint32_t> latest(const LateRanks& ranks, std::size_t most) {
  std::vector<std::pair<Ns, std::uint32_t>> order;
  for (const auto& [rank, late] : ranks)
    if (late.delay > 0) order.emplace_back(late.delay, rank);
  std::ranges::stable_sort(order, std::greater(), [](const auto& each) { return each.first; });
  order.resize(std::min(order.size(), most));
  std::vector<std::uint32_t> result;
  result.reserve(order.size());
  for (const auto& [delay, rank] : order) result.push_back(rank);
  return result;
}

struct OfAllSteps {
  std::uint64_t among_latest = 0;  ///< number of steps
  Late late;
};

/// Returns the columns of a table, with `special` between the rank and its costs.
std::vector<Column> columns_of(std::vector<Column> special, bool several_recordings) {
  std::vector<Column> columns{{"rank", "", ColumnRole::rank, "rank"}};
  if (several_recordings) columns.push_back({"recording", "", ColumnKind::identifier, "recording"});
  columns.insert(columns.end(), special.begin(), special.end());
  columns.push_back({"delay caused", "", ColumnRole::delay_caused, "delay_caused(us)", 1000});
  columns.push_back({"wait time caused", "", ColumnRole::wait_caused, "wait_caused(us)", 1000});
  columns.push_back({"last to arrive", "", ColumnRole::last_to_arrive, "last_to_arrive"});
  columns.push_back({"collectives", "", ColumnRole::collectives, "collectives"});
  return columns;
}

std::string note_of(const trace::Profile& profile, const CollectiveMatches& matches, std::size_t ranks,
                    std::uint32_t recordings) {
  if (ranks < 2) return too_few_ranks(profile, "Finding stragglers");
  std::string text;
  if (!matches.unreadable.empty())
    text =
        fmt::format("Ranks not compared because the arguments of collectives cannot be read: {}.", matches.unreadable);
  else if (!matches.refused.empty())
    text = fmt::format("Ranks not compared because the traces do not record process groups, and {}.", matches.refused);
  else if (matches.collectives.empty())
    text = "No collective ran on more than one rank.";
  else
    text = fmt::format(
        "{} {} compared{}.", format_count(static_cast<std::int64_t>(matches.collectives.size())),
        matches.collectives.size() == 1 ? "collective" : "collectives",
        matches.by_name ? ", matched by kernel name and order because the traces do not record process groups" : "");
  const std::string apart =
      recordings < 2
          ? ""
          : fmt::format("Ranks from different recordings ({}) are not compared with each other.", recordings);
  return joined_notes({text, unmatched_note(matches), apart});
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const trace::Profile& profile = input.profile;
  const KernelClasses::Choice choice = KernelClasses::choice(input.values);
  const auto most = static_cast<std::size_t>(input.values.integer("num_candidates"));
  // Only complete kernels are comparable, so count only complete steps.
  const GpuRows all(profile, {input.scope.ranks, {}}, choice, input.cancel, input.shared);
  const trace::Recordings recordings = trace::recordings_of(profile.ranks);
  const bool several = recordings.count > 1;
  Table ranks("potential-stragglers", "Potential stragglers",
              columns_of({{"candidate", "", ColumnRole::remark, "candidate"},
                          {"steps among the latest", "", ColumnKind::integer, "steps_among_latest"}},
                         several));
  Table by_step("stragglers-by-step", "Delay caused, by step",
                columns_of({{"step", "", ColumnRole::step, "step"}, {"candidate", "", ColumnRole::remark, "candidate"}},
                           several));
  const auto add_row = [&](Table& table, std::uint32_t rank, Cell first, Cell second, const Late* late) {
    std::vector<Cell> cells{profile.ranks[rank]->number};
    if (several) cells.emplace_back(recordings.of_rank[rank] + 1);
    cells.insert(cells.end(), {first, second});
    if (late != nullptr) cells.insert(cells.end(), {late->delay, late->wait, late->last, late->collectives});
    table.add_row(cells);
  };
  std::map<std::uint32_t, OfAllSteps> sums;
  std::string note;
  if (choice.hta) {
    for (const auto& [rank, times] : hta_straggler_counts(profile, all, choice, most, input.scope.range, input.cancel))
      sums[rank].among_latest = times;
    note = "As in HTA, based on the start time of the last long execution of one ncclKernel… kernel.";
    if (sums.empty()) note = "HTA compares ncclKernel… kernels across ranks; there are none in this selection.";
  } else {
    const CollectiveMatches matches = match_collectives(input, all);
    std::map<StepPlace, LateRanks> by_place;
    for (const MatchedCollective& collective : matches.collectives)
      charge(collective, by_place[{collective.recording, collective.step}]);
    std::vector<StepPlace> places;
    places.reserve(by_place.size());
    for (const auto& [place, late] : by_place) places.push_back(place);
    std::ranges::sort(places, {}, [&, starts = starts_of(profile, recordings, all.ranks())](const StepPlace& place) {
      const auto start = starts.find(place);
      return std::tuple(start == starts.end(), start == starts.end() ? Ns{0} : start->second, place.first,
                        profile.names().view(place.second.first), place.second.second);
    });
    for (const StepPlace& place : places) {
      const LateRanks& late = by_place.at(place);
      const std::vector<std::uint32_t> candidates = latest(late, most);
      const bool step = place.second != StepKey();
      for (const auto& [rank, of] : late) {
        const bool candidate = std::ranges::find(candidates, rank) != candidates.end();
        add_row(by_step, rank, step ? profile.names().view(place.second.first) : "outside steps",
                candidate ? "yes" : "no", &of);
        OfAllSteps& sum = sums[rank];
        sum.among_latest += candidate && step;
        sum.late += of;
      }
    }
    note = note_of(profile, matches, all.ranks().size(), recordings.count);
  }
  std::vector<std::pair<std::uint32_t, OfAllSteps>> order(sums.begin(), sums.end());
  std::ranges::stable_sort(order, std::greater(), [](const auto& each) {
    return std::tuple(each.second.late.delay, each.second.among_latest, each.second.late.wait);
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& [rank, sum] = order[i];
    const bool candidate = i < most && (choice.hta ? sum.among_latest > 0 : sum.late.delay > 0);
    add_row(ranks, rank, candidate ? "yes" : "no", sum.among_latest, choice.hta ? nullptr : &sum.late);
  }
  ranks.note = by_step.note = note;
  if (choice.hta && !sums.empty()) by_step.note = "HTA does not distinguish steps.";
  return std::vector{std::move(ranks), std::move(by_step)};
}

}  // namespace

extern const Analysis kAnalysis{
    "potential_stragglers", "Potential stragglers",
    "Ranks that arrive last in collectives, with the delay each one causes and the wait time of the other ranks. The "
    "delay of a collective is the time between its last two arrivals and is charged to the last rank only. Arrivals "
    "are compared by kernel duration, within process groups, step by step. Only steps that lie entirely within the "
    "range are counted. HTA compares the start times of a single kernel and recognizes only NCCL's old kernel names.",
    kParameters, run};

}  // namespace warpscope::analysis::registered::potential_stragglers
