#include "core/rules/kineto/late_culprits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/analysis/ranks/job_replay.hpp"
#include "core/base/format.hpp"
#include "core/rules/kineto/named_calls.hpp"
#include "core/rules/kineto/profile_rule.hpp"

namespace warpscope::rules {

namespace {

using analysis::Blame;
using analysis::CauseClass;
using analysis::kNoIndex;
using analysis::NamedBlame;

constexpr std::size_t kReplayed = 3;
constexpr std::size_t kPlaces = 3;  // for each cause: one for each of its names with the most time lost

/// Time of a step of this name on a rank; all of its time without such a step.
Interval step_on(const trace::Rank& rank, const trace::Profile& profile, std::string_view name) {
  for (const trace::Step& step : rank.steps)
    if (!name.empty() && profile.names().view(step.name) == name) return step.time;
  return rank.span;
}

/// The longest call of that name in the step where it costs most.
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

/// The rank's kernel of the collective for which the others waited longest; if it has none there because it delayed
/// another stage, its longest activity of that name.
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
    add(event.slice, fmt::format("late: before it, {} takes {} longer",
                                 analysis::name_of(facts.profile(), matches, named.key), format_duration(named.most)));
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

}  // namespace

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
          add_activity(facts, blame, blame.names[n], culprit.places);
      }
    }
    keep_longest(culprit.places);
  }
  if (!ranks.empty()) replay(facts, std::span(ranks).first(std::min(kReplayed, ranks.size())));
  return ranks;
}

std::string advice_for(CauseClass cause) {
  switch (cause) {
    case CauseClass::host:
    case CauseClass::launch:
    case CauseClass::before:
      return "Look at that call on the rank's launching thread in the Timeline: input, other processes on its host, "
             "CPU binding, garbage collection.";
    case CauseClass::transfer:
      return "Check that rank's links: nvidia-smi nvlink -e, the counters of its network adapters, NCCL_DEBUG=INFO.";
    case CauseClass::kernel:
    case CauseClass::memory:
    case CauseClass::gap:
      break;
  }
  return "Compare that activity with another rank's in the Timeline: does the rank have more work? If not, compare "
         "clocks, "
         "temperature and power limit of its GPU: nvidia-smi -q -d CLOCK,TEMPERATURE,POWER,PERFORMANCE.";
}

}  // namespace warpscope::rules
