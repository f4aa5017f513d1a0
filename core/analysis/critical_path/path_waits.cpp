#include "core/analysis/critical_path/path_waits.hpp"

#include <algorithm>
#include <optional>

#include "core/analysis/request/runs.hpp"
#include "core/analysis/shared/hta_steps.hpp"

namespace warpscope::analysis {
namespace {

using Event = PathGraph::Event;

/// Older profilers have a clock of whole µs: a wait may exceed its call by this much.
constexpr Ns kClockStep = 1000;
/// Maximum number of concurrent calls searched for the one that contains a wait: one per thread.
constexpr std::size_t kMostThreads = 64;

std::optional<WaitKind> wait_kind(std::string_view name) {
  if (name == "Context Sync") return WaitKind::context;
  if (name == "Stream Sync") return WaitKind::stream;
  if (name == "Event Sync") return WaitKind::event;
  if (name == "Stream Wait Event") return WaitKind::stream_event;
  return std::nullopt;
}

/// Returns the call that contains a recorded wait. `by_begin`: calls by start.
std::optional<Event> call_around(const PathGraph& graph, const std::vector<Event>& by_begin, Interval wait) {
  auto after = std::ranges::upper_bound(by_begin, saturating_add(wait.begin, kClockStep), {},
                                        [&](Event e) { return graph.events[e].time.begin; });
  for (std::size_t k = 0; k < kMostThreads && after != by_begin.begin(); ++k) {
    --after;
    const Interval& call = graph.events[*after].time;
    if (saturating_add(call.end, kClockStep) >= wait.end && call.end >= wait.begin) return *after;
  }
  return std::nullopt;
}

}  // namespace

void collect_path_waits(const trace::Profile& profile, const trace::Rank& rank, const PathWaitChoice& choice,
                        const PathGraph& graph, const std::vector<Event>& waiting, PathEvents& found) {
  std::vector<Event> by_begin = waiting;
  std::ranges::sort(by_begin, {}, [&](Event e) { return graph.events[e].time.begin; });
  for (std::uint32_t l = 0; l < rank.lanes.size(); ++l) {
    const trace::Lane& lane = rank.lanes[l];
    if (rows_of(rank, l) != trace::LaneKind::sync) continue;
    found.waits_recorded |= lane.size() > 0;
    for_each_part(lane, choice.until, [&](std::uint32_t i, Interval) {
      const Interval recorded{lane.time().begin(i), lane.time().end(i)};
      const Interval time = choice.classes.rounding ? hta_rounded(recorded) : recorded;
      const auto kind = wait_kind(profile.names().view(lane.name(i)));
      const auto call = kind ? call_around(graph, by_begin, time) : std::nullopt;
      if (call) found.waits.push_back({time, *kind, rank.track_of_lane(l), *call});
    });
  }
  if (!found.waits_recorded && !choice.classes.hta) {
    for (const Event call : waiting) {
      const NameId name = rank.name(graph.events[call].slice);
      if (choice.words.has(name, PathWords::kHoldsStream)) found.stream_waits.push_back(call);
      if (!graph.events[call].blocks || choice.words.has(name, PathWords::kAsks)) continue;
      const WaitKind kind = choice.words.has(name, PathWords::kCopies) ? WaitKind::copy : WaitKind::call;
      found.waits.push_back({graph.events[call].time, kind, 0, call});
    }
  }
  std::ranges::stable_sort(found.waits, {}, [](const PathWait& wait) { return wait.time.end; });
}

}  // namespace warpscope::analysis
