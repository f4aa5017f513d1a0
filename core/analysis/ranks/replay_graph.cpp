#include "core/analysis/ranks/replay_graph.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace warpscope::analysis {

void ReplayGraph::reserve(std::size_t nodes, std::size_t edges) {
  starts_.reserve(nodes);
  durations_.reserve(nodes);
  groups_.reserve(nodes);
  first_edge_.reserve(nodes + 1);
  froms_.reserve(edges);
  lags_.reserve(edges);
}

ReplayGraph::Node ReplayGraph::add_node(Ns start, Ns duration, std::uint32_t group) {
  starts_.push_back(start);
  durations_.push_back(duration);
  groups_.push_back(group);
  return static_cast<Node>(starts_.size() - 1);
}

ReplayGraph::Edge ReplayGraph::add_edge(Node from, Node to, Ns lag) {
  while (first_edge_.size() <= to) first_edge_.push_back(static_cast<Edge>(froms_.size()));
  froms_.push_back(from);
  lags_.push_back(lag);
  return static_cast<Edge>(froms_.size() - 1);
}

void ReplayGraph::finish() {
  while (first_edge_.size() <= nodes()) first_edge_.push_back(static_cast<Edge>(froms_.size()));
  std::uint32_t groups = 0;
  for (const std::uint32_t group : groups_)
    if (group != kNoGroup) groups = std::max(groups, group + 1);
  first_member_.assign(groups + std::size_t{1}, 0);
  for (const std::uint32_t group : groups_)
    if (group != kNoGroup) ++first_member_[group + std::size_t{1}];
  std::partial_sum(first_member_.begin(), first_member_.end(), first_member_.begin());
  members_.resize(first_member_.back());
  std::vector<std::uint32_t> next(first_member_.begin(), first_member_.end() - 1);
  for (Node node = 0; node < nodes(); ++node)
    if (groups_[node] != kNoGroup) members_[next[groups_[node]]++] = node;
  order();
}

/// Kahn's algorithm. A node is ready when the ends of its sources are known; the end of a group's members is known once
/// all of them are ordered.
void ReplayGraph::order() {
  std::vector<std::uint32_t> first_target(nodes() + 1, 0);
  for (const Node from : froms_) ++first_target[from + std::size_t{1}];
  std::partial_sum(first_target.begin(), first_target.end(), first_target.begin());
  std::vector<Node> targets(froms_.size());
  std::vector<std::uint32_t> next(first_target.begin(), first_target.end() - 1);
  std::vector<std::uint32_t> missing(nodes());
  for (Node to = 0; to < nodes(); ++to) {
    missing[to] = static_cast<std::uint32_t>(sources(to).size());
    for (const Node from : sources(to)) targets[next[from]++] = to;
  }
  std::vector<std::uint32_t> unordered(first_member_.size() - 1);
  for (std::size_t g = 0; g < unordered.size(); ++g) unordered[g] = first_member_[g + 1] - first_member_[g];
  std::vector<Node> ready;
  std::vector<char> done(nodes(), 0);
  as_recorded_.assign(nodes(), 0);
  order_.reserve(nodes());
  for (Node node = 0; node < nodes(); ++node)
    if (missing[node] == 0) ready.push_back(node);
  const auto ended = [&](Node node) {
    for (std::uint32_t t = first_target[node]; t < first_target[node + std::size_t{1}]; ++t)
      if (--missing[targets[t]] == 0 && done[targets[t]] == 0) ready.push_back(targets[t]);
  };
  std::vector<Node> by_start;  // built if there is a cycle
  std::size_t at = 0;
  while (order_.size() < nodes()) {
    while (!ready.empty()) {
      const Node node = ready.back();
      ready.pop_back();
      if (done[node] != 0) continue;
      done[node] = 1;
      order_.push_back(node);
      const std::uint32_t group = groups_[node];
      if (group == kNoGroup) {
        ended(node);
      } else if (--unordered[group] == 0) {
        for (std::uint32_t m = first_member_[group]; m < first_member_[group + std::size_t{1}]; ++m) ended(members_[m]);
      }
    }
    if (order_.size() == nodes()) break;
    if (by_start.empty()) {
      by_start.resize(nodes());
      std::iota(by_start.begin(), by_start.end(), Node{0});
      std::ranges::stable_sort(by_start, {}, [&](Node node) { return starts_[node]; });
    }
    while (done[by_start[at]] != 0) ++at;
    as_recorded_[by_start[at]] = 1;
    ++broken_;
    ready.push_back(by_start[at]);
  }
}

std::vector<Ns> ReplayGraph::replay(std::span<const Ns> durations, std::span<const Ns> lags) const {
  std::vector<Ns> ends;
  replay(durations, lags, ends);
  return ends;
}

void ReplayGraph::replay(std::span<const Ns> durations, std::span<const Ns> lags, std::vector<Ns>& ends) const {
  if (durations.empty()) durations = durations_;
  if (lags.empty()) lags = lags_;
  ends.resize(nodes());
  std::vector<std::uint32_t> started(first_member_.size() - 1, 0);
  std::vector<Ns> last(first_member_.size() - 1, std::numeric_limits<Ns>::min());
  for (const Node node : order_) {
    Ns start = std::numeric_limits<Ns>::min();
    if (as_recorded_[node] == 0)
      for (Edge edge = first_edge_[node]; edge < first_edge_[node + std::size_t{1}]; ++edge)
        start = std::max(start, ends[froms_[edge]] + lags[edge]);
    if (start == std::numeric_limits<Ns>::min()) start = starts_[node];
    const std::uint32_t group = groups_[node];
    if (group == kNoGroup) {
      ends[node] = start + durations[node];
      continue;
    }
    last[group] = std::max(last[group], start);
    if (++started[group] < first_member_[group + std::size_t{1}] - first_member_[group]) continue;
    for (std::uint32_t m = first_member_[group]; m < first_member_[group + std::size_t{1}]; ++m)
      ends[members_[m]] = last[group] + durations[members_[m]];
  }
}

}  // namespace warpscope::analysis
