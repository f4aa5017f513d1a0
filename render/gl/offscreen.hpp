#pragma once
// A place to draw without a window, a display or a GPU: an OpenGL 3.3 core context from EGL without any surface, and a
// framebuffer object of its own. `warpscope snapshot`, UI tests and picture tests draw here exactly what the window
// would.
//
// EGL offers several ways to such a context and no machine has all of them, so they are tried in this order:
//   1. EGL_PLATFORM_SURFACELESS_MESA: Mesa, with its software rasteriser where there is no GPU;
//   2. EGL_EXT_platform_device: each device that is listed (other vendors' drivers on machines without a display);
//   3. the default display.
#include "core/base/result.hpp"
#include "render/gl/handle.hpp"
#include "render/gl/image.hpp"

namespace warpscope::gl {

/// Move-only; owns the context and the framebuffer. Destroy what was created in the context before it. The EGL display
/// is the process's own, shared by all contexts of one kind, and is left initialised for the next.
class OffscreenContext {
 public:
  /// Makes a context and a picture of width x height px, and leaves both bound in this thread. Errors: no EGL, no
  /// driver, no OpenGL 3.3, or a size that the driver cannot draw.
  static Result<OffscreenContext> create(int width, int height);

  OffscreenContext(OffscreenContext&& other) noexcept;
  OffscreenContext& operator=(OffscreenContext&& other) noexcept;
  OffscreenContext(const OffscreenContext&) = delete;
  OffscreenContext& operator=(const OffscreenContext&) = delete;
  ~OffscreenContext();

  /// Makes the context current in this thread and binds the picture, viewport on all of it, scissor off. Needed
  /// only where several contexts take turns: create() binds, and destroying another context leaves the current one so.
  Failure bind() const;

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }

  /// Waits for the drawing and returns the picture, rows from the top, alpha dropped. The context must be current.
  [[nodiscard]] Image read_pixels() const;

 private:
  OffscreenContext() = default;
  Failure open_context();
  Failure make_picture(int width, int height);
  void swap(OffscreenContext& other) noexcept;

  // EGLDisplay and EGLContext; kept as void* (which they are) so that users of this header see no EGL.
  void* display_ = nullptr;
  void* context_ = nullptr;
  Framebuffer framebuffer_;
  Renderbuffer color_;
  int width_ = 0;
  int height_ = 0;
};

}  // namespace warpscope::gl
