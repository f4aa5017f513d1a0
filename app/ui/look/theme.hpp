#pragma once
// Interface colors for the dark and light themes, and their mapping to Dear ImGui. Only data is colored; the interface
// is neutral.
#include <imgui.h>

#include "app/ui/look/metrics.hpp"
#include "render/scene/palette.hpp"

namespace warpscope::ui {

/// ground: the clear color, behind everything else. panel: rail, top bar, label column, bottom pane. raised: buttons,
/// fields, popups. line: separators. muted: secondary text. accent: the next action, enabled settings.
struct Theme : scene::ThemeColors {
  scene::Theme kind = scene::Theme::dark;

  [[nodiscard]] bool dark() const { return scene::is_dark(kind); }
};

[[nodiscard]] Theme make_theme(bool dark, scene::Hues hues = scene::Hues::standard);

/// Returns the color with the given alpha, 0 … 1.
[[nodiscard]] scene::Color faded(scene::Color color, float alpha);
[[nodiscard]] ImVec4 to_vec4(scene::Color color);

/// Resets the style of the current ImGui context and applies the theme.
void apply_style(const Theme& theme, const Metrics& px);

}  // namespace warpscope::ui
