#include "core/analysis/critical_path/path_events.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "core/analysis/critical_path/path_threads.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/shared/bucket_sort.hpp"
#include "core/analysis/shared/hta.hpp"
#include "core/analysis/shared/launched_runs.hpp"
#include "core/base/natural_merge.hpp"

namespace warpscope::analysis {
namespace {

using trace::Role;
using trace::SliceOrdinal;
using Event = PathGraph::Event;
using EventFacts = PathGraph::EventFacts;

/// Older profilers record whole µs, so a wait may extend beyond its call by this much.
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

class Collector {
 public:
  Collector(const trace::Profile& profile, std::uint32_t rank, Interval window, const PathEvents::Choice& choice,
            PathGraph& graph, const CancelToken* cancel)
      : profile_(profile),
        rank_index_(rank),
        rank_(*profile.ranks[rank]),
        window_(window),
        until_{window.begin, saturating_add(window.end, 1)},
        choice_(choice),
        words_(profile, choice.data_loading),
        roles_(roles_of_categories(profile)),
        graph_(graph),
        cancel_(cancel) {}

  PathEvents collect() {
    const std::vector<PathTracks> threads = path_tracks(rank_, words_, roles_, until_, cancel_);
    std::size_t calls = 0;
    for (const PathTracks& thread : threads) calls += thread.calls;
    graph_.events.reserve(calls + rank_.counts.runs);
    for (const PathTracks& thread : threads) {
      if (cancelled(cancel_)) return {};
      add_calls(thread);
    }
    if (cancelled(cancel_)) return {};
    std::ranges::sort(launches_);
    add_runs();
    add_waits();
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool starts_inside(Ns begin) const { return window_.begin <= begin && begin <= window_.end; }
  [[nodiscard]] Interval rounded(Interval time) const { return choice_.classes.rounding ? hta_rounded(time) : time; }

  /// Position in a lane, with the lane's next call. Slices of a lane do not overlap, so its calls are in order; calls
  /// of a folded lane are sorted.
  struct LaneWalk {
    std::uint32_t lane = 0;
    std::uint32_t next = 0;  // index of a slice, or into `folded`
    std::uint32_t end = 0;
    std::vector<std::uint32_t> folded{};
    EventFacts call{};
  };

  /// Orders calls by start, then outer before inner.
  [[nodiscard]] static auto place_of(const EventFacts& call) {
    return std::tuple(call.time.begin, -call.time.end, call.slice);
  }

  [[nodiscard]] std::optional<EventFacts> call_at(std::uint32_t l, std::uint32_t i) const {
    const trace::Lane& lane = rank_.lanes[l];
    const Interval time = rounded({lane.time().begin(i), lane.time().end(i)});
    if (!starts_inside(time.begin) || time.empty()) return std::nullopt;
    const Role role = roles_[lane.category(i)];
    const NameId name = lane.name(i);
    const bool loads = words_.has(name, PathWords::kDataLoading);
    if (role != Role::op && role != Role::launch && !loads) return std::nullopt;
    return EventFacts{time,
                      rank_.lane_start[l] + i,
                      PathGraph::kNone,
                      loads ? BoundBy::data_loading : BoundBy::cpu,
                      words_.has(name, PathWords::kLocks),
                      words_.has(name, PathWords::kBlocks)};
  }

  [[nodiscard]] LaneWalk walk_of(std::uint32_t l) const {
    const trace::Lane& lane = rank_.lanes[l];
    LaneWalk walk{.lane = l};
    if (!lane.folded()) {
      const trace::IndexRange part = lane.tree().overlapping(until_.begin, until_.end);
      walk.next = part.first;
      walk.end = part.last;
      return walk;
    }
    lane.for_each_overlapping(until_.begin, until_.end, [&](std::uint32_t i) {
      if (call_at(l, i)) walk.folded.push_back(i);
    });
    std::ranges::sort(walk.folded, {}, [&](std::uint32_t i) { return place_of(*call_at(l, i)); });
    walk.end = static_cast<std::uint32_t>(walk.folded.size());
    return walk;
  }

  /// Advances to the next call; false at the end.
  [[nodiscard]] bool advance(LaneWalk& walk) const {
    while (walk.next < walk.end) {
      const std::uint32_t i = walk.folded.empty() ? walk.next : walk.folded[walk.next];
      ++walk.next;
      if (const auto call = call_at(walk.lane, i)) {
        walk.call = *call;
        return true;
      }
    }
    return false;
  }

  /// Merges the lanes of a thread, which avoids sorting. O(S log L) for S slices in L lanes.
  void add_calls(const PathTracks& thread) {
    const auto first = static_cast<Event>(graph_.events.size());
    std::vector<LaneWalk> walks;
    for (const std::uint32_t t : thread.tracks) {
      const trace::Track& track = rank_.tracks[t];
      for (const std::uint32_t l : recorded_lanes(rank_, track)) {
        LaneWalk walk = walk_of(l);
        if (advance(walk)) walks.push_back(std::move(walk));
      }
    }
    const auto later = [&](std::size_t a, std::size_t b) { return place_of(walks[a].call) > place_of(walks[b].call); };
    std::vector<std::size_t> heap(walks.size());
    for (std::size_t w = 0; w < heap.size(); ++w) heap[w] = w;
    std::ranges::make_heap(heap, later);
    while (!heap.empty()) {
      std::ranges::pop_heap(heap, later);
      LaneWalk& walk = walks[heap.back()];
      add_call(walk);
      if (advance(walk))
        std::ranges::push_heap(heap, later);
      else
        heap.pop_back();
    }
    const auto last = static_cast<Event>(graph_.events.size());
    if (first < last) found_.threads.push_back({first, last});
  }

  void add_call(const LaneWalk& walk) {
    const auto event = static_cast<Event>(graph_.events.size());
    const trace::Lane& lane = rank_.lanes[walk.lane];
    const std::uint32_t index = walk.call.slice - rank_.lane_start[walk.lane];
    graph_.events.push_back(walk.call);
    if (roles_[lane.category(index)] != Role::launch) return;
    launches_.emplace_back(walk.call.slice, event);
    if (words_.has(lane.name(index), PathWords::kWaits)) waiting_.push_back(event);
  }

  /// Adds recorded waits. O(R + C log C) for R rows and C calls that may wait.
  void add_waits() {
    std::vector<Event> by_begin = waiting_;
    std::ranges::sort(by_begin, {}, [&](Event e) { return graph_.events[e].time.begin; });
    for (std::uint32_t l = 0; l < rank_.lanes.size(); ++l) {
      const trace::Lane& lane = rank_.lanes[l];
      if (rank_.rows_of(l) != trace::LaneKind::sync) continue;
      for_each_part(lane, until_, [&](std::uint32_t i, Interval) {
        const Interval time = rounded({lane.time().begin(i), lane.time().end(i)});
        const auto kind = wait_kind(profile_.names().view(lane.name(i)));
        const auto call = kind ? call_around(graph_, by_begin, time) : std::nullopt;
        if (call) found_.waits.push_back({time, *kind, rank_.track_of_lane(l), *call});
      });
    }
    std::ranges::stable_sort(found_.waits, {}, [](const PathWait& wait) { return wait.time.end; });
  }

  void add_runs() {
    const LaunchedRuns launched(profile_, {{rank_index_}, {}}, choice_.classes, LaunchCalls::all, cancel_,
                                choice_.shared);
    const std::shared_ptr<const GpuRows::Rows> all = launched.of(rank_index_);
    const GpuRows::Rows& rows = *all;
    const std::vector<char> alone = rows_alone(launched, rows);
    for (std::size_t r = 0; r < rows.size(); ++r)
      add_run({rows[r].time, rows[r].slice, PathGraph::kNone,
               rows[r].kind == KernelClass::communication ? BoundBy::communication : BoundBy::computation},
              *rows[r].launch, rows[r].track, alone[r] != 0);
    const auto place = [&](const PathRun& run) {
      const EventFacts& event = graph_.events[run.event];
      return std::tuple(event.time.begin, event.time.end, event.slice);
    };
    natural_merge_sort(found_.runs, [&](const PathRun& a, const PathRun& b) { return place(a) < place(b); });
  }

  void add_run(const EventFacts& event, SliceOrdinal launch, std::uint32_t track, bool alone) {
    const auto call = std::ranges::lower_bound(launches_, std::pair(launch, Event{0}));
    if (call == launches_.end() || call->first != launch) return;
    found_.runs.push_back({static_cast<Event>(graph_.events.size()), call->second, track, alone});
    graph_.events.push_back(event);
  }

  /// Returns, for each row, whether no other launch was waiting on the stream at the launch or at the start.
  [[nodiscard]] std::vector<char> rows_alone(const LaunchedRuns& launched, const std::vector<GpuRow>& rows) const {
    enum Order : std::uint8_t { kBegin, kLaunch, kBeginAtOnce };  // order of simultaneous changes
    struct Change {
      std::uint32_t track;
      Ns time;
      Order order;
      std::size_t row;
    };
    std::vector<Change> calls;
    std::vector<Change> begins;
    const GpuRow* const base = rows.data();
    for_each_launch(rows, true, [&](std::span<const GpuRow> launch) {
      const GpuRow& first = launch.front();
      const auto row = static_cast<std::size_t>(launch.data() - base);
      const Ns call = launched.call(rank_index_, first).begin;
      calls.push_back({first.track, call, kLaunch, row});
      begins.push_back({first.track, first.time.begin, first.time.begin == call ? kBeginAtOnce : kBegin, row});
    });
    const auto before = [](const Change& a, const Change& b) {
      return std::tuple(a.track, a.time, a.order, a.row) < std::tuple(b.track, b.time, b.order, b.row);
    };
    // Both are in order within a track unless the launching thread or its lane changes.
    for (std::vector<Change>* of_kind : {&calls, &begins}) {
      bucket_sort(*of_kind, rank_.tracks.size(), [](const Change& each) { return each.track; });
      natural_merge_sort(*of_kind, before);
    }
    std::vector<Change> changes(calls.size() + begins.size());
    std::ranges::merge(calls, begins, changes.begin(), before);
    std::vector<char> alone(rows.size());
    std::int64_t waiting = 0;
    for (std::size_t c = 0; c < changes.size(); ++c) {
      const Change& change = changes[c];
      if (c == 0 || changes[c - 1].track != change.track) waiting = 0;
      if (change.order == kLaunch)
        alone[change.row] = ++waiting == 1 ? 1 : 0;
      else if (--waiting != 0)
        alone[change.row] = 0;
    }
    return alone;
  }

  const trace::Profile& profile_;
  const std::uint32_t rank_index_;
  const trace::Rank& rank_;
  const Interval window_;
  const Interval until_;  // half-open; includes calls that start at the window's end
  const PathEvents::Choice& choice_;
  const PathWords words_;
  const RoleOfCategory roles_;
  PathGraph& graph_;
  const CancelToken* const cancel_;
  PathEvents found_;
  std::vector<std::pair<SliceOrdinal, Event>> launches_;  // by slice
  std::vector<Event> waiting_;                            // calls that may wait, by thread and start
};

}  // namespace

PathEvents collect_path_events(const trace::Profile& profile, std::uint32_t rank, Interval window,
                               const PathEvents::Choice& choice, PathGraph& graph, const CancelToken* cancel) {
  return Collector(profile, rank, window, choice, graph, cancel).collect();
}

}  // namespace warpscope::analysis
