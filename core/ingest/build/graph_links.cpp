#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <utility>

#include "core/base/natural_merge.hpp"
#include "core/ingest/build/rank_contents.hpp"

namespace warpscope::ingest {

namespace {

/// Finds the nodes of CUDA graphs that start or end at a time. An arrow starts at its first node's end.
class NodesAt {
 public:
  explicit NodesAt(const trace::Rank& rank) : rank_(rank) {}

  /// Returns the slices of a track that start (`end` is false) or end at `time`, longest first: event records have no
  /// length and often coincide with the end of the node before them.
  [[nodiscard]] std::vector<trace::SliceOrdinal> find(std::uint32_t track, Ns time, bool end) const {
    std::vector<trace::SliceOrdinal> found;
    const trace::Track& of = rank_.tracks[track];
    for (std::uint32_t l = of.first_lane; l < of.first_lane + of.lane_count; ++l) {
      const trace::LaneKind kind = rank_.lanes[l].kind();
      if (kind != trace::LaneKind::nested && kind != trace::LaneKind::overflow && kind != trace::LaneKind::sync)
        continue;
      const trace::TimeColumn& times = rank_.lanes[l].time();
      for (std::uint32_t i = times.lower_bound(saturating_add(time, 1)); i-- > 0 && times.end(i) >= time;)
        if ((end ? times.end(i) : times.begin(i)) == time) found.push_back(rank_.lane_start[l] + i);
    }
    std::ranges::stable_sort(found, std::ranges::greater(), [&](auto slice) { return rank_.duration(slice); });
    return found;
  }

 private:
  const trace::Rank& rank_;
};

}  // namespace

void link_graph_nodes(trace::Rank& rank, std::span<const PendingFlow> flows, std::span<const std::uint32_t> track_of,
                      Diagnostics& diagnostics) {
  if (flows.empty()) return;
  std::vector<std::uint32_t> order(flows.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  natural_merge_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(flows[a].id, !flows[a].start) < std::tuple(flows[b].id, !flows[b].start);
  });
  const NodesAt nodes(rank);
  const auto nodes_of = [&](const PendingFlow& flow) {
    const std::uint32_t track = track_of[flow.track];
    return track == kNoTrack ? std::vector<trace::SliceOrdinal>() : nodes.find(track, flow.time, flow.start);
  };
  const auto launch_of = [&](trace::SliceOrdinal node) {
    const trace::Connection* const launch = rank.launches.cause_of(node);
    return launch == nullptr ? kNoSlice : launch->from;
  };
  /// Returns the first pair of nodes from the same launch, or with one whose launch is unknown: host callbacks often
  /// lose it.
  const auto pair_of = [&](const PendingFlow& from, const PendingFlow& to) -> std::optional<trace::Connection> {
    if (from.time > to.time) return std::nullopt;
    const std::vector<trace::SliceOrdinal> successors = nodes_of(to);
    std::optional<trace::Connection> unknown;
    for (const trace::SliceOrdinal first : nodes_of(from))
      for (const trace::SliceOrdinal second : successors) {
        if (first == second) continue;
        const trace::SliceOrdinal one = launch_of(first);
        const trace::SliceOrdinal other = launch_of(second);
        if (one == other) return trace::Connection{first, second};
        if (!unknown && (one == kNoSlice || other == kNoSlice)) unknown = trace::Connection{first, second};
      }
    return unknown;
  };
  std::vector<trace::Connection> pairs;
  pairs.reserve(flows.size() / 2);
  enum Reason : std::uint8_t { kBackward, kNoNode, kOtherReplay };
  std::array<std::uint64_t, 3> dropped{};
  for (std::size_t i = 0; i < order.size();) {
    const PendingFlow& from = flows[order[i]];
    std::size_t next = i + 1;
    for (; next < order.size() && flows[order[next]].id == from.id; ++next) {
      const PendingFlow& to = flows[order[next]];
      if (to.start) continue;
      const auto pair = from.start ? pair_of(from, to) : std::nullopt;
      if (pair)
        pairs.push_back(*pair);
      else
        ++dropped[!from.start || nodes_of(from).empty() || nodes_of(to).empty() ? kNoNode
                  : from.time > to.time                                         ? kBackward
                                                                                : kOtherReplay];
    }
    dropped[kNoNode] += next == i + 1 ? 1 : 0;
    i = next;
  }
  if (const std::uint64_t all = dropped[kBackward] + dropped[kNoNode] + dropped[kOtherReplay]; all > 0)
    diagnostics.add("graph-dependency-dropped", Severity::info, rank.source.path, Diagnostic::kNoOffset,
                    fmt::format("{} without a node at one end, {} backward in time, {} between replays",
                                dropped[kNoNode], dropped[kBackward], dropped[kOtherReplay]),
                    all);
  rank.graph_edges = trace::Connections(std::move(pairs));
}

}  // namespace warpscope::ingest
