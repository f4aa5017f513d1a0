#pragma once
// Rendering without a window, a display or a GPU: an OpenGL 3.3 core context created with EGL without a surface, and a
// framebuffer object. `warpscope snapshot`, UI tests and picture tests draw exactly what the window would show.
//
// EGL offers several ways to create such a context, and no machine supports all of them. create() tries them in this
// order:
//   1. EGL_PLATFORM_SURFACELESS_MESA: Mesa, with its software rasterizer if there is no GPU;
//   2. EGL_EXT_platform_device: each listed device (other vendors' drivers on machines without a display);
//   3. the default display.
#include "core/base/result.hpp"
#include "render/gl/handle.hpp"
#include "render/gl/image.hpp"

namespace warpscope::gl {

/// Move-only; owns the context and the framebuffer. Destroy the objects created in a context before the context itself.
/// The EGL display belongs to the process, is shared by all contexts of one kind, and stays initialized.
class OffscreenContext {
 public:
  /// Creates a context and a framebuffer of width x height px, and binds both on this thread. Fails if EGL, a driver or
  /// OpenGL 3.3 is missing, or if the driver does not support the size.
  static Result<OffscreenContext> create(int width, int height);

  OffscreenContext(OffscreenContext&& other) noexcept;
  OffscreenContext& operator=(OffscreenContext&& other) noexcept;
  OffscreenContext(const OffscreenContext&) = delete;
  OffscreenContext& operator=(const OffscreenContext&) = delete;
  ~OffscreenContext();

  /// Makes the context current on this thread and binds the framebuffer. Sets the viewport to the whole framebuffer and
  /// disables the scissor test. Needed only to switch between contexts: create() already does this, and destroying
  /// another context leaves the current one bound.
  Failure bind() const;

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }

  /// Waits for rendering to finish and returns the image without alpha, top row first. The context must be current.
  [[nodiscard]] Image read_pixels() const;

 private:
  OffscreenContext() = default;
  Failure open_context();
  Failure make_picture(int width, int height);
  void swap(OffscreenContext& other) noexcept;

  // EGLDisplay and EGLContext, stored as void* (their actual type) to keep EGL out of this header.
  void* display_ = nullptr;
  void* context_ = nullptr;
  Framebuffer framebuffer_;
  Renderbuffer color_;
  int width_ = 0;
  int height_ = 0;
};

}  // namespace warpscope::gl
