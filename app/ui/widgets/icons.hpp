#pragma once
// Icons as a few lines and boxes on a 16 px square: no icon font to find, embed and license, and crisp at any scale.
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
  information,
  settings,
  chevron_right,
  chevron_down,
  chevron_left,
  chevron_up,
  close,
  check,
  warning,
  error,
  folder,
  bin,
  file,
  search,
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

/// Draws into the square of `size` px whose top left corner is `at`.
void draw_icon(ImDrawList& list, Icon icon, ImVec2 at, float size, scene::Color color);

}  // namespace warpscope::ui
