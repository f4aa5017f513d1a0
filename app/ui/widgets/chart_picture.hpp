#pragma once
// Renders ImDrawList content of any size to an image, whether or not it is visible. Used to save charts as PNG.
#include <imgui.h>

#include <functional>

#include "app/ui/app_context.hpp"
#include "core/base/result.hpp"
#include "render/gl/image.hpp"

namespace warpscope::ui {

/// Draws into a separate framebuffer of width x height px filled with `ground`; (0, 0) is the top left corner. Call on
/// the UI thread within a frame. Restores the framebuffer binding. Fails if the driver
/// does not support this size.
[[nodiscard]] Result<gl::Image> draw_picture(int width, int height, scene::Color ground,
                                             const std::function<void(ImDrawList&)>& draw);

}  // namespace warpscope::ui
