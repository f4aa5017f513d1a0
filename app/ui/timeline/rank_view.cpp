#include "app/ui/timeline/rank_view.hpp"

#include <algorithm>
#include <optional>

#include "app/ui/timeline/focus.hpp"

namespace warpscope::ui {
namespace {

constexpr double kAround = 0.15;  // fraction of a requested range to show on either side, for context

using trace::TreeEntry;
using trace::TreeKind;

/// Track entries of the request.
std::vector<std::uint32_t> entries_of(const TimelineState& state, const RankRequest& request) {
  std::vector<std::uint32_t> found;
  if (request.metrics) {
    const std::vector<TreeEntry>& entries = state.profile()->tree.entries;
    for (std::uint32_t i = 0; i < entries.size(); ++i)
      if (entries[i].kind == TreeKind::metric && entries[i].node == request.metrics->node &&
          std::ranges::find(request.metrics->items, entries[i].item) != request.metrics->items.end())
        found.push_back(i);
    return found;
  }
  for (const std::uint32_t track : request.tracks)
    if (track < state.profile()->ranks[request.rank]->tracks.size())
      if (const std::uint32_t entry = state.layout()->entry_of_track(request.rank, track); entry != TreeEntry::kNone)
        found.push_back(entry);
  if (!found.empty()) return found;
  const std::vector<TreeEntry>& all = state.profile()->tree.entries;
  const auto process = std::ranges::find_if(
      all, [&](const TreeEntry& entry) { return entry.kind == TreeKind::process && entry.rank == request.rank; });
  if (process != all.end()) found.push_back(static_cast<std::uint32_t>(process - all.begin()));
  return found;
}

bool have_rows(const TimelineState& state, const std::vector<std::uint32_t>& entries) {
  return std::ranges::all_of(entries, [&](std::uint32_t entry) {
    const std::uint32_t row = state.layout()->row_of_entry(entry);
    return row != scene::Row::kNone && state.layout()->rows()[row].entry == entry;
  });
}

/// Unfolds the entries, their ancestors and, for a rank, its stream groups.
void unfold(TimelineState& state, const std::vector<std::uint32_t>& entries) {
  const trace::TrackTree& tree = state.profile()->tree;
  state.edit_tracks([&](scene::TrackState& tracks) {
    for (const std::uint32_t entry : entries) {
      for (std::uint32_t i = entry; i != TreeEntry::kNone; i = tree.entries[i].parent) {
        tracks.hidden.erase(tree.entries[i].key);
        tracks.set_open(tree, i, true);
      }
      for (std::uint32_t i = entry; i < tree.entries[entry].end; ++i)
        if (tree.entries[i].kind == TreeKind::gpu_device) {
          tracks.hidden.erase(tree.entries[i].key);
          tracks.set_open(tree, i, true);
        }
    }
  });
}

/// Returns the y of the top row of the process that contains the entry.
std::optional<int> process_top(const TimelineState& state, std::uint32_t entry) {
  const trace::TrackTree& tree = state.profile()->tree;
  while (entry != TreeEntry::kNone && tree.entries[entry].kind != TreeKind::process) entry = tree.entries[entry].parent;
  if (entry == TreeEntry::kNone) return std::nullopt;
  const std::uint32_t row = state.layout()->row_of_entry(entry);
  return row == scene::Row::kNone ? std::nullopt : std::optional(state.layout()->rows()[row].y);
}

/// Scrolls to show as much of the entries as possible.
void scroll_to(TimelineState& state, const std::vector<std::uint32_t>& entries) {
  const trace::TrackTree& tree = state.profile()->tree;
  int top = state.layout()->height();
  int bottom = 0;
  for (const scene::Row& row : state.layout()->rows()) {
    if (std::ranges::none_of(entries,
                             [&](std::uint32_t i) { return row.entry >= i && row.entry < tree.entries[i].end; }))
      continue;
    top = std::min(top, row.y);
    bottom = std::max(bottom, row.y + row.height);
  }
  if (bottom <= top) return;
  if (tree.entries[entries.front()].kind == TreeKind::process) return state.scroll_to(top, Pace::jump);
  if (entries.size() > 1) return state.scroll_to(process_top(state, entries.front()).value_or(top), Pace::jump);
  const int room = state.height() - state.layout()->pinned_height();
  if (top >= state.target_scroll() && bottom <= state.target_scroll() + room) return;
  state.scroll_to(bottom - top <= room ? top - (room - (bottom - top)) / 2.0 : top, Pace::jump);
}

}  // namespace

void show_rank(TimelineState& state, const RankRequest& request) {
  if (!state.profile() || (!request.metrics && request.rank >= state.profile()->ranks.size())) return;
  // Move the window before the rows, so both form one undo step.
  if (request.moment)
    state.move(state.target().centred(*request.moment), Pace::jump);
  else if (request.range)
    state.move(state.target().fitted(*request.range, request.marks_range ? kAround : 0), Pace::jump);
  const std::vector<std::uint32_t> entries = entries_of(state, request);
  if (entries.empty()) return;
  unfold(state, entries);
  if (!have_rows(state, entries)) state.edit_tracks([](scene::TrackState& tracks) { tracks.filter.clear(); });
  scroll_to(state, entries);
}

void show_found(TimelineState& state, const scene::Highlight& found) {
  if (!state.profile() || found.lanes().empty()) return;
  const trace::Profile& profile = *state.profile();
  const auto place = [&](const scene::Highlight::LaneHits& hits) {
    const std::uint32_t track = profile.ranks[hits.rank]->track_of_lane(hits.lane);
    return std::pair(state.layout()->entry_of_track(hits.rank, track), hits.lane);
  };
  const auto first = std::ranges::min_element(found.lanes(), {}, place);
  const std::uint32_t index = first->indices.empty() ? 0 : first->indices.front();
  const trace::SliceRef slice{first->rank, profile.ranks[first->rank]->ordinal({first->lane, index})};
  const Interval visible = state.target().visible();
  const trace::TimeColumn& times = first->tree.time();  // in memory, unlike those of the lane
  const trace::IndexRange seen = first->tree.overlapping(visible.begin, visible.end);
  if (!seen.empty())
    reveal(state, slice);
  else
    centre(state, slice, {times.begin(0), std::max(times.end(0), saturating_add(times.begin(0), 1))});
}

}  // namespace warpscope::ui
