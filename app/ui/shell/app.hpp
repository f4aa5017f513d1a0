#pragma once
// The application without its window: pages, rail, top bar, dialogs, commands, settings. The caller begins and ends the
// ImGui frame, so the same App runs in the window (window.hpp) and without a display (offscreen_app.hpp) for snapshots
// and scripted tests.
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/app_context.hpp"
#include "app/ui/model/loading.hpp"
#include "app/ui/page.hpp"
#include "app/ui/shell/report_saver.hpp"
#include "app/ui/timeline/timeline_options.hpp"

namespace warpscope::ui {

struct AppOptions {
  LoaderFactory loader;                       ///< required
  std::vector<PageFactory> pages;             ///< in the order of the rail; empty: all
  std::string first_page;                     ///< shown after a load; empty: the first page that needs a profile
  TimelineOptions timeline{};                 ///< what to show in the Timeline at first
  std::filesystem::path settings_path;        ///< empty: use defaults, save nothing
  std::filesystem::path store_folder;         ///< of core/store's cache; empty: no cache
  std::optional<std::uint64_t> memory_limit;  ///< bytes; overrides the setting for this run; not saved
  std::optional<std::uint64_t> store_limit;   ///< same
  bool keep_stores = true;                    ///< false: write no stores, whatever the setting
  bool recorded_clocks = false;               ///< show the times of ranks as recorded, although clocks differ
  std::vector<std::string> roots;             ///< additional folders to list on the Load page
  bool watch = false;                         ///< watch the first opened path
  std::optional<ThemeChoice> theme;           ///< overrides the setting for this run; not saved
  std::optional<float> scale;                 ///< same
  std::filesystem::path state_file;           ///< --dump-state
  std::function<Result<std::filesystem::path>()> make_demo;  ///< empty: no demo
  WriteReport write_report;                                  ///< empty: no reports
  std::function<void()> wake;  ///< requests a frame from the host; thread-safe; may be empty
  std::string version;
  /// Also called from other threads. Empty: unknown.
  std::function<std::optional<bool>()> desktop_is_dark;
  bool tells_frame_times = false;  ///< write them to the state file
  std::function<std::chrono::steady_clock::time_point()>
      clock;  ///< clock for closing when idle; empty: the system clock
};

class App {
 public:
  explicit App(AppOptions options);
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  /// Opens a path and shows AppOptions::first_page as soon as something is loaded.
  void open(const std::filesystem::path& path);

  /// Handles paths dropped on the window: opens profiles, lists folders of profiles on the Load page.
  void drop(const std::vector<std::filesystem::path>& paths);

  /// Call when the window receives keyboard focus.
  void got_keyboard();

  /// Applies theme and scale; call between frames. True if the font atlas was rebuilt and the host must upload it.
  /// `display_scale`: scale requested by the display; settings and options override it.
  bool prepare(float display_scale);
  /// Draws a frame; call between ImGui::NewFrame and ImGui::Render.
  void frame();

  /// True while something moves or input waits for the next frame: draw it immediately.
  [[nodiscard]] bool animating() const;
  /// True while a load or background work will still change the window. Requests a frame when it has results.
  [[nodiscard]] bool busy() const;
  /// Seconds until a frame is needed without any event, if at all.
  [[nodiscard]] std::optional<double> next_frame_in() const;
  [[nodiscard]] bool quit_asked() const;

  [[nodiscard]] AppContext& context();
  [[nodiscard]] const AppContext& context() const;
  [[nodiscard]] std::string_view page() const;
  void show_page(std::string_view id);
  /// Restricts the current page to a range, in ns since the start of the profile; false if it cannot be restricted.
  bool restrict_to(Interval range);
  /// Window title: "llama-70b – Warpscope".
  [[nodiscard]] std::string title() const;
  /// The visible state as JSON text, as written by --dump-state.
  [[nodiscard]] std::string state_text() const;
  /// Why the state file is out of date; empty if it is current or not requested.
  [[nodiscard]] Failure state_problem() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpscope::ui
