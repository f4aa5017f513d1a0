#include "app/ui/timeline/mouse.hpp"

#include <algorithm>
#include <cmath>

#include "app/ui/timeline/focus.hpp"

namespace warpscope::ui {
namespace {

constexpr double kDragFrom = 4;   // px at 1×: less movement counts as a click
constexpr double kEdgeReach = 5;  // px at 1× to either side
constexpr double kSnapReach = 5;
constexpr double kRowsPerNotch = 3;
constexpr double kZoomPerNotch = 1.25;
constexpr double kPanPerNotch = 0.10;  // of the width

scene::Hit hit_at(const TimelineState& state, double x, double y) { return scene::hit_test(state.input(), x, y); }

/// Returns the keys of pinned and scrolling rows between two heights in px from the top of the canvas, which may be
/// outside the visible part.
std::vector<RowKey> rows_between(const TimelineState& state, double y0, double y1) {
  const scene::Layout& layout = *state.layout();
  const auto from = static_cast<int>(std::min(y0, y1));
  const auto to = static_cast<int>(std::max(y0, y1));
  std::vector<RowKey> keys;
  const auto add = [&](const std::vector<scene::Row>& rows, int shift) {
    for (const scene::Row& row : rows) {
      if (row.y + row.height + shift <= from || row.y + shift > to) continue;
      if (const auto key = key_of_row(*state.profile(), row)) keys.push_back(*key);
    }
  };
  const int pinned = layout.pinned_height();
  if (from < pinned) add(layout.pinned(), 0);
  if (to >= pinned) add(layout.rows(), pinned - state.scroll());
  return keys;
}

}  // namespace

Ns snapped_time(const TimelineState& state, double x, double y) {
  const scene::TimeView& view = state.view();
  const Ns time = view.to_time(x);
  if (y < 0 || !state.profile()) return time;
  const scene::Hit hit = hit_at(state, x, y);
  if (hit.kind != scene::HitKind::slice || !hit.slice) return time;
  const Interval slice = interval_of(*state.profile(), *hit.slice);
  const double reach = kSnapReach * state.scale();
  const double to_begin = std::abs(view.to_px(slice.begin) - x);
  const double to_end = std::abs(view.to_px(slice.end) - x);
  if (std::min(to_begin, to_end) > reach) return time;
  return to_begin <= to_end ? slice.begin : slice.end;
}

MouseOutcome CanvasMouse::update(const MouseInput& input, TimelineState& state, bool wheel_zooms) {
  MouseOutcome outcome;
  if (!state.profile() || !state.layout()) {
    stop(state);
    return outcome;
  }
  wheel(input, state, wheel_zooms);
  if (input.double_clicked && input.pressed_on == MouseArea::canvas) {
    stop(state);
    outcome.double_click = hit_at(state, input.press_x[MouseInput::kLeft], input.press_y[MouseInput::kLeft]);
    return outcome;
  }
  if (gesture_ == Gesture::none) press(input, state);
  drag(input, state);
  outcome.over_edge = gesture_ == Gesture::edge || (gesture_ == Gesture::none && edge_under(input, state).has_value());
  outcome.panning = gesture_ == Gesture::pan;
  outcome.marking = gesture_ == Gesture::mark || gesture_ == Gesture::edge;
  if (gesture_ != Gesture::none && input.released[button_]) {
    outcome.range_done = outcome.marking;
    if (gesture_ == Gesture::press && press_y_ >= 0) outcome.click = hit_at(state, press_x_, press_y_);
    if (gesture_ == Gesture::pan_press && button_ == MouseInput::kRight && press_y_ >= 0)
      outcome.menu = hit_at(state, press_x_, press_y_);
    stop(state);
  }
  return outcome;
}

void CanvasMouse::stop(TimelineState& state) {
  if (gesture_ != Gesture::none) state.hold(false);
  gesture_ = Gesture::none;
}

void CanvasMouse::press(const MouseInput& input, TimelineState& state) {
  if (input.pressed_on != MouseArea::canvas && input.pressed_on != MouseArea::ruler) return;
  const auto pressed = std::ranges::find(input.pressed, true);
  if (pressed == input.pressed.end()) return;
  button_ = static_cast<std::size_t>(pressed - input.pressed.begin());
  press_x_ = input.press_x[button_];
  press_y_ = input.press_y[button_];
  state.hold(true);
  if (button_ != MouseInput::kLeft) {
    gesture_ = Gesture::pan_press;
    return;
  }
  MouseInput at_press = input;
  at_press.x = press_x_;
  at_press.y = press_y_;
  at_press.over = input.pressed_on;
  if (const auto other = edge_under(at_press, state)) {
    gesture_ = Gesture::edge;
    anchor_ = *other;
    return;
  }
  gesture_ = Gesture::press;
  all_rows_ = input.shift || input.pressed_on == MouseArea::ruler;
  anchor_ = all_rows_ && press_y_ < 0 ? state.view().to_time(press_x_) : snapped_time(state, press_x_, press_y_);
  content_y_ = press_y_ + state.scroll();
}

void CanvasMouse::drag(const MouseInput& input, TimelineState& state) {
  const double from = kDragFrom * state.scale();
  const bool moved = std::abs(input.x - press_x_) >= from || std::abs(input.y - press_y_) >= from;
  if (gesture_ == Gesture::press && std::abs(input.x - press_x_) >= from) gesture_ = Gesture::mark;
  if (gesture_ == Gesture::pan_press && moved) {
    gesture_ = Gesture::pan;
    grabbed_ = state.view().to_fine_time(press_x_);
    grabbed_scroll_ = state.scroll();
    state.move(state.view(), Pace::jump);
  }
  if (gesture_ == Gesture::pan) {
    state.move(state.view().placed(grabbed_, input.x), Pace::at_once);
    state.scroll_to(grabbed_scroll_ - (input.y - press_y_), Pace::at_once);
  }
  if (gesture_ == Gesture::mark || gesture_ == Gesture::edge) drag_range(input, state);
}

void CanvasMouse::drag_range(const MouseInput& input, TimelineState& state) const {
  const double x = std::clamp(input.x, 0.0, state.width());
  const Ns time = snapped_time(state, x, input.y);
  RangeMark mark;
  if (gesture_ == Gesture::edge && state.range()) mark = *state.range();
  mark.time = {std::min(anchor_, time), std::max(anchor_, time)};
  if (mark.time.empty()) mark.time.end = saturating_add(mark.time.begin, 1);
  if (gesture_ == Gesture::mark) {
    mark.all_rows = all_rows_;
    if (!all_rows_) {
      const bool in_pinned = press_y_ < state.layout()->pinned_height();
      mark.rows = rows_between(state, in_pinned ? press_y_ : content_y_ - state.scroll(), input.y);
      if (mark.rows.empty()) mark.all_rows = true;
    }
  }
  state.mark(std::move(mark));
}

std::optional<Ns> CanvasMouse::edge_under(const MouseInput& input, const TimelineState& state) const {
  if (!state.range() || (input.over != MouseArea::canvas && input.over != MouseArea::ruler)) return std::nullopt;
  const RangeMark& range = *state.range();
  const double to_begin = std::abs(state.view().to_px(range.time.begin) - input.x);
  const double to_end = std::abs(state.view().to_px(range.time.end) - input.x);
  if (std::min(to_begin, to_end) > kEdgeReach * state.scale()) return std::nullopt;
  if (!range.all_rows && input.y >= 0) {
    const scene::Hit hit = hit_at(state, input.x, input.y);
    if (hit.row == scene::Row::kNone) return std::nullopt;
    const scene::Row& row = hit.pinned ? state.layout()->pinned()[hit.row] : state.layout()->rows()[hit.row];
    if (!covers(range, *state.profile(), row)) return std::nullopt;
  }
  return to_begin <= to_end ? range.time.end : range.time.begin;
}

void CanvasMouse::wheel(const MouseInput& input, TimelineState& state, bool wheel_zooms) const {
  if (input.over == MouseArea::none || (input.wheel == 0 && input.wheel_sideways == 0)) return;
  double sideways = input.wheel_sideways;
  double up = input.wheel;
  if (input.shift && !input.ctrl) {
    sideways += up;
    up = 0;
  }
  if (sideways != 0) state.move(state.target().panned(-sideways * kPanPerNotch * state.width()), Pace::eased);
  if (up == 0) return;
  const bool on_labels = input.over == MouseArea::labels;
  if (input.ctrl || (!on_labels && (wheel_zooms || input.over == MouseArea::ruler))) {
    const double anchor = std::clamp(input.x, 0.0, state.width());
    // Zoom around the time under the pointer in the target view, so that it stays fixed during fast wheel notches.
    state.move(state.target().zoomed(std::pow(kZoomPerNotch, up), anchor), Pace::eased);
  } else {
    const double row = static_cast<double>(state.tracks().density) * state.scale();
    state.scroll_by(-up * kRowsPerNotch * row, Pace::eased);
  }
}

}  // namespace warpscope::ui
