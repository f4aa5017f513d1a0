// System metrics rows: a heat map of cores while collapsed, curves when expanded.
#include <algorithm>

#include "render/scene/heat_scene.hpp"
#include "render/scene/hit_test.hpp"
#include "render/scene/rows.hpp"
#include "render/scene/timeline_scene.hpp"
#include "tests/catch.hpp"

using namespace warpscope;
using namespace warpscope::scene;

namespace {

constexpr Ns kSecond = 1'000'000'000;

/// Core n of `cores` is at (n % 2) · 100 %, from 0 to 10 s and from 20 to 30 s.
std::shared_ptr<const trace::Profile> profile_with_cores(int cores) {
  trace::MetricColumn column;
  for (Ns second = 0; second < 30; ++second)
    if (second < 10 || second >= 20) column.times.push_back(second * kSecond);
  for (int core = 0; core < cores; ++core)
    column.series.push_back({"cpu", "cpu" + std::to_string(core), "CPUUtilization",
                             std::vector<float>(column.times.size(), static_cast<float>(core % 2 * 100))});
  trace::NodeMetrics::Origin origin;
  origin.node = "algo-1";
  return trace::assemble_profile(
      "/job", std::make_shared<trace::Dictionary>(), {}, {}, true,
      {std::make_shared<const trace::NodeMetrics>(origin, std::vector<trace::MetricColumn>{column})});
}

struct CoresScene {
  explicit CoresScene(int cores, bool open) : profile(profile_with_cores(cores)) {
    TrackState state;
    state.density = Density::roomy;
    for (std::uint32_t i = 0; i < profile->tree.entries.size(); ++i) state.set_open(profile->tree, i, open);
    state.set_open(profile->tree, 0, true);
    input.profile = profile;
    input.layout = std::make_shared<const Layout>(*profile, state);
    input.view = TimeView(profile->extent, 300);
    input.height = 1000;
  }
  std::shared_ptr<const trace::Profile> profile;
  TimelineInput input;
};

}  // namespace

TEST_CASE("collapsed cores are a heat map with one line per core and gaps where values are unknown") {
  const CoresScene scene(4, false);
  REQUIRE(scene.input.layout->rows().size() == 2);
  const Row& row = scene.input.layout->rows()[1];
  CHECK(row.kind == RowKind::heat);
  CHECK(row.label == "CPU");
  CHECK(series_of_row(*scene.profile, row).size() == 4);
  DrawList drawn;
  HeatMaps().draw(series_of_row(*scene.profile, row), scene.input.view, {0, 40, 0xFF00FF00, 1}, drawn);
  // Each line is two rectangles, one on each side of the gap.
  REQUIRE(drawn.rects.size() == 8);
  for (std::size_t i = 0; i < drawn.rects.size(); ++i) {
    const Rect& rect = drawn.rects[i];
    CHECK(rect.y == static_cast<int>(i / 2) * 10);
    CHECK(rect.height == 10);
    const Ns begin = i % 2 == 0 ? 0 : 20 * kSecond;
    CHECK(rect.x0 == Approx(scene.input.view.to_px(begin)).margin(6));
    CHECK(rect.x1 == Approx(scene.input.view.to_px(begin + 10 * kSecond)).margin(6));
  }
  CHECK(drawn.rects[0].color == drawn.rects[4].color);
  CHECK(drawn.rects[0].color != drawn.rects[2].color);
}

TEST_CASE("with more cores than lines, each line is the mean of adjacent cores") {
  const CoresScene scene(96, false);
  const Row& row = scene.input.layout->rows()[1];
  DrawList drawn;
  HeatMaps().draw(series_of_row(*scene.profile, row), scene.input.view, {0, 24, 0xFF00FF00, 1}, drawn);
  REQUIRE(drawn.rects.size() == 48);
  CHECK(std::all_of(drawn.rects.begin(), drawn.rects.end(),
                    [&](const Rect& rect) { return rect.color == drawn.rects[0].color && rect.height == 1; }));
}

TEST_CASE("panning and zooming draw the same heat map as drawing from scratch") {
  const CoresScene scene(7, false);
  const Row& row = scene.input.layout->rows()[1];
  const auto series = series_of_row(*scene.profile, row);
  HeatMaps kept;
  kept.use(scene.profile);
  std::size_t most = 0;
  for (const Ns length : {30 * kSecond, 8 * kSecond, 3 * kSecond, 9 * kSecond})
    for (Ns begin = -2 * kSecond; begin < 24 * kSecond; begin += 700'000'000) {
      const TimeView view({begin, begin + length}, 300);
      DrawList panned, fresh;
      kept.draw(series, view, {0, 40, 0xFF00FF00, 1}, panned);
      HeatMaps().draw(series, view, {0, 40, 0xFF00FF00, 1}, fresh);
      REQUIRE(panned.rects == fresh.rects);
      most = std::max(most, fresh.rects.size());
    }
  CHECK(most >= 14);
}

TEST_CASE("hovering shows the core of a line, and expanded cores are curves below their mean") {
  const CoresScene folded(4, false);
  const Row& row = folded.input.layout->rows()[1];
  const int line = content_height(row.height, 1) / 4;
  for (int core = 0; core < 4; ++core) {
    const Hit hit = hit_test(folded.input, 50, row.y + core * line + line / 2.0);
    REQUIRE(hit.kind == HitKind::curve);
    REQUIRE(hit.curve != nullptr);
    CHECK(hit.curve->name() == "CPU " + std::to_string(core) + " utilization");
    CHECK(hit.counter.mean == Approx(core % 2 * 100));
  }
  CHECK_FALSE(hit_test(folded.input, 150, row.y + 1.0).counter.any);

  const CoresScene open(4, true);
  const std::vector<Row>& rows = open.input.layout->rows();
  REQUIRE(rows.size() == 6);
  for (std::size_t i = 1; i < rows.size(); ++i) CHECK(rows[i].kind == RowKind::counter);
  CHECK(counter_of_row(*open.profile, rows[1]).summary(0, kSecond).mean == Approx(50));
  CHECK(counter_of_row(*open.profile, rows[3]).summary(0, kSecond).mean == Approx(100));
  CHECK(devices_of_entry(*open.profile, rows[1].entry).empty());
}

TEST_CASE("a node without ranks can be collapsed") {
  const CoresScene scene(2, true);
  TrackState state;
  state.set_open(scene.profile->tree, 0, false);
  const Layout layout(*scene.profile, state);
  REQUIRE(layout.rows().size() == 1);
  CHECK(layout.rows()[0].kind == RowKind::header);
}
