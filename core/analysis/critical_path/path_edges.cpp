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

void connect_calls(PathGraph& graph, const PathThread& thread) {
  std::vector<Event> open;
  std::optional<Node> last;
  const auto leave = [&] {
    const Event call = open.back();
    const Node end = PathGraph::end_of(call);
    if (!share_lock(graph, *last, end)) graph.connect(*last, end, EdgeKind::operation, graph.events[call].blocks);
    last = end;
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
    open.push_back(call);
  }
  while (!open.empty()) leave();
}

namespace {

/// Since 2026, a stream's waits are recorded on a separate track, numbered with the stream number plus this offset.
constexpr std::int64_t kWaitTracks = 1'000'000;
/// Maximum gap between dependent activities on a stream; longer gaps have other causes.
constexpr Ns kLongestGap = 1'500'000;

struct Stream {
  std::int64_t device = 0;
  const PathRun* last = nullptr;         // latest started
  const PathRun* before = nullptr;       // the previous one
  std::vector<const PathWait*> waits{};  // waits of this stream for others, by start
  std::size_t next_wait = 0;             // first wait not yet followed by GPU activity
};

class DeviceWalk {
 public:
  DeviceWalk(PathGraph& graph, const trace::Rank& rank, const PathEvents& found)
      : graph_(graph), rank_(rank), found_(found) {
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

  /// Returns the activity on `device` launched before `call` that ended last in (after, by].
  [[nodiscard]] const PathRun* awaited(std::int64_t device, const Stream* except, Ns call, Ns after, Ns by) const {
    const PathRun* found = nullptr;
    for (const auto& [key, stream] : streams_) {
      if (stream.device != device || &stream == except) continue;
      const PathRun* run = ended(stream, by);
      if (run == nullptr || launched(*run) >= call || time(*run).end <= after) continue;
      if (found == nullptr || time(*run).end > time(*found).end) found = run;
    }
    return found;
  }

  /// Returns the activity on another stream that `run` waited on, or null.
  [[nodiscard]] const PathRun* awaited_by(const PathRun& run, Stream& stream) const {
    const Ns ready = stream.last == nullptr ? launched(run) : std::max(launched(run), time(*stream.last).end);
    std::optional<Ns> call;
    for (; stream.next_wait < stream.waits.size(); ++stream.next_wait) {
      const Ns begin = stream.waits[stream.next_wait]->time.begin;
      if (begin > launched(run)) break;
      call = begin;
    }
    if (!call) return nullptr;
    return awaited(stream.device, &stream, *call, ready, time(run).begin);
  }

  void add(const PathRun& run) {
    Stream& stream = streams_.find(key_of(run.track))->second;
    const PathGraph::Node begin = PathGraph::begin_of(run.event);
    graph_.connect(begin, PathGraph::end_of(run.event), EdgeKind::operation);
    const PathRun* const source = awaited_by(run, stream);
    const Ns free = stream.last == nullptr ? 0 : time(*stream.last).end;
    if (source != nullptr) {
      graph_.connect(PathGraph::end_of(source->event), begin, EdgeKind::sync);
    } else if (run.alone && (stream.last == nullptr || free < launched(run))) {
      graph_.connect(PathGraph::begin_of(run.launch), begin, EdgeKind::launch_delay);
    } else if (stream.last != nullptr && saturating_difference(time(run).begin, free) < kLongestGap) {
      graph_.connect(PathGraph::end_of(stream.last->event), begin, EdgeKind::run_delay);
    }
    stream.before = std::exchange(stream.last, &run);
  }

  void add(const PathWait& wait) {
    const Ns call_end = graph_.events[wait.call].time.end;
    const auto wait_for = [&](const PathRun* run) {
      if (run != nullptr) graph_.connect(PathGraph::end_of(run->event), PathGraph::end_of(wait.call), EdgeKind::sync);
    };
    const Key key = key_of(wait.track);
    if (wait.kind == WaitKind::context) {
      for (const auto& [of, stream] : streams_)
        if (of.first == key.first) wait_for(stream.last);
    } else if (wait.kind == WaitKind::stream) {
      if (const auto stream = streams_.find(key); stream != streams_.end()) wait_for(stream->second.last);
    } else if (wait.kind == WaitKind::event) {
      wait_for(awaited(key.first, nullptr, wait.time.begin, wait.time.begin, call_end));
    }
  }

  PathGraph& graph_;
  const trace::Rank& rank_;
  const PathEvents& found_;
  std::map<Key, Stream> streams_;
};

}  // namespace

void connect_runs(PathGraph& graph, const trace::Rank& rank, const PathEvents& found) {
  DeviceWalk(graph, rank, found).walk();
}

}  // namespace warpscope::analysis
