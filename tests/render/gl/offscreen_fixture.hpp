#pragma once
// Creates contexts for rendering tests and converts images to rows of letters, so the expected image is readable in the
// test.
//
// If no EGL display can be initialized, the test is skipped with a warning. If one can, or if the environment variable
// WARPSCOPE_REQUIRE_GL is set, failing to create a context is an error.
#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "render/gl/offscreen.hpp"
#include "render/scene/draw_list.hpp"
#include "tests/catch.hpp"

namespace warpscope::gl {

constexpr scene::Color kRed = 0xFF0000FF;
constexpr scene::Color kGreen = 0xFF00FF00;
constexpr scene::Color kBlue = 0xFFFF0000;

/// Checks EGL independently of the code under test, so bugs in that code are not mistaken for a missing driver.
inline bool egl_is_there() {
  if (!epoxy_has_egl()) return false;
  EGLDisplay display = EGL_NO_DISPLAY;
  if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless")) {
    display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  } else {
    display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
  }
  return display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr) == EGL_TRUE;
}

/// Returns a context with a black image. Warns and returns nullopt without EGL; the test must then return.
inline std::optional<OffscreenContext> offscreen(int width, int height) {
  Result<OffscreenContext> made = OffscreenContext::create(width, height);
  if (!made) {
    if (egl_is_there() || std::getenv("WARPSCOPE_REQUIRE_GL") != nullptr) FAIL(made.error().message());
    WARN("skipped, OpenGL is not available: " << made.error().message());
    return std::nullopt;
  }
  glClearColor(0, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  return std::move(*made);
}

/// Returns one string per pixel row: R, G, B and W (white) for exactly these colors, '.' for black, '?' for any other.
inline std::vector<std::string> letters(const Image& image) {
  std::vector<std::string> rows;
  for (int y = 0; y < image.height; ++y) {
    std::string row;
    for (int x = 0; x < image.width; ++x) {
      switch (image.pixel(x, y)) {
        case 0x000000:
          row += '.';
          break;
        case 0xFF0000:
          row += 'R';
          break;
        case 0x00FF00:
          row += 'G';
          break;
        case 0x0000FF:
          row += 'B';
          break;
        case 0xFFFFFF:
          row += 'W';
          break;
        default:
          row += '?';
      }
    }
    rows.push_back(row);
  }
  return rows;
}

}  // namespace warpscope::gl
