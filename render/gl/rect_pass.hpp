#pragma once
// Draws the timeline's rectangles, all of them in one instanced call: a strip of four vertices per instance, whose
// attributes are read straight from the 16-byte scene::Rect. A scene has at most one rectangle per row and pixel column
// (some 50,000), so streaming what is visible costs less than any cleverness with static buffers, and time keeps its
// precision because the scene has subtracted the view's begin in integers.
//
// How a rectangle becomes pixels (the rules live in assets/shaders/rects.vert):
//   - it covers columns floor(x0) to floor(x1), at least one: slices that touch share no column, and none vanishes;
//   - from RectStyle::gap_from columns on, the last RectStyle::gap columns stay empty: neighbours can be told apart;
//   - it stands on the bottom of its box and rises round(height * fill / 255) px, at least one unless fill is 0.
// Pixels are written without blending when every colour is opaque, which saves a fifth to a third on a CPU rasteriser.
//
// State: draw() saves and restores nothing. It leaves its program, vertex array and array buffer bound, the viewport
// and the enabled scissor box on the canvas, blending as it needed it, and depth, stencil, face culling disabled. The
// framebuffer binding, textures and the clear colour are untouched. In an ImGui draw callback, add
// ImDrawCallback_ResetRenderState behind it.
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/result.hpp"
#include "render/gl/handle.hpp"
#include "render/scene/draw_list.hpp"

namespace warpscope::gl {

/// Where in the framebuffer to draw, in framebuffer pixels from its top left corner. It may reach over the
/// framebuffer's edges; what does is cut off.
struct Canvas {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
  int framebuffer_height = 0;  ///< to turn y round: OpenGL counts from the bottom
};

struct RectStyle {
  float dim = 1.0F;  ///< factor on every alpha, 0 to 1: 0.55 for what a filter does not match
  int gap = 1;       ///< px left empty at the right of wide rectangles; 0: none; scale it with the display
  int gap_from = 3;  ///< px of width from which a rectangle is wide; more than `gap`
};

/// A program and one buffer of rectangles. Use one object per draw list that lives on (canvas, overview), so that each
/// keeps its buffer. The context it was created in must be current on every call, destruction included.
class RectPass {
 public:
  /// Fails with the driver's log if the shaders do not compile.
  static Result<RectPass> create();

  /// Makes `rects` what draw() draws; copies them to the driver and keeps no reference. Uploads nothing when `revision`
  /// and the count of rectangles are those of the last upload: the caller changes `revision` whenever one changes.
  void upload(std::span<const scene::Rect> rects, std::uint64_t revision);

  /// Draws all that was uploaded, in order (later ones lie above earlier ones).
  void draw(const Canvas& canvas, const RectStyle& style = {}) const;

  /// Draws rectangles [first, first + count), cut to what there is: matches bright, the rest dimmed, from one upload.
  void draw(const Canvas& canvas, const RectStyle& style, std::size_t first, std::size_t count) const;

  [[nodiscard]] std::size_t size() const { return size_; }          ///< rectangles uploaded
  [[nodiscard]] std::uint64_t uploads() const { return uploads_; }  ///< how often data went to the driver

 private:
  RectPass(Program program, VertexArray vertices, Buffer buffer);

  Program program_;
  VertexArray vertices_;
  Buffer buffer_;
  GLint canvas_uniform_ = -1;
  GLint gap_uniform_ = -1;
  GLint dim_uniform_ = -1;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;  ///< rectangles the GPU buffer has room for
  std::uint64_t revision_ = 0;
  std::uint64_t uploads_ = 0;
  bool opaque_ = true;
};

}  // namespace warpscope::gl
