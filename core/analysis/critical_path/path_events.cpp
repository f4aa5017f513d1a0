#include "core/analysis/critical_path/path_events.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "core/analysis/critical_path/path_threads.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/shared/bucket_sort.hpp"
#include "core/analysis/shared/graph_nodes.hpp"
#include "core/analysis/shared/hta.hpp"
#include "core/analysis/shared/launched_runs.hpp"
#include "core/base/natural_merge.hpp"

namespace warpscope::analysis {
namespace {

using trace::Role;
using trace::SliceOrdinal;
using Event = PathGraph::Event;
using EventFacts = PathGraph::EventFacts;

/// How to find waits: from recorded waits if available, otherwise from the host's blocking calls.
struct PathWaitChoice {
  Interval until;  ///< half-open; analyzed time range of the rank
  const KernelClasses::Choice& classes;
  const PathWords& words;
};

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

/// Adds waits to `found` and sets its `waits_recorded`. `waiting`: calls that may wait, by thread and start. O(R + C
/// log C) for R rows and C calls.
void collect_path_waits(const trace::Profile& profile, const trace::Rank& rank, const PathWaitChoice& choice,
                        const PathGraph& graph, const std::vector<Event>& waiting, PathEvents& found) {
  std::vector<Event> by_begin = waiting;
  std::ranges::sort(by_begin, {}, [&](Event e) { return graph.events[e].time.begin; });
  for (std::uint32_t l = 0; l < rank.lanes.size(); ++l) {
    const trace::Lane& lane = rank.lanes[l];
    if (rank.rows_of(l) != trace::LaneKind::sync) continue;
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
        words_(profile, choice.data_loading, choice.classes.hta),
        roles_(roles_of_categories(profile)),
        graph_(graph),
        cancel_(cancel) {}

  PathEvents collect() {
    const PathTracks::Choice by{until_, choice_.classes.hta, cancel_};
    const std::vector<PathTracks> threads = path_tracks(rank_, words_, roles_, by);
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
    collect_path_waits(profile_, rank_, {until_, choice_.classes, words_}, graph_, waiting_, found_);
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
    if (first < last) found_.threads.push_back({first, last, thread.pass, rank_.tracks[thread.tracks[0]].process});
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

  [[nodiscard]] BoundBy bound_of(KernelClass kind) const {
    if (kind == KernelClass::communication) return BoundBy::communication;
    return kind == KernelClass::memory && !choice_.classes.hta ? BoundBy::memory : BoundBy::computation;
  }

  void add_runs() {
    const LaunchedRuns launched(profile_, {{rank_index_}, {}}, choice_.classes, LaunchCalls::all, cancel_,
                                choice_.shared);
    const std::shared_ptr<const GpuRows::Rows> all = launched.of(rank_index_);
    const GpuRows::Rows& rows = *all;
    const std::vector<char> alone = rows_alone(launched, rows);
    for (std::size_t r = 0; r < rows.size(); ++r)
      add_run({rows[r].time, rows[r].slice, PathGraph::kNone, bound_of(rows[r].kind)}, *rows[r].launch, rows[r].track,
              alone[r] != 0);
    if (!choice_.classes.hta) add_graph_nodes();
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

  /// Adds host callbacks and the recorded dependencies between the nodes of CUDA graphs.
  void add_graph_nodes() {
    const std::size_t first_callback = found_.runs.size();
    for (std::uint32_t d = 0; d < rank_.devices.size(); ++d)
      for (const HostNode& node : host_nodes(profile_, rank_index_, d))
        if (const auto launch = launch_of_node(profile_, rank_, node.slice))
          add_run({node.time, node.slice, PathGraph::kNone, BoundBy::cpu}, *launch, node.track, false);
    std::vector<std::pair<SliceOrdinal, Event>> events;
    if (rank_.graph_edges.size() > 0)
      for (const PathRun& run : found_.runs) events.emplace_back(graph_.events[run.event].slice, run.event);
    std::ranges::sort(events);
    for (const auto& [slice, event] : events)
      for (const SliceOrdinal node : awaited_nodes(profile_, rank_, slice)) {
        const auto awaited = std::ranges::lower_bound(events, std::pair(node, Event{0}));
        if (awaited != events.end() && awaited->first == node) found_.node_edges.emplace_back(event, awaited->second);
      }
    if (first_callback < found_.runs.size()) connect_callbacks(first_callback);
    std::ranges::sort(found_.node_edges, [&](const auto& a, const auto& b) {
      const auto end_of = [&](const auto& edge) { return graph_.events[edge.second].time.end; };
      return std::tuple(a.first, -end_of(a), a.second) < std::tuple(b.first, -end_of(b), b.second);
    });
  }

  /// Callbacks without recorded dependencies are assumed to wait for the node of their graph that ended last before
  /// them. `first`: index of the first one in the list of runs.
  void connect_callbacks(std::size_t first) {
    std::set<Event> connected;
    for (const auto& [event, awaited] : found_.node_edges) connected.insert(event);
    std::vector<std::tuple<Event, Ns, Event>> ends;  // launch, end, event
    for (const PathRun& run : found_.runs) ends.emplace_back(run.launch, graph_.events[run.event].time.end, run.event);
    std::ranges::sort(ends);
    for (std::size_t i = first; i < found_.runs.size(); ++i) {
      const PathRun& callback = found_.runs[i];
      if (connected.contains(callback.event)) continue;
      const Ns begin = graph_.events[callback.event].time.begin;
      const auto after = std::ranges::upper_bound(ends, std::tuple(callback.launch, begin, PathGraph::kNone));
      if (after == ends.begin()) continue;
      const auto& [launch, end, awaited] = *std::prev(after);
      if (launch == callback.launch && awaited != callback.event)
        found_.node_edges.emplace_back(callback.event, awaited);
    }
  }

  /// Returns, for each row, whether the stream was empty and idle at the launch; with hta, whether no other launch was
  /// waiting on the stream at the launch or at the start.
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
      const bool hta = choice_.classes.hta;
      if (change.order == kLaunch)
        alone[change.row] = ++waiting == 1 && (hta || !busy_before(rows[change.row].slice, change.time)) ? 1 : 0;
      else if (--waiting != 0 && hta)
        alone[change.row] = 0;
    }
    return alone;
  }

  /// True if the previous activity on the stream had not ended, even if its launch is unknown or precedes the window.
  [[nodiscard]] bool busy_before(SliceOrdinal run, Ns launched) const {
    const trace::SlicePlace place = rank_.locate(run);
    return place.index > 0 && rank_.lanes[place.lane].time().end(place.index - 1) >= launched;
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
