#pragma once
// Compiles and links shaders. Errors contain the driver's log.
#include <string_view>

#include "core/base/result.hpp"
#include "render/gl/handle.hpp"

namespace warpscope::gl {

/// Compiles and links GLSL. `name` identifies the shader in errors ("rects" becomes "rects.vert"). A context must be
/// current.
Result<Program> build_program(std::string_view name, std::string_view vertex_source, std::string_view fragment_source);

/// Builds a program from the embedded assets shaders/NAME.vert and shaders/NAME.frag.
Result<Program> load_program(std::string_view name);

}  // namespace warpscope::gl
