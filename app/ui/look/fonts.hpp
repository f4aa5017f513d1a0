#pragma once
// Two typefaces: Inter for text, JetBrains Mono for numbers. Fonts are rasterized at the UI scale, so changing the
// scale rebuilds the atlas between frames.
#include <imgui.h>

namespace warpscope::ui {

struct Fonts {
  ImFont* ui = nullptr;       ///< 15 px
  ImFont* mono = nullptr;     ///< 14 px
  ImFont* heading = nullptr;  ///< 20 px, used sparingly
  ImFont* caption = nullptr;  ///< 13 px, ui face: charts and subtitles
  ImFont* small = nullptr;    ///< 11 px, ui face: rows of 12 px
};

/// Clears the current context's atlas and adds the fonts at `scale`. Call outside a frame and recreate the backend's
/// texture afterwards.
[[nodiscard]] Fonts build_fonts(float scale);

}  // namespace warpscope::ui
