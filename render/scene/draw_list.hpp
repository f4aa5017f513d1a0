#pragma once
// Contents of the timeline canvas as plain data. The list is built without a window, so tests can compare the numbers;
// render/gl draws it in one instanced pass. Coordinates are output pixels from the canvas' top left corner.
#include <cstdint>
#include <string_view>
#include <vector>

namespace warpscope::scene {

/// 0xAABBGGRR, the format of Dear ImGui and OpenGL's RGBA8 (little endian).
using Color = std::uint32_t;

/// One rectangle, 16 bytes. The box starts at `y` and is `height` px high; only the bottom `fill`/255 of it is painted.
/// A slice fills the whole box; a pixel column with many slices is filled up to its busy share.
struct Rect {
  float x0 = 0;
  float x1 = 0;
  std::int16_t y = 0;
  std::uint8_t height = 0;
  std::uint8_t fill = 255;
  Color color = 0;

  friend bool operator==(const Rect&, const Rect&) = default;
};
static_assert(sizeof(Rect) == 16);

/// A name on a rectangle that is wide enough for it; clipped to [x0, x1).
struct Label {
  float x0 = 0;
  float x1 = 0;
  float y = 0;  ///< top of the row
  float height = 0;
  Color color = 0;
  std::string_view text;  ///< valid as long as the scene that built the list shows the profile
};

struct DrawList {
  std::vector<Rect> rects;
  std::vector<Label> labels;

  void clear() {
    rects.clear();
    labels.clear();
  }
};

}  // namespace warpscope::scene
