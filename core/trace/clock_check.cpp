#include "core/trace/clock_check.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "core/trace/profile.hpp"
#include "core/trace/recordings.hpp"

namespace warpscope::trace {

namespace {

/// Counts the kernels on streams used mostly for communication, without reading slices.
std::uint64_t collectives_of(const Rank& rank) {
  std::uint64_t count = 0;
  for (const Track& track : rank.tracks) {
    if (track.kind != TrackKind::stream || !track.communication) continue;
    for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l)
      if (const LaneKind kind = rank.rows_of(l); kind == LaneKind::nested || kind == LaneKind::overflow)
        count += rank.lanes[l].size();
  }
  return count;
}

bool equal_steps(const Rank& a, const Rank& b) {
  return !a.steps.empty() && std::ranges::equal(a.steps, b.steps, {}, &Step::name, &Step::name);
}

/// Ranks of a job without collectives may have run one after the other. Ranks with the same world size above 1 are
/// assumed to have run together.
bool ran_together(const Rank& a, const Rank& b) {
  const std::uint64_t collectives = collectives_of(a);
  if (collectives != collectives_of(b)) return false;
  return collectives > 0 || (a.world_size > 1 && a.world_size == b.world_size);
}

bool disjoint_steps(const Rank& a, const Rank& b) {
  const auto span_of = [](const Rank& rank) {
    Interval span = kEmptySpan;
    for (const Step& step : rank.steps) span = cover(span, step.time);
    return span;
  };
  const Interval own = span_of(a);
  const Interval other = span_of(b);
  return own.end <= other.begin || other.end <= own.begin;
}

/// Returns the median difference between the starts of matching steps, in ns.
Ns offset_of(const Rank& rank, const Rank& reference) {
  std::vector<Ns> offsets;
  offsets.reserve(rank.steps.size());
  for (std::size_t s = 0; s < rank.steps.size(); ++s)
    offsets.push_back(saturating_difference(rank.steps[s].time.begin, reference.steps[s].time.begin));
  const auto middle = offsets.begin() + static_cast<std::ptrdiff_t>(offsets.size() / 2);
  std::ranges::nth_element(offsets, middle);
  return *middle;
}

}  // namespace

void note_clocks_apart(Profile& profile, const Recordings& recordings) {
  constexpr Ns kDay = Ns{86'400} * 1'000'000'000;
  std::map<std::uint32_t, const Rank*> first;             // by recording
  std::map<std::uint32_t, const Rank*> first_with_steps;  // by recording
  for (std::size_t r = 0; r < profile.ranks.size(); ++r) {
    const Rank& rank = *profile.ranks[r];
    if (rank.span.empty()) continue;
    const Rank& other = *first.try_emplace(recordings.of_rank[r], &rank).first->second;
    if (rank.span.begin > saturating_add(other.span.end, kDay) ||
        other.span.begin > saturating_add(rank.span.end, kDay)) {
      profile.diagnostics.add("clocks-apart", Severity::warning, rank.source.path, Diagnostic::kNoOffset,
                              "more than a day apart from " + other.source.path);
      continue;
    }
    if (rank.steps.empty() || !profile.complete) continue;
    const Rank& reference = *first_with_steps.try_emplace(recordings.of_rank[r], &rank).first->second;
    if (&reference == &rank || reference.number == rank.number || !disjoint_steps(rank, reference) ||
        !equal_steps(rank, reference) || !ran_together(rank, reference))
      continue;
    const Ns offset = offset_of(rank, reference);
    profile.diagnostics.add("clocks-apart", Severity::warning, rank.source.path, Diagnostic::kNoOffset,
                            "its steps are " + format_duration(offset < 0 ? -offset : offset) +
                                (offset < 0 ? " before" : " after") + " those of " + reference.source.path);
  }
}

std::string clocks_apart_note(const Profile& profile) {
  if (profile.diagnostics.count("clocks-apart") == 0) return "";
  return "The ranks' clocks disagree (see the clocks-apart diagnostic), so percentages of the profile's time span, "
         "such as utilization, are too low.";
}

std::string unverified_clocks_note(const Profile& profile) {
  const std::uint64_t ranks = profile.diagnostics.count("clocks-unverified");
  const auto aligned = [](const auto& rank) { return rank->clock_shift != 0; };
  if (ranks == 0 || std::ranges::any_of(profile.ranks, aligned)) return "";
  return "The clocks of " + counted(ranks, "rank", "ranks") +
         " are unverified: a merged file keeps at most one time base (see the clocks-unverified diagnostic).";
}

std::string clock_note(const Profile& profile) {
  std::string note = clocks_apart_note(profile);
  const std::string unverified = unverified_clocks_note(profile);
  if (!note.empty() && !unverified.empty()) note += ' ';
  return note + unverified;
}

}  // namespace warpscope::trace
