// The time window: exact at present-day timestamps, anchored while zooming, within its limits.
#include "render/scene/view.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "tests/catch.hpp"
#include "tests/render/scene/make_profile.hpp"

namespace warpscope::scene {
namespace {

using test::kEpoch;

constexpr Interval kWhole{kEpoch, kEpoch + 40'000'000'000};

TEST_CASE("a view initially shows everything, with a margin on both sides", "[scene][view]") {
  const TimeView view(kWhole, 1600);
  CHECK(view.to_px(kWhole.begin) == Approx(1600 * 0.02 / 1.04));
  CHECK(view.to_px(kWhole.end) == Approx(1600 * 1.02 / 1.04));
  CHECK(view.visible().begin < kWhole.begin);
  CHECK(view.visible().end > kWhole.end);
}

TEST_CASE("the anchor of a zoom stays in place", "[scene][view]") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> px(100, 1500);
  TimeView view(kWhole, 1600);
  // Starts in the middle, so no limit moves the window.
  view = view.zoomed(50, 800);
  for (int i = 0; i < 200; ++i) {
    const double anchor = px(random);
    const FineTime before = view.to_fine_time(anchor);
    const TimeView next = view.zoomed(i % 2 == 0 ? 1.37 : 1 / 1.36, anchor);
    const double moved = difference(next.to_fine_time(anchor), before) / next.ns_per_px();
    CHECK(std::abs(moved) < 1e-3);
    view = next;
  }
}

TEST_CASE("adjacent nanoseconds are distinct at epoch timestamps", "[scene][view]") {
  const TimeView view = TimeView(kWhole, 1024).fitted({kEpoch + 7'200'000'000'000 / 400, kEpoch + 18'000'000'256}, 0);
  const double px_per_ns = 1024 / view.span();
  for (Ns t = view.origin().ns; t < view.origin().ns + 250; ++t)
    CHECK(view.to_px(t + 1) - view.to_px(t) == Approx(px_per_ns).epsilon(1e-9));
}

TEST_CASE("a pattern of 4 ns on, 4 ns off is exact in every column", "[scene][view]") {
  for (const Ns hours : {0, 1, 2, 48}) {
    const Ns zero = kEpoch + hours * 3'600'000'000'000;
    for (const double px_per_ns : {0.25, 1.0, 8.0}) {
      const Interval span{zero - 1'000'000, zero + 1'000'000};
      const TimeView view = TimeView(span, 1024).moved_to({zero, 0}, 1 / px_per_ns);
      int wrong = 0;
      for (int column = 0; column < 1024; ++column) {
        const Ns t = view.to_time(column + 0.5);
        const Ns expected = zero + static_cast<Ns>(std::floor((column + 0.5) / px_per_ns));
        wrong += t != expected;
        wrong += std::abs(view.to_px(expected) - static_cast<double>(expected - zero) * px_per_ns) > 1e-6;
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("a view stays within its limits", "[scene][view]") {
  const TimeView all(kWhole, 1600);
  CHECK(all.zoomed(0.1, 300) == all);
  CHECK(all.panned(1e9) == all);
  CHECK(all.panned(-1e9) == all);

  const TimeView closest = all.zoomed(1e30, 800);
  CHECK(closest.span() == Approx(TimeView::kMinSpanNs));

  const TimeView close = all.zoomed(1000, 800);
  CHECK(close.panned(1e12).visible().end <= all.visible().end + 2);
  CHECK(close.panned(-1e12).visible().begin >= all.visible().begin - 1);
}

TEST_CASE("fitting centers the interval", "[scene][view]") {
  const TimeView view = TimeView(kWhole, 1000).fitted({kEpoch + 10'000'000, kEpoch + 10'002'000}, 0.25);
  CHECK(view.to_px(kEpoch + 10'000'000) == Approx(1000 * 0.25 / 1.5));
  CHECK(view.to_px(kEpoch + 10'002'000) == Approx(1000 * 1.25 / 1.5));
  // A slice of zero length gets the minimum span.
  CHECK(view.fitted({kEpoch + 5, kEpoch + 5}).span() >= TimeView::kMinSpanNs);
}

TEST_CASE("a dragged time stays under the pointer", "[scene][view]") {
  const TimeView view = TimeView(kWhole, 1600).zoomed(300, 700);
  const FineTime held = view.to_fine_time(400);
  for (const double px : {410.0, 500.0, 222.5})
    CHECK(difference(view.placed(held, px).to_fine_time(px), held) == Approx(0).margin(1e-3));
}

TEST_CASE("resizing keeps the time span", "[scene][view]") {
  const TimeView view = TimeView(kWhole, 1600).zoomed(10, 800);
  const TimeView narrow = view.resized(800);
  CHECK(narrow.span() == Approx(view.span()));
  CHECK(narrow.origin() == view.origin());
}

TEST_CASE("corrupt times do not overflow", "[scene][view]") {
  const TimeView view(kWhole, 1600);
  CHECK(view.to_px(std::numeric_limits<Ns>::max()) > 1e6);
  CHECK(view.to_px(std::numeric_limits<Ns>::min()) < -1e6);
  CHECK(saturating_difference(std::numeric_limits<Ns>::min(), 5) == std::numeric_limits<Ns>::min());
  CHECK(saturating_difference(std::numeric_limits<Ns>::max(), -5) == std::numeric_limits<Ns>::max());
}

TEST_CASE("an empty profile also has a view", "[scene][view]") {
  const TimeView view({0, 0}, 0);
  CHECK(view.width() == 1);
  CHECK(view.span() > 0);
}

}  // namespace
}  // namespace warpscope::scene
