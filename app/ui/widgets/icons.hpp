#pragma once
// Icons drawn as lines and boxes in a 16 px square. They are sharp at any scale and need no embedded or licensed icon
// font.
#include <imgui.h>

#include "render/scene/draw_list.hpp"

namespace warpscope::ui {

enum class Icon {
  load,
  dashboard,
  timeline,
  analysis,
  findings,
  operators,
  ranks,
  query,
  information,
  settings,
  chevron_right,
  chevron_down,
  chevron_left,
  chevron_up,
  close,
  warning,
  error,
  folder,
  file,
  fold,
  pin,
  eye,
  plus,
  minus,
  eject,
  menu,
  whole,
  more,
  enlarge,
  shrink,
};

/// Draws into a square of `size` px with its top left corner at `at`.
void draw_icon(ImDrawList& list, Icon icon, ImVec2 at, float size, scene::Color color);

}  // namespace warpscope::ui
