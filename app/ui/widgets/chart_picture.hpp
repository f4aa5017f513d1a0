#pragma once
// Renders ImDrawList content of any size to an image, whether or not it is visible. Used to save charts as PNG.
#include <imgui.h>

#include <functional>
#include <memory>

#include "app/ui/app_context.hpp"
#include "core/base/result.hpp"
#include "render/gl/image.hpp"

namespace warpscope::ui {

/// Fonts at a separate scale, with their own texture, so 2× images have sharp text even in a 1× window. UI thread only.
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

/// Draws into a separate framebuffer of width x height px filled with `ground`; (0, 0) is the top left corner. Call on
/// the UI thread within a frame. Restores the framebuffer binding. `fonts` replace the window's. Fails if the driver
/// does not support this size.
[[nodiscard]] Result<gl::Image> draw_picture(int width, int height, scene::Color ground,
                                             const std::function<void(ImDrawList&)>& draw,
                                             const PictureFonts* fonts = nullptr);

}  // namespace warpscope::ui
