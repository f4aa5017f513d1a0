#pragma once
// Two faces: Inter for words, JetBrains Mono for figures. They are rasterised at the interface's scale, so another
// scale means another atlas; it is built between frames.
#include <imgui.h>

#include <string>

namespace warpscope::ui {

struct Fonts {
  ImFont* ui = nullptr;       ///< 15 px
  ImFont* mono = nullptr;     ///< 14 px
  ImFont* heading = nullptr;  ///< 20 px, sparingly
  ImFont* caption = nullptr;  ///< 13 px, of the ui face: charts and what stands below titles
  ImFont* small = nullptr;    ///< 11 px, of the ui face: rows of 12 px
};

/// What the user may choose. Families that this machine does not have, or whose files are none, are as if not chosen.
struct FontChoice {
  float size = 15;      ///< of words, px; the other sizes keep their proportion to it
  std::string words;    ///< family; empty: what the program brings
  std::string figures;  ///< same

  friend bool operator==(const FontChoice&, const FontChoice&) = default;
};

/// Clears the current context's atlas and adds the fonts at `scale`. Not inside a frame; the backend's texture has to
/// be made anew afterwards. Reads the files of chosen families.
[[nodiscard]] Fonts build_fonts(float scale, const FontChoice& choice = {});

}  // namespace warpscope::ui
