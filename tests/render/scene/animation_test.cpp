// View motion: arrives in time, without overshoot, with a fixed anchor.
#include "render/scene/animation.hpp"

#include <cmath>
#include <utility>

#include "render/scene/view_history.hpp"
#include "tests/catch.hpp"
#include "tests/render/scene/make_profile.hpp"

namespace warpscope::scene {
namespace {

using test::kEpoch;

constexpr Interval kSpan{kEpoch, kEpoch + 10'000'000'000};

TEST_CASE("a zoom takes 120 ms and its anchor does not move", "[scene][animation]") {
  const TimeView from = TimeView(kSpan, 1600).zoomed(4, 800);
  const TimeView to = from.zoomed(3, 500);
  AnimatedView view(from);
  view.go_to(to);
  const FineTime anchor = from.to_fine_time(500);
  double last = from.ns_per_px();
  int frames = 0;
  while (view.advance(0.010)) {
    ++frames;
    CHECK(view.current().ns_per_px() <= last);
    CHECK(view.current().ns_per_px() >= to.ns_per_px());
    CHECK(std::abs(difference(view.current().to_fine_time(500), anchor)) / view.current().ns_per_px() < 0.01);
    last = view.current().ns_per_px();
  }
  CHECK(frames == 12);
  CHECK(view.current() == to);
  CHECK(view.settled());
}

TEST_CASE("a pan and a jump to a distant kernel end exactly at the target", "[scene][animation]") {
  const TimeView whole(kSpan, 1600);
  const TimeView kernel = whole.fitted({kEpoch + 7'123'456'789, kEpoch + 7'123'460'000});
  for (const auto& [from, to] :
       {std::pair(whole, kernel), std::pair(kernel, whole), std::pair(kernel, kernel.panned(300))}) {
    AnimatedView view(from);
    view.go_to(to);
    double previous = 0;
    while (view.advance(0.016)) {
      const double way = difference(view.current().origin(), from.origin()) / difference(to.origin(), from.origin());
      CHECK(way >= previous - 1e-6);
      CHECK(way <= 1 + 1e-6);
      previous = way;
    }
    CHECK(view.current() == to);
  }
}

TEST_CASE("a new target starts from the current view", "[scene][animation]") {
  const TimeView start = TimeView(kSpan, 1600).zoomed(20, 800);
  AnimatedView view(start);
  view.go_to(start.panned(400));
  view.advance(0.04);
  const TimeView between = view.current();
  CHECK_FALSE(between == start);
  view.go_to(start.panned(-100));
  CHECK(view.current() == between);
  while (view.advance(0.016)) {
  }
  CHECK(view.current() == start.panned(-100));
}

TEST_CASE("a long frame after an idle period does not skip the motion", "[scene][animation]") {
  AnimatedView view(TimeView(kSpan, 1600));
  view.go_to(view.target().zoomed(2, 800));
  view.advance(30.0);
  CHECK_FALSE(view.settled());
}

TEST_CASE("a tap moves one step; a held key accelerates, and more so with Shift", "[scene][animation]") {
  KeyDriver driver;
  HeldKeys keys;
  keys.right = true;
  const KeyMotion step = driver.advance(keys, 1000, 0.016);
  CHECK(step.step);
  CHECK(step.pan_px == Approx(100));
  CHECK_FALSE(driver.advance(keys, 1000, 0.016).any());

  double early = 0;
  double late = 0;
  for (int frame = 0; frame < 120; ++frame) {
    const KeyMotion motion = driver.advance(keys, 1000, 0.016);
    CHECK_FALSE(motion.step);
    CHECK(motion.pan_px >= 0);
    if (frame == 20) early = motion.pan_px;
    if (frame == 119) late = motion.pan_px;
  }
  CHECK(early > 0);
  CHECK(late > 1.5 * early);

  keys.fast = true;
  CHECK(driver.advance(keys, 1000, 0.016).pan_px > 2 * late);
  CHECK_FALSE(driver.advance(HeldKeys{}, 1000, 0.016).any());
  CHECK_FALSE(driver.moving());
}

TEST_CASE("zoom keys reverse each other", "[scene][animation]") {
  const TimeView view = TimeView(kSpan, 1600).zoomed(10, 800);
  HeldKeys in;
  in.in = true;
  HeldKeys out;
  out.out = true;
  KeyDriver driver;
  const TimeView closer = driver.advance(in, 1600, 0.016).apply(view, 700);
  CHECK(closer.ns_per_px() < view.ns_per_px());
  const TimeView back = driver.advance(out, 1600, 0.016).apply(closer, 700);
  CHECK(back.ns_per_px() == Approx(view.ns_per_px()));
}

TEST_CASE("undo and redo step through settled views", "[scene][history]") {
  const TimeView base(kSpan, 1600);
  ViewHistory history;
  const ViewPoint a{base, 0};
  const ViewPoint b{base.zoomed(2, 100), 0};
  const ViewPoint c{base.zoomed(4, 100), 40};
  history.record(a, 0);
  CHECK_FALSE(history.can_undo());
  history.record(b, 10);
  history.record(b, 11);
  history.record(c, 20);
  CHECK(history.undo() == b);
  CHECK(history.undo() == a);
  CHECK_FALSE(history.can_undo());
  CHECK(history.redo() == b);
  const ViewPoint d{base.zoomed(8, 900), 0};
  history.record(d, 30);
  CHECK_FALSE(history.can_redo());
  CHECK(history.undo() == b);
}

TEST_CASE("a burst of views is one history entry and keeps its start", "[scene][history]") {
  const TimeView base(kSpan, 1600);
  ViewHistory history;
  history.record({base, 0}, 0);
  for (int notch = 1; notch <= 10; ++notch) history.record({base.zoomed(1 + 0.2 * notch, 800), 0}, 0.1 * notch);
  CHECK(history.undo() == ViewPoint{base, 0});
  CHECK_FALSE(history.can_undo());
  CHECK(history.redo().time == base.zoomed(3, 800));
}

TEST_CASE("the history is limited in size", "[scene][history]") {
  const TimeView base = TimeView(kSpan, 1600).zoomed(100, 800);
  ViewHistory history;
  for (int i = 0; i < 500; ++i) history.record({base, static_cast<double>(i)}, i);
  std::size_t steps = 0;
  while (history.can_undo()) {
    history.undo();
    ++steps;
  }
  CHECK(steps == ViewHistory::kLimit - 1);
}

}  // namespace
}  // namespace warpscope::scene
