#include "render/gl/program.hpp"

#include <string>

#include "assets/assets.hpp"
#include "core/base/parse_number.hpp"

namespace warpscope::gl {

namespace {

constexpr const char* kDriverAdvice = "Warpscope requires OpenGL 3.3; update the graphics driver or Mesa";

/// Returns the log of a shader or program, read with the functions for this kind of object.
template <class GetLength, class GetLog>
std::string log_of(GLuint id, GetLength get_length, GetLog get_log) {
  GLint length = 0;
  get_length(id, GL_INFO_LOG_LENGTH, &length);
  std::string log(static_cast<std::size_t>(length), '\0');
  if (length > 0) get_log(id, length, nullptr, log.data());
  const std::string_view kept = trimmed(log, {"\0\n ", 3});
  return kept.empty() ? "the driver reported no reason" : std::string(kept);
}

Result<Shader> compile(GLenum stage, const std::string& where, std::string_view source) {
  Shader shader(glCreateShader(stage));
  const char* text = source.data();
  const auto length = static_cast<GLint>(source.size());
  glShaderSource(shader.id(), 1, &text, &length);
  glCompileShader(shader.id());
  GLint compiled = GL_FALSE;
  glGetShaderiv(shader.id(), GL_COMPILE_STATUS, &compiled);
  if (compiled == GL_FALSE)
    return Error{where, "shader does not compile: " + log_of(shader.id(), glGetShaderiv, glGetShaderInfoLog),
                 kDriverAdvice};
  return shader;
}

}  // namespace

Result<Program> build_program(std::string_view name, std::string_view vertex_source, std::string_view fragment_source) {
  const std::string base(name);
  Result<Shader> vertex = compile(GL_VERTEX_SHADER, base + ".vert", vertex_source);
  if (!vertex) return vertex.error();
  Result<Shader> fragment = compile(GL_FRAGMENT_SHADER, base + ".frag", fragment_source);
  if (!fragment) return fragment.error();

  Program program(glCreateProgram());
  glAttachShader(program.id(), vertex->id());
  glAttachShader(program.id(), fragment->id());
  glLinkProgram(program.id());
  GLint linked = GL_FALSE;
  glGetProgramiv(program.id(), GL_LINK_STATUS, &linked);
  if (linked == GL_FALSE)
    return Error{base, "shaders do not link: " + log_of(program.id(), glGetProgramiv, glGetProgramInfoLog),
                 kDriverAdvice};
  glDetachShader(program.id(), vertex->id());
  glDetachShader(program.id(), fragment->id());
  return program;
}

Result<Program> load_program(std::string_view name) {
  const std::string base = "shaders/" + std::string(name);
  const std::string_view vertex = assets::asset(base + ".vert");
  const std::string_view fragment = assets::asset(base + ".frag");
  if (vertex.empty() || fragment.empty())
    return Error{base, "shader is not embedded in this program", "rebuild Warpscope"};
  return build_program(base, vertex, fragment);
}

}  // namespace warpscope::gl
