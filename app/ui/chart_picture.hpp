#pragma once
// A picture of what is drawn into an ImDrawList, of any size, whatever of it is on the screen: for "save as PNG".
#include <imgui.h>

#include <functional>

#include "app/ui/app_context.hpp"
#include "core/base/result.hpp"
#include "render/gl/image.hpp"

namespace warpscope::ui {

/// Draws into a framebuffer of its own, width x height px filled with `ground`; (0, 0) is its top left corner. UI
/// thread, inside a frame; what is bound and being drawn is left as it was. Errors: the driver cannot draw that size.
[[nodiscard]] Result<gl::Image> draw_picture(int width, int height, scene::Color ground,
                                             const std::function<void(ImDrawList&)>& draw);

}  // namespace warpscope::ui
