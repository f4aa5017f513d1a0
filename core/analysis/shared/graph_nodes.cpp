#include "core/analysis/shared/graph_nodes.hpp"

#include <algorithm>
#include <tuple>

#include "core/analysis/request/runs.hpp"
#include "core/analysis/shared/intervals.hpp"

namespace warpscope::analysis {

namespace {

template <class Is>
bool has_category(const trace::Rank& rank, Is is) {
  return std::ranges::any_of(rank.counts.by_category, [&](const auto& each) { return is(each.first); });
}

}  // namespace

std::uint64_t linked_activity(const trace::Profile& profile, const trace::Rank& rank) {
  const auto is_node = [&](trace::CategoryId category) {
    return trace::is_graph_node(profile.categories().role(category));
  };
  if (!has_category(rank, is_node)) return rank.launches.size();
  return static_cast<std::uint64_t>(std::ranges::count_if(
      rank.launches.all(), [&](const trace::Connection& pair) { return !is_node(rank.category(pair.to)); }));
}

std::vector<HostNode> host_nodes(const trace::Profile& profile, std::uint32_t rank_index, std::uint32_t device) {
  const trace::Rank& rank = *profile.ranks[rank_index];
  const auto is_host_node = [&](trace::CategoryId category) {
    return profile.categories().role(category) == trace::Role::host_node;
  };
  std::vector<HostNode> nodes;
  if (!has_category(rank, is_host_node)) return nodes;
  for (const std::uint32_t t : rank.devices[device].streams)
    for (const std::uint32_t l : recorded_lanes(rank, rank.tracks[t])) {
      const trace::Lane& lane = rank.lanes[l];
      for (std::uint32_t i = 0; i < lane.size(); ++i)
        if (is_host_node(lane.category(i)))
          nodes.push_back({{lane.time().begin(i), lane.time().end(i)}, t, rank.lane_start[l] + i});
    }
  std::ranges::sort(nodes, {}, [](const HostNode& node) { return std::tuple(node.time.begin, node.slice); });
  return nodes;
}

std::vector<Interval> times_of(const std::vector<HostNode>& nodes) {
  std::vector<Interval> times;
  for (const HostNode& node : nodes) times.push_back(node.time);
  return joined(std::move(times));
}

std::vector<trace::SliceOrdinal> awaited_nodes(const trace::Profile& profile, const trace::Rank& rank,
                                               trace::SliceOrdinal node) {
  std::vector<trace::SliceOrdinal> awaited;
  if (rank.graph_edges.size() == 0) return awaited;
  std::vector<trace::SliceOrdinal> events{node};  // a node and the event records that it waits for
  for (std::size_t next = 0; next < events.size(); ++next)
    for (const trace::Connection& edge : rank.graph_edges.causes_of(events[next])) {
      const bool record = profile.categories().role(rank.category(edge.from)) == trace::Role::event_node;
      std::vector<trace::SliceOrdinal>& found = record ? events : awaited;
      if (std::ranges::find(found, edge.from) == found.end()) found.push_back(edge.from);
    }
  return awaited;
}

std::optional<trace::SliceOrdinal> last_awaited_node(const trace::Profile& profile, const trace::Rank& rank,
                                                     trace::SliceOrdinal node) {
  std::optional<trace::SliceOrdinal> last;
  const auto end = [&](trace::SliceOrdinal slice) { return saturating_add(rank.begin(slice), rank.duration(slice)); };
  for (const trace::SliceOrdinal each : awaited_nodes(profile, rank, node))
    if (!last || end(each) > end(*last)) last = each;
  return last;
}

std::optional<trace::SliceOrdinal> launch_of_node(const trace::Profile& profile, const trace::Rank& rank,
                                                  trace::SliceOrdinal node) {
  const auto launch_of = [&](trace::SliceOrdinal of) -> std::optional<trace::SliceOrdinal> {
    const trace::Connection* const launch = rank.launches.cause_of(of);
    return launch == nullptr ? std::nullopt : std::optional(launch->from);
  };
  if (const auto own = launch_of(node)) return own;
  for (const trace::SliceOrdinal awaited : awaited_nodes(profile, rank, node))
    if (const auto launch = launch_of(awaited)) return launch;
  if (rank.graph_edges.size() > 0)
    for (const trace::Connection& edge : rank.graph_edges.caused_by(node))
      if (const auto launch = launch_of(edge.to)) return launch;
  const trace::SlicePlace place = rank.locate(node);
  return place.index == 0 ? std::nullopt : launch_of(node - 1);
}

}  // namespace warpscope::analysis
