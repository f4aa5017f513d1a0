#include "app/ui/timeline/collectives/job_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/analysis/causes/fault_text.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/base/counted.hpp"

namespace warpscope::ui {
namespace {

std::shared_ptr<const scene::RibbonSet> ribbons_of(const std::shared_ptr<const trace::Profile>& profile,
                                                   const analysis::RankComparison& comparison,
                                                   analysis::ClockChoice clocks, const CancelToken& cancel) {
  const analysis::JobCollectives& matches = comparison.matches();
  auto set = std::make_shared<scene::RibbonSet>(profile);
  std::vector<scene::RibbonRun> runs;
  for (std::uint32_t c = 0; c < matches.collectives.size() && !cancel.cancelled(); ++c) {
    const analysis::JobCollective& collective = matches.collectives[c];
    const analysis::CollectiveTiming timing = comparison.timing(collective, clocks);
    const auto members = matches.members_of(collective);
    runs.clear();
    for (std::uint32_t m = 0; m < members.size(); ++m) {
      const analysis::CommunicationEvent& event = matches.event(members[m]);
      runs.push_back({.slice = {event.rank, event.slice}, .time = event.time, .wait = timing.wait_of(m)});
    }
    set->add(c, runs,
             !timing.waits                      ? scene::RibbonSet::Waits::unknown
             : comparison.symmetric(collective) ? scene::RibbonSet::Waits::late
                                                : scene::RibbonSet::Waits::by_design);
  }
  set->finish();
  return set;
}

std::string about(const trace::Profile& profile, const analysis::RankComparison& comparison,
                  const analysis::JobCollective& collective) {
  const analysis::JobCollectives& matches = comparison.matches();
  const analysis::CollectiveGroup& group = matches.group(collective);
  const auto members = matches.members_of(collective);
  std::string text =
      fmt::format("{} of {}", to_string(matches.signature(collective).kind), counted(members.size(), "rank", "ranks"));
  if (group.recorded) {
    text += " · process group " + label_of(group);
    if (group.size > static_cast<std::int64_t>(members.size())) text += fmt::format(", {} ranks", group.size);
  }
  std::int64_t bytes = -1;
  for (const std::uint32_t e : members) bytes = std::max(bytes, bytes_of(matches.event(e)));
  if (bytes >= 0) text += " · " + format_bytes(bytes);
  if (const std::string_view step = comparison.step_of(collective); !step.empty()) text += fmt::format(" · {}", step);
  if (members.size() > 8) return text;
  return text + " · ranks " + rank_list(profile, matches, collective);
}

Table empty_rows() {
  return Table("collective", "Kernels of the collective",
               {{"rank", "", ColumnRole::rank},
                {"arrival", "", ColumnRole::remark},
                {"start", "", ColumnRole::start},
                {"after the second last", "", ColumnKind::duration},
                {"wait", "", ColumnKind::duration},
                {"transfer", "", ColumnKind::duration},
                {"node", "", ColumnRole::node}});
}

}  // namespace

JobRanks compare_job(std::shared_ptr<const trace::Profile> profile, const ingest::EventLookup* events,
                     const std::string& rules, analysis::ClockChoice clocks, const CancelToken& cancel) {
  JobRanks made;
  made.profile = std::move(profile);
  made.clocks = clocks;
  made.ribbons = std::make_shared<const scene::RibbonSet>();
  if (made.profile->ranks.size() < 2) return made;
  const std::string_view word = analysis::kClockChoices[static_cast<std::size_t>(clocks)];
  std::vector<analysis::Setting> settings{{std::string(analysis::kClocksParameter.name), std::string(word)}};
  analysis::append_kernel_rules(settings, rules);
  auto values = analysis::ParameterValues::parse(analysis::find_analysis("late_ranks")->parameters, settings);
  if (!values) {
    made.reason = values.error().message();
    return made;
  }
  const analysis::AnalysisInput input{
      .profile = *made.profile, .scope = {}, .values = std::move(*values), .cancel = &cancel, .events = events};
  made.comparison = compare_ranks(input);
  if (const Failure damage = damage_of(*made.profile)) {
    made.reason = damage->message();
    return made;
  }
  const auto faults = shared_faults(input);
  for (std::uint32_t rank = 0; rank < made.profile->ranks.size(); ++rank)
    if (const analysis::Fault* const fault = fault_of(*faults, rank))
      made.late.emplace(rank, JobRanks::Late{static_cast<std::size_t>(fault - faults->faults.data()),
                                             fault_headline(*made.profile, *made.comparison, *faults, *fault)});
  made.by_slice = analysis::EventsBySlice(made.comparison->matches().job);
  made.ribbons = ribbons_of(made.profile, *made.comparison, clocks, cancel);
  return made;
}

std::string_view late_reason(const JobRanks* ranks, const trace::Profile& profile, const trace::TreeEntry& entry,
                             bool open) {
  if (ranks == nullptr || ranks->late.empty()) return {};
  const JobRanks::Late* worst = nullptr;
  const auto look_at = [&](std::uint32_t rank) {
    const auto found = ranks->late.find(rank);
    if (found != ranks->late.end() && (worst == nullptr || found->second.place < worst->place)) worst = &found->second;
  };
  if (entry.kind == trace::TreeKind::process) look_at(entry.rank);
  if (entry.kind == trace::TreeKind::node && !open) std::ranges::for_each(profile.nodes[entry.node].ranks, look_at);
  return worst == nullptr ? std::string_view() : worst->sentence;
}

std::optional<KernelWait> wait_of(const JobRanks& ranks, trace::SliceRef slice) {
  if (!ranks.comparison) return std::nullopt;
  const analysis::JobCollectives& matches = ranks.comparison->matches();
  const auto event = ranks.by_slice.find(matches.job, slice.rank, slice.slice);
  if (!event || matches.collective_of[*event] == analysis::kNoIndex) return std::nullopt;
  const analysis::JobCollective& collective = matches.collectives[matches.collective_of[*event]];
  const analysis::CollectiveTiming timing = ranks.comparison->timing(collective, ranks.clocks);
  if (!timing.waits) return std::nullopt;
  const auto arrivals = arrivals_of(matches, collective, timing);
  const auto own = std::ranges::find(arrivals, *event, &analysis::CollectiveArrival::event);
  return KernelWait{own->wait, own->transfer, ranks.profile->ranks[arrivals.back().rank]->number, own->last};
}

std::optional<ChosenCollective> collective_of(const JobRanks& ranks, trace::SliceRef slice) {
  if (!ranks.comparison) return std::nullopt;
  const analysis::RankComparison& comparison = *ranks.comparison;
  const analysis::JobCollectives& matches = comparison.matches();
  const auto event = ranks.by_slice.find(matches.job, slice.rank, slice.slice);
  if (!event) return std::nullopt;
  ChosenCollective chosen;
  chosen.rows = empty_rows();
  const std::uint32_t c = matches.collective_of[*event];
  if (c == analysis::kNoIndex) {
    chosen.reason = unmatched_reason(*ranks.profile, matches, *event);
    return chosen;
  }
  const analysis::JobCollective& collective = matches.collectives[c];
  const analysis::CollectiveTiming timing = comparison.timing(collective, ranks.clocks);
  chosen.id = c;
  chosen.sentence = arrival_sentence(*ranks.profile, comparison, collective, timing);
  if (timing.waits && comparison.symmetric(collective))
    if (const auto late = ranks.late.find(matches.event(matches.members_of(collective)[timing.last()]).rank);
        late != ranks.late.end())
      chosen.sentence += fmt::format(" {}.", late->second.sentence);
  chosen.about = about(*ranks.profile, comparison, collective);
  const bool by_durations = comparison.clocks().safe() && timing.clock == analysis::ClockChoice::durations;
  chosen.clocks = comparison.clock_note(by_durations ? timing.clock : ranks.clocks);
  const auto known = [&](Ns time) { return timing.waits ? Cell(time) : Cell(); };
  const auto arrivals = arrivals_of(matches, collective, timing);
  for (std::size_t i = arrivals.size(); i-- > 0;) {
    const analysis::CollectiveArrival& arrival = arrivals[i];
    const std::string_view place = !timing.waits ? "" : arrival.last ? "last" : i == 0 ? "first" : "";
    chosen.rows.add_row({ranks.profile->ranks[arrival.rank]->number, place.empty() ? Cell() : Cell(place),
                         saturating_difference(arrival.time.begin, ranks.profile->span.begin), known(arrival.behind),
                         known(arrival.wait), known(arrival.transfer),
                         ranks.profile->nodes[ranks.profile->node_of_rank[arrival.rank]].label});
    chosen.slices.push_back({arrival.rank, matches.event(arrival.event).slice});
  }
  return chosen;
}

}  // namespace warpscope::ui
