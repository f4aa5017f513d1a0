#pragma once
// Two typefaces: Inter for text, JetBrains Mono for numbers. Fonts are rasterized at the UI scale, so changing the
// scale rebuilds the atlas between frames.
#include <imgui.h>

#include <string>

namespace warpscope::ui {

struct Fonts {
  ImFont* ui = nullptr;       ///< 15 px
  ImFont* mono = nullptr;     ///< 14 px
  ImFont* heading = nullptr;  ///< 20 px, used sparingly
  ImFont* caption = nullptr;  ///< 13 px, ui face: charts and subtitles
  ImFont* small = nullptr;    ///< 11 px, ui face: rows of 12 px
};

/// The user's font choices. Missing families and invalid files are ignored.
struct FontChoice {
  float size = 15;      ///< interface font, px; the other sizes scale with it
  std::string words;    ///< family; empty: the built-in font
  std::string figures;  ///< monospace font; same

  friend bool operator==(const FontChoice&, const FontChoice&) = default;
};

/// Clears the current context's atlas and adds the fonts at `scale`. Call outside a frame and recreate the backend's
/// texture afterwards. Reads the chosen families' files.
[[nodiscard]] Fonts build_fonts(float scale, const FontChoice& choice = {});

}  // namespace warpscope::ui
