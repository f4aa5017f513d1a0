#pragma once
// The window. It sleeps until something happens: input, news from a loading thread, a motion that goes on. Idle costs
// nothing.
#include <filesystem>
#include <optional>

#include "app/ui/shell/app.hpp"
#include "core/base/result.hpp"

namespace warpscope::ui {

struct WindowOptions {
  std::optional<std::filesystem::path> path;  ///< opened at once
  std::optional<int> width, height;           ///< else as remembered
};

/// Runs the application in a window until it is closed, by its user or by a signal that ends programs (SIGTERM, SIGINT,
/// SIGHUP): returns that, or 0. An Error if there can be no window: no display, no OpenGL 3.3. Takes AppOptions::wake
/// for itself. Call before any other thread is made.
Result<int> run_window(AppOptions app_options, const WindowOptions& options);

}  // namespace warpscope::ui
