#pragma once
// The colours of the frame, dark and light, and their way into Dear ImGui. Data has the colour, the frame has none.
#include <imgui.h>

#include <optional>

#include "app/ui/look/metrics.hpp"
#include "app/ui/model/settings.hpp"
#include "render/scene/palette.hpp"

namespace warpscope::ui {

/// ground: behind everything, the clear colour, never filled. panel: rail, top bar, label column, bottom pane. raised:
/// buttons, fields, popups. line: between things. muted: text of second rank. accent: what can be done next, what is
/// on.
struct Theme : scene::ThemeColors {
  scene::Theme kind = scene::Theme::dark;

  [[nodiscard]] bool dark() const { return scene::is_dark(kind); }
};

[[nodiscard]] Theme make_theme(bool dark, scene::Hues hues = scene::Hues::standard,
                               scene::Strength strength = scene::Strength::normal);
/// `desktop`: whether it is dark, if it tells.
[[nodiscard]] bool wants_dark(ThemeChoice choice, std::optional<bool> desktop = {});

/// The colour with another alpha, 0 … 1.
[[nodiscard]] scene::Color faded(scene::Color color, float alpha);
[[nodiscard]] ImVec4 to_vec4(scene::Color color);

/// Sets the current context's style from scratch.
void apply_style(const Theme& theme, const Metrics& px);

}  // namespace warpscope::ui
