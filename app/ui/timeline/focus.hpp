#pragma once
// Moves of the view that have something in mind: a slice, a range, a step. Free functions over TimelineState.
#include <cstdint>
#include <optional>

#include "app/ui/timeline/timeline_state.hpp"

namespace warpscope::ui {

/// When a slice runs; at least 1 ns long.
[[nodiscard]] Interval interval_of(const trace::Profile& profile, trace::SliceRef slice);
/// The rank's step that the middle of `interval` lies in, if it is much longer; else 20 times the interval around it.
[[nodiscard]] Interval surroundings_of(const trace::Profile& profile, Interval interval);

/// Unfolds, unhides and unfilters until the slice has a row of its own, and scrolls to it if it is not in view.
void reveal(TimelineState& state, trace::SliceRef slice);
/// Scrolls by as little as brings the row that shows the slice above the bottom of the canvas.
void keep_in_view(TimelineState& state, trace::SliceRef slice);
/// Reveals the slice and moves it to the middle, at the same zoom if it can be made out there.
void centre(TimelineState& state, trace::SliceRef slice);

/// Fits the view to the interval; if it is already so, to its surroundings.
void fit(TimelineState& state, Interval interval);
/// The same for a slice, with its row in view.
void fit(TimelineState& state, trace::SliceRef slice);

/// Fits the view to a step of Profile::steps and marks its time on all tracks.
void show_step(TimelineState& state, std::uint32_t step);
/// The step whose time is marked, else the one in the middle of the view.
[[nodiscard]] std::optional<std::uint32_t> current_step(const TimelineState& state);
/// The next (+1) or previous (-1) step; false if there is none.
bool step_steps(TimelineState& state, int direction);

/// The next (+1) or previous (-1) slice of the same lane.
[[nodiscard]] std::optional<trace::SliceRef> neighbour(const trace::Profile& profile, trace::SliceRef slice,
                                                       int direction);

}  // namespace warpscope::ui
