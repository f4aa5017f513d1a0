// Thinning of curves with more points than pixels.
#include "render/charts/curve_thinning.hpp"

#include <random>

#include "tests/catch.hpp"

namespace warpscope::charts {
namespace {

const Scale kColumns{0, 100, 0, 100, false};  // one column per unit
const Scale kUp{0, 10, 100, 0, false};        // ten px per unit, upward

/// True if the curve covers this pixel, with its line or a spike.
bool covers(const ThinCurve& curve, float x, float y) {
  const auto between = [](float a, float b, float v) { return std::min(a, b) <= v && v <= std::max(a, b); };
  for (std::size_t i = 1; i < curve.line.size(); ++i)
    if (between(curve.line[i - 1].x, curve.line[i].x, x) && between(curve.line[i - 1].y, curve.line[i].y, y))
      return true;
  for (const auto& [top, bottom] : curve.spikes)
    if (top.x == x && between(top.y, bottom.y, y)) return true;
  return false;
}

TEST_CASE("a curve at zero stays there until it rises", "[charts][line][thinning]") {
  // Bursts of many short memory copies within a pixel, far apart, as in training profiles.
  std::vector<LinePoint> points;
  for (const double begin : {10.0, 40.0, 70.0})
    for (int i = 0; i < 50; ++i) {
      points.push_back({begin + i * 0.001, 8.0});
      points.push_back({begin + i * 0.001 + 0.0005, 0.0});
    }
  points.push_back({95, 0});
  const ThinCurve curve = thin_curve(points, true, kColumns, kUp);
  for (const float at : {25.0f, 55.0f, 85.0f}) {
    CHECK(covers(curve, at, 100));
    CHECK_FALSE(covers(curve, at, 20));
  }
  for (const float at : {10.0f, 40.0f, 70.0f}) CHECK(covers(curve, at, 20));
  CHECK(curve.line.back() == Point{95, 100});
}

TEST_CASE("steps are horizontal and vertical for any number of points", "[charts][line][thinning]") {
  std::mt19937 random(7);
  for (const int count : {3, 90, 150, 5000}) {
    std::vector<LinePoint> points;
    for (int i = 0; i < count; ++i) points.push_back({100.0 * i / count, static_cast<double>(random() % 11)});
    const ThinCurve curve = thin_curve(points, true, kColumns, kUp);
    CAPTURE(count);
    REQUIRE(curve.line.size() >= 2);
    for (std::size_t i = 1; i < curve.line.size(); ++i) {
      CHECK((curve.line[i].x == curve.line[i - 1].x || curve.line[i].y == curve.line[i - 1].y));
      CHECK(curve.line[i].x >= curve.line[i - 1].x);
    }
    // The line never doubles back on itself, which would be drawn as a wedge.
    for (std::size_t i = 2; i < curve.line.size(); ++i)
      CHECK_FALSE((curve.line[i].x == curve.line[i - 1].x && curve.line[i - 1].x == curve.line[i - 2].x));
    CHECK(curve.line.size() + curve.spikes.size() <= 3 * 101);
    // Each value is covered somewhere in the column of its time.
    for (const LinePoint& p : points) CHECK(covers(curve, std::round(kColumns.px(p.x)), std::round(kUp.px(p.y))));
  }
}

TEST_CASE("sloping curves also keep their peaks, and values beyond the axis stay on it", "[charts][line][thinning]") {
  std::vector<LinePoint> points;
  for (int i = 0; i < 10'000; ++i) points.push_back({i * 0.01, i == 5'555 ? 25.0 : i == 7'777 ? -5.0 : 5.0});
  const ThinCurve curve = thin_curve(points, false, kColumns, kUp);
  CHECK(covers(curve, 56, 0));
  CHECK(covers(curve, 78, 100));
  CHECK_FALSE(covers(curve, 60, 100));
  const std::vector<LinePoint> few{{0, 0}, {33.3, 10}, {100, 5}};
  const ThinCurve slopes = thin_curve(few, false, kColumns, kUp);
  REQUIRE(slopes.line.size() == 3);
  CHECK(slopes.line[1].x == Approx(33.3f));
}

}  // namespace
}  // namespace warpscope::charts
