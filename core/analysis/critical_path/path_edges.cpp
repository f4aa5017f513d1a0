#include "core/analysis/critical_path/path_edges.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/base/natural_merge.hpp"

namespace warpscope::analysis {

namespace {

using Event = PathGraph::Event;
using Node = PathGraph::Node;

/// True if both calls take the lock; connect_locks() connects these.
bool share_lock(const PathGraph& graph, Node a, Node b) {
  return graph.events[PathGraph::event_of(a)].locks && graph.events[PathGraph::event_of(b)].locks &&
         (PathGraph::is_begin(a) || !PathGraph::is_begin(b));
}

}  // namespace

void connect_locks(PathGraph& graph) {
  std::vector<Node> nodes;
  for (Event e = 0; e < graph.events.size(); ++e) {
    if (!graph.events[e].locks) continue;
    nodes.push_back(PathGraph::begin_of(e));
    nodes.push_back(PathGraph::end_of(e));
  }
  // Nodes of each thread are nearly in order.
  natural_merge_sort(nodes, [&](Node a, Node b) { return std::pair(graph.time(a), a) < std::pair(graph.time(b), b); });
  std::vector<Node> open;
  std::optional<Node> last;
  for (const Node node : nodes) {
    if (PathGraph::is_begin(node)) {
      open.push_back(node);
    } else {
      for (; !open.empty(); open.pop_back()) {
        const bool same = PathGraph::event_of(open.back()) == PathGraph::event_of(node);
        graph.connect(open.back(), node, same ? EdgeKind::operation : EdgeKind::dependency);
      }
      if (last && !PathGraph::is_begin(*last)) graph.connect(*last, node, EdgeKind::dependency);
    }
    last = node;
  }
}

std::vector<Node> connect_calls(PathGraph& graph, const PathThread& thread) {
  std::vector<Node> order;
  order.reserve(2 * static_cast<std::size_t>(thread.last - thread.first));
  std::vector<Event> open;
  std::optional<Node> last;
  const auto leave = [&] {
    const Event call = open.back();
    const Node end = PathGraph::end_of(call);
    if (!share_lock(graph, *last, end)) graph.connect(*last, end, EdgeKind::operation, graph.events[call].blocks);
    last = end;
    order.push_back(end);
    open.pop_back();
  };
  for (Event call = thread.first; call < thread.last; ++call) {
    PathGraph::EventFacts& facts = graph.events[call];
    while (!open.empty() && graph.events[open.back()].time.end <= facts.time.begin) leave();
    if (!open.empty()) facts.parent = open.back();
    const Node begin = PathGraph::begin_of(call);
    if (last && !share_lock(graph, *last, begin))
      graph.connect(*last, begin, open.empty() ? EdgeKind::dependency : EdgeKind::operation);
    last = begin;
    order.push_back(begin);
    open.push_back(call);
  }
  while (!open.empty()) leave();
  return order;
}

void connect_backward(PathGraph& graph, std::vector<Node> forward, const PathThread& backward) {
  const auto time = [&](Node node) { return graph.time(node); };
  natural_merge_sort(forward, [&](Node a, Node b) { return time(a) < time(b); });
  auto before = forward.begin();  // nodes up to here are no later than the last call's start
  std::optional<Node> done;       // end of the last call if it still needs an edge to what follows
  for (Event call = backward.first; call < backward.last; ++call) {
    const PathGraph::EventFacts& facts = graph.events[call];
    if (facts.parent != PathGraph::kNone) continue;
    const auto after = std::upper_bound(before, forward.end(), facts.time.begin,
                                        [&](Ns begin, Node node) { return begin < time(node); });
    if (done && after != before) graph.connect(*done, *before, EdgeKind::dependency);
    if (after != forward.begin() && (after != before || call == backward.first))
      graph.connect(*std::prev(after), PathGraph::begin_of(call), EdgeKind::dependency);
    const bool waited = after == forward.end() || time(*after) >= facts.time.end;
    done = waited ? std::optional(PathGraph::end_of(call)) : std::nullopt;
    before = after;
  }
  if (done && before != forward.end()) graph.connect(*done, *before, EdgeKind::dependency);
}

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
