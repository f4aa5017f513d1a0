#include "app/ui/look/theme.hpp"

#include "app/ui/widgets/small_controls.hpp"
#include "tests/catch.hpp"

namespace warpscope::ui {
namespace {

/// Blends a color with alpha over an opaque background.
scene::Color laid_on(scene::Color ground, scene::Color color) {
  const ImVec4 below = to_vec4(ground);
  const ImVec4 above = to_vec4(color);
  const auto mixed = [&](float a, float b) { return a * above.w + b * (1 - above.w); };
  return ImGui::ColorConvertFloat4ToU32({mixed(above.x, below.x), mixed(above.y, below.y), mixed(above.z, below.z), 1});
}

TEST_CASE("edges of small buttons are visible on every background", "[theme]") {
  for (const bool dark : {true, false}) {
    const Theme theme = make_theme(dark);
    INFO(dark);
    for (const scene::Color ground : {theme.ground, theme.panel, theme.raised})
      CHECK(scene::contrast(laid_on(ground, control_edge(theme)), ground) >= 3);
  }
}

}  // namespace
}  // namespace warpscope::ui
