#pragma once
// Computes the critical path from the text of a trace in a slow and obvious way. Every event is matched by searching
// all others, the targets of waits are read from their arguments, and the longest path is found by relaxing all edges
// until nothing changes. For whole traces of one rank.
#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/core/tracegen/naive_reader.hpp"

namespace warpscope::tests {

struct BrutePathEvent {
  std::string name;
  std::string category;
  std::int64_t pid = 0;
  std::int64_t tid = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t correlation = -1;
  std::int64_t awaited_stream = -1;
  std::int64_t awaited_record = -1;  // correlation of the call that recorded the awaited event

  [[nodiscard]] bool run() const {
    return category == "kernel" || category == "gpu_memcpy" || category == "gpu_memset";
  }
  [[nodiscard]] bool call() const { return category == "cuda_runtime" || category == "cuda_driver"; }
  [[nodiscard]] bool host() const { return category == "cpu_op" || call(); }
  [[nodiscard]] bool locks() const {
    return name == "cudaHostAlloc" || name == "cudaLaunchKernel" || name == "cudaMemcpyAsync";
  }
  [[nodiscard]] bool blocks() const {
    for (const char* each : {"cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventQuery", "cudaEventSynchronize",
                             "cudaMemcpy", "cudaMemcpyAsync"})
      if (name == each) return true;
    return false;
  }
};

inline std::vector<BrutePathEvent> brute_path_events(const std::string& text) {
  const simdjson::padded_string padded(text);
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document document = parser.iterate(padded);
  std::vector<BrutePathEvent> events;
  for (auto entry : document["traceEvents"].get_array()) {
    BrutePathEvent event;
    std::string phase;
    std::int64_t duration = 0;
    for (auto field : entry.get_object()) {
      const std::string_view key = field.unescaped_key();
      simdjson::ondemand::value value = field.value();
      if (key == "ph") phase = std::string_view(value.get_string());
      if (key == "name") event.name = std::string_view(value.get_string());
      if (key == "cat") event.category = std::string_view(value.get_string());
      if (key == "pid") event.pid = naive_number(value.raw_json_token());
      if (key == "tid") event.tid = naive_number(value.raw_json_token());
      if (key == "ts") event.begin = naive_ns(value.raw_json_token());
      if (key == "dur") duration = naive_ns(value.raw_json_token());
      if (key != "args") continue;
      for (auto argument : value.get_object()) {
        const std::string_view name = argument.unescaped_key();
        if (name == "correlation") event.correlation = naive_number(argument.value().raw_json_token());
        if (name == "wait_on_stream") event.awaited_stream = naive_number(argument.value().raw_json_token());
        if (name == "wait_on_cuda_event_record_corr_id")
          event.awaited_record = naive_number(argument.value().raw_json_token());
      }
    }
    event.end = event.begin + duration;
    if (phase == "X") events.push_back(std::move(event));
  }
  return events;
}

class BruteCriticalPath {
 public:
  /// Counts like HTA.
  explicit BruteCriticalPath(std::vector<BrutePathEvent> events) : all_(std::move(events)) {
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (all_[i].host() && all_[i].end > all_[i].begin) host_.push_back(i);
    for (const std::size_t i : host_)
      if (all_[i].call() && all_[i].correlation >= 0) calls_.emplace(all_[i].correlation, i);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (!all_[i].run()) continue;
      if (const auto launch = call_of(all_[i])) launch_[i] = *launch;
    }
    for (const auto& [run, launch] : launch_) launched_[{all_[run].pid, all_[run].tid}].emplace_back(run, launch);
    locks();
    calls();
    runs();
  }

  /// Length of the longest path in ns.
  [[nodiscard]] std::int64_t length() const {
    std::vector<std::int64_t> reached(2 * all_.size());
    // Correct in any order; sorted by time, a few passes suffice.
    auto edges = edges_;
    std::stable_sort(edges.begin(), edges.end(),
                     [&](const auto& a, const auto& b) { return time(std::get<0>(a)) < time(std::get<0>(b)); });
    for (std::size_t pass = 0; pass < 2 * all_.size() + 1; ++pass) {
      bool more = false;
      for (const auto& [from, to, weight] : edges) {
        if (reached[from] + weight <= reached[to]) continue;
        reached[to] = reached[from] + weight;
        more = true;
      }
      if (!more) break;
    }
    return *std::max_element(reached.begin(), reached.end());
  }

 private:
  using Node = std::size_t;  // of event i: 2i is its start, 2i + 1 its end

  [[nodiscard]] std::int64_t time(Node node) const { return node % 2 == 0 ? all_[node / 2].begin : all_[node / 2].end; }
  void edge(Node from, Node to, bool takes_time) {
    edges_.emplace_back(from, to, takes_time ? std::max<std::int64_t>(0, time(to) - time(from)) : 0);
  }
  /// The host call with the same correlation.
  [[nodiscard]] std::optional<std::size_t> call_of(const BrutePathEvent& event) const {
    const auto found = calls_.find(event.correlation);
    return found == calls_.end() ? std::nullopt : std::optional(found->second);
  }

  void locks() {
    std::vector<Node> nodes;
    for (const std::size_t i : host_)
      if (all_[i].locks()) nodes.insert(nodes.end(), {2 * i, 2 * i + 1});
    std::sort(nodes.begin(), nodes.end(),
              [&](Node a, Node b) { return std::pair(time(a), a) < std::pair(time(b), b); });
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (nodes[n] % 2 == 0) continue;
      for (std::size_t before = n; before-- > 0 && nodes[before] % 2 == 0;)
        edge(nodes[before], nodes[n], nodes[before] / 2 == nodes[n] / 2);
      if (n > 0 && nodes[n - 1] % 2 == 1) edge(nodes[n - 1], nodes[n], false);
    }
  }

  void calls() {
    std::map<std::string, std::vector<std::pair<std::int64_t, std::int64_t>>> marked;  // threads by name: "forward", …
    std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::size_t>> threads;
    for (const BrutePathEvent& event : all_)
      for (const char* word : {"forward", "autograd"})
        if ((event.category == "cpu_op" || event.category == "user_annotation") && event.end > event.begin &&
            event.name.find(word) != std::string::npos &&
            std::find(marked[word].begin(), marked[word].end(), std::pair(event.pid, event.tid)) == marked[word].end())
          marked[word].emplace_back(event.pid, event.tid);
    const bool joined = marked["forward"].size() == 1 && marked["autograd"].size() == 1;
    for (const std::size_t i : host_) {
      std::pair thread(all_[i].pid, all_[i].tid);
      if (joined && thread == marked["autograd"][0]) thread = marked["forward"][0];
      threads[thread].push_back(i);
    }
    for (auto& [thread, calls] : threads) {
      std::sort(calls.begin(), calls.end(), [&](std::size_t a, std::size_t b) {
        return std::tuple(all_[a].begin, -all_[a].end, a) < std::tuple(all_[b].begin, -all_[b].end, b);
      });
      std::map<std::size_t, std::vector<std::size_t>> children;  // key all_.size(): the top level
      for (std::size_t k = 0; k < calls.size(); ++k) {
        std::size_t parent = all_.size();
        for (std::size_t j = k; parent == all_.size() && j-- > 0;)
          if (all_[calls[j]].end > all_[calls[k]].begin) parent = calls[j];
        children[parent].push_back(calls[k]);
      }
      std::optional<Node> last;
      walk(children, all_.size(), last);
    }
  }

  void walk(const std::map<std::size_t, std::vector<std::size_t>>& children, std::size_t parent,
            std::optional<Node>& last) {
    const auto found = children.find(parent);
    if (found == children.end()) return;
    const auto step = [&](Node next, bool takes_time) {
      const bool both = last && all_[*last / 2].locks() && all_[next / 2].locks();
      if (last && !(both && (*last % 2 == 0 || next % 2 == 1))) edge(*last, next, takes_time);
      last = next;
    };
    for (const std::size_t call : found->second) {
      step(2 * call, parent != all_.size());
      walk(children, call, last);
      step(2 * call + 1, !all_[call].blocks());
    }
  }

  [[nodiscard]] static bool same_stream(const BrutePathEvent& a, const BrutePathEvent& b) {
    return a.pid == b.pid && a.tid == b.tid;
  }

  /// Launches called by `now` on the activity's stream, minus activities on it that have started.
  [[nodiscard]] std::int64_t queue(std::size_t run, std::int64_t now, bool at_begin) const {
    std::int64_t waiting = 0;
    for (const auto& [other, launch] : launched_.at({all_[run].pid, all_[run].tid})) {
      const std::int64_t called = all_[launch].begin;
      const bool counts = called < now || (called == now && (other == run || (!at_begin && launch < launch_.at(run))));
      const bool began = all_[other].begin < now || (all_[other].begin == now && (other != run || at_begin));
      waiting += (counts ? 1 : 0) - (began ? 1 : 0);
    }
    return waiting;
  }

  /// The last activity launched on a stream before a call recorded an event there.
  [[nodiscard]] std::optional<std::size_t> recorded_run(const BrutePathEvent& wait) const {
    std::optional<std::size_t> found;
    for (const BrutePathEvent& record : all_) {
      if (record.name != "cudaEventRecord" || record.correlation != wait.awaited_record || record.correlation < 0)
        continue;
      for (const auto& [run, launch] : launch_)
        if (all_[run].pid == wait.pid && all_[run].tid == wait.awaited_stream && all_[launch].begin < record.begin &&
            (!found || all_[launch].begin > all_[launch_.at(*found)].begin))
          found = run;
    }
    return found;
  }

  void runs() {
    std::vector<std::size_t> order;
    for (const auto& [run, launch] : launch_) order.push_back(run);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (all_[i].category != "cuda_sync") continue;
      order.push_back(i);
    }
    const auto key = [&](std::size_t i) {
      return all_[i].run() ? std::tuple(all_[i].begin, 0, all_[i].end, i) : std::tuple(all_[i].end, 1, all_[i].end, i);
    };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    std::vector<std::size_t> begun;
    std::map<std::size_t, std::size_t> awaited;  // by GPU activity
    for (const std::size_t i : order) {
      if (!all_[i].run()) {
        wait(i, begun, awaited);
        continue;
      }
      edge(2 * i, 2 * i + 1, true);
      const std::size_t launch = launch_.at(i);
      const std::int64_t called = all_[launch].begin;
      std::optional<std::size_t> last;
      for (std::size_t b = begun.size(); !last && b-- > 0;)
        if (same_stream(all_[begun[b]], all_[i])) last = begun[b];
      const auto source = awaited.find(i);
      const bool waits = source != awaited.end();
      if (waits) edge(2 * source->second + 1, 2 * i, false);
      if (queue(i, called, false) == 1 && queue(i, all_[i].begin, true) == 0 && (!last || all_[*last].end < called) &&
          (!waits || all_[source->second].end < called))
        edge(2 * launch, 2 * i, true);
      else if (last && all_[i].begin - all_[*last].end < 1'500'000 &&
               (!waits || all_[source->second].end < all_[*last].end))
        edge(2 * *last + 1, 2 * i, true);
      begun.push_back(i);
    }
  }

  void wait(std::size_t w, const std::vector<std::size_t>& begun, std::map<std::size_t, std::size_t>& awaited) {
    const BrutePathEvent& row = all_[w];
    const auto call = call_of(row);
    if (!call) return;
    if (row.name == "Context Sync" || row.name == "Stream Sync") {
      std::map<std::int64_t, std::size_t> last;  // by stream
      for (const std::size_t run : begun)
        if (all_[run].pid == row.pid && (row.name == "Context Sync" || all_[run].tid == row.tid))
          last[all_[run].tid] = run;
      for (const auto& [stream, run] : last) edge(2 * run + 1, 2 * *call + 1, false);
      return;
    }
    const auto source = recorded_run(row);
    if (!source) return;
    if (row.name == "Event Sync") edge(2 * *source + 1, 2 * *call + 1, false);
    if (row.name != "Stream Wait Event") return;
    std::optional<std::size_t> next;
    for (const auto& [run, launch] : launch_)
      if (same_stream(all_[run], row) && all_[launch].pid == all_[*call].pid && all_[launch].tid == all_[*call].tid &&
          all_[launch].begin >= all_[*call].begin && (!next || all_[launch].begin < all_[launch_.at(*next)].begin))
        next = run;
    if (next) awaited[*next] = *source;
  }

  std::vector<BrutePathEvent> all_;
  std::map<std::int64_t, std::size_t> calls_;  // host calls by correlation, the first of each
  std::vector<std::size_t> host_;
  std::map<std::size_t, std::size_t> launch_;  // launch of each GPU activity
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::pair<std::size_t, std::size_t>>>
      launched_;  // by stream: GPU activities with their launches
  std::vector<std::tuple<Node, Node, std::int64_t>> edges_;
};

}  // namespace warpscope::tests
