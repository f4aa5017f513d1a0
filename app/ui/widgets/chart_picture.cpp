#include "app/ui/widgets/chart_picture.hpp"

#include <epoxy/gl.h>
#include <imgui_impl_opengl3.h>
#include <imgui_internal.h>

#include <cstdint>
#include <utility>

#include "app/ui/look/theme.hpp"
#include "render/gl/handle.hpp"

namespace warpscope::ui {

Result<gl::Image> draw_picture(int width, int height, scene::Color ground,
                               const std::function<void(ImDrawList&)>& draw) {
  GLint bound = 0;
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
  const Error failed{"image of " + std::to_string(width) + " x " + std::to_string(height) + " px",
                     "the driver cannot render it", "make the window smaller"};
  if (width < 1 || height < 1) return failed;
  const gl::Framebuffer framebuffer = gl::make<gl::Framebuffer>(glGenFramebuffers);
  const gl::Renderbuffer color = gl::make<gl::Renderbuffer>(glGenRenderbuffers);
  glBindRenderbuffer(GL_RENDERBUFFER, color.id());
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color.id());
  const bool whole = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  gl::Image image;
  if (whole) {
    const ImVec4 fill = to_vec4(ground);
    glDisable(GL_SCISSOR_TEST);
    glViewport(0, 0, width, height);
    glClearColor(fill.x, fill.y, fill.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImDrawList list(ImGui::GetDrawListSharedData());
    list._ResetForNewFrame();
    list.PushTextureID(ImGui::GetIO().Fonts->TexID);
    const ImVec2 size(static_cast<float>(width), static_cast<float>(height));
    list.PushClipRect({0, 0}, size);
    draw(list);
    ImDrawData data;
    data.Valid = true;
    data.DisplaySize = size;
    data.FramebufferScale = {1, 1};
    data.AddDrawList(&list);
    ImGui_ImplOpenGL3_RenderDrawData(&data);
    const auto row = static_cast<std::size_t>(width) * 3;
    std::vector<std::uint8_t> upwards(row * static_cast<std::size_t>(height));
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, upwards.data());
    image.width = width;
    image.height = height;
    image.rgb.reserve(upwards.size());
    for (int y = height - 1; y >= 0; --y) {
      const auto from = upwards.begin() + static_cast<std::ptrdiff_t>(row) * y;
      image.rgb.insert(image.rgb.end(), from, from + static_cast<std::ptrdiff_t>(row));
    }
  }
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(bound));
  if (!whole) return failed;
  return image;
}

}  // namespace warpscope::ui
