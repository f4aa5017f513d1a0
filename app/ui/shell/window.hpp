#pragma once
// The window. It sleeps unless there is input, a result from another thread, or an animation, so it uses no CPU time
// when idle.
#include <filesystem>
#include <optional>

#include "app/ui/shell/app.hpp"
#include "core/base/result.hpp"

namespace warpscope::ui {

struct WindowOptions {
  std::optional<std::filesystem::path> path;  ///< opened at start
  std::optional<int> width, height;           ///< otherwise the last size
};

/// Runs the application in a window until the user or a signal (SIGTERM, SIGINT, SIGHUP) closes it; returns the signal
/// or 0. Fails if there is no display or no OpenGL 3.3. Sets AppOptions::wake. Call before creating any other thread.
Result<int> run_window(AppOptions app_options, const WindowOptions& options);

}  // namespace warpscope::ui
