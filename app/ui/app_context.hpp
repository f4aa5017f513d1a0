#pragma once
// Application services available to pages and panels while drawing. References stay valid until the application exits.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/look/fonts.hpp"
#include "app/ui/look/metrics.hpp"
#include "app/ui/look/theme.hpp"
#include "app/ui/model/when_loaded.hpp"

namespace warpscope::ui {

class CommandTable;
class FindingsPage;
class Messages;
class Session;
class StateDump;
struct Settings;
struct TimelineOptions;

struct AppContext {
  Session& session;
  Settings& settings;  ///< change in place; saved automatically
  CommandTable& commands;
  Messages& messages;
  StateDump& state;  ///< register writers when creating the page
  Theme theme{};     ///< for this frame
  Fonts fonts{};
  Metrics px{};    ///< px(8): 8 grid px in output pixels
  float dt = 0;    ///< seconds since the last frame, at most 0.05
  double now = 0;  ///< interface clock, in seconds

  std::function<void(std::string_view)> show_page{};  ///< by id
  std::function<void()> show_profile{};               ///< shows the first profile page as soon as it has content
  std::function<void(const std::vector<std::filesystem::path>&)> load{};  ///< adds to the loaded profiles
  std::function<void()> wake{};                                           ///< thread-safe: requests a frame

  /// Requests another frame for an animation. Call every frame until the animation ends.
  void keep_drawing() { animating = true; }
  bool animating = false;
  std::vector<std::string> extra_roots{};  ///< folders to list on the Load page in this run
  std::filesystem::path store_folder{};    ///< of this run; empty: no cache
  /// Memory limit given on the command line for this run, and the setting it overrides; both in bytes.
  struct GivenMemory {
    std::optional<std::uint64_t> limit;
    std::uint64_t kept = 0;
  };
  GivenMemory given_memory{};
  std::function<void(std::string)> show_query{};  ///< runs SQL on the Query page; set by it
  FindingsPage* findings = nullptr;           ///< evaluates the rules for all pages; may be null
  const TimelineOptions* timeline = nullptr;  ///< initial state of the Timeline; may be null
  std::filesystem::path user_folder{};  ///< contains settings, rules.json and rule-settings.json; empty: save nothing
  WhenLoaded when_loaded{};             ///< user action that is waiting for columns, if any
};

}  // namespace warpscope::ui
