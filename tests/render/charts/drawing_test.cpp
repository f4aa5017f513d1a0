// Hit regions, truncated labels, colors.
#include "render/charts/drawing.hpp"

#include <numbers>
#include <set>

#include "core/trace/string_table.hpp"
#include "render/charts/colors.hpp"
#include "tests/render/charts/chart_checks.hpp"

namespace warpscope::charts {
namespace {

using test::plain_style;

TEST_CASE("sector hit tests cover only the sector's part of the ring", "[charts]") {
  const Sector quarter{{100, 100}, 40, 80, 0, std::numbers::pi / 2};  // from twelve to three o'clock
  CHECK(quarter.contains({130, 70}));
  CHECK_FALSE(quarter.contains({70, 70}));    // the previous quarter
  CHECK_FALSE(quarter.contains({130, 130}));  // the next quarter
  CHECK_FALSE(quarter.contains({110, 90}));   // the hole
  CHECK_FALSE(quarter.contains({190, 20}));   // outside the ring
  const Sector last{{100, 100}, 40, 80, 1.5 * std::numbers::pi, 2 * std::numbers::pi};
  CHECK(last.contains({70, 70}));
  CHECK_FALSE(last.contains({130, 70}));
}

TEST_CASE("the topmost region is hit", "[charts]") {
  Drawing drawing;
  drawing.hits.push_back({1, Box{0, 0, 100, 100}});
  drawing.hits.push_back({2, Box{50, 50, 100, 100}});
  CHECK(drawing.hit({10, 10}) == 1u);
  CHECK(drawing.hit({60, 60}) == 2u);
  CHECK_FALSE(drawing.hit({100, 100}).has_value());
  drawing.hits.push_back({1, Sector{{20, 20}, 0, 10, 0, 1}});
  CHECK(drawing.outlines(1, 0xFFFFFFFF, 2).size() == 2);
  CHECK(drawing.outlines(7, 0xFFFFFFFF, 2).empty());
}

TEST_CASE("labels are truncated between characters, never within one", "[charts]") {
  const ChartStyle style = plain_style();
  CHECK(fit_label("kernel", 36, TextSize::small, style) == "kernel");
  CHECK(fit_label("kernel", 35, TextSize::small, style) == "kern…");
  CHECK(fit_label("µµµµµµ", 18, TextSize::small, style) == "µµ…");
  CHECK(fit_label("two words", 30, TextSize::small, style) == "two…");
  CHECK(fit_label("kernel", 5, TextSize::small, style).empty());
  CHECK(fit_label("", 5, TextSize::small, style).empty());
}

TEST_CASE("chart colors stand out from both backgrounds", "[charts]") {
  for (const scene::Theme theme : {scene::Theme::dark, scene::Theme::light}) {
    const scene::ThemeColors& colors = scene::theme_colors(theme);
    std::set<Color> seen;
    for (std::uint32_t n = 0; n < 3 * kSeriesColors; ++n) {
      INFO(n);
      seen.insert(series_color(n, theme));
      for (const Color ground : {colors.ground, colors.panel})
        CHECK(scene::contrast(series_color(n, theme), ground) >= 3);
    }
    CHECK(seen.size() == 3 * kSeriesColors);
    CHECK(scene::contrast(rest_color(theme), colors.panel) >= 2.5);
  }
}

TEST_CASE("heat map colors become steadily more distinct from the background", "[charts]") {
  for (const scene::Theme theme : {scene::Theme::dark, scene::Theme::light}) {
    const Color ground = scene::theme_colors(theme).ground;
    for (int i = 1; i <= 20; ++i)
      CHECK(scene::contrast(heat_color(i / 20.0, theme), ground) >
            scene::contrast(heat_color((i - 1) / 20.0, theme), ground));
    CHECK(heat_color(-1, theme) == heat_color(0, theme));
    CHECK(heat_color(2, theme) == heat_color(1, theme));
    CHECK(heat_color(std::nan(""), theme) == rest_color(theme));
  }
}

TEST_CASE("a kernel has the same color as in the timeline", "[charts]") {
  const std::string gemm = "ampere_sgemm_128x64_tn";
  const std::string reduce = "ncclDevKernel_AllReduce_Sum_f32_RING_LL";
  CHECK(run_color(trace::Role::kernel, gemm, scene::Theme::dark) ==
        scene::slice_color(trace::Family::computation, stable_hash(gemm), scene::Theme::dark));
  CHECK(run_color(trace::Role::kernel, reduce, scene::Theme::light) ==
        scene::slice_color(trace::Family::communication, stable_hash(reduce), scene::Theme::light));
  CHECK(run_color(trace::Role::memory_copy, "Memcpy HtoD", scene::Theme::dark) ==
        scene::slice_color(trace::Family::memory, stable_hash("Memcpy HtoD"), scene::Theme::dark));
}

}  // namespace
}  // namespace warpscope::charts
