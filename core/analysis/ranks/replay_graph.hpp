#pragma once
// Replays recorded work with modified durations. Each node starts once the recorded lag has elapsed since the end of
// every predecessor. In a group (a collective), each node ends its own transfer time after the group's last node
// starts. With unchanged durations, a replay reproduces the recording.
//
// Based on ByteDance's StragglerAnalysis (arXiv 2505.05713), which replays coarser operations. The topological order is
// computed once, so each replay is a single pass: O(nodes + edges). If recorded times contradict each other, for
// example because of wrong clocks, each cycle is broken at its earliest node, which then starts at its recorded time.
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/time.hpp"

namespace warpscope::analysis {

class ReplayGraph {
 public:
  using Node = std::uint32_t;
  using Edge = std::uint32_t;
  static constexpr std::uint32_t kNoGroup = 0xFFFFFFFFu;

  void reserve(std::size_t nodes, std::size_t edges);
  /// Adds a node. `start` is the recorded start, used if the node has no predecessor. For a member of a group,
  /// `duration` is the time from the start of the group's last member to the end of the node.
  Node add_node(Ns start, Ns duration, std::uint32_t group = kNoGroup);
  /// Makes `to` start no earlier than `lag` after `from` ends. Edges must be added in ascending order of `to`.
  Edge add_edge(Node from, Node to, Ns lag);
  /// Call once, after adding all nodes and edges.
  void finish();

  [[nodiscard]] std::size_t nodes() const { return starts_.size(); }
  [[nodiscard]] std::size_t edges() const { return froms_.size(); }
  [[nodiscard]] Ns duration(Node node) const { return durations_[node]; }
  [[nodiscard]] Ns lag(Edge edge) const { return lags_[edge]; }
  [[nodiscard]] std::span<const Node> sources(Node to) const {
    return std::span(froms_).subspan(first_edge_[to], first_edge_[to + 1] - first_edge_[to]);
  }
  /// Returns the number of nodes that start at their recorded time because of a cycle.
  [[nodiscard]] std::size_t broken() const { return broken_; }

  /// Replays with these durations (by node) and lags (by edge); uses the recorded ones if empty. Returns the ends.
  [[nodiscard]] std::vector<Ns> replay(std::span<const Ns> durations = {}, std::span<const Ns> lags = {}) const;
  /// Replays into `ends`, reusing its memory.
  void replay(std::span<const Ns> durations, std::span<const Ns> lags, std::vector<Ns>& ends) const;
  [[nodiscard]] const std::vector<Ns>& durations() const { return durations_; }
  [[nodiscard]] const std::vector<Ns>& lags() const { return lags_; }

 private:
  void order();

  std::vector<Ns> starts_;  // by node
  std::vector<Ns> durations_;
  std::vector<std::uint32_t> groups_;
  std::vector<Edge> first_edge_;  // by target node; one more at the end
  std::vector<Node> froms_;       // by edge
  std::vector<Ns> lags_;
  std::vector<std::uint32_t> first_member_;  // by group; one more at the end
  std::vector<Node> members_;
  std::vector<Node> order_;
  std::vector<char> as_recorded_;  // by node
  std::size_t broken_ = 0;
};

}  // namespace warpscope::analysis
