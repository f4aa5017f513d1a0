#include "app/ui/shell/offscreen_app.hpp"

#include <imgui.h>

#include <thread>
#include <utility>

#include "app/ui/model/commands.hpp"
#include "app/ui/shell/imgui_host.hpp"
#include "app/ui/shell/input_order.hpp"
#include "render/gl/offscreen.hpp"

namespace warpscope::ui {
namespace {

constexpr int kQuietFrames = 4;  // ImGui needs up to three frames to lay out new content
constexpr std::chrono::milliseconds kPoll{2};

}  // namespace

struct OffscreenApp::Impl {
  Impl(gl::OffscreenContext given_target, ImGuiHost given_host, AppOptions options)
      : target(std::move(given_target)), host(std::move(given_host)), app(std::move(options)) {}

  // Order matters: objects that draw are destroyed before what they draw with.
  gl::OffscreenContext target;
  ImGuiHost host;
  App app;
  std::uint64_t frames = 0;
  std::vector<std::string> not_run;
};

Result<std::unique_ptr<OffscreenApp>> OffscreenApp::create(AppOptions options, int width, int height) {
  auto target = gl::OffscreenContext::create(width, height);
  if (!target) return target.error();
  auto host = ImGuiHost::create();
  if (!host) return host.error();
  return std::unique_ptr<OffscreenApp>(
      new OffscreenApp(std::make_unique<Impl>(std::move(target.value()), std::move(host.value()), std::move(options))));
}

OffscreenApp::OffscreenApp(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

OffscreenApp::~OffscreenApp() {
  static_cast<void>(impl_->target.bind());
  impl_->host.make_current();
}

App& OffscreenApp::app() {
  impl_->host.make_current();
  return impl_->app;
}

void OffscreenApp::open(const std::filesystem::path& path) {
  impl_->host.make_current();
  impl_->app.open(path);
}

void OffscreenApp::frame() {
  static_cast<void>(impl_->target.bind());
  impl_->host.make_current();
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(impl_->target.width()), static_cast<float>(impl_->target.height())};
  io.DeltaTime = kFrameSeconds;
  impl_->host.prepare(impl_->app, 1);
  new_frame_in_order();
  impl_->app.frame();
  ImGui::Render();
  ++impl_->frames;
}

bool OffscreenApp::settle(std::chrono::milliseconds limit, const std::function<bool()>& each_frame) {
  const auto end = std::chrono::steady_clock::now() + limit;
  for (int quiet = 0; quiet < kQuietFrames;) {
    frame();
    if (each_frame && !each_frame()) return false;
    const bool busy = impl_->app.busy();
    quiet = busy || impl_->app.animating() ? 0 : quiet + 1;
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
  frame();  // as in a window, which is drawn before the first click
  for (const std::vector<InputEvent>& events : script.frames) {
    impl_->host.make_current();
    for (const InputEvent& event : events) {
      if (event.kind == InputKind::settle && !settle(rest(), each_frame)) return false;
      if (event.kind == InputKind::run && !impl_->app.context().commands.run(event.text))
        impl_->not_run.push_back(event.text);
      if (event.kind == InputKind::drop) impl_->app.drop({event.text});
      if (event.kind == InputKind::open) impl_->app.open(event.text);
      feed(ImGui::GetIO(), event);
    }
    frame();
    if (each_frame && !each_frame()) return false;
  }
  return settle(rest(), each_frame);
}

const std::vector<std::string>& OffscreenApp::not_run() const { return impl_->not_run; }

gl::Image OffscreenApp::image() const {
  const gl::OffscreenContext& target = impl_->target;
  static_cast<void>(target.bind());
  impl_->host.make_current();
  if (impl_->frames > 0) impl_->host.draw(impl_->app, target.width(), target.height());
  return target.read_pixels();
}

std::uint64_t OffscreenApp::frames() const { return impl_->frames; }

}  // namespace warpscope::ui
