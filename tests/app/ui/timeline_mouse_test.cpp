#include "app/ui/timeline/mouse.hpp"
#include "tests/app/ui/timeline_fixture.hpp"
#include "tests/catch.hpp"

namespace warpscope::ui {
namespace {

using namespace warpscope::test;

constexpr std::size_t kLeft = MouseInput::kLeft;
constexpr std::size_t kMiddle = MouseInput::kMiddle;

MouseInput at(double x, double y) {
  MouseInput input;
  input.x = x;
  input.y = y;
  input.over = y < 0 ? MouseArea::ruler : MouseArea::canvas;
  input.pressed_on = input.over;
  return input;
}

/// Simulates the mouse.
struct Hand {
  CanvasMouse mouse;
  TimelineState& state;
  bool shift = false;
  bool wheel_zooms = false;
  double press_x = 0, press_y = 0;

  MouseOutcome feed(MouseInput input, std::size_t button = kLeft) {
    input.shift = shift;
    input.press_x[button] = press_x;
    input.press_y[button] = press_y;
    return mouse.update(input, state, wheel_zooms);
  }
  MouseOutcome press(double x, double y, std::size_t button = kLeft) {
    press_x = x;
    press_y = y;
    MouseInput input = at(x, y);
    input.pressed[button] = true;
    return feed(input, button);
  }
  MouseOutcome move(double x, double y) { return feed(at(x, y)); }
  MouseOutcome release(double x, double y, std::size_t button = kLeft) {
    MouseInput input = at(x, y);
    input.released[button] = true;
    return feed(input, button);
  }
  MouseOutcome drag(double x0, double y0, double x1, double y1, std::size_t button = kLeft) {
    press(x0, y0, button);
    move((x0 + x1) / 2, (y0 + y1) / 2);
    move(x1, y1);
    return release(x1, y1, button);
  }
  MouseOutcome wheel(double x, double y, double notches, bool ctrl = false, double sideways = 0) {
    MouseInput input = at(x, y);
    input.wheel = notches;
    input.wheel_sideways = sideways;
    input.ctrl = ctrl;
    return feed(input);
  }
};

TEST_CASE("a press without a drag is a click", "[timeline][mouse]") {
  TimelineState state = open_state();
  Hand hand{.mouse = {}, .state = state};
  const trace::SliceRef kernel = slice_at(*state.profile(), 0, {kStream7, 0, 5});
  const double x = state.view().to_px(state.profile()->begin(kernel) + 2 * kMs);
  const double y = row_middle(state, 0, {kStream7, 0, 0});
  CHECK_FALSE(hand.press(x, y).click.has_value());
  hand.move(x + 2, y + 1);
  const MouseOutcome outcome = hand.release(x + 2, y + 1);
  REQUIRE(outcome.click.has_value());
  CHECK(outcome.click->slice == kernel);
  CHECK_FALSE(state.range().has_value());
  CHECK_FALSE(hand.mouse.active());
}

TEST_CASE("dragging marks the time range on the rows it covers", "[timeline][mouse]") {
  TimelineState state = open_state();
  Hand hand{.mouse = {}, .state = state};
  const double y7 = row_middle(state, 0, {kStream7, 0, 0});
  const double y20 = row_middle(state, 0, {kStream20, 0, 0});
  // Not at a slice edge, so nothing snaps.
  const double x0 = state.view().to_px(32 * kMs);
  const double x1 = state.view().to_px(67 * kMs);
  const MouseOutcome outcome = hand.drag(x0, y7, x1, y20);
  CHECK(outcome.range_done);
  CHECK_FALSE(outcome.click.has_value());
  REQUIRE(state.selected_range() != nullptr);
  CHECK_FALSE(state.selected_range()->all_lanes);
  CHECK(state.selected_range()->lanes == std::vector<LaneRef>{{0, 0}, {0, 1}});
  CHECK(static_cast<double>(state.range()->time.begin) == Approx(32 * kMs).margin(state.view().ns_per_px()));
  CHECK(static_cast<double>(state.range()->time.end) == Approx(67 * kMs).margin(state.view().ns_per_px()));

  state.mark(std::nullopt);   // otherwise the drag would move its edge
  hand.drag(x1, y7, x0, y7);  // dragging left marks the same range
  CHECK(state.range()->time.begin < state.range()->time.end);
  CHECK(state.selected_range()->lanes == std::vector<LaneRef>{{0, 0}});
}

TEST_CASE("dragging with Shift or on the ruler marks all tracks", "[timeline][mouse]") {
  TimelineState state = open_state();
  Hand hand{.mouse = {}, .state = state};
  hand.drag(300, -10, 500, -10);
  REQUIRE(state.range().has_value());
  CHECK(state.range()->all_rows);
  state.mark(std::nullopt);
  hand.shift = true;
  hand.drag(300, 100, 500, 100);
  REQUIRE(state.range().has_value());
  CHECK(state.range()->all_rows);
}

TEST_CASE("mark edges snap to nearby slices", "[timeline][mouse]") {
  TimelineState state = open_state();
  const double y = row_middle(state, 0, {kStream7, 0, 0});
  const Ns begin = kStepEvery + 11 * kMs;
  const double x = state.view().to_px(begin);
  CHECK(snapped_time(state, x + 3, y) == begin);
  CHECK(snapped_time(state, x + 3, -5) != begin);  // nothing to snap to on the ruler
  CHECK(snapped_time(state, state.view().to_px(32 * kMs), y) == state.view().to_time(state.view().to_px(32 * kMs)));
}

TEST_CASE("mark edges can be dragged", "[timeline][mouse]") {
  TimelineState state = open_state();
  Hand hand{.mouse = {}, .state = state};
  state.mark(RangeMark{{32 * kMs, 60 * kMs}, true, {}});
  const double end = state.view().to_px(60 * kMs);
  CHECK(hand.move(end + 3, 300).over_edge);
  CHECK_FALSE(hand.move(end + 30, 300).over_edge);
  const double to = state.view().to_px(80 * kMs);
  hand.drag(end + 2, 390, to, 390);
  REQUIRE(state.range().has_value());
  CHECK(state.range()->all_rows);
  CHECK(state.range()->time.begin == 32 * kMs);
  CHECK(static_cast<double>(state.range()->time.end) == Approx(80 * kMs).margin(state.view().ns_per_px()));
}

TEST_CASE("dragging with the middle button pans in both directions and keeps the grabbed point under the pointer",
          "[timeline][mouse]") {
  TimelineState state = open_state(job_profile(6));
  Hand hand{.mouse = {}, .state = state};
  state.move(state.view().fitted({40 * kMs, 60 * kMs}), Pace::at_once);
  state.scroll_to(100, Pace::at_once);
  const Ns grabbed = state.view().to_time(400);
  hand.press(400, 200, kMiddle);
  hand.move(250, 160);
  CHECK(static_cast<double>(state.view().to_time(250)) == Approx(grabbed).margin(2 * state.view().ns_per_px()));
  CHECK(state.scroll() == 140);
  hand.move(600, 290);
  CHECK(static_cast<double>(state.view().to_time(600)) == Approx(grabbed).margin(2 * state.view().ns_per_px()));
  CHECK(state.scroll() == 10);
  hand.release(600, 290, kMiddle);
  CHECK_FALSE(hand.mouse.active());
  rest(state, 10);
  state.undo();
  rest(state, 20);
  CHECK(state.scroll() == 100);
}

TEST_CASE("right-clicking without dragging opens a menu", "[timeline][mouse]") {
  TimelineState state = open_state();
  Hand hand{.mouse = {}, .state = state};
  hand.press(400, 100, MouseInput::kRight);
  CHECK(hand.release(400, 100, MouseInput::kRight).menu.has_value());
  CHECK_FALSE(hand.drag(400, 100, 500, 100, MouseInput::kRight).menu.has_value());
}

TEST_CASE("the wheel scrolls, zooms at the pointer with Ctrl, and pans with Shift", "[timeline][mouse]") {
  TimelineState state = open_state(job_profile(6));
  Hand hand{.mouse = {}, .state = state};
  hand.wheel(300, 100, -1);
  rest(state);
  CHECK(state.scroll() == 60);
  const double span = state.view().span();
  hand.wheel(300, 100, -1, true);
  CHECK(state.target_scroll() == 60);
  rest(state);

  const Ns under = state.view().to_time(300);
  for (int i = 0; i < 4; ++i) hand.wheel(300, 100, 1, true);
  rest(state);
  CHECK(state.view().span() < span / 2);
  CHECK(static_cast<double>(state.view().to_time(300)) == Approx(under).margin(state.view().ns_per_px() * 2));

  const Ns begin = state.view().visible().begin;
  hand.shift = true;
  hand.wheel(300, 100, -1);
  rest(state);
  CHECK(state.view().visible().begin > begin);
  hand.shift = false;
  hand.wheel(300, 100, 0, false, 1);
  rest(state);
  CHECK(state.view().visible().begin == Approx(begin).margin(2 * state.view().ns_per_px()));
  CHECK(state.scroll() == 60);
}

TEST_CASE("a setting makes the wheel zoom without modifiers, except over the labels", "[timeline][mouse]") {
  TimelineState state = open_state(job_profile(6));
  Hand hand{.mouse = {}, .state = state, .wheel_zooms = true};
  const double span = state.view().span();
  hand.wheel(300, 100, 1);
  rest(state);
  CHECK(state.view().span() < span);
  CHECK(state.scroll() == 0);
  MouseInput labels = at(-50, 100);
  labels.over = labels.pressed_on = MouseArea::labels;
  labels.wheel = -1;
  hand.feed(labels);
  rest(state);
  CHECK(state.scroll() == 60);
}

TEST_CASE("double-clicking acts at the position of the first press", "[timeline][mouse]") {
  TimelineState state = open_state();
  Hand hand{.mouse = {}, .state = state};
  const trace::SliceRef kernel = slice_at(*state.profile(), 1, {kStream7, 0, 2});
  const double x = state.view().to_px(state.profile()->begin(kernel) + 2 * kMs);
  hand.press_x = x;
  hand.press_y = row_middle(state, 1, {kStream7, 0, 0});
  MouseInput input = at(x, hand.press_y);
  input.pressed[kLeft] = true;
  input.double_clicked = true;
  const MouseOutcome outcome = hand.feed(input);
  REQUIRE(outcome.double_click.has_value());
  CHECK(outcome.double_click->slice == kernel);
  CHECK_FALSE(hand.release(x, hand.press_y).click.has_value());
}

TEST_CASE("without a profile, the mouse has no effect", "[timeline][mouse]") {
  TimelineState state;
  state.resize(1000, 400, 1, scene::Density::normal);
  Hand hand{.mouse = {}, .state = state};
  CHECK_FALSE(hand.drag(100, 100, 300, 100).range_done);
  hand.wheel(100, 100, 3, true);
  CHECK_FALSE(state.range().has_value());
}

}  // namespace
}  // namespace warpscope::ui
