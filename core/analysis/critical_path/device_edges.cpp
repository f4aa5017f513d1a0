#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/analysis/critical_path/path_edges.hpp"

namespace warpscope::analysis {
namespace {

using Event = PathGraph::Event;

/// Since 2026, a stream's waits are recorded on a separate track, numbered with the stream number plus this offset.
constexpr std::int64_t kWaitTracks = 1'000'000;
/// Maximum delay between the end of the awaited activity and the start of the waiting one; 1 to 5 µs in real traces.
constexpr Ns kAtOnce = 20'000;

struct Stream {
  std::int64_t device = 0;
  const PathRun* last = nullptr;         // latest started
  const PathRun* before = nullptr;       // the previous one
  std::vector<const PathWait*> waits{};  // waits of this stream for others, by start
  std::size_t next_wait = 0;             // first wait not yet followed by GPU activity
};

class DeviceWalk {
 public:
  DeviceWalk(PathGraph& graph, const trace::Rank& rank, const PathEvents& found, const DeviceEdges& choice)
      : graph_(graph), rank_(rank), found_(found), choice_(choice) {
    for (const PathRun& run : found_.runs) streams_.try_emplace(key_of(run.track)).first->second.device = device(run);
    for (const PathWait& wait : found_.waits)
      if (wait.kind == WaitKind::stream_event)
        if (const auto stream = streams_.find(key_of(wait.track)); stream != streams_.end())
          stream->second.waits.push_back(&wait);
    for (auto& [key, stream] : streams_)
      std::ranges::stable_sort(stream.waits, {}, [](const PathWait* wait) { return wait->time.begin; });
  }

  /// Visits GPU activity by start and waits by end; on ties, activity first.
  void walk() {
    auto wait = found_.waits.begin();
    for (const PathRun& run : found_.runs) {
      for (; wait != found_.waits.end() && wait->time.end < time(run).begin; ++wait) add(*wait);
      add(run);
    }
    for (; wait != found_.waits.end(); ++wait) add(*wait);
  }

 private:
  using Key = std::pair<std::int64_t, std::int64_t>;  // device, number of the stream

  [[nodiscard]] Key key_of(std::uint32_t track) const {
    const std::int64_t id = rank_.tracks[track].id;
    const bool of_waits = id >= kWaitTracks && id < 2 * kWaitTracks;
    return {rank_.tracks[track].process, of_waits ? id - kWaitTracks : id};
  }
  [[nodiscard]] std::int64_t device(const PathRun& run) const { return rank_.tracks[run.track].process; }
  [[nodiscard]] const Interval& time(const PathRun& run) const { return graph_.events[run.event].time; }
  [[nodiscard]] Ns launched(const PathRun& run) const { return graph_.events[run.launch].time.begin; }

  /// Returns the stream's last activity that ended at or before `by`.
  [[nodiscard]] const PathRun* ended(const Stream& stream, Ns by) const {
    for (const PathRun* run : {stream.last, stream.before})
      if (run != nullptr && time(*run).end <= by) return run;
    return nullptr;
  }

  /// Returns the activity launched before `call` that ended last in (after, by], on `device` or, without one, on any
  /// device.
  [[nodiscard]] const PathRun* awaited(std::optional<std::int64_t> device, const Stream* except, Ns call, Ns after,
                                       Ns by) const {
    const PathRun* found = nullptr;
    for (const auto& [key, stream] : streams_) {
      if ((device && stream.device != *device) || &stream == except) continue;
      const PathRun* run = ended(stream, by);
      if (run == nullptr || launched(*run) >= call || time(*run).end <= after) continue;
      if (found == nullptr || time(*run).end > time(*found).end) found = run;
    }
    return found;
  }

  /// Returns the time at which the host made the stream wait between the previous launch on the stream and this one;
  /// nullopt if it did not.
  [[nodiscard]] std::optional<Ns> held_before(const PathRun& run, const Stream& stream) const {
    const auto after = std::ranges::lower_bound(found_.stream_waits, run.launch);
    if (after == found_.stream_waits.begin()) return std::nullopt;
    const Event call = *std::prev(after);
    const auto thread = std::ranges::upper_bound(found_.threads, run.launch, {}, &PathThread::first);
    if (call < std::prev(thread)->first) return std::nullopt;
    const Ns begin = graph_.events[call].time.begin;
    if (stream.last != nullptr && launched(*stream.last) >= begin) return std::nullopt;
    return begin;
  }

  /// Returns the activity on another stream that `run` waited on, or null. Without recorded waits, `run` must have
  /// started right after that activity ended.
  [[nodiscard]] const PathRun* awaited_by(const PathRun& run, Stream& stream) const {
    const Ns ready = stream.last == nullptr ? launched(run) : std::max(launched(run), time(*stream.last).end);
    if (!found_.waits_recorded) {
      const auto held = held_before(run, stream);
      if (!held) return nullptr;
      const PathRun* const source = awaited(stream.device, &stream, *held, ready, time(run).begin);
      const bool at_once = source != nullptr && time(run).begin - time(*source).end <= kAtOnce;
      return at_once ? source : nullptr;
    }
    std::optional<Ns> call;
    for (; stream.next_wait < stream.waits.size(); ++stream.next_wait) {
      const Ns begin = stream.waits[stream.next_wait]->time.begin;
      if (begin > launched(run)) break;
      call = begin;
    }
    if (!call) return nullptr;
    return awaited(stream.device, &stream, *call, ready, time(run).begin);
  }

  /// Connects a node of a CUDA graph to the nodes that it waits for; false if there are none. Only the one that ends
  /// last delays it.
  bool add_node_edges(const PathRun& run) {
    const auto edges = std::ranges::equal_range(found_.node_edges, run.event, {}, &std::pair<Event, Event>::first);
    if (edges.empty()) return false;
    const auto on_same_stream = [&](Event event) {
      return rank_.track_of_lane(rank_.locate(graph_.events[event].slice).lane) == run.track;
    };
    for (auto edge = edges.begin(); edge != edges.end(); ++edge) {
      const bool next = edge == edges.begin() && on_same_stream(edge->second);
      graph_.connect(PathGraph::end_of(edge->second), PathGraph::begin_of(run.event),
                     next ? EdgeKind::run_delay : EdgeKind::sync);
    }
    return true;
  }

  void add(const PathRun& run) {
    Stream& stream = streams_.find(key_of(run.track))->second;
    const PathGraph::Node begin = PathGraph::begin_of(run.event);
    graph_.connect(begin, PathGraph::end_of(run.event), EdgeKind::operation);
    const bool of_graph = add_node_edges(run);
    const PathRun* const source = of_graph ? nullptr : awaited_by(run, stream);
    const Ns free = stream.last == nullptr ? 0 : time(*stream.last).end;
    bool by_launch = false;
    if (of_graph) {
      // Streams do not order the nodes of a graph.
    } else if (source != nullptr) {
      graph_.connect(PathGraph::end_of(source->event), begin, EdgeKind::sync);
    } else if (run.alone && (stream.last == nullptr || free < launched(run))) {
      graph_.connect(PathGraph::begin_of(run.launch), begin, EdgeKind::launch_delay);
      by_launch = true;
    } else if (stream.last != nullptr && saturating_difference(time(run).begin, free) < choice_.longest_gap) {
      graph_.connect(PathGraph::end_of(stream.last->event), begin, EdgeKind::run_delay);
    }
    if (choice_.causal && !by_launch)
      graph_.connect(PathGraph::begin_of(run.launch), begin, EdgeKind::launch_delay, true);
    stream.before = std::exchange(stream.last, &run);
  }

  void add(const PathWait& wait) {
    const Ns call_end = graph_.events[wait.call].time.end;
    const auto wait_for = [&](const PathRun* run) {
      if (run != nullptr) graph_.connect(PathGraph::end_of(run->event), PathGraph::end_of(wait.call), EdgeKind::sync);
    };
    const auto last_of = [&](const Stream& stream) {
      return choice_.ended_only ? ended(stream, call_end) : stream.last;
    };
    if (wait.kind == WaitKind::call) return wait_for(awaited({}, nullptr, wait.time.begin, wait.time.begin, call_end));
    if (wait.kind == WaitKind::copy) {
      for (const auto& [of, stream] : streams_)
        if (const PathRun* run = ended(stream, call_end); run != nullptr && run->launch == wait.call) wait_for(run);
      return;
    }
    const Key key = key_of(wait.track);
    if (wait.kind == WaitKind::context) {
      for (const auto& [of, stream] : streams_)
        if (of.first == key.first) wait_for(last_of(stream));
    } else if (wait.kind == WaitKind::stream) {
      if (const auto stream = streams_.find(key); stream != streams_.end()) wait_for(last_of(stream->second));
    } else if (wait.kind == WaitKind::event) {
      wait_for(awaited(key.first, nullptr, wait.time.begin, wait.time.begin, call_end));
    }
  }

  PathGraph& graph_;
  const trace::Rank& rank_;
  const PathEvents& found_;
  const DeviceEdges& choice_;
  std::map<Key, Stream> streams_;
};

}  // namespace

void connect_runs(PathGraph& graph, const trace::Rank& rank, const PathEvents& found, const DeviceEdges& choice) {
  DeviceWalk(graph, rank, found, choice).walk();
}

}  // namespace warpscope::analysis
