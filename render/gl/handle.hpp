#pragma once
// Move-only owners of OpenGL objects, so that early returns do not leak them.
#include <epoxy/gl.h>

#include <utility>

namespace warpscope::gl {

/// Owns one OpenGL object, or none if the id is 0. The context, or one that shares objects with it, must be current on
/// destruction.
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

/// Deletes object types that OpenGL creates and deletes in arrays.
template <auto* kDelete>
struct DeleteList {
  void operator()(GLuint id) const { (*kDelete)(1, &id); }
};
struct DeleteShader {
  void operator()(GLuint id) const { glDeleteShader(id); }
};
struct DeleteProgram {
  void operator()(GLuint id) const { glDeleteProgram(id); }
};

using Buffer = Handle<DeleteList<&glDeleteBuffers>>;
using VertexArray = Handle<DeleteList<&glDeleteVertexArrays>>;
using Shader = Handle<DeleteShader>;
using Program = Handle<DeleteProgram>;
using Framebuffer = Handle<DeleteList<&glDeleteFramebuffers>>;
using Renderbuffer = Handle<DeleteList<&glDeleteRenderbuffers>>;

/// Creates one object, as in make<Buffer>(glGenBuffers).
template <class Made, class Generate>
[[nodiscard]] Made make(Generate generate) {
  GLuint id = 0;
  generate(1, &id);
  return Made(id);
}

}  // namespace warpscope::gl
