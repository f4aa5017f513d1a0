#include "app/ui/shell/window.hpp"

#include <epoxy/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "app/ui/model/settings.hpp"
#include "app/ui/shell/ending_signals.hpp"
#include "app/ui/shell/imgui_host.hpp"
#include "app/ui/shell/input_order.hpp"
#include "render/gl/driver_cache.hpp"

namespace warpscope::ui {
namespace {

constexpr int kFramesAfterEvent = 3;  // ImGui needs up to this many frames to settle its layout
constexpr int kSmallest = 320;

std::string& last_glfw_error() {
  static std::string text;
  return text;
}

/// Initializes and terminates GLFW.
struct Library {
  bool ready = false;
  Library() {
    gl::disable_shader_cache();
    glfwSetErrorCallback([](int, const char* description) { last_glfw_error() = description; });
    ready = glfwInit() == GLFW_TRUE;
  }
  ~Library() {
    if (ready) glfwTerminate();
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
};

struct DestroyWindow {
  void operator()(GLFWwindow* window) const { glfwDestroyWindow(window); }
};
using WindowHandle = std::unique_ptr<GLFWwindow, DestroyWindow>;

/// State that callbacks access through the window's user pointer.
struct Loop {
  App* app = nullptr;
  int pending = kFramesAfterEvent;
};

WindowHandle open_window(int width, int height) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "warpscope");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "warpscope");
  return WindowHandle(glfwCreateWindow(width, height, "Warpscope", nullptr, nullptr));
}

/// Returns the display scale relative to framebuffer px; 1 if the window system already scales.
float display_scale(GLFWwindow* window) {
  float x = 1;
  float y = 1;
  glfwGetWindowContentScale(window, &x, &y);
  int width = 0;
  int height = 0;
  int pixels_x = 0;
  int pixels_y = 0;
  glfwGetWindowSize(window, &width, &height);
  glfwGetFramebufferSize(window, &pixels_x, &pixels_y);
  if (width > 0 && pixels_x > 0) x *= static_cast<float>(width) / static_cast<float>(pixels_x);
  return x > 0 ? x : 1;
}

/// Returns the size of a new window, limited to the screen size.
std::pair<int, int> fitting_size(int width, int height) {
  if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) {
    int x = 0;
    int y = 0;
    int room_x = 0;
    int room_y = 0;
    glfwGetMonitorWorkarea(monitor, &x, &y, &room_x, &room_y);
    if (room_x > 0 && room_y > 0) {
      width = std::min(width, room_x);
      height = std::min(height, room_y);
    }
  }
  return {std::max(width, kSmallest), std::max(height, kSmallest)};
}

void install_callbacks(GLFWwindow* window, Loop& loop) {
  glfwSetWindowUserPointer(window, &loop);
  glfwSetDropCallback(window, [](GLFWwindow* target, int count, const char** paths) {
    Loop& own = *static_cast<Loop*>(glfwGetWindowUserPointer(target));
    own.app->drop({paths, paths + count});
    own.pending = kFramesAfterEvent;
  });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* target, int, int) {
    static_cast<Loop*>(glfwGetWindowUserPointer(target))->pending = kFramesAfterEvent;
  });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* target) {
    static_cast<Loop*>(glfwGetWindowUserPointer(target))->pending = kFramesAfterEvent;
  });
}

void wait_for_events(const App& app, Loop& loop) {
  if (app.animating()) {
    loop.pending = kFramesAfterEvent - 1;  // the deferred input may be the last
    glfwPollEvents();
    return;
  }
  if (loop.pending > 0) {
    --loop.pending;
    glfwPollEvents();
    return;
  }
  if (const auto due = app.next_frame_in()) {
    glfwWaitEventsTimeout(std::max(0.001, *due));
  } else {
    glfwWaitEvents();
  }
  loop.pending = kFramesAfterEvent - 1;  // includes the current frame
}

void draw_frame(GLFWwindow* window, App& app, const ImGuiHost& host) {
  int width = 0;
  int height = 0;
  glfwGetFramebufferSize(window, &width, &height);
  if (width == 0 || height == 0) return;  // minimized
  host.prepare(app, display_scale(window));
  ImGui_ImplGlfw_NewFrame();
  new_frame_in_order();
  app.frame();
  ImGui::Render();
  host.draw(app, width, height);
  glfwSwapBuffers(window);
}

void remember_size(GLFWwindow* window, App& app) {
  if (glfwGetWindowAttrib(window, GLFW_MAXIMIZED) == GLFW_TRUE ||
      glfwGetWindowAttrib(window, GLFW_ICONIFIED) == GLFW_TRUE) {
    return;
  }
  int width = 0;
  int height = 0;
  glfwGetWindowSize(window, &width, &height);
  if (width < kSmallest || height < kSmallest) return;
  app.context().settings.window_width = width;
  app.context().settings.window_height = height;
}

}  // namespace

Result<int> run_window(AppOptions app_options, const WindowOptions& options) {
  EndingSignals signals;
  const std::string advice = "without a display, use `warpscope snapshot` or `warpscope info`";
  const Library library;
  if (!library.ready) return Error{"", "cannot open a window: " + last_glfw_error(), advice};
  const Settings remembered = SettingsFile(app_options.settings_path).peek();
  const auto [width, height] =
      fitting_size(options.width.value_or(remembered.window_width), options.height.value_or(remembered.window_height));
  const WindowHandle window = open_window(width, height);
  if (!window) return Error{"", "cannot open a window with OpenGL 3.3: " + last_glfw_error(), advice};
  glfwMakeContextCurrent(window.get());
  glfwSwapInterval(1);
  glfwSetWindowSizeLimits(window.get(), kSmallest, kSmallest, GLFW_DONT_CARE, GLFW_DONT_CARE);

  auto host = ImGuiHost::create();
  if (!host) return host.error();
  app_options.wake = [] { glfwPostEmptyEvent(); };
  app_options.tells_frame_times = true;
  App app(std::move(app_options));
  Loop loop{&app};
  install_callbacks(window.get(), loop);
  ImGui_ImplGlfw_InitForOpenGL(window.get(), true);
  if (options.path) app.open(*options.path);
  signals.start([] { glfwPostEmptyEvent(); });

  std::string title;
  while (signals.received() == 0 && !app.quit_asked() && glfwWindowShouldClose(window.get()) == GLFW_FALSE) {
    draw_frame(window.get(), app, *host);
    if (const std::string wanted = app.title(); wanted != title) {
      title = wanted;
      glfwSetWindowTitle(window.get(), title.c_str());
    }
    remember_size(window.get(), app);
    wait_for_events(app, loop);
  }
  signals.stop();
  glfwMakeContextCurrent(window.get());
  ImGui_ImplGlfw_Shutdown();
  return signals.received();
}

}  // namespace warpscope::ui
