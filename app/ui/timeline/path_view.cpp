#include "app/ui/timeline/path_view.hpp"

#include <algorithm>
#include <limits>

#include "app/ui/timeline/focus.hpp"

namespace warpscope::ui {
namespace {

constexpr double kPathMargin = 0.03;
constexpr double kFar = 0.35;          // fraction of the visible time: the view moves to shorter paths
constexpr double kSegmentMargin = 1;   // fraction of a segment's time, on either side
constexpr double kLeastSegment = 24;   // px: the view zooms in on narrower segments
constexpr double kMostSegment = 0.75;  // fraction of the view

Ns middle_time(Interval time) { return time.begin + time.length() / 2; }

struct RowSpan {
  int top = std::numeric_limits<int>::max();
  int bottom = 0;
};

/// Span from the first to the last row of the lanes.
RowSpan rows_of(const TimelineState& state, std::span<const scene::PathLane> lanes) {
  RowSpan span;
  for (const scene::PathLane& lane : lanes) {
    const std::uint32_t index = state.layout()->row_of_lane(*state.profile(), lane.rank, lane.lane);
    if (index == scene::Row::kNone) continue;
    const scene::Row& row = state.layout()->rows()[index];
    span.top = std::min(span.top, row.y);
    span.bottom = std::max(span.bottom, row.y + row.height);
  }
  return span;
}

/// True if lanes need rows of their own; false if their rank's row is enough.
enum class Rows : std::uint8_t { own, of_rank };

bool have_rows(const TimelineState& state, std::span<const scene::PathLane> lanes, Rows wanted) {
  return std::ranges::all_of(lanes, [&](const scene::PathLane& lane) {
    const std::uint32_t index = state.layout()->row_of_lane(*state.profile(), lane.rank, lane.lane);
    if (index == scene::Row::kNone) return false;
    const scene::Row& row = state.layout()->rows()[index];
    if (wanted == Rows::of_rank) return row.rank == lane.rank;
    return row.kind == scene::RowKind::lane && row.item == lane.lane;
  });
}

void unfold(TimelineState& state, std::span<const scene::PathLane> lanes, Rows wanted) {
  const trace::TrackTree& tree = state.profile()->tree;
  state.edit_tracks([&](scene::TrackState& tracks) {
    for (const scene::PathLane& lane : lanes) {
      const std::uint32_t track = state.profile()->ranks[lane.rank]->track_of_lane(lane.lane);
      const std::uint32_t entry = state.layout()->entry_of_track(lane.rank, track);
      bool opens = wanted == Rows::own;
      for (std::uint32_t i = entry; i != trace::TreeEntry::kNone; i = tree.entries[i].parent) {
        tracks.hidden.erase(tree.entries[i].key);
        if (opens) tracks.set_open(tree, i, true);
        opens |= tree.entries[i].kind == trace::TreeKind::process;
      }
    }
  });
}

/// Scrolls to show as much as possible between `top` and `bottom`.
void scroll_to_rows(TimelineState& state, RowSpan rows) {
  if (rows.bottom <= rows.top) return;
  const int room = state.height() - state.layout()->pinned_height();
  const double top = rows.top - state.target_scroll();
  const double bottom = rows.bottom - state.target_scroll();
  if (top >= 0 && bottom <= room) return;
  const int height = rows.bottom - rows.top;
  state.scroll_to(height <= room ? rows.top - (room - height) / 2.0 : rows.top, Pace::jump);
}

void reveal_lanes(TimelineState& state, std::span<const scene::PathLane> lanes, Rows wanted = Rows::own) {
  if (!have_rows(state, lanes, wanted)) unfold(state, lanes, wanted);
  if (!have_rows(state, lanes, wanted)) state.edit_tracks([](scene::TrackState& tracks) { tracks.filter.clear(); });
  scroll_to_rows(state, rows_of(state, lanes));
}

/// Centers `time`. Keeps the zoom level if `time` is wide enough to see.
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
  if (!state.profile()) return;
  reveal_lanes(state, chain.lanes(), chain.changes_rank() ? Rows::of_rank : Rows::own);
}

void fit_path(TimelineState& state, const scene::PathChain& chain) {
  if (!state.profile()) return;
  // Move the window before the rows, so both form one undo step.
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
  const trace::Rank& rank = *state.profile()->ranks[shown.rank];
  std::vector<scene::PathLane> lanes{{shown.rank, rank.locate(shown.slice).lane}};
  for (const scene::PathLink& link : chain.links())
    if (link.index == shown.index && !link.changes_rank())
      lanes.insert(lanes.end(), {{link.from_rank, link.from_lane}, {link.to_rank, link.to_lane}});
  reveal_lanes(state, lanes);
}

std::size_t segment_in_view(const TimelineState& state, const scene::PathChain& chain) {
  const std::size_t last = chain.segments().empty() ? 0 : chain.segments().size() - 1;
  return chain.segment_at(middle_time(state.target().visible())).value_or(last);
}

}  // namespace warpscope::ui
