#pragma once
// A picture of what is drawn into an ImDrawList, of any size, whatever of it is on the screen: for "save as PNG".
#include <imgui.h>

#include <functional>
#include <memory>

#include "app/ui/app_context.hpp"
#include "core/base/result.hpp"
#include "render/gl/image.hpp"

namespace warpscope::ui {

/// Fonts at a scale of their own, with their texture: a picture of 2× from a window of 1× has sharp words. UI thread.
class PictureFonts {
 public:
  explicit PictureFonts(float scale);
  ~PictureFonts();
  PictureFonts(const PictureFonts&) = delete;
  PictureFonts& operator=(const PictureFonts&) = delete;

  [[nodiscard]] const Fonts& fonts() const { return fonts_; }
  [[nodiscard]] const ImFontAtlas& atlas() const { return *atlas_; }

 private:
  std::unique_ptr<ImFontAtlas> atlas_;
  Fonts fonts_;
  unsigned texture_ = 0;
};

/// Draws into a framebuffer of its own, width x height px filled with `ground`; (0, 0) is its top left corner. UI
/// thread, inside a frame; what is bound and being drawn is left as it was. `fonts`: those that are drawn with, if not
/// the window's. Errors: the driver cannot draw that size.
[[nodiscard]] Result<gl::Image> draw_picture(int width, int height, scene::Color ground,
                                             const std::function<void(ImDrawList&)>& draw,
                                             const PictureFonts* fonts = nullptr);

}  // namespace warpscope::ui
