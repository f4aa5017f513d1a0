#pragma once
// The application without a window, rendered to an image by the same code. Used for snapshots and scripted tests, which
// feed ImGui's event queue at a fixed time step, so runs are deterministic.
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/ui/shell/app.hpp"
#include "app/ui/shell/imgui_host.hpp"
#include "app/ui/shell/script.hpp"
#include "core/base/result.hpp"
#include "render/gl/offscreen.hpp"

namespace warpscope::ui {

class OffscreenApp {
 public:
  static constexpr float kFrameSeconds = 1.0f / 60;

  /// Creates a width x height px output. Fails if OpenGL is unavailable without a display; the error's advice lists
  /// the packages to install.
  static Result<std::unique_ptr<OffscreenApp>> create(AppOptions options, int width, int height);
  OffscreenApp(gl::OffscreenContext target, ImGuiHost host, AppOptions options);
  ~OffscreenApp();
  OffscreenApp(const OffscreenApp&) = delete;
  OffscreenApp& operator=(const OffscreenApp&) = delete;

  [[nodiscard]] App& app();
  void open(const std::filesystem::path& path);
  /// Lays out one frame and handles its input. Draws no pixels until image(), because software rasterization dominates
  /// frame time.
  void frame();
  /// Runs frames until nothing is animating or loading. Returns false if that takes longer than `limit` in real time.
  /// Calls `each_frame` (may be empty) after each frame; if that returns false, stops and returns false.
  bool settle(std::chrono::milliseconds limit = std::chrono::seconds(120),
              const std::function<bool()>& each_frame = {});
  /// Plays the whole script, then returns the result of settle().
  bool play(const Script& script, std::chrono::milliseconds limit = std::chrono::seconds(120),
            const std::function<bool()>& each_frame = {});
  /// Returns the ids of script commands that do not exist or could not be run.
  [[nodiscard]] const std::vector<std::string>& not_run() const { return not_run_; }
  /// Draws the last frame and returns it.
  [[nodiscard]] gl::Image image() const;
  [[nodiscard]] std::uint64_t frames() const { return frames_; }

 private:
  // Order matters: objects that draw must be destroyed before the objects they draw with.
  gl::OffscreenContext target_;
  ImGuiHost host_;
  App app_;
  std::uint64_t frames_ = 0;
  std::vector<std::string> not_run_;
};

}  // namespace warpscope::ui
