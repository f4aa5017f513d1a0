#pragma once
// What a page or a panel may use while it draws: references to the parts of the application, valid as long as it lives.
#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "app/ui/look/fonts.hpp"
#include "app/ui/look/metrics.hpp"
#include "app/ui/look/theme.hpp"

namespace warpscope::ui {

class CommandTable;
class Messages;
class Session;
class StateDump;
struct Settings;

struct AppContext {
  Session& session;
  Settings& settings;  ///< change it in place; it is saved by itself
  CommandTable& commands;
  Messages& messages;
  StateDump& state;  ///< add writers when the page is made
  Theme theme{};     ///< of this frame
  Fonts fonts{};
  Metrics px{};    ///< px(8): 8 grid px in output pixels
  float dt = 0;    ///< seconds since the last frame, at most 0.05
  double now = 0;  ///< seconds of the interface's clock

  std::function<void(std::string_view)> show_page{};  ///< by id
  std::function<void()> show_profile{};               ///< shows the page that profiles open with, once it can
  std::function<void(const std::vector<std::filesystem::path>&)> load{};  ///< beside what is loaded
  std::function<void()> wake{};                                           ///< thread-safe: makes a frame come

  /// Asks for another frame after this one: something still moves. Call in each frame while it does.
  void keep_drawing() { animating = true; }
  bool animating = false;
  std::optional<bool> desktop_dark{};  ///< whether the desktop is, if it tells
};

}  // namespace warpscope::ui
