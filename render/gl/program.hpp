#pragma once
// Shaders from source to a linked program; what the driver objects to becomes an Error with its log.
#include <string_view>

#include "core/base/result.hpp"
#include "render/gl/handle.hpp"

namespace warpscope::gl {

/// Compiles and links GLSL. `name` stands in errors as the place ("rects" gives "rects.vert"). A context must be
/// current.
Result<Program> build_program(std::string_view name, std::string_view vertex_source, std::string_view fragment_source);

/// The same from the embedded assets shaders/NAME.vert and shaders/NAME.frag.
Result<Program> load_program(std::string_view name);

}  // namespace warpscope::gl
