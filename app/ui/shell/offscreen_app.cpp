#include "app/ui/shell/offscreen_app.hpp"

#include <imgui.h>

#include <thread>
#include <utility>

#include "app/ui/model/commands.hpp"
#include "app/ui/shell/input_order.hpp"

namespace warpscope::ui {
namespace {

constexpr int kQuietFrames = 4;  // ImGui needs up to three frames to lay out new content
constexpr std::chrono::milliseconds kPoll{2};

}  // namespace

Result<std::unique_ptr<OffscreenApp>> OffscreenApp::create(AppOptions options, int width, int height) {
  auto target = gl::OffscreenContext::create(width, height);
  if (!target) return target.error();
  auto host = ImGuiHost::create();
  if (!host) return host.error();
  return std::make_unique<OffscreenApp>(std::move(*target), std::move(*host), std::move(options));
}

OffscreenApp::OffscreenApp(gl::OffscreenContext target, ImGuiHost host, AppOptions options)
    : target_(std::move(target)), host_(std::move(host)), app_(std::move(options)) {}

OffscreenApp::~OffscreenApp() {
  static_cast<void>(target_.bind());
  host_.make_current();
}

App& OffscreenApp::app() {
  host_.make_current();
  return app_;
}

void OffscreenApp::open(const std::filesystem::path& path) {
  host_.make_current();
  app_.open(path);
}

void OffscreenApp::frame() {
  static_cast<void>(target_.bind());
  host_.make_current();
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(target_.width()), static_cast<float>(target_.height())};
  io.DeltaTime = kFrameSeconds;
  host_.prepare(app_, 1);
  new_frame_in_order();
  app_.frame();
  ImGui::Render();
  ++frames_;
}

bool OffscreenApp::settle(std::chrono::milliseconds limit, const std::function<bool()>& each_frame) {
  const auto end = std::chrono::steady_clock::now() + limit;
  for (int quiet = 0; quiet < kQuietFrames;) {
    frame();
    if (each_frame && !each_frame()) return false;
    const bool busy = app_.busy();
    quiet = busy || app_.animating() ? 0 : quiet + 1;
    if (std::chrono::steady_clock::now() > end) return false;
    if (busy) std::this_thread::sleep_for(kPoll);
  }
  return true;
}

bool OffscreenApp::play(const Script& script, std::chrono::milliseconds limit,
                        const std::function<bool()>& each_frame) {
  const auto end = std::chrono::steady_clock::now() + limit;
  const auto rest = [end] {
    return std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
  };
  frame();  // like a window, which is drawn before the first click
  for (const std::vector<InputEvent>& events : script.frames) {
    host_.make_current();
    for (const InputEvent& event : events) {
      if (event.kind == InputKind::settle && !settle(rest(), each_frame)) return false;
      if (event.kind == InputKind::run && !app_.context().commands.run(event.text)) not_run_.push_back(event.text);
      if (event.kind == InputKind::drop) app_.drop({event.text});
      if (event.kind == InputKind::open) app_.open(event.text);
      feed(ImGui::GetIO(), event);
    }
    frame();
    if (each_frame && !each_frame()) return false;
  }
  return settle(rest(), each_frame);
}

gl::Image OffscreenApp::image() const {
  static_cast<void>(target_.bind());
  host_.make_current();
  if (frames_ > 0) host_.draw(app_, target_.width(), target_.height());
  return target_.read_pixels();
}

}  // namespace warpscope::ui
