#include "core/analysis/shared/idle_gaps.hpp"

#include <fmt/format.h>

#include <array>
#include <functional>

#include "core/analysis/request/runs.hpp"
#include "core/base/format.hpp"
#include "core/base/natural_merge.hpp"
#include "core/base/word_at.hpp"

namespace warpscope::analysis {

namespace {

// Maximum delay of a stream after the work it waited for: measured 2 to 16 µs, from V100 to MI300.
constexpr Ns kHandOver = 20'000;
// Maximum delay of GPU activity after a late launch: measured 1 to 4 µs on NVIDIA GPUs, 24 to 84 µs on MI300.
constexpr Ns kStart = 100'000;

constexpr std::string_view kEventWait = "Stream Wait Event";

/// Adds a part of a gap to a cause, except the time of host callbacks.
void charge(IdleGap& gap, IdleCause cause, Interval part, const std::vector<Interval>& callbacks) {
  const Ns common = common_length(part, callbacks);
  gap.parts[static_cast<std::size_t>(IdleCause::host_callback)] += common;
  gap.parts[static_cast<std::size_t>(cause)] += part.length() - common;
}

}  // namespace

IdleCause largest(const IdleTimes& times) {
  return static_cast<IdleCause>(std::ranges::max_element(times) - times.begin());
}

std::string_view words_of(IdleCause cause) {
  static constexpr std::array<std::string_view, 6> kWords{
      "waiting for the host to launch work",    "waiting for another stream",
      "in device delays between kernels",       "for unknown reasons",
      "before kernels without a launch record", "waiting for host callbacks in CUDA graphs"};
  return word_at(kWords, cause);
}

std::string idle_sentence(Ns idle, Ns time, const IdleTimes& parts, bool one) {
  const auto share = [](Ns part, Ns whole) {
    return format_share(static_cast<double>(part) / static_cast<double>(whole));
  };
  std::string text = fmt::format("{} idle for {} of the time", one ? "The GPU is" : "GPUs are", share(idle, time));
  const IdleCause cause = largest(parts);
  if (const Ns most = parts[static_cast<std::size_t>(cause)]; most > 0 && idle > 0)
    text += fmt::format(", {} of it {}", share(most, idle), words_of(cause));
  return text + ".";
}

IdleGaps::IdleGaps(const trace::Profile& profile, std::uint32_t rank_index, const GpuRows& all,
                   std::span<const GpuRow> runs, Ns own_delay)
    : profile_(profile), rank_(rank_index), all_(all), runs_(runs), own_delay_(own_delay) {
  ends_.reserve(runs.size());
  for (std::uint32_t i = 0; i < runs.size(); ++i) ends_.emplace_back(runs[i].time.end, i);
  natural_merge_sort(ends_, std::less<>());
  if (runs.empty()) return;
  callbacks_.nodes = host_nodes(profile, rank_index, runs.front().device);
  for (const HostNode& node : callbacks_.nodes) callbacks_of_[node.track].nodes.push_back(node);
  callbacks_.times = times_of(callbacks_.nodes);
  for (auto& [track, callbacks] : callbacks_of_) callbacks.times = times_of(callbacks.nodes);
  NameId name = 0;
  if (!profile.names().find(kEventWait, name)) return;
  const trace::Rank& rank = *profile.ranks[rank_index];
  for (const std::uint32_t t : rank.devices[runs.front().device].streams) {
    const trace::Track& track = rank.tracks[t];
    std::vector<Ns> calls;
    for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l) {
      if (rank.rows_of(l) != trace::LaneKind::sync) continue;
      const trace::Lane& lane = rank.lanes[l];
      for (std::uint32_t i = 0; i < lane.size(); ++i)
        if (lane.name(i) == name) calls.push_back(lane.time().begin(i));
    }
    if (calls.empty()) continue;
    std::ranges::sort(calls);
    event_waits_.emplace(t, std::move(calls));
  }
}

DeviceIdle IdleGaps::of_device(const std::optional<Interval>& evaluated) const {
  DeviceIdle idle;
  const auto add = [&](const IdleGap& gap) {
    idle.gaps.push_back(gap);
    for (std::size_t c = 0; c < idle.parts.size(); ++c) idle.parts[c] = saturating_add(idle.parts[c], gap.parts[c]);
  };
  for_each(runs_, add, evaluated ? std::optional(evaluated->begin) : std::nullopt);
  idle.time = evaluated.value_or(runs_.front().time);
  const Ns last = ends_.back().first;
  if (idle.time.end > last && evaluated) {  // nothing of the evaluated steps ends this gap
    IdleGap rest{.time = {last, idle.time.end}, .next = runs_.back()};
    rest.parts[static_cast<std::size_t>(IdleCause::unknown)] = rest.time.length();
    add(rest);
  }
  idle.time.end = std::max(idle.time.end, last);
  return idle;
}

Ns IdleGaps::submitted(Interval launch, const GpuRow& run, Interval gap) const {
  // If a memcpy call blocks until the copy is done, the call waits for the stream, not the stream for the call.
  if (run.role == trace::Role::memory_copy && launch.begin <= gap.begin && launch.end > gap.end) return gap.begin;
  return std::clamp(launch.end, gap.begin, gap.end);
}

const GpuRow* IdleGaps::last_elsewhere(Interval within, std::uint32_t track) const {
  auto at = std::ranges::upper_bound(ends_, within.end, {}, [](const auto& end) { return end.first; });
  // No activity on the gap's stream ends within the gap, so the loop skips only the few that end where it starts.
  while (at != ends_.begin()) {
    --at;
    if (at->first < within.begin) return nullptr;
    const GpuRow& run = runs_[at->second];
    if (run.track != track) return &run;
  }
  return nullptr;
}

bool IdleGaps::waits_for_event(const GpuRow& before, const GpuRow& next, Interval launch) const {
  const auto calls = event_waits_.find(next.track);
  if (calls == event_waits_.end() || before.track != next.track) return false;
  // The row of an event wait has the time of the host call, which is between the launches of `before` and `next`.
  const auto earlier = all_.launch_begin(rank_, before);
  if (!earlier) return false;
  const auto call = std::ranges::upper_bound(calls->second, *earlier);
  return call != calls->second.end() && *call <= launch.begin;
}

const IdleGaps::Callbacks& IdleGaps::callbacks_on(std::uint32_t track) const {
  static const Callbacks kNone;
  const auto found = callbacks_of_.find(track);
  return found == callbacks_of_.end() ? kNone : found->second;
}

void IdleGaps::split_at_node(IdleGap& gap, trace::SliceOrdinal awaited, const Callbacks& callbacks) const {
  const trace::Rank& rank = *profile_.ranks[rank_];
  const Ns end = saturating_add(rank.begin(awaited), rank.duration(awaited));
  const bool elsewhere = rank.track_of_lane(rank.locate(awaited).lane) != gap.next.track;
  const Ns ready = std::clamp(end, gap.time.begin, gap.time.end);
  const bool brief = gap.time.end - ready < kStart;
  charge(gap, elsewhere ? IdleCause::stream_wait : IdleCause::kernel_wait, {gap.time.begin, ready}, callbacks.times);
  charge(gap, brief ? IdleCause::kernel_wait : IdleCause::unknown, {ready, gap.time.end}, callbacks.times);
  if (elsewhere) gap.awaited = awaited;
}

IdleGap IdleGaps::split(Interval gap, const GpuRow& before, const GpuRow& next, const Callbacks& callbacks) const {
  IdleGap result{.time = gap, .next = next};
  // The callback that took most of the gap; ends are in order if callbacks do not overlap.
  Ns longest = 0;
  std::optional<trace::SliceOrdinal> before_next;  // the last one on the stream of the next activity
  const auto end_of = [](const HostNode& node) { return node.time.end; };
  for (auto node = std::ranges::upper_bound(callbacks.nodes, gap.begin, {}, end_of);
       node != callbacks.nodes.end() && node->time.begin < gap.end; ++node) {
    if (node->track == next.track) before_next = node->slice;
    const Ns common = std::min(node->time.end, gap.end) - std::max(node->time.begin, gap.begin);
    if (common <= longest) continue;
    longest = common;
    result.awaited = node->slice;
  }
  auto node = last_awaited_node(profile_, *profile_.ranks[rank_], next.slice);
  if (!node) node = before_next;
  if (node) {
    split_at_node(result, *node, callbacks);
    return result;
  }
  const auto launch = all_.launch_time(rank_, next);
  if (!launch) {
    charge(result, IdleCause::no_launch_record, gap, callbacks.times);
    return result;
  }
  const Ns since = submitted(*launch, next, gap);
  charge(result, IdleCause::host_wait, {gap.begin, since}, callbacks.times);
  const Ns rest = gap.end - since;
  if (rest == 0) return result;
  const bool event = waits_for_event(before, next, *launch);
  if (rest < own_delay_ && !event) {
    charge(result, IdleCause::kernel_wait, {since, gap.end}, callbacks.times);
    return result;
  }
  const Ns earliest = event ? since : std::max(since, saturating_difference(gap.end, kHandOver));
  if (const GpuRow* const other = last_elsewhere({earliest, gap.end}, next.track)) {
    // Idle time long after the other stream's work has another cause.
    const Ns until = gap.end - other->time.end <= kHandOver ? gap.end : other->time.end;
    charge(result, IdleCause::stream_wait, {since, until}, callbacks.times);
    charge(result, IdleCause::unknown, {until, gap.end}, callbacks.times);
    result.awaited = other->slice;
    return result;
  }
  const bool starts = rest < own_delay_ || (since > gap.begin && rest < kStart);
  charge(result, starts ? IdleCause::kernel_wait : IdleCause::unknown, {since, gap.end}, callbacks.times);
  return result;
}

}  // namespace warpscope::analysis
