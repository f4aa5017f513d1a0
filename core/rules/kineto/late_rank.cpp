// LateRank: ranks that arrive late in collectives. Combines two methods.
//
// To find the last rank: all ranks finish a collective together, so the rank with the shortest kernel arrived last.
// This works without synchronized clocks. The last rank delays the collective by the time between the second-to-last
// arrival and its own, and costs the wait time of all other ranks. To find the cause:
// core/analysis/ranks/faulty_ranks.hpp lists the ranks that stand out among the causes of late ranks. These include
// ranks that are late only once, and exclude ranks that only pass on the delay of another rank.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/ranks/cause_sentences.hpp"
#include "core/analysis/ranks/faulty_ranks.hpp"
#include "core/analysis/ranks/job_replay.hpp"
#include "core/analysis/ranks/medians.hpp"
#include "core/base/format.hpp"
#include "core/rules/facts.hpp"
#include "core/rules/kineto/named_calls.hpp"
#include "core/rules/kineto/profile_rule.hpp"
#include "core/rules/kineto/rank_work.hpp"
#include "core/rules/rule.hpp"

namespace warpscope::rules::registered::late_rank {

namespace {

/// A rank at fault, with the estimated savings and the places where the delay occurs.
struct Culprit : analysis::FaultyRank {
  double saved = 0;  ///< fraction of the job's time that a replay saves if this rank is as fast as its peers
  std::string advice{};
  std::vector<Place> places{};       ///< where the delay occurs, largest first
  std::vector<Place> late_starts{};  ///< collectives that are late for a reason before anything recorded in the step
};

using analysis::Blame;
using analysis::CauseClass;
using analysis::kNoIndex;
using analysis::NamedBlame;

constexpr std::size_t kReplayed = 3;
constexpr std::size_t kPlaces = 3;  // per cause, one for each of the names with the most time lost

/// Returns the time of the rank's step with this name, or the rank's whole span if there is none.
Interval step_on(const trace::Rank& rank, const trace::Profile& profile, std::string_view name) {
  for (const trace::Step& step : rank.steps)
    if (!name.empty() && profile.names().view(step.name) == name) return step.time;
  return rank.span;
}

/// Adds the longest call with this name in the step where it costs the most time.
void add_call(Facts& facts, const Blame& blame, const NamedBlame& named, std::vector<Place>& places) {
  if (named.key.name == 0 || named.where == kNoIndex) return;
  const trace::Profile& profile = facts.profile();
  const auto& comparison = *facts.late_explanation().comparison;
  const std::string_view name = profile.names().view(named.key.name);
  const Interval step =
      step_on(*profile.ranks[blame.rank], profile, comparison.step_of(comparison.matches().collectives[named.where]));
  const HostCall* longest = nullptr;
  const auto calls = named_calls(facts, blame.rank, [&](std::string_view each) { return each == name; });
  for (const HostCall& call : calls)
    if (call.time.begin < step.end && call.time.end > step.begin &&
        (longest == nullptr || call.time.length() > longest->time.length()))
      longest = &call;
  if (longest == nullptr) return;
  Place place = at_slice(facts, blame.rank, longest->slice);
  place.weight = std::llround(named.lost);
  places.push_back(std::move(place));
}

/// Adds the rank's kernel of the collective in which the other ranks waited longest. If the rank has none, because it
/// delayed another stage, adds its longest activity with this name.
void add_activity(Facts& facts, const Blame& blame, const NamedBlame& named, std::vector<Place>& places) {
  if (named.where == kNoIndex) return;
  const analysis::JobCollectives& matches = facts.late_explanation().comparison->matches();
  const auto add = [&](trace::SliceOrdinal slice, std::string text) {
    Place place = at_slice(facts, blame.rank, slice, std::move(text));
    place.weight = std::llround(named.lost);
    places.push_back(std::move(place));
  };
  for (const std::uint32_t e : matches.members_of(matches.collectives[named.where])) {
    const analysis::CommunicationEvent& event = matches.event(e);
    if (event.rank != blame.rank) continue;
    add(event.slice,
        blame.cause == CauseClass::before
            ? fmt::format("arrives late: its step starts {} late", format_duration(named.most))
            : fmt::format("arrives late: {} {} longer", analysis::name_of(facts.profile(), matches, named.key),
                          format_duration(named.most)));
    return;
  }
  const auto rows = facts.rows(blame.rank);
  const auto length = [&](const analysis::GpuRow& row) {
    return row.name == named.key.name ? row.time.length() : Ns{-1};
  };
  const auto longest = std::ranges::max_element(*rows, {}, length);
  if (longest != rows->end() && length(*longest) >= 0) add(longest->slice, {});
}

void replay(Facts& facts, std::span<Culprit> ranks) {
  const analysis::LateExplanation& explanation = facts.late_explanation();
  analysis::JobReplay replay(facts.input(), *explanation.comparison, explanation.finder->forest());
  const auto span = static_cast<double>(replay.identity_span());
  if (span <= 0) return;
  for (Culprit& culprit : ranks) {
    if (facts.cancelled()) return;
    culprit.saved = 1 - static_cast<double>(replay.span_with(std::array{culprit.rank})) / span;
  }
}

std::string advice_for(const Blame& blame) {
  const CauseClass key = blame.names.empty() ? blame.cause : blame.names.front().key.cause;
  const CauseClass cause = key == CauseClass::launch ? key : blame.cause;
  const bool recorded = !blame.names.empty() && blame.names.front().key.name != 0;
  switch (cause) {
    case CauseClass::host:
      return fmt::format(
          "{}. Possible causes are slow input, other processes on its host, CPU binding and garbage collection.",
          recorded ? "Look at the slow call on the rank's launching thread in the Timeline"
                   : "Record Python stacks (with_stack=True) to see what the rank's launching thread does");
    case CauseClass::launch:
      return "Check what else runs on the rank's GPU between the launch and the start: other streams, other processes.";
    case CauseClass::before:
      return "To see why the step starts late, record the steps before it, too.";
    case CauseClass::transfer:
      return "Check the rank's links with nvidia-smi nvlink -e, its network adapters' counters, and NCCL_DEBUG=INFO.";
    case CauseClass::gap:
      return "Compare the rank's GPU activity around the gaps with another rank's in the Timeline.";
    case CauseClass::kernel:
    case CauseClass::memory:
      break;
  }
  return "Compare that activity with another rank's in the Timeline: does the rank have more work? If not, compare its "
         "GPU's clocks, temperature and power limit with those of the other GPUs: nvidia-smi -q -d "
         "CLOCK,TEMPERATURE,POWER,PERFORMANCE.";
}

/// Appends advice for a cause, unless `advice` already contains it.
void add_advice(const Blame& blame, std::string& advice) {
  const std::string more = advice_for(blame);
  if (advice.find(more) == std::string::npos) advice += fmt::format("{}{}", advice.empty() ? "" : " ", more);
}

/// Returns the ranks at fault, by time lost. O(names · slices of these ranks), and a replay for each of the first
/// three.
std::vector<Culprit> culprits(Facts& facts) {
  const analysis::BlameSum& sum = facts.late_explanation().sum;
  std::vector<Culprit> ranks;
  for (analysis::FaultyRank& faulty : analysis::faulty_ranks(sum)) ranks.push_back({std::move(faulty)});
  for (Culprit& culprit : ranks) {
    for (const Blame& blame : sum.causes) {
      if (!blame.stands_out || blame.rank != culprit.rank) continue;
      for (std::size_t n = 0; n < std::min(kPlaces, blame.names.size()); ++n) {
        if (blame.cause == CauseClass::host)
          add_call(facts, blame, blame.names[n], culprit.places);
        else
          add_activity(facts, blame, blame.names[n],
                       blame.cause == CauseClass::before ? culprit.late_starts : culprit.places);
      }
      add_advice(blame, culprit.advice);
    }
    keep_longest(culprit.places);
  }
  if (!ranks.empty()) replay(facts, std::span(ranks).first(std::min(kReplayed, ranks.size())));
  return ranks;
}

constexpr std::array kParameters{share_parameter()};
constexpr std::uint64_t kLeastCollectives = 5;
constexpr double kUsuallyLast = 0.5;

struct Late {
  std::uint64_t collectives = 0;
  std::uint64_t last = 0;
  Ns delay = 0;
  Ns wait = 0;
  std::vector<Place> places{};
};

std::map<std::uint32_t, Late> late_ranks(Facts& facts) {
  std::map<std::uint32_t, std::vector<Interval>> windows;
  for (const GpuWindow& gpu : facts.gpus()) windows.try_emplace(gpu.rank, gpu.parts);
  std::map<std::uint32_t, Late> ranks;
  for (const analysis::MatchedCollective& collective : facts.collectives().collectives) {
    const analysis::LastArrival arrival = analysis::last_arrival(collective);
    const analysis::CollectiveMember& last = *arrival.member;
    if (arrival.length <= 0 || !touches(windows[last.rank], last.time)) continue;
    for (const auto& member : collective.members) ++ranks[member.rank].collectives;
    if (arrival.delay == 0) continue;
    Late& late = ranks[last.rank];
    ++late.last;
    late.delay = saturating_add(late.delay, arrival.delay);
    late.wait = saturating_add(late.wait, arrival.wait);
    late.places.push_back({fmt::format("arrives last; the others wait {} in total", format_duration(arrival.wait)),
                           last.rank, std::nullopt, last.time, last.slice, arrival.wait});
  }
  return ranks;
}

/// Returns the table of late arrivals and their cost, by rank.
Detail ranks_table(Facts& facts, const std::map<std::uint32_t, Late>& ranks) {
  Table table("ranks", "Last to arrive, by rank",
              {{"rank", "", ColumnRole::rank},
               {"collectives", "", ColumnRole::collectives},
               {"last to arrive", "", ColumnRole::last_to_arrive},
               {"delay caused", "", ColumnRole::delay_caused},
               {"wait caused", "", ColumnRole::wait_caused}});
  for (const auto& [rank, late] : ranks)
    table.add_row({facts.profile().ranks[rank]->number, late.collectives, late.last, late.delay, late.wait});
  table.note = "Totals over the evaluated time.";
  return {std::move(table)};
}

/// Compute time of a rank and its idle time by cause, per step.
struct Spent {
  std::array<Ns, kIdleCauseWords.size()> idle{};
  Ns compute = 0;
};

/// Returns the time of each rank, except ranks whose traces end early.
std::map<std::uint32_t, Spent> spent_by_rank(Facts& facts, const RankWork& work) {
  std::map<std::uint32_t, Spent> ranks;
  for (const GpuWork& own : work.gpus) {
    if (facts.cancelled()) break;
    Spent& spent = ranks[facts.gpus()[own.gpu].rank];
    spent.compute += own.compute;
    for (std::size_t c = 0; c < spent.idle.size(); ++c)
      spent.idle[c] +=
          analysis::common_length(own.parts, facts.idle_causes(own.gpu).of_cause[c]) / static_cast<Ns>(own.steps);
  }
  return ranks;
}

struct Reason {
  std::string sentence;  ///< starts with a space; "" if unknown
  std::string advice;
};

/// Returns the largest difference between the late rank and the median of the others: " Its kernels take 1.3 times as
/// long …"
Reason reason_of(Facts& facts, std::uint32_t late) {
  const std::string compare = "Compare its step with another rank's in the Timeline. ";
  const std::string hardware =
      "Kernels may take longer because of the GPU's clocks, temperature or power limit, or because they have more "
      "work.";
  const std::string host = "Launches may be late because of CPU binding, other processes on the host, or slow input.";
  Reason unknown{"", compare + hardware + " " + host};
  const auto ranks = spent_by_rank(facts, rank_work(facts));
  const auto own = ranks.find(late);
  if (own == ranks.end() || ranks.size() < 2) return unknown;
  const auto median_of_others = [&](auto figure) {
    std::vector<Ns> values;
    for (const auto& [rank, spent] : ranks)
      if (rank != late) values.push_back(figure(spent));
    return analysis::upper_median(values);
  };
  const Ns usual = median_of_others([](const Spent& spent) { return spent.compute; });
  Ns most = own->second.compute - usual;
  Reason reason = unknown;
  if (usual > 0)
    reason = {fmt::format(" Its kernels take {:.2f} times as long as the median rank's.",
                          static_cast<double>(own->second.compute) / static_cast<double>(usual)),
              compare + hardware};
  for (std::size_t c = 0; c < kIdleCauseWords.size(); ++c) {
    const Ns more = own->second.idle[c] - median_of_others([&](const Spent& spent) { return spent.idle[c]; });
    if (more <= most) continue;
    most = more;
    reason = {fmt::format(" Its GPU is idle {} longer{} than the median rank's: {}.", format_duration(more),
                          facts.steps() > 0 ? " per step" : "", kIdleCauseWords[c]),
              compare + host};
  }
  return most > 0 ? reason : unknown;
}

bool slow_as_a_whole(Facts& facts, std::uint32_t late) {
  const analysis::LateExplanation& explanation = facts.late_explanation();
  const analysis::KernelRatios ratios =
      analysis::ratios_of(*explanation.comparison, explanation.finder->forest(), late, analysis::RunKind::kernel);
  return ratios.all >= 1.03 && ratios.uniform >= 0.7;
}

/// Returns the cause found by late_causes, if it is more specific than the rank's own measurements.
Reason reason_of(Facts& facts, std::uint32_t late, const Culprit* culprit) {
  if (culprit == nullptr || (culprit->most == analysis::CauseClass::kernel && slow_as_a_whole(facts, late)))
    return reason_of(facts, late);
  return {fmt::format(" Cause: {}.", culprit->words), culprit->advice};
}

bool at_fault(Facts& facts, std::uint32_t last, Ns wait, const std::vector<Culprit>& all) {
  const std::vector<analysis::FaultyRank> faulty(all.begin(), all.end());
  return analysis::is_at_fault(facts.late_explanation().sum, faulty, last, wait);
}

/// Returns the GPU time saved in a replay of the job in which this rank is as fast as its peers.
Ns saved_time(Facts& facts, const Culprit& culprit) {
  return std::llround(culprit.saved * static_cast<double>(facts.total()));
}

bool worth_mentioning(double saved) { return saved >= 0.005; }

std::string saving_words(const Culprit& culprit) {
  if (!worth_mentioning(culprit.saved)) return "";
  return fmt::format(
      " If the rank were as fast as its peers, the job would take {} less time (estimated by replaying the recording).",
      format_share(culprit.saved));
}

/// Returns `first`, followed by `others`, largest first; without slices that are already listed.
std::vector<Place> joined_places(std::vector<Place> first, std::vector<Place> others) {
  keep_longest(others);
  std::ranges::move(others, std::back_inserter(first));
  std::vector<Place> places;
  for (Place& place : first) {
    const auto same = [&](const Place& each) { return each.rank == place.rank && each.slice == place.slice; };
    if (places.size() < kMostPlaces && std::ranges::none_of(places, same)) places.push_back(std::move(place));
  }
  return places;
}

Finding finding_of(Facts& facts, Culprit&& culprit) {
  std::vector<Evidence::Bar> bars;
  for (const auto& [rank, lost] : analysis::lost_by_rank(facts.late_explanation().sum))
    bars.push_back({fmt::format("rank {}", facts.profile().ranks[rank]->number),
                    static_cast<double>(facts.mean(std::llround(lost)))});
  return {fmt::format("Averaged over all GPUs, {} is lost because of rank {}: {}.{}", facts.of_step(culprit.lost),
                      facts.profile().ranks[culprit.rank]->number, culprit.words, saving_words(culprit)),
          std::move(culprit.advice),
          culprit.lost,
          0,
          false,
          joined_places(std::move(culprit.places), std::move(culprit.late_starts)),
          largest_bars(fmt::format("Mean wait time caused{}, by rank", facts.by_steps() ? " per step" : ""),
                       ColumnKind::duration, std::move(bars))};
}

Outcome evaluate(const RuleInput& input) {
  Facts& facts = input.facts;
  if (auto outcome = too_little(facts)) return *outcome;
  if (facts.profile().ranks.size() < 2) return {Verdict::not_evaluable, "Needs traces from at least two ranks.", {}};
  const analysis::CollectiveMatches& matches = facts.collectives();
  if (!matches.unreadable.empty())
    return {Verdict::not_evaluable, "Cannot read the arguments of collectives: " + matches.unreadable + ".", {}};
  if (!matches.refused.empty())
    return {Verdict::not_evaluable, "The traces do not record process groups, and " + matches.refused + ".", {}};
  if (matches.collectives.empty()) return {Verdict::not_evaluable, "No collective runs on more than one rank.", {}};
  std::map<std::uint32_t, Late> ranks = late_ranks(facts);
  const auto worst = std::ranges::max_element(ranks, {}, [](const auto& each) { return each.second.wait; });
  if (worst == ranks.end() || worst->second.collectives < kLeastCollectives)
    return {Verdict::insufficient_data,
            fmt::format("Needs at least {} collectives in the evaluated time.", kLeastCollectives),
            {}};
  Late& late = worst->second;
  const std::int64_t number = facts.profile().ranks[worst->first]->number;
  const bool usually =
      static_cast<double>(late.last) >= kUsuallyLast * static_cast<double>(late.collectives) && late.last > 0;
  const std::string why =
      fmt::format("Rank {} arrives last in {} of {} collectives; waiting for it takes {} ({}), averaged over all GPUs.",
                  number, late.last, late.collectives, facts.a_step(late.wait), format_share(facts.share(late.wait)));
  const double least = input.values.real(kShare);
  std::vector<Culprit> blamed = culprits(facts);
  const auto culprit = std::ranges::find(blamed, worst->first, &Culprit::rank);
  Outcome outcome{.why = why};
  std::vector<Ns> replayed;  // by finding
  if (usually && facts.matters(late.wait, least) && at_fault(facts, worst->first, late.wait, blamed)) {
    Reason reason = reason_of(facts, worst->first, culprit == blamed.end() ? nullptr : &*culprit);
    const auto gpus = static_cast<Ns>(facts.gpus().size());
    std::vector<Evidence::Bar> bars;
    for (const auto& [rank, each] : ranks)
      bars.push_back(
          {fmt::format("rank {}", facts.profile().ranks[rank]->number), static_cast<double>(facts.mean(each.wait))});
    late.places = joined_places(culprit == blamed.end() ? std::vector<Place>() : std::move(culprit->places),
                                std::move(late.places));
    outcome.findings.push_back(
        {fmt::format(
             "Rank {} arrives last in {} of {} collectives; waiting for it takes {}, averaged over all GPUs.{}{}",
             number, late.last, late.collectives, facts.of_step(late.wait), reason.sentence,
             culprit == blamed.end() ? "" : saving_words(*culprit)),
         std::move(reason.advice), late.wait,
         late.delay > std::numeric_limits<Ns>::max() / gpus ? late.wait : std::min(late.wait, late.delay * gpus), false,
         std::move(late.places),
         largest_bars(fmt::format("Mean wait time{}, by last rank to arrive", facts.by_steps() ? " per step" : ""),
                      ColumnKind::duration, std::move(bars))});
    facts.late.push_back({worst->first, late.wait, 0, culprit != blamed.end()});
    replayed.push_back(culprit == blamed.end() ? 0 : saved_time(facts, *culprit));
    if (culprit != blamed.end()) blamed.erase(culprit);
  }
  for (Culprit& each : blamed) {
    // In a pipeline, other ranks lose most of their time in waits between stages, which are not attributed to any rank.
    const Ns saved = saved_time(facts, each);
    each.lost = std::max(each.lost, saved);
    if (!facts.matters(each.lost, least)) continue;
    replayed.push_back(saved);
    facts.late.push_back({each.rank, each.lost, 0, true});
    outcome.findings.push_back(finding_of(facts, std::move(each)));
    outcome.findings.back().bound = facts.late.back().wait;
  }
  // Waiting that overlaps computation has no cost.
  Ns exposed = facts.exposed_communication();
  for (std::size_t f = 0; f < outcome.findings.size(); ++f) {
    Finding& finding = outcome.findings[f];
    finding.bound = std::min(finding.bound, exposed);
    exposed -= finding.bound;
    facts.late[f].bound = finding.bound;
    // A replay accounts for delays that move elsewhere and for the late rank itself becoming faster. However, if two
    // ranks are equally late, it finds neither, and it keeps host time spent in unrecorded waits for the GPU.
    if (2 * replayed[f] < finding.bound) continue;
    finding.bound = replayed[f];
    finding.cost = std::max(finding.cost, finding.bound);
  }
  if (!outcome.findings.empty()) outcome.verdict = Verdict::issues_found;
  outcome.details.push_back(ranks_table(facts, ranks));
  return outcome;
}

}  // namespace

extern const Rule kRule{
    "LateRank",
    "Late rank",
    "Ranks that keep other ranks waiting: the rank that they wait for longest, if it arrives last in "
    "at least half of its collectives (5 or more), and ranks that stand out when waits are "
    "traced to their causes.",
    kParameters,
    evaluate,
    "Compare the late rank's kernels, launches and input with another rank's."};

}  // namespace warpscope::rules::registered::late_rank
