#include "core/analysis/slices/slice_details.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/request/samples.hpp"
#include "core/trace/lane_assignment.hpp"

namespace warpscope::analysis {

using trace::Lane;
using trace::LaneKind;
using trace::Rank;
using trace::Role;
using trace::SlicePlace;
using trace::SliceRef;
using trace::Track;

namespace {

bool shares_rows(LaneKind a, LaneKind b) {
  const auto recorded = [](LaneKind kind) { return kind == LaneKind::nested || kind == LaneKind::overflow; };
  return a == b || (recorded(a) && recorded(b));
}

// Returns the slices in lanes above, among the same rows, that contain this one.
std::vector<SliceRef> enclosing_slices(const Rank& rank, std::uint32_t rank_index, SlicePlace place) {
  std::vector<SliceRef> result;
  const Lane& own = rank.lanes[place.lane];
  const Interval extent{own.time().begin(place.index), own.time().end(place.index)};
  const Track& track = rank.tracks[rank.track_of_lane(place.lane)];
  for (std::uint32_t l = track.first_lane; l < place.lane; ++l) {
    const Lane& lane = rank.lanes[l];
    if (!shares_rows(rank.rows_of(l), rank.rows_of(place.lane)) || lane.folded()) continue;
    const std::uint32_t i = lane.tree().at(extent.begin);
    // Lanes already apply the nesting tolerance; a slice that only starts within another is not its child.
    if (i != trace::IntervalTree::kNone && lane.time().end(i) >= extent.begin + extent.length() / 2)
      result.push_back({rank_index, rank.ordinal({l, i})});
  }
  if (!own.folded()) return result;
  // Slices nested deeper than the lane limit share one lane, in which they nest.
  own.for_each_overlapping(extent.begin, saturating_add(extent.begin, 1), [&](std::uint32_t i) {
    if (i < place.index && saturating_add(own.time().end(i), trace::kNestTolerance) >= extent.end)
      result.push_back({rank_index, rank.ordinal({place.lane, i})});
  });
  std::ranges::sort(result, {}, &SliceRef::slice);
  return result;
}

Ns self_time(const Rank& rank, SlicePlace place) {
  const Lane& own = rank.lanes[place.lane];
  const Interval extent{own.time().begin(place.index), own.time().end(place.index)};
  const Track& track = rank.tracks[rank.track_of_lane(place.lane)];
  std::vector<Interval> children;
  for (std::uint32_t l = place.lane + (own.folded() ? 0 : 1); l < track.first_lane + track.lane_count; ++l) {
    const Lane& lane = rank.lanes[l];
    if (!shares_rows(rank.rows_of(l), rank.rows_of(place.lane))) continue;
    lane.for_each_overlapping(extent.begin, extent.end, [&](std::uint32_t i) {
      // A slice of a deeper lane that starts before this one is not its child: it overflowed from the same level.
      if (lane.time().begin(i) < extent.begin || (l == place.lane && i <= place.index)) return;
      children.push_back({lane.time().begin(i), std::min(extent.end, lane.time().end(i))});
    });
  }
  std::sort(children.begin(), children.end(), [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  const trace::IntervalTree covered = trace::merged_intervals(children);
  return extent.length() - covered.busy(extent.begin, extent.end);
}

void add_device_annotations(const trace::Profile& profile, SliceRef slice, std::vector<SliceRef>& annotations) {
  const Rank& rank = *profile.ranks[slice.rank];
  const SlicePlace place = rank.locate(slice.slice);
  const Track& track = rank.tracks[rank.track_of_lane(place.lane)];
  const Ns begin = rank.lanes[place.lane].time().begin(place.index);
  for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l) {
    if (rank.lanes[l].kind() != LaneKind::gpu_annotation) continue;
    const std::uint32_t i = rank.lanes[l].tree().at(begin);
    if (i != trace::IntervalTree::kNone) annotations.push_back({slice.rank, rank.ordinal({l, i})});
  }
}

}  // namespace

std::vector<SliceRef> enclosing_slices(const trace::Profile& profile, SliceRef slice) {
  const Rank& rank = *profile.ranks[slice.rank];
  return enclosing_slices(rank, slice.rank, rank.locate(slice.slice));
}

std::vector<LaunchRun> launch_runs(const trace::Profile& profile, SliceRef slice) {
  const Rank& rank = *profile.ranks[slice.rank];
  std::vector<LaunchRun> pairs;
  const auto add = [&](const trace::Connection& pair) {
    const Interval call{rank.begin(pair.from), saturating_add(rank.begin(pair.from), rank.duration(pair.from))};
    pairs.push_back({{slice.rank, pair.from}, {slice.rank, pair.to}, launch_latency(call, rank.begin(pair.to))});
  };
  if (const trace::Connection* cause = rank.launches.cause_of(slice.slice)) add(*cause);
  for (const trace::Connection& pair : rank.launches.caused_by(slice.slice)) add(pair);
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const LaunchRun& a, const LaunchRun& b) { return a.latency.from_start < b.latency.from_start; });
  return pairs;
}

std::optional<SliceRef> step_of(const trace::Profile& profile, SliceRef slice) {
  const Rank& rank = *profile.ranks[slice.rank];
  const trace::Connection* cause = rank.launches.cause_of(slice.slice);
  const auto step = step_at(rank, rank.begin(cause != nullptr ? cause->from : slice.slice));
  return step ? std::optional(SliceRef{slice.rank, rank.steps[*step].slice}) : std::nullopt;
}

std::string track_name(const trace::Profile& profile, SliceRef slice) {
  const Rank& rank = *profile.ranks[slice.rank];
  const Track& track = rank.tracks[rank.track_of_lane(rank.locate(slice.slice).lane)];
  if (track.device < 0) return track.label;
  const std::int64_t device = rank.devices[static_cast<std::size_t>(track.device)].id;
  const bool stream = track.kind == trace::TrackKind::stream;
  return fmt::format("GPU-{} {} / {}", device, stream ? "device" : "host", track.label);
}

SliceDetails slice_details(const trace::Profile& profile, SliceRef slice) {
  const Rank& rank = *profile.ranks[slice.rank];
  const SlicePlace place = rank.locate(slice.slice);
  const Lane& lane = rank.lanes[place.lane];

  SliceDetails details;
  details.node = profile.nodes[profile.node_of_rank[slice.rank]].label;
  details.track = track_name(profile, slice);
  details.rank = rank.number;
  details.begin = lane.time().begin(place.index) - profile.span.begin;
  details.duration = lane.time().duration(place.index);
  details.impossible = lane.kind() == LaneKind::damaged;
  details.self = details.impossible ? details.duration : self_time(rank, place);
  details.enclosing = enclosing_slices(rank, slice.rank, place);
  details.connections = launch_runs(profile, slice);

  SliceRef host = slice;
  if (const trace::Connection* cause = rank.launches.cause_of(slice.slice)) {
    host.slice = cause->from;
    details.launched_by = enclosing_slices(rank, slice.rank, rank.locate(host.slice));
    details.launched_by.push_back(host);
  }
  for (const auto* chain : {&details.enclosing, &details.launched_by})
    for (const SliceRef& outer : *chain)
      if (profile.role(outer) == Role::annotation) details.annotations.push_back(outer);
  if (trace::is_run(profile.role(slice))) add_device_annotations(profile, slice, details.annotations);
  details.step = step_of(profile, slice);
  return details;
}

}  // namespace warpscope::analysis
