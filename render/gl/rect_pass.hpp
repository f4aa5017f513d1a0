#pragma once
// Draws the timeline's rectangles in one instanced call: a strip of four vertices per instance, with attributes read
// directly from the 16-byte scene::Rect. A scene has at most one rectangle per row and pixel column (about 50,000), so
// streaming the visible rectangles costs less than managing static buffers. Times stay precise because the scene has
// already subtracted the view's start using integers.
//
// How a rectangle maps to pixels (see assets/shaders/rects.vert for the rules):
//   - it covers columns floor(x0) to floor(x1), at least one: adjacent slices share no column, and none disappears;
//   - if it is at least RectStyle::gap_from columns wide, its last RectStyle::gap columns stay empty to separate
//     neighbors;
//   - it rises round(height * fill / 255) px from the bottom of its box, at least one unless fill is 0.
// If every color is opaque, pixels are written without blending, which saves a fifth to a third of the time on a CPU
// rasterizer.
//
// State: draw() does not save or restore any state. It leaves its program, vertex array and array buffer bound,
// viewport and scissor box set to the canvas, the scissor test enabled, blending on or off as needed, and depth test,
// stencil test and face culling disabled. It does not change the framebuffer binding, textures or the clear color.
// After an ImGui draw callback, add ImDrawCallback_ResetRenderState.
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/result.hpp"
#include "render/gl/handle.hpp"
#include "render/scene/draw_list.hpp"

namespace warpscope::gl {

/// Target area in framebuffer pixels from the top left corner. It may extend beyond the framebuffer; the rest is
/// clipped.
struct Canvas {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
  int framebuffer_height = 0;  ///< used to flip y: OpenGL counts from the bottom
};

struct RectStyle {
  float dim = 1.0F;  ///< multiplies every alpha, 0 to 1; 0.55 for slices that do not match a filter
  int gap = 1;       ///< px left empty at the right of wide rectangles; 0: none; scale with the display
  int gap_from = 3;  ///< minimum width of a wide rectangle in px; greater than `gap`
};

/// A program and one buffer of rectangles. Use one object per long-lived draw list (canvas, overview) so that each list
/// keeps its own buffer. The OpenGL context must be current on every call, including destruction.
class RectPass {
 public:
  /// Fails with the driver's log if the shaders do not compile.
  static Result<RectPass> create();

  /// Uploads the rectangles for draw() and does not keep a reference to them. Does nothing if `revision` and the number
  /// of rectangles are unchanged, so the caller must change `revision` whenever the contents change.
  void upload(std::span<const scene::Rect> rects, std::uint64_t revision);

  /// Draws all uploaded rectangles in order (later ones on top).
  void draw(const Canvas& canvas, const RectStyle& style = {}) const;

  /// Draws rectangles [first, first + count), clamped to the uploaded ones. Lets a single upload be drawn with bright
  /// matches and everything else dimmed.
  void draw(const Canvas& canvas, const RectStyle& style, std::size_t first, std::size_t count) const;

  [[nodiscard]] std::size_t size() const { return size_; }          ///< rectangles uploaded
  [[nodiscard]] std::uint64_t uploads() const { return uploads_; }  ///< number of uploads to the driver

 private:
  RectPass(Program program, VertexArray vertices, Buffer buffer);

  Program program_;
  VertexArray vertices_;
  Buffer buffer_;
  GLint canvas_uniform_ = -1;
  GLint gap_uniform_ = -1;
  GLint dim_uniform_ = -1;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;  ///< capacity of the GPU buffer in rectangles
  std::uint64_t revision_ = 0;
  std::uint64_t uploads_ = 0;
  bool opaque_ = true;
};

}  // namespace warpscope::gl
