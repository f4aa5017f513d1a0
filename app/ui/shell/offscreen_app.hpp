#pragma once
// The application without a window: drawn by the same code into a picture. Snapshots are taken here, and scripted tests
// drive it through ImGui's own event queue with a fixed step of time, so that a run is the same every time.
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/ui/shell/app.hpp"
#include "app/ui/shell/script.hpp"
#include "core/base/result.hpp"
#include "render/gl/image.hpp"

namespace warpscope::ui {

class OffscreenApp {
 public:
  static constexpr float kFrameSeconds = 1.0f / 60;

  /// Output of width x height px. Errors: no OpenGL without a display here (what to install is said).
  static Result<std::unique_ptr<OffscreenApp>> create(AppOptions options, int width, int height);
  ~OffscreenApp();
  OffscreenApp(const OffscreenApp&) = delete;
  OffscreenApp& operator=(const OffscreenApp&) = delete;

  [[nodiscard]] App& app();
  void open(const std::filesystem::path& path);
  /// Lays out one frame and handles its input. No pixels are drawn before image() asks for them: software rasterizers
  /// take most of the time of a frame.
  void frame();
  /// Runs frames until nothing moves and nothing loads; false if that takes longer than `limit` of real time.
  /// `each_frame` (may be empty) is called after each: false if it says so, by returning false.
  bool settle(std::chrono::milliseconds limit = std::chrono::seconds(120),
              const std::function<bool()>& each_frame = {});
  /// Plays a script to its end, then settles; false as settle().
  bool play(const Script& script, std::chrono::milliseconds limit = std::chrono::seconds(120),
            const std::function<bool()>& each_frame = {});
  /// Commands of played scripts that are none, or could not be run then, by id.
  [[nodiscard]] const std::vector<std::string>& not_run() const;
  /// Draws the last frame and returns the picture.
  [[nodiscard]] gl::Image image() const;
  [[nodiscard]] std::uint64_t frames() const;

 private:
  struct Impl;
  explicit OffscreenApp(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpscope::ui
