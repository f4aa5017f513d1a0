#include "render/scene/path_chain.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "core/base/word_at.hpp"

namespace warpscope::scene {
namespace {

using analysis::BoundBy;
using analysis::CriticalLink;
using analysis::EdgeKind;

Ns end_of(const trace::Rank& rank, trace::SliceOrdinal slice, bool begin) {
  const Ns at = rank.begin(slice);
  return begin ? at : saturating_add(at, std::max<Ns>(0, rank.duration(slice)));
}

}  // namespace

PathChain::PathChain(const trace::Profile& profile, std::uint32_t rank_index, const analysis::CriticalPath& path)
    : length_(path.length) {
  const trace::Rank& rank = *profile.ranks[rank_index];
  for (std::uint32_t i = 0; i < path.links.size(); ++i) {
    const CriticalLink& edge = path.links[i];
    PathLink link;
    link.left = end_of(rank, edge.from, edge.from_begin);
    link.reached = end_of(rank, edge.to, edge.to_begin);
    link.from = edge.from;
    link.to = edge.to;
    link.from_lane = rank.locate(edge.from).lane;
    link.to_lane = edge.to == edge.from ? link.from_lane : rank.locate(edge.to).lane;
    link.index = i;
    link.kind = edge.kind;
    link.weight = edge.weight;
    link.from_rank = link.to_rank = rank_index;
    const Interval time{std::min(link.left, link.reached), std::max(link.left, link.reached)};
    time_ = i == 0 ? time : cover(time_, time);
    bounds_[static_cast<std::size_t>(edge.bound)] =
        saturating_add(bounds_[static_cast<std::size_t>(edge.bound)], edge.weight);
    for (const std::uint32_t lane : {link.from_lane, link.to_lane})
      if (lanes_.empty() || lanes_.back().lane != lane) lanes_.push_back({rank_index, lane});
    if (edge.weight > 0) add_segment(rank, edge, i, time);
    const bool same_track =
        link.from_lane == link.to_lane || rank.track_of_lane(link.from_lane) == rank.track_of_lane(link.to_lane);
    if (edge.kind != EdgeKind::operation || !same_track) links_.push_back(link);
  }
  for (PathSegment& segment : segments_) segment.rank = rank_index;
  ranks_.push_back({rank_index, path.length});
  add_parts(rank_index, path);
  finish();
}

void PathChain::finish() {
  std::ranges::sort(lanes_);
  lanes_.erase(std::unique(lanes_.begin(), lanes_.end()), lanes_.end());
  std::ranges::stable_sort(parts_, {}, &SlicePart::slice);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (kept == 0 || parts_[kept - 1].slice != parts_[i].slice) {
      parts_[kept++] = parts_[i];
      continue;
    }
    Part& sum = parts_[kept - 1].part;
    sum.weight = saturating_add(sum.weight, parts_[i].part.weight);
    if (parts_[i].part.bound != BoundBy::nothing) sum.bound = parts_[i].part.bound;
  }
  parts_.resize(kept);
  parts_.shrink_to_fit();
  ended_.reserve(links_.size());
  Ns latest = std::numeric_limits<Ns>::min();
  for (const PathLink& link : links_) ended_.push_back(latest = std::max({latest, link.left, link.reached}));
  begins_.resize(links_.size());
  Ns earliest = std::numeric_limits<Ns>::max();
  for (std::size_t i = links_.size(); i-- > 0;)
    begins_[i] = earliest = std::min({earliest, links_[i].left, links_[i].reached});
}

void PathChain::add_segment(const trace::Rank& rank, const CriticalLink& edge, std::uint32_t index, Interval time) {
  const trace::SliceOrdinal slice = edge.kind == EdgeKind::operation ? edge.slice.value_or(edge.to) : edge.to;
  std::uint32_t lane = rank.locate(slice).lane;
  const std::uint32_t track = rank.track_of_lane(lane);
  const bool on_host = edge.kind == EdgeKind::operation && rank.tracks[track].kind == trace::TrackKind::thread;
  // Combine a thread's calls until the path leaves the thread, because stepping through each of them would take too
  // long.
  if (on_host && !segments_.empty() && track == track_ && segments_.back().bound == edge.bound) {
    PathSegment& last = segments_.back();
    last.time = cover(last.time, time);
    last.weight = saturating_add(last.weight, edge.weight);
    last.last = index + 1;
    if (edge.weight > heaviest_) last.slice = slice;
    heaviest_ = std::max(heaviest_, edge.weight);
    return;
  }
  if (on_host) lane = rank.tracks[track].first_lane;
  const bool delay = edge.kind != EdgeKind::operation;
  segments_.push_back({time, edge.weight, edge.bound, index, index + 1, slice, lane, delay});
  heaviest_ = edge.weight;
  track_ = on_host ? track : std::numeric_limits<std::uint32_t>::max();
}

void PathChain::add_parts(std::uint32_t rank, const analysis::CriticalPath& path) {
  for (const CriticalLink& edge : path.links) {
    for (const trace::SliceOrdinal slice : {edge.from, edge.to}) parts_.push_back({{rank, slice}, {}});
    if (edge.slice && edge.kind == EdgeKind::operation)
      parts_.push_back({{rank, *edge.slice}, {edge.weight, edge.bound}});
  }
}

trace::IndexRange PathChain::near(Interval time) const {
  const auto first = std::ranges::lower_bound(ended_, time.begin);
  const auto last = std::ranges::upper_bound(begins_, time.end);
  const auto from = static_cast<std::uint32_t>(first - ended_.begin());
  return {from, std::max(from, static_cast<std::uint32_t>(last - begins_.begin()))};
}

std::optional<std::size_t> PathChain::segment_of(std::uint32_t edge) const {
  if (segments_.empty()) return std::nullopt;
  const auto next = std::ranges::upper_bound(segments_, edge, {}, &PathSegment::first);
  return next == segments_.begin() ? 0 : static_cast<std::size_t>(next - segments_.begin()) - 1;
}

std::optional<std::size_t> PathChain::segment_at(Ns time) const {
  const auto found = std::ranges::find_if(segments_, [&](const PathSegment& s) { return s.time.end > time; });
  if (found == segments_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - segments_.begin());
}

std::optional<PathChain::Part> PathChain::part_of(trace::SliceRef slice) const {
  const auto found = std::ranges::lower_bound(parts_, slice, {}, &SlicePart::slice);
  if (found == parts_.end() || found->slice != slice) return std::nullopt;
  return found->part;
}

std::string_view words_of(EdgeKind kind) {
  static constexpr std::array<std::string_view, 5> kWords{"continues", "next call", "launch", "gap", "wait"};
  return word_at(kWords, kind);
}

std::string_view words_of(BoundBy bound) {
  static constexpr std::array<std::string_view, 8> kWords{
      "CPU",           "data loading", "computation", "communication", "memory operations",
      "launch delays", "kernel gaps",  "nothing"};
  return word_at(kWords, bound);
}

trace::Family family_of(BoundBy bound) {
  using trace::Family;
  constexpr std::array<Family, analysis::kBounds> kFamilies{
      Family::op,     Family::python,  Family::computation, Family::communication,
      Family::memory, Family::runtime, Family::sync,        Family::sync};
  return kFamilies[static_cast<std::size_t>(bound)];
}

}  // namespace warpscope::scene
