// Builds the PathChain of a job's critical path: its segments, and arrows between slices, including those across ranks.
#include <algorithm>

#include "core/analysis/ranks/job_path.hpp"
#include "render/scene/path_chain.hpp"

namespace warpscope::scene {
namespace {

using analysis::BoundBy;
using analysis::EdgeKind;
using analysis::JobPathSegment;
using analysis::Stretch;

bool is_delay(Stretch what) { return what == Stretch::launch || what == Stretch::gap; }

}  // namespace

BoundBy bound_of(Stretch what) {
  constexpr std::array kBounds{BoundBy::computation, BoundBy::memory,          BoundBy::communication,
                               BoundBy::cpu,         BoundBy::launch_overhead, BoundBy::run_overhead,
                               BoundBy::cpu};
  static_assert(kBounds.size() == analysis::kStretches);
  return kBounds[static_cast<std::size_t>(what)];
}

PathChain::PathChain(const trace::Profile& profile, const analysis::JobPath& path) : length_(path.span.length()) {
  for (std::uint32_t i = 0; i < path.segments.size(); ++i) {
    const JobPathSegment& segment = path.segments[i];
    time_ = i == 0 ? segment.recorded : cover(time_, segment.recorded);
    Ns& bound = bounds_[static_cast<std::size_t>(bound_of(segment.what))];
    bound = saturating_add(bound, segment.time.length());
    if (is_delay(segment.what) && segment.from && segment.to)
      add_job_link(profile, {segment.rank, *segment.from}, segment.recorded.begin, {segment.rank, *segment.to},
                   segment.recorded.end,
                   {.index = i,
                    .kind = segment.what == Stretch::launch ? EdgeKind::launch_delay : EdgeKind::run_delay,
                    .weight = segment.time.length()});
    add_job_segment(profile, segment, i);
    if (i + 1 == path.segments.size()) break;
    const JobPathSegment& next = path.segments[i + 1];
    const PathLink wait{.index = i, .kind = EdgeKind::sync};
    std::optional<trace::SliceRef> leaves;
    if (segment.to) leaves = trace::SliceRef{segment.rank, *segment.to};
    if (leaves && segment.met && segment.met->rank == next.rank) {
      add_job_link(profile, *leaves, segment.recorded.end, *segment.met, next.recorded.begin, wait);
      leaves = segment.met;
    }
    if (leaves && next.from)
      add_job_link(profile, *leaves, leaves->rank == segment.rank ? segment.recorded.end : next.recorded.begin,
                   {next.rank, *next.from}, next.recorded.begin, wait);
  }
  for (const auto& [rank, kinds] : path.sums()) {
    PathRank& sum = ranks_.emplace_back(PathRank{rank, 0});
    for (const Ns time : kinds) sum.time += time;
  }
  std::ranges::stable_sort(ranks_, std::greater(), &PathRank::time);
  finish();
}

void PathChain::add_job_segment(const trace::Profile& profile, const JobPathSegment& segment, std::uint32_t index) {
  const auto add_slice = [&](trace::SliceRef slice) {
    lanes_.push_back({slice.rank, profile.ranks[slice.rank]->locate(slice.slice).lane});
    parts_.push_back({slice, {}});
  };
  for (const auto& slice : {segment.slice, segment.from, segment.to})
    if (slice) add_slice({segment.rank, *slice});
  if (segment.met) add_slice(*segment.met);
  if (!segment.slice) return;
  const trace::Rank& rank = *profile.ranks[segment.rank];
  PathSegment own{.time = segment.recorded, .weight = segment.time.length(), .bound = bound_of(segment.what)};
  own.first = index;
  own.last = index + 1;
  own.slice = *segment.slice;
  own.lane = rank.locate(own.slice).lane;
  if (segment.what == Stretch::host) own.lane = rank.tracks[rank.track_of_lane(own.lane)].first_lane;
  own.delay = is_delay(segment.what);
  own.rank = segment.rank;
  segments_.push_back(own);
  // Most of a host segment's time is outside its longest call.
  if (!own.delay && segment.what != Stretch::host)
    parts_.push_back({{segment.rank, own.slice}, {own.weight, own.bound}});
}

void PathChain::add_job_link(const trace::Profile& profile, trace::SliceRef from, Ns left, trace::SliceRef to,
                             Ns reached, PathLink more) {
  if (from == to) return;
  more.left = left;
  more.reached = reached;
  more.from = from.slice;
  more.to = to.slice;
  more.from_rank = from.rank;
  more.to_rank = to.rank;
  more.from_lane = profile.ranks[from.rank]->locate(from.slice).lane;
  more.to_lane = profile.ranks[to.rank]->locate(to.slice).lane;
  links_.push_back(more);
}

}  // namespace warpscope::scene
