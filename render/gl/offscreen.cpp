#include "render/gl/offscreen.hpp"

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "render/gl/driver_cache.hpp"

namespace warpscope::gl {

namespace {

constexpr const char* kWhere = "offscreen drawing";
constexpr const char* kInstallAdvice =
    "install a driver that can draw without a display (Debian and Ubuntu: libegl1 and libgl1-mesa-dri)";

std::string egl_error(const char* what) {
  std::array<char, 16> code{};
  std::snprintf(code.data(), code.size(), "0x%04x", static_cast<unsigned>(eglGetError()));
  return std::string(what) + " (EGL error " + code.data() + ")";
}

bool initialises(EGLDisplay display) {
  return display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr) == EGL_TRUE;
}

// Makes a context current on this display. On failure returns EGL_NO_CONTEXT and sets `reason`.
EGLContext current_context_on(EGLDisplay display, std::string& reason) {
  if (eglBindAPI(EGL_OPENGL_API) != EGL_TRUE) {
    reason = egl_error("this EGL supports only OpenGL ES");
    return EGL_NO_CONTEXT;
  }
  constexpr std::array<EGLint, 5> kConfig = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                                             EGL_NONE};
  EGLConfig config = nullptr;
  EGLint found = 0;
  if (eglChooseConfig(display, kConfig.data(), &config, 1, &found) != EGL_TRUE || found == 0) {
    reason = egl_error("no framebuffer configuration for OpenGL");
    return EGL_NO_CONTEXT;
  }
  constexpr std::array<EGLint, 7> kVersion = {
      EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
      EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
  const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, kVersion.data());
  if (context == EGL_NO_CONTEXT) {
    reason = egl_error("no OpenGL 3.3 core context");
    return EGL_NO_CONTEXT;
  }
  if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) != EGL_TRUE) {
    reason = egl_error("the driver cannot draw without a surface");
    eglDestroyContext(display, context);
    return EGL_NO_CONTEXT;
  }
  return context;
}

// Returns every display that may work, best first. epoxy aborts the process on a call to an unavailable function, so
// each display's extension is checked first.
std::vector<EGLDisplay> candidate_displays() {
  std::vector<EGLDisplay> displays;
  const auto has = [](const char* extension) { return epoxy_has_egl_extension(EGL_NO_DISPLAY, extension); };
  if (has("EGL_EXT_platform_base") && has("EGL_MESA_platform_surfaceless")) {
    displays.push_back(eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
  }
  const bool lists_devices = has("EGL_EXT_device_enumeration") || has("EGL_EXT_device_base");
  if (has("EGL_EXT_platform_base") && has("EGL_EXT_platform_device") && lists_devices) {
    std::array<EGLDeviceEXT, 32> devices{};
    EGLint count = 0;
    if (eglQueryDevicesEXT(static_cast<EGLint>(devices.size()), devices.data(), &count) == EGL_TRUE) {
      for (const EGLDeviceEXT device : std::span(devices).first(static_cast<std::size_t>(count))) {
        displays.push_back(eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, device, nullptr));
      }
    }
  }
  displays.push_back(eglGetDisplay(EGL_DEFAULT_DISPLAY));
  return displays;
}

}  // namespace

Failure OffscreenContext::open_context() {
  disable_shader_cache();
  if (!epoxy_has_egl()) return Error{kWhere, "cannot find the library libEGL", kInstallAdvice};
  std::string reason;
  for (const EGLDisplay display : candidate_displays()) {
    if (!initialises(display)) continue;
    if (EGLContext context = current_context_on(display, reason); context != EGL_NO_CONTEXT) {
      display_ = display;
      context_ = context;
      return std::nullopt;
    }
  }
  if (reason.empty()) reason = egl_error("cannot initialize an EGL display");
  return Error{kWhere, reason, kInstallAdvice};
}

Failure OffscreenContext::make_picture(int width, int height) {
  std::array<GLint, 2> most{};
  GLint most_buffer = 0;
  glGetIntegerv(GL_MAX_VIEWPORT_DIMS, most.data());
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most_buffer);
  const int widest = std::min(most[0], most_buffer);
  const int highest = std::min(most[1], most_buffer);
  if (width < 1 || height < 1 || width > widest || height > highest) {
    return Error{kWhere,
                 "cannot render an image of " + std::to_string(width) + "x" + std::to_string(height) + " pixels",
                 "choose a size from 1x1 to " + std::to_string(widest) + "x" + std::to_string(highest)};
  }
  width_ = width;
  height_ = height;
  color_ = make<Renderbuffer>(glGenRenderbuffers);
  glBindRenderbuffer(GL_RENDERBUFFER, color_.id());
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
  framebuffer_ = make<Framebuffer>(glGenFramebuffers);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color_.id());
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
    return Error{kWhere, "the driver cannot create an RGBA8 framebuffer of this size", "try a smaller image"};
  }
  return bind();
}

Result<OffscreenContext> OffscreenContext::create(int width, int height) {
  OffscreenContext context;
  if (Failure failure = context.open_context()) return std::move(*failure);
  if (Failure failure = context.make_picture(width, height)) return std::move(*failure);
  return context;
}

OffscreenContext::OffscreenContext(OffscreenContext&& other) noexcept { swap(other); }

OffscreenContext& OffscreenContext::operator=(OffscreenContext&& other) noexcept {
  OffscreenContext moved(std::move(other));
  swap(moved);
  return *this;
}

OffscreenContext::~OffscreenContext() {
  if (context_ == nullptr) return;
  const EGLContext current = eglGetCurrentContext();
  const EGLDisplay current_display = eglGetCurrentDisplay();
  if (current == context_ || eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_) == EGL_TRUE) {
    framebuffer_ = {};
    color_ = {};
  }
  if (current != EGL_NO_CONTEXT && current != context_) {
    eglMakeCurrent(current_display, EGL_NO_SURFACE, EGL_NO_SURFACE, current);
  } else {
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  }
  eglDestroyContext(display_, context_);
}

void OffscreenContext::swap(OffscreenContext& other) noexcept {
  std::swap(display_, other.display_);
  std::swap(context_, other.context_);
  std::swap(framebuffer_, other.framebuffer_);
  std::swap(color_, other.color_);
  std::swap(width_, other.width_);
  std::swap(height_, other.height_);
}

Failure OffscreenContext::bind() const {
  if (eglGetCurrentContext() != context_ &&
      eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_) != EGL_TRUE) {
    return Error{kWhere, egl_error("cannot make the context current"), "use the context on only one thread at a time"};
  }
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
  glViewport(0, 0, width_, height_);
  glDisable(GL_SCISSOR_TEST);
  return std::nullopt;
}

Image OffscreenContext::read_pixels() const {
  const auto columns = static_cast<std::size_t>(width_);
  const auto rows = static_cast<std::size_t>(height_);
  std::vector<std::uint8_t> rgba(4 * columns * rows);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_.id());
  glReadBuffer(GL_COLOR_ATTACHMENT0);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());

  Image image{width_, height_, {}};
  image.rgb.resize(3 * columns * rows);
  std::uint8_t* to = image.rgb.data();
  for (std::size_t row = rows; row-- > 0;) {
    const std::uint8_t* from = rgba.data() + 4 * columns * row;
    for (std::size_t column = 0; column < columns; ++column, from += 4, to += 3) {
      to[0] = from[0];
      to[1] = from[1];
      to[2] = from[2];
    }
  }
  return image;
}

}  // namespace warpscope::gl
