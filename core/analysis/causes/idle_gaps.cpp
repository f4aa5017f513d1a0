#include "core/analysis/causes/idle_gaps.hpp"

#include <functional>

#include "core/analysis/request/runs.hpp"
#include "core/base/natural_merge.hpp"

namespace warpscope::analysis {

namespace {

// Maximum delay of a stream after the work it waited for: measured 2 to 16 µs, from V100 to MI300.
constexpr Ns kHandOver = 20'000;
// Maximum delay of GPU activity after a late launch: measured 1 to 4 µs on NVIDIA GPUs, 24 to 84 µs on MI300.
constexpr Ns kStart = 100'000;

constexpr std::string_view kEventWait = "Stream Wait Event";

/// Calls visit(part, is_callback) for the parts of `time` inside and outside callbacks, in time order.
template <class Visit>
void for_each_part_of(Interval time, const std::vector<Interval>& callbacks, Visit visit) {
  auto callback = std::ranges::upper_bound(callbacks, time.begin, {}, &Interval::end);
  while (!time.empty()) {
    const Ns begin = callback == callbacks.end() ? time.end : std::clamp(callback->begin, time.begin, time.end);
    if (begin > time.begin) visit(Interval{time.begin, begin}, false);
    time.begin = begin;
    if (time.empty()) return;
    const Ns end = std::min(callback->end, time.end);
    visit(Interval{time.begin, end}, true);
    time.begin = end;
    ++callback;
  }
}

/// Adds a part of a gap with this label, except the time of host callbacks.
void add_piece(IdleGap& gap, TimeLabel label, Interval time, const std::vector<Interval>& callbacks) {
  for_each_part_of(time, callbacks, [&](Interval part, bool is_callback) {
    gap.pieces.push_back({is_callback ? TimeLabel::host_callback : label, part});
  });
}

}  // namespace

LabelTimes IdleGap::times() const {
  LabelTimes times{};
  for (const IdlePiece& piece : pieces) times[static_cast<std::size_t>(piece.label)] += piece.time.length();
  return times;
}

IdleGaps::IdleGaps(const trace::Profile& profile, std::uint32_t rank_index, const GpuRows& all,
                   std::span<const GpuRow> runs, const HostChain& chain, Ns own_delay)
    : profile_(profile), rank_(rank_index), all_(all), runs_(runs), chain_(chain), own_delay_(own_delay) {
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
  add_piece(gap, elsewhere ? TimeLabel::stream : TimeLabel::latency, {gap.time.begin, ready}, callbacks.times);
  add_piece(gap, brief ? TimeLabel::latency : TimeLabel::unknown, {ready, gap.time.end}, callbacks.times);
  if (elsewhere) gap.awaited = awaited;
}

void IdleGaps::split(IdleGap& gap, const GpuRow& before, const Callbacks& callbacks, Delay& delay) const {
  const Interval time = gap.time;
  const GpuRow& next = gap.next;
  // The callback that took most of the gap; ends are in order if callbacks do not overlap.
  Ns longest = 0;
  std::optional<trace::SliceOrdinal> before_next;  // the last one on the stream of the next activity
  const auto end_of = [](const HostNode& node) { return node.time.end; };
  for (auto node = std::ranges::upper_bound(callbacks.nodes, time.begin, {}, end_of);
       node != callbacks.nodes.end() && node->time.begin < time.end; ++node) {
    if (node->track == next.track) before_next = node->slice;
    const Ns common = std::min(node->time.end, time.end) - std::max(node->time.begin, time.begin);
    if (common <= longest) continue;
    longest = common;
    gap.awaited = node->slice;
  }
  auto node = last_awaited_node(profile_, *profile_.ranks[rank_], next.slice);
  if (!node) node = before_next;
  if (node) return split_at_node(gap, *node, callbacks);
  const auto add = [&](TimeLabel label, Interval part) { add_piece(gap, label, part, callbacks.times); };
  const auto launch = all_.launch_time(rank_, next);
  if (!launch) return add(TimeLabel::no_launch, time);
  const Ns since = submitted(*launch, next, time);
  if (delay.until < time.begin)
    chain_.for_each({delay.until, time.begin}, [&](const HostPiece& piece) {
      if (piece.work == HostWork::wait) delay.time += piece.time.length();
    });
  delay.until = std::max(delay.until, since);
  for_each_part_of({time.begin, since}, callbacks.times, [&](Interval part, bool is_callback) {
    if (is_callback) {
      gap.pieces.push_back({TimeLabel::host_callback, part});
      return;
    }
    chain_.for_each(part, [&](const HostPiece& piece) {
      const TimeLabel label = label_of(piece.work, time.length());
      const bool ordinary = label == TimeLabel::launch || label == TimeLabel::host;
      const Ns late = ordinary ? std::min(delay.time, piece.time.length()) : 0;
      const Ns resumed = piece.time.begin + late;
      delay.time -= late;
      if (late > 0) gap.pieces.push_back({TimeLabel::sync, {piece.time.begin, resumed}});
      if (resumed < piece.time.end) gap.pieces.push_back({label, {resumed, piece.time.end}});
    });
  });
  const Interval rest{since, time.end};
  if (rest.empty()) return;
  const bool event = waits_for_event(before, next, *launch);
  if (rest.length() < own_delay_ && !event) return add(TimeLabel::latency, rest);
  const Ns earliest = event ? since : std::max(since, saturating_difference(time.end, kHandOver));
  if (const GpuRow* const other = last_elsewhere({earliest, time.end}, next.track)) {
    // Idle time long after the other stream's work has another cause.
    const Ns until = time.end - other->time.end <= kHandOver ? time.end : other->time.end;
    add(TimeLabel::stream, {since, until});
    add(TimeLabel::unknown, {until, time.end});
    gap.awaited = other->slice;
    return;
  }
  const bool starts = rest.length() < own_delay_ || (since > time.begin && rest.length() < kStart);
  add(starts ? TimeLabel::latency : TimeLabel::unknown, rest);
}

}  // namespace warpscope::analysis
