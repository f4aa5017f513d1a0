#pragma once
// Names of OpenGL objects as move-only values, so early returns do not leak.
#include <epoxy/gl.h>

#include <utility>

namespace warpscope::gl {

/// Owns one OpenGL object; 0 owns nothing. The context (or one that shares with it) must be current on destruction.
template <class Deleter>
class Handle {
 public:
  Handle() = default;
  explicit Handle(GLuint id) : id_(id) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (id_ != 0) Deleter{}(id_);
  }

  [[nodiscard]] GLuint id() const { return id_; }

 private:
  GLuint id_ = 0;
};

struct DeleteBuffer {
  void operator()(GLuint id) const { glDeleteBuffers(1, &id); }
};
struct DeleteVertexArray {
  void operator()(GLuint id) const { glDeleteVertexArrays(1, &id); }
};
struct DeleteShader {
  void operator()(GLuint id) const { glDeleteShader(id); }
};
struct DeleteProgram {
  void operator()(GLuint id) const { glDeleteProgram(id); }
};
struct DeleteFramebuffer {
  void operator()(GLuint id) const { glDeleteFramebuffers(1, &id); }
};
struct DeleteRenderbuffer {
  void operator()(GLuint id) const { glDeleteRenderbuffers(1, &id); }
};

using Buffer = Handle<DeleteBuffer>;
using VertexArray = Handle<DeleteVertexArray>;
using Shader = Handle<DeleteShader>;
using Program = Handle<DeleteProgram>;
using Framebuffer = Handle<DeleteFramebuffer>;
using Renderbuffer = Handle<DeleteRenderbuffer>;

inline Buffer make_buffer() {
  GLuint id = 0;
  glGenBuffers(1, &id);
  return Buffer(id);
}

inline VertexArray make_vertex_array() {
  GLuint id = 0;
  glGenVertexArrays(1, &id);
  return VertexArray(id);
}

inline Framebuffer make_framebuffer() {
  GLuint id = 0;
  glGenFramebuffers(1, &id);
  return Framebuffer(id);
}

inline Renderbuffer make_renderbuffer() {
  GLuint id = 0;
  glGenRenderbuffers(1, &id);
  return Renderbuffer(id);
}

}  // namespace warpscope::gl
