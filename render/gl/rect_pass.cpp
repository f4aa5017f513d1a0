#include "render/gl/rect_pass.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "render/gl/program.hpp"

namespace warpscope::gl {

namespace {

using scene::Rect;

constexpr std::size_t kSmallestCapacity = 1024;
enum Attribute : GLuint { kSpan = 0, kTop = 1, kBox = 2, kColor = 3 };

const void* byte_offset(std::size_t bytes) { return reinterpret_cast<const void*>(bytes); }

// OpenGL 3.3 has no base instance, so a range of the buffer is drawn by offsetting the attributes.
void point_attributes_at(std::size_t first) {
  constexpr GLsizei kStride = sizeof(Rect);
  const std::size_t base = first * sizeof(Rect);
  static_assert(offsetof(Rect, x1) == offsetof(Rect, x0) + sizeof(float));
  static_assert(offsetof(Rect, fill) == offsetof(Rect, height) + 1);
  glVertexAttribPointer(kSpan, 2, GL_FLOAT, GL_FALSE, kStride, byte_offset(base + offsetof(Rect, x0)));
  glVertexAttribIPointer(kTop, 1, GL_SHORT, kStride, byte_offset(base + offsetof(Rect, y)));
  glVertexAttribIPointer(kBox, 2, GL_UNSIGNED_BYTE, kStride, byte_offset(base + offsetof(Rect, height)));
  glVertexAttribPointer(kColor, 4, GL_UNSIGNED_BYTE, GL_TRUE, kStride, byte_offset(base + offsetof(Rect, color)));
}

}  // namespace

RectPass::RectPass(Program program, VertexArray vertices, Buffer buffer)
    : program_(std::move(program)), vertices_(std::move(vertices)), buffer_(std::move(buffer)) {
  canvas_uniform_ = glGetUniformLocation(program_.id(), "canvas");
  gap_uniform_ = glGetUniformLocation(program_.id(), "gap");
  dim_uniform_ = glGetUniformLocation(program_.id(), "dim");
}

Result<RectPass> RectPass::create() {
  Result<Program> program = load_program("rects");
  if (!program) return program.error();
  RectPass pass(std::move(*program), make<VertexArray>(glGenVertexArrays), make<Buffer>(glGenBuffers));
  glBindVertexArray(pass.vertices_.id());
  for (const GLuint attribute : {kSpan, kTop, kBox, kColor}) {
    glEnableVertexAttribArray(attribute);
    glVertexAttribDivisor(attribute, 1);
  }
  glBindVertexArray(0);
  return pass;
}

void RectPass::upload(std::span<const Rect> rects, std::uint64_t revision) {
  if (revision == revision_ && rects.size() == size_) return;
  revision_ = revision;
  size_ = rects.size();
  ++uploads_;
  opaque_ = std::ranges::all_of(rects, [](const Rect& rect) { return (rect.color >> 24) == 0xFF; });
  if (rects.empty()) return;

  if (size_ > capacity_) capacity_ = std::max(kSmallestCapacity, std::bit_ceil(size_));
  glBindBuffer(GL_ARRAY_BUFFER, buffer_.id());
  // Allocate a new buffer store each time, so the driver need not wait for draws that still read the old one.
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(capacity_ * sizeof(Rect)), nullptr, GL_STREAM_DRAW);
  glBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(rects.size_bytes()), rects.data());
}

void RectPass::draw(const Canvas& canvas, const RectStyle& style) const { draw(canvas, style, 0, size_); }

void RectPass::draw(const Canvas& canvas, const RectStyle& style, std::size_t first, std::size_t count) const {
  first = std::min(first, size_);
  count = std::min(count, size_ - first);
  if (count == 0 || canvas.width <= 0 || canvas.height <= 0) return;

  const GLint bottom = canvas.framebuffer_height - (canvas.y + canvas.height);
  glViewport(canvas.x, bottom, canvas.width, canvas.height);
  glEnable(GL_SCISSOR_TEST);
  glScissor(canvas.x, bottom, canvas.width, canvas.height);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_STENCIL_TEST);
  glDisable(GL_CULL_FACE);
  if (opaque_ && style.dim >= 1.0F) {
    glDisable(GL_BLEND);
  } else {
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  }

  glUseProgram(program_.id());
  glUniform2f(canvas_uniform_, static_cast<float>(canvas.width), static_cast<float>(canvas.height));
  glUniform2f(gap_uniform_, static_cast<float>(style.gap), static_cast<float>(style.gap_from));
  glUniform1f(dim_uniform_, std::clamp(style.dim, 0.0F, 1.0F));
  glBindVertexArray(vertices_.id());
  glBindBuffer(GL_ARRAY_BUFFER, buffer_.id());
  point_attributes_at(first);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(count));
}

}  // namespace warpscope::gl
