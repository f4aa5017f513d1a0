#include "core/analysis/job/framework_time.hpp"

#include <algorithm>
#include <functional>

#include "core/analysis/job/all_steps.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/ingest/formats/format_list.hpp"

namespace warpscope::analysis {

StepTime time_of_steps(const trace::Profile& profile, const Scope& scope) {
  StepTime all;
  // If a process has both a framework timeline and a profiler trace, both contain its steps.
  const std::vector<std::uint32_t> ranks = ranks_in(profile, scope);
  const bool timelines =
      std::ranges::any_of(ranks, [&](std::uint32_t r) { return is_framework_timeline(*profile.ranks[r]); });
  for (const std::uint32_t r : ranks) {
    if (is_framework_timeline(*profile.ranks[r]) != timelines) continue;
    auto steps = all_steps(profile, *profile.ranks[r]);
    if (const auto range = scope.on_host(r))
      std::erase_if(steps, [&](const trace::Step& step) { return !is_within(step.time, *range); });
    if (steps.size() < 2) continue;
    ++all.ranks;
    Ns until = steps.front().time.begin;
    for (const trace::Step& step : steps) {
      PhaseTime& phase = all.phases[std::string(phase_of(profile.names().view(step.name)))];
      ++phase.count;
      phase.time = saturating_add(phase.time, step.time.length());
      if (step.time.begin > until) {
        all.outside = saturating_add(all.outside, step.time.begin - until);
        if (step.time.begin - until > all.longest.length()) {
          all.longest = {until, step.time.begin};
          all.rank = r;
        }
      }
      until = std::max(until, step.time.end);
    }
    all.span = saturating_add(all.span, until - steps.front().time.begin);
  }
  return all;
}

bool is_framework_timeline(const trace::Rank& rank) { return ingest::format_of(rank).repeats_traces(); }

std::map<std::string, PhaseTime> phase_times(const trace::Profile& profile, const Scope& scope) {
  std::map<std::string, PhaseTime> phases;
  for (const std::uint32_t r : ranks_in(profile, scope)) {
    const trace::Rank& rank = *profile.ranks[r];
    if (!is_framework_timeline(rank)) continue;
    for (const trace::Track& track : rank.tracks) {
      const std::string phase = track.label.substr(0, track.label.find(" · "));
      if (track.kind != trace::TrackKind::thread || phase.starts_with("Step:") || phase == "cpu_functions") continue;
      for (const std::uint32_t l : recorded_lanes(rank, track)) {
        PhaseTime& of = phases[phase];
        for_each_part(rank.lanes[l], scope.on_host(r), [&](std::uint32_t, const Interval& part) {
          ++of.count;
          of.time = saturating_add(of.time, part.length());
        });
      }
    }
  }
  return phases;
}

Table steps_table(const StepTime& time) {
  Table table(
      "framework-metrics", "Time by phase of the training loop",
      {Column("phase", col::annotation_group), Column("steps", col::count), Column("time", col::total), col::share});
  for (const auto& [phase, of] : time.phases) table.add_row({phase, of.count, of.time, share_of(of.time, time.span)});
  if (time.span > 0) table.add_row({"outside steps", Cell(), time.outside, share_of(time.outside, time.span)});
  table.note = time.span > 0 ? "Summed over ranks, from each rank's first step to its last. Overlapping steps, "
                               "such as evaluation within a training step, are counted in each phase."
                             : "No steps in this selection.";
  return table;
}

Table phases_table(const std::map<std::string, PhaseTime>& phases) {
  Table table(
      "framework-phases", "Time in other phases",
      {Column("phase", col::annotation_group), Column("events", col::count), Column("time", col::total), col::share});
  Ns sum = 0;
  for (const auto& [name, of] : phases) sum = saturating_add(sum, of.time);
  std::vector<std::pair<std::string, PhaseTime>> sorted(phases.begin(), phases.end());
  std::ranges::stable_sort(sorted, std::greater(), [](const auto& each) { return each.second.time; });
  for (const auto& [name, of] : sorted) table.add_row({name, of.count, of.time, share_of(of.time, sum)});
  table.note = table.rows() > 0 ? "Sums of durations; nested and parallel events each count in full."
                                : "Only SageMaker Debugger's framework timelines have phases.";
  return table;
}

}  // namespace warpscope::analysis
