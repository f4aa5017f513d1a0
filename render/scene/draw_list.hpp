#pragma once
// What the timeline's canvas shows, as plain data: made without a window, drawn by render/gl in one instanced pass,
// compared by tests as numbers. Coordinates are output pixels from the canvas' top left corner.
#include <cstdint>
#include <string_view>
#include <vector>

namespace warpscope::scene {

/// 0xAABBGGRR, as Dear ImGui and OpenGL's RGBA8 (little endian) take it.
using Color = std::uint32_t;

/// One rectangle, 16 bytes. It stands on the bottom of a box of `height` px whose top is `y`, and fills `fill`/255 of
/// that height: a whole slice fills it, a pixel of many slices fills it by its busy fraction.
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

/// A name on a rectangle that is wide enough to read it; clipped to [x0, x1).
struct Label {
  float x0 = 0;
  float x1 = 0;
  float y = 0;  ///< top of the row
  float height = 0;
  Color color = 0;
  std::string_view text;  ///< lives as long as the scene that made the list shows the profile
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
