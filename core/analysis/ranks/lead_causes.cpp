#include "core/analysis/ranks/lead_causes.hpp"

#include <algorithm>

#include "core/analysis/ranks/host_calls.hpp"
#include "core/trace/kernel_label.hpp"

namespace warpscope::analysis {

namespace {

constexpr CauseClass class_of(Stretch what) { return static_cast<CauseClass>(what); }
static_assert(class_of(Stretch::callback) == CauseClass::callback && class_of(Stretch::gap) == CauseClass::gap &&
              class_of(Stretch::transfer) == CauseClass::transfer);

}  // namespace

std::string name_of(const trace::Profile& profile, const JobCollectives& matches, const CauseKey& key) {
  switch (key.cause) {
    case CauseClass::kernel:
    case CauseClass::memory:
      return key.name == 0 ? "" : trace::kernel_label(profile.names().view(key.name));
    case CauseClass::transfer:
      if (key.signature != kNoIndex) return std::string(to_string(matches.job.signatures[key.signature].kind));
      return key.name == 0 ? "" : trace::kernel_label(profile.names().view(key.name));
    case CauseClass::host:
      return key.name == 0 ? "no recorded call" : std::string(profile.names().view(key.name));
    case CauseClass::launch:
      return "launch latency";
    case CauseClass::gap:
      return "gaps between GPU activities";
    case CauseClass::callback:
      return "host callbacks";
    case CauseClass::before:
      return "before the step";
  }
  return "";
}

LeadFinder::LeadFinder(const AnalysisInput& input, const RankComparison& comparison, ClockChoice choice)
    : profile_(input.profile),
      comparison_(comparison),
      choice_(choice),
      forest_(JobRuns(input, comparison, choice), input.cancel) {}

Ns LeadFinder::cut_of(std::uint32_t node, std::uint32_t collective) const {
  const JobCollectives& matches = comparison_.matches();
  const std::uint32_t root = forest_.root_of(node);
  const std::uint32_t rank = forest_.rank_of(root);
  for (const std::uint32_t e : matches.members_of(matches.collectives[collective])) {
    const CommunicationEvent& event = matches.event(e);
    if (event.rank != rank || event.step == kNoIndex) continue;
    return forest_.runs().common(rank, profile_.ranks[rank]->steps[event.step].time.begin);
  }
  return std::min(forest_.runs().common(rank, forest_.runs().of(rank).first()), forest_.time_of(root));
}

LeadFinder::Ends LeadFinder::ends_of(std::uint32_t collective) const {
  const JobCollectives& matches = comparison_.matches();
  const auto members = matches.members_of(matches.collectives[collective]);
  const CollectiveTiming timing = comparison_.timing(matches.collectives[collective], choice_);
  Ends ends{forest_.node_of(members[timing.last()]), forest_.node_of(members[timing.reference()])};
  ends.meeting = forest_.meeting(ends.late, ends.reference);
  if (ends.meeting != RunForest::kNone) return ends;
  ends.late_cut = std::min(cut_of(ends.late, collective), forest_.time_of(ends.late));
  ends.reference_cut = std::min(cut_of(ends.reference, collective), forest_.time_of(ends.reference));
  return ends;
}

Lead LeadFinder::lead_of(std::uint32_t collective) const {
  const Ends ends = ends_of(collective);
  Lead lead{.collective = collective,
            .late = forest_.rank_of(ends.late),
            .reference = forest_.rank_of(ends.reference),
            .lead = forest_.time_of(ends.late) - forest_.time_of(ends.reference),
            .met = ends.meeting != RunForest::kNone};
  const StretchSums late =
      lead.met ? forest_.between(ends.late, ends.meeting) : forest_.since(ends.late, ends.late_cut);
  const StretchSums reference =
      lead.met ? forest_.between(ends.reference, ends.meeting) : forest_.since(ends.reference, ends.reference_cut);
  Ns rest = lead.lead;
  for (std::size_t s = 0; s < kStretches; ++s) {
    lead.excess[s] = late[s] - reference[s];
    rest -= lead.excess[s];
  }
  if (lead.met) return lead;
  const Ns before = ends.late_cut - ends.reference_cut;
  lead.excess[static_cast<std::size_t>(CauseClass::before)] = before;
  // If a recording starts within the step, the cause of the time before it is unknown.
  lead.excess[static_cast<std::size_t>(CauseClass::gap)] += rest - before;
  return lead;
}

LeadNames LeadFinder::names_of(const Lead& lead, std::size_t budget) const {
  const Ends ends = ends_of(lead.collective);
  const JobCollectives& matches = comparison_.matches();
  LeadNames names;
  const auto add_path = [&](std::uint32_t node, Ns cut, int sign) {
    const auto visit = [&](const PathPart& part) {
      CauseKey key{class_of(part.what), part.name};
      if (part.collective != kNoIndex) key.signature = matches.collectives[part.collective].signature;
      if (part.what == Stretch::host) {
        const Interval range{forest_.runs().recorded(part.rank, part.from),
                             forest_.runs().recorded(part.rank, part.to)};
        names.parts += for_each_host_call(profile_, part.rank, part.thread, range, [&](const HostCall& call) {
          names.excess[{CauseClass::host, call.name}] += sign * call.time.length();
        });
        return;
      }
      names.excess[key] += sign * (part.to - part.from);
    };
    names.parts += forest_.walk(node, ends.meeting, lead.met ? std::nullopt : std::optional(cut), budget, visit);
  };
  add_path(ends.late, ends.late_cut, 1);
  add_path(ends.reference, ends.reference_cut, -1);
  if (!lead.met) names.excess[{CauseClass::before}] = lead.excess[static_cast<std::size_t>(CauseClass::before)];
  return names;
}

}  // namespace warpscope::analysis
