#include "render/gl/device_info.hpp"

#include <epoxy/gl.h>

namespace warpscope::gl {

namespace {

std::string gl_string(GLenum name) {
  const GLubyte* text = glGetString(name);
  return text == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(text));
}

}  // namespace

DeviceInfo device_info() {
  return {gl_string(GL_VENDOR), gl_string(GL_RENDERER), gl_string(GL_VERSION), gl_string(GL_SHADING_LANGUAGE_VERSION)};
}

}  // namespace warpscope::gl
