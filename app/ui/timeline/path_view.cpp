#include "app/ui/timeline/path_view.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "app/ui/timeline/focus.hpp"

namespace warpscope::ui {
namespace {

constexpr double kPathMargin = 0.03;
constexpr double kFar = 0.35;          // fraction of the visible time: the view moves to shorter paths
constexpr double kSegmentMargin = 1;   // fraction of a segment's time, on either side
constexpr double kLeastSegment = 24;   // px: the view zooms in on narrower segments
constexpr double kMostSegment = 0.75;  // fraction of the view
constexpr Ns kLeastLink = 1'000;       // ns: minimum time for showing an edge

Ns middle_time(Interval time) { return time.begin + time.length() / 2; }

struct RowSpan {
  int top = std::numeric_limits<int>::max();
  int bottom = 0;
};

/// Span from the first to the last row of the lanes.
RowSpan rows_of(const TimelineState& state, std::uint32_t rank, std::span<const std::uint32_t> lanes) {
  RowSpan span;
  for (const std::uint32_t lane : lanes) {
    const std::uint32_t index = state.layout()->row_of_lane(*state.profile(), rank, lane);
    if (index == scene::Row::kNone) continue;
    const scene::Row& row = state.layout()->rows()[index];
    span.top = std::min(span.top, row.y);
    span.bottom = std::max(span.bottom, row.y + row.height);
  }
  return span;
}

bool have_rows(const TimelineState& state, std::uint32_t rank, std::span<const std::uint32_t> lanes) {
  return std::ranges::all_of(lanes, [&](std::uint32_t lane) {
    const std::uint32_t index = state.layout()->row_of_lane(*state.profile(), rank, lane);
    if (index == scene::Row::kNone) return false;
    const scene::Row& row = state.layout()->rows()[index];
    return row.kind == scene::RowKind::lane && row.item == lane;
  });
}

void unfold(TimelineState& state, std::uint32_t rank, std::span<const std::uint32_t> lanes) {
  const trace::Profile& profile = *state.profile();
  state.edit_tracks([&](scene::TrackState& tracks) {
    for (const std::uint32_t lane : lanes) {
      const std::uint32_t track = profile.ranks[rank]->track_of_lane(lane);
      const std::uint32_t entry = state.layout()->entry_of_track(rank, track);
      for (std::uint32_t i = entry; i != trace::TreeEntry::kNone; i = profile.tree.entries[i].parent) {
        tracks.hidden.erase(profile.tree.entries[i].key);
        tracks.set_open(profile.tree, i, true);
      }
    }
  });
}

/// Scrolls so that as much as possible between `top` and `bottom` is visible.
void scroll_to_rows(TimelineState& state, RowSpan rows) {
  if (rows.bottom <= rows.top) return;
  const int room = state.height() - state.layout()->pinned_height();
  const double top = rows.top - state.target_scroll();
  const double bottom = rows.bottom - state.target_scroll();
  if (top >= 0 && bottom <= room) return;
  const int height = rows.bottom - rows.top;
  state.scroll_to(height <= room ? rows.top - (room - height) / 2.0 : rows.top, Pace::jump);
}

void reveal_lanes(TimelineState& state, std::uint32_t rank, std::span<const std::uint32_t> lanes) {
  if (!have_rows(state, rank, lanes)) unfold(state, rank, lanes);
  if (!have_rows(state, rank, lanes)) state.edit_tracks([](scene::TrackState& tracks) { tracks.filter.clear(); });
  if (!have_rows(state, rank, lanes) && state.hide_unmatched()) state.set_hide_unmatched(false);
  scroll_to_rows(state, rows_of(state, rank, lanes));
}

/// Centers `time`, at the same zoom if it is wide enough to see.
void move_to(TimelineState& state, Interval time) {
  const scene::TimeView& view = state.target();
  const double width = static_cast<double>(time.length()) / view.ns_per_px();
  if (width < kLeastSegment * state.scale() || width > kMostSegment * view.width())
    state.move(view.fitted(time, kSegmentMargin), Pace::jump);
  else
    state.move(view.centred(middle_time(time)), Pace::jump);
}

}  // namespace

void reveal_path(TimelineState& state, const scene::PathChain& chain) {
  if (!state.profile() || chain.rank() >= state.profile()->ranks.size()) return;
  reveal_lanes(state, chain.rank(), chain.lanes());
}

void fit_path(TimelineState& state, const scene::PathChain& chain) {
  if (!state.profile()) return;
  // Move the window before the rows, so that both are one undo step.
  state.move(state.target().fitted(chain.time(), kPathMargin), Pace::jump);
  reveal_path(state, chain);
}

bool far_from(const TimelineState& state, const scene::PathChain& chain) {
  const Interval view = state.target().visible();
  const Interval seen{std::max(view.begin, chain.time().begin), std::min(view.end, chain.time().end)};
  if (seen.end <= seen.begin) return true;
  return static_cast<double>(seen.length()) < kFar * static_cast<double>(view.length());
}

void show_segment(TimelineState& state, const scene::PathChain& chain, std::size_t segment) {
  if (!state.profile() || segment >= chain.segments().size()) return;
  const scene::PathSegment& shown = chain.segments()[segment];
  move_to(state, {shown.time.begin, std::max(shown.time.end, saturating_add(shown.time.begin, 1))});
  const trace::Rank& rank = *state.profile()->ranks[chain.rank()];
  std::vector<std::uint32_t> lanes{rank.locate(shown.slice).lane};
  for (const scene::PathLink& link : chain.links())
    if (link.index >= shown.first && link.index < shown.last) lanes.insert(lanes.end(), {link.from_lane, link.to_lane});
  reveal_lanes(state, chain.rank(), lanes);
}

void show_link(TimelineState& state, std::uint32_t rank, const LinkPlace& link) {
  if (!state.profile() || rank >= state.profile()->ranks.size()) return;
  Interval time = link.time;
  if (time.length() < kLeastLink) {
    const Ns more = (kLeastLink - time.length()) / 2;
    time = {saturating_add(time.begin, -more), saturating_add(time.end, more)};
  }
  move_to(state, time);
  const trace::Rank& of = *state.profile()->ranks[rank];
  const std::array lanes{of.locate(link.slice).lane, of.locate(link.from).lane, of.locate(link.to).lane};
  reveal_lanes(state, rank, lanes);
}

std::size_t segment_in_view(const TimelineState& state, const scene::PathChain& chain) {
  const std::size_t last = chain.segments().empty() ? 0 : chain.segments().size() - 1;
  return chain.segment_at(middle_time(state.target().visible())).value_or(last);
}

}  // namespace warpscope::ui
