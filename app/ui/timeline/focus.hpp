#pragma once
// Moves the view to a slice, range or step. Free functions on TimelineState.
#include <cstdint>
#include <optional>

#include "app/ui/timeline/timeline_state.hpp"

namespace warpscope::ui {

/// Returns the time range of a slice, at least 1 ns long.
[[nodiscard]] Interval interval_of(const trace::Profile& profile, trace::SliceRef slice);
/// Returns the step that contains the middle of `interval`, extended to cover the interval, if that is more than twice
/// as long as the interval; otherwise, a range 20 times as long as the interval and centered on it.
[[nodiscard]] Interval surroundings_of(const trace::Profile& profile, Interval interval);

/// Expands and unhides tracks and clears filters until the slice has its own row. Scrolls to the row if it is not
/// visible.
void reveal(TimelineState& state, trace::SliceRef slice);
/// Scrolls just enough to bring the slice's row above the bottom of the canvas.
void keep_in_view(TimelineState& state, trace::SliceRef slice);
/// Reveals the slice and centers its time range. Keeps the zoom level if the slice is wide enough to see.
void centre(TimelineState& state, trace::SliceRef slice, Interval time);
/// Centers a slice whose time may not be in memory (trace::ResidentOnly). If the time is not in memory, does nothing
/// and returns false.
bool centre(TimelineState& state, trace::SliceRef slice);

/// Fits the view to the interval. If the view already fits the interval, shows its surroundings.
void fit(TimelineState& state, Interval interval);
/// Fits the view to a slice and scrolls to its row. If its time is not in memory, does nothing and returns false.
bool fit(TimelineState& state, trace::SliceRef slice);

/// Fits the view to a step of Profile::steps and marks its time range on all tracks.
void show_step(TimelineState& state, std::uint32_t step);
/// Returns the marked step, or the step in the middle of the view if none is marked.
[[nodiscard]] std::optional<std::uint32_t> current_step(const TimelineState& state);
/// Goes to the next (+1) or previous (-1) step; returns false if there is none.
bool step_steps(TimelineState& state, int direction);

/// Returns the next (+1) or previous (-1) slice in the same lane.
[[nodiscard]] std::optional<trace::SliceRef> neighbour(const trace::Profile& profile, trace::SliceRef slice,
                                                       int direction);

}  // namespace warpscope::ui
