#include "render/scene/path_chain.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "core/base/word_at.hpp"

namespace warpscope::scene {
namespace {

using analysis::is_delay;
using analysis::is_host_delay;
using analysis::JobPathSegment;

bool starts_on_host(const trace::Profile& profile, trace::SliceRef slice) {
  const trace::Rank& rank = *profile.ranks[slice.rank];
  return rank.tracks[rank.track_of_lane(rank.locate(slice.slice).lane)].kind == trace::TrackKind::thread;
}

}  // namespace

PathChain::PathChain(const trace::Profile& profile, const analysis::JobPath& path) : length_(path.span.length()) {
  for (std::uint32_t i = 0; i < path.segments.size(); ++i) {
    const JobPathSegment& segment = path.segments[i];
    time_ = i == 0 ? segment.recorded : cover(time_, segment.recorded);
    Ns& time = times_[static_cast<std::size_t>(segment.what)];
    time = saturating_add(time, segment.time.length());
    if (is_delay(segment.what) && segment.from && segment.to)
      add_link(
          profile, {segment.rank, *segment.from}, segment.recorded.begin, {segment.rank, *segment.to},
          segment.recorded.end,
          {.index = i,
           .kind = starts_on_host(profile, {segment.rank, *segment.from}) ? PathLinkKind::launch : PathLinkKind::gap,
           .weight = segment.time.length()});
    add_segment(profile, segment, i);
    if (i + 1 == path.segments.size()) break;
    const JobPathSegment& next = path.segments[i + 1];
    const PathLink wait{.index = i, .kind = PathLinkKind::wait};
    std::optional<trace::SliceRef> leaves;
    if (segment.to) leaves = trace::SliceRef{segment.rank, *segment.to};
    if (leaves && segment.met && segment.met->rank == next.rank) {
      add_link(profile, *leaves, segment.recorded.end, *segment.met, next.recorded.begin, wait);
      leaves = segment.met;
    }
    if (leaves && next.from)
      add_link(profile, *leaves, leaves->rank == segment.rank ? segment.recorded.end : next.recorded.begin,
               {next.rank, *next.from}, next.recorded.begin, wait);
  }
  for (const auto& [rank, kinds] : path.sums()) {
    PathRank& sum = ranks_.emplace_back(PathRank{rank, 0});
    for (const Ns time : kinds) sum.time += time;
  }
  std::ranges::stable_sort(ranks_, std::greater(), &PathRank::time);
  finish();
}

void PathChain::add_segment(const trace::Profile& profile, const JobPathSegment& segment, std::uint32_t index) {
  const auto add_slice = [&](trace::SliceRef slice) {
    lanes_.push_back({slice.rank, profile.ranks[slice.rank]->locate(slice.slice).lane});
    parts_.push_back({slice, {}});
  };
  for (const auto& slice : {segment.slice, segment.from, segment.to})
    if (slice) add_slice({segment.rank, *slice});
  if (segment.met) add_slice(*segment.met);
  if (!segment.slice) return;
  const trace::Rank& rank = *profile.ranks[segment.rank];
  PathSegment own{.time = segment.recorded, .weight = segment.time.length(), .what = segment.what};
  own.index = index;
  own.slice = *segment.slice;
  own.lane = rank.locate(own.slice).lane;
  if (is_host_delay(segment.what)) own.lane = rank.tracks[rank.track_of_lane(own.lane)].first_lane;
  own.delay = is_delay(segment.what);
  own.rank = segment.rank;
  segments_.push_back(own);
  // Most of a host segment's time is outside its longest call.
  if (!own.delay && !is_host_delay(segment.what)) parts_.push_back({{segment.rank, own.slice}, {own.weight, own.what}});
}

void PathChain::add_link(const trace::Profile& profile, trace::SliceRef from, Ns left, trace::SliceRef to, Ns reached,
                         PathLink more) {
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
    if (parts_[i].part.weight > 0) sum.what = parts_[i].part.what;
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

trace::IndexRange PathChain::near(Interval time) const {
  const auto first = std::ranges::lower_bound(ended_, time.begin);
  const auto last = std::ranges::upper_bound(begins_, time.end);
  const auto from = static_cast<std::uint32_t>(first - ended_.begin());
  return {from, std::max(from, static_cast<std::uint32_t>(last - begins_.begin()))};
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

std::string_view words_of(PathLinkKind kind) {
  static constexpr std::array<std::string_view, 3> kWords{"launch", "gap", "wait"};
  return word_at(kWords, kind);
}

}  // namespace warpscope::scene
