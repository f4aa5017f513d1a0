#include "app/ui/timeline/focus.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/trace/resident_only.hpp"
#include "render/scene/steps_strip.hpp"

namespace warpscope::ui {
namespace {

constexpr double kFitMargin = 0.10;
constexpr double kStepMargin = 0.01;
constexpr double kWideEnough = 8;     // px: the view zooms in on narrower slices
constexpr double kWanted = 32;        // px: width after zooming in
constexpr double kLeastSpan = 2'000;  // ns: minimum span of the view
constexpr Ns kTimesAround = 20;

bool same_place(const scene::TimeView& a, const scene::TimeView& b) {
  return std::abs(a.ns_per_px() / b.ns_per_px() - 1) < 1e-6 &&
         std::abs(scene::difference(a.origin(), b.origin())) < a.ns_per_px();
}

Ns middle(Interval interval) { return interval.begin + interval.length() / 2; }

bool has_own_row(const TimelineState& state, std::uint32_t lane, std::uint32_t row) {
  if (row == scene::Row::kNone) return false;
  const scene::Row& found = state.layout()->rows()[row];
  return found.kind == scene::RowKind::lane && found.item == lane;
}

void scroll_to_row(TimelineState& state, const scene::Row& row) {
  const int pinned = state.layout()->pinned_height();
  const int room = state.height() - pinned;
  const double top = row.y - state.target_scroll();
  if (top >= row.height && top + 2 * row.height <= room) return;
  state.scroll_to(row.y + row.height / 2.0 - room / 2.0, Pace::jump);
}

}  // namespace

Interval interval_of(const trace::Profile& profile, trace::SliceRef slice) {
  const Ns begin = profile.begin(slice);
  return {begin, saturating_add(begin, std::max<Ns>(1, profile.duration(slice)))};
}

Interval surroundings_of(const trace::Profile& profile, Interval interval) {
  if (const auto step = scene::step_at(profile, middle(interval))) {
    const Interval around = cover(profile.steps[*step].time, interval);
    if (around.length() > 2 * interval.length()) return around;
  }
  const Ns more = interval.length() > std::numeric_limits<Ns>::max() / kTimesAround
                      ? interval.length()
                      : interval.length() * (kTimesAround - 1) / 2;
  return {saturating_add(interval.begin, -more), saturating_add(interval.end, more)};
}

void reveal(TimelineState& state, trace::SliceRef slice) {
  if (!state.profile()) return;
  const trace::Profile& profile = *state.profile();
  const std::uint32_t lane = profile.ranks[slice.rank]->locate(slice.slice).lane;
  const auto find_row = [&] { return state.layout()->row_of_lane(profile, slice.rank, lane); };
  if (!has_own_row(state, lane, find_row())) {
    const std::uint32_t track = profile.ranks[slice.rank]->track_of_lane(lane);
    const std::uint32_t entry = state.layout()->entry_of_track(slice.rank, track);
    state.edit_tracks([&](scene::TrackState& tracks) {
      for (std::uint32_t i = entry; i != trace::TreeEntry::kNone; i = profile.tree.entries[i].parent) {
        tracks.hidden.erase(profile.tree.entries[i].key);
        tracks.set_open(profile.tree, i, true);
      }
    });
    if (!has_own_row(state, lane, find_row()))
      state.edit_tracks([](scene::TrackState& tracks) { tracks.filter.clear(); });
  }
  if (const std::uint32_t row = find_row(); row != scene::Row::kNone) scroll_to_row(state, state.layout()->rows()[row]);
}

void keep_in_view(TimelineState& state, trace::SliceRef slice) {
  if (!state.profile()) return;
  const std::uint32_t lane = state.profile()->ranks[slice.rank]->locate(slice.slice).lane;
  const std::uint32_t found = state.layout()->row_of_lane(*state.profile(), slice.rank, lane);
  if (found == scene::Row::kNone) return;
  const scene::Row& row = state.layout()->rows()[found];
  const int room = state.height() - state.layout()->pinned_height();
  if (const double least = row.y + 2.0 * row.height - room; state.target_scroll() < least)
    state.scroll_to(least, Pace::jump);
}

bool centre(TimelineState& state, trace::SliceRef slice) {
  if (!state.profile()) return true;
  const auto time = trace::if_resident([&] { return interval_of(*state.profile(), slice); });
  if (time) centre(state, slice, *time);
  return time.has_value();
}

void centre(TimelineState& state, trace::SliceRef slice, Interval interval) {
  if (!state.profile()) return;
  const auto length = static_cast<double>(interval.length());
  scene::TimeView view = state.target();
  const double width = length / view.ns_per_px();
  if (width > 0.9 * view.width()) {
    view = view.fitted(interval, 2 * kFitMargin);
  } else if (width < kWideEnough) {
    const double span = std::min(view.span(), std::max(kLeastSpan, length * view.width() / kWanted));
    view = view.zoomed(view.span() / span, 0);
  }
  // Move the window before the rows, so both form one undo step.
  state.move(view.centred(middle(interval)), Pace::jump);
  reveal(state, slice);
}

void fit(TimelineState& state, Interval interval) {
  const scene::TimeView fitted = state.target().fitted(interval, kFitMargin);
  if (!same_place(fitted, state.target())) {
    state.move(fitted, Pace::jump);
    return;
  }
  state.move(state.target().fitted(surroundings_of(*state.profile(), interval), kStepMargin), Pace::jump);
}

bool fit(TimelineState& state, trace::SliceRef slice) {
  if (!state.profile()) return true;
  const auto time = trace::if_resident([&] { return interval_of(*state.profile(), slice); });
  if (!time) return false;
  fit(state, *time);
  reveal(state, slice);
  return true;
}

void show_step(TimelineState& state, std::uint32_t step) {
  const Interval time = state.profile()->steps[step].time;
  state.move(state.target().fitted(time, kStepMargin), Pace::jump);
  state.mark(RangeMark{time, true, {}});
}

std::optional<std::uint32_t> current_step(const TimelineState& state) {
  if (!state.profile() || state.profile()->steps.empty()) return std::nullopt;
  const std::vector<trace::StepGroup>& steps = state.profile()->steps;
  if (state.range()) {
    const auto marked = std::ranges::find(steps, state.range()->time, &trace::StepGroup::time);
    if (marked != steps.end()) return static_cast<std::uint32_t>(marked - steps.begin());
  }
  return scene::step_at(*state.profile(), middle(state.target().visible()), true).value_or(0);
}

bool step_steps(TimelineState& state, int direction) {
  const std::optional<std::uint32_t> current = current_step(state);
  if (!current) return false;
  const std::vector<trace::StepGroup>& steps = state.profile()->steps;
  const Interval time = steps[*current].time;
  const Interval visible = state.target().visible();
  const bool marked = state.range() && state.range()->time == time;
  std::int64_t next = static_cast<std::int64_t>(*current) + direction;
  if (!marked && time.length() < visible.length() / 2) {
    // If many steps are visible, start with the first or last visible one.
    const auto first =
        std::ranges::lower_bound(steps, visible.begin, {}, [](const auto& step) { return step.time.begin; });
    const auto last =
        std::ranges::lower_bound(steps, visible.end, {}, [](const auto& step) { return step.time.begin; });
    next = (direction > 0 ? first : last - 1) - steps.begin();
  }
  if (next < 0 || next >= static_cast<std::int64_t>(steps.size())) return false;
  show_step(state, static_cast<std::uint32_t>(next));
  return true;
}

std::optional<trace::SliceRef> neighbour(const trace::Profile& profile, trace::SliceRef slice, int direction) {
  const trace::Rank& rank = *profile.ranks[slice.rank];
  const trace::SlicePlace place = rank.locate(slice.slice);
  const std::int64_t next = static_cast<std::int64_t>(place.index) + direction;
  if (next < 0 || next >= rank.lanes[place.lane].size()) return std::nullopt;
  return trace::SliceRef{slice.rank, rank.ordinal({place.lane, static_cast<std::uint32_t>(next)})};
}

}  // namespace warpscope::ui
