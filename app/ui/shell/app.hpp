#pragma once
// The application without its window: pages, rail, top bar, dialogs, commands, settings. It draws inside an ImGui frame
// that someone else begins and ends, so the same App runs in the window (window.hpp) and without a display
// (offscreen_app.hpp) for snapshots and scripted tests.
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

namespace warpscope::ui {

struct AppOptions {
  LoaderFactory loader;                                      ///< required
  std::vector<PageFactory> pages;                            ///< between Load and Settings in the rail
  std::string first_page;                                    ///< shown after a load; empty: the first of `pages`
  std::filesystem::path settings_path;                       ///< empty: defaults, nothing is saved
  std::filesystem::path store_folder;                        ///< of core/store's cache; empty: there is none
  std::optional<std::uint64_t> memory_limit;                 ///< for this run, over the settings; bytes; not saved
  std::optional<std::uint64_t> store_limit;                  ///< same
  bool keep_stores = true;                                   ///< false: none is written, whatever the settings say
  std::vector<std::string> roots;                            ///< that the Load page lists in this run
  bool watch = false;                                        ///< the first path that is opened
  std::optional<ThemeChoice> theme;                          ///< for this run, over the settings; not saved
  std::optional<float> scale;                                ///< same
  std::filesystem::path state_file;                          ///< --dump-state
  std::function<Result<std::filesystem::path>()> make_demo;  ///< empty: no demo is offered
  WriteReport write_report;                                  ///< empty: no report is offered
  std::function<void()> wake;                                ///< makes the host draw a frame; thread-safe; may be empty
  std::string version;
  /// Asked from other threads too. Empty: it does not tell.
  std::function<std::optional<bool>()> desktop_is_dark;
  bool tells_frame_times = false;                                ///< in the state file
  std::function<std::chrono::steady_clock::time_point()> clock;  ///< empty: the real one; for closing when idle
};

class App {
 public:
  explicit App(AppOptions options);
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  /// Opens a path and shows AppOptions::first_page as soon as something is there.
  void open(const std::filesystem::path& path);

  /// What was dropped on the window: profiles are opened, folders of profiles are listed on the Load page.
  void drop(const std::vector<std::filesystem::path>& paths);

  /// The window got the keyboard, after something else had it.
  void got_keyboard();

  /// Between frames: applies theme and scale. True if the font atlas was built anew: the host must upload it.
  /// `display_scale`: what the display asks for; used unless settings or options say otherwise.
  bool prepare(float display_scale);
  /// Inside a frame (after ImGui::NewFrame, before ImGui::Render).
  void frame();

  /// True while something moves, or input waits for the next frame: draw it at once.
  [[nodiscard]] bool animating() const;
  /// True while a load or a page's work goes on whose end will be seen. Wakes by itself when it has news.
  [[nodiscard]] bool busy() const;
  /// Seconds until a frame is wanted without any event, if at all.
  [[nodiscard]] std::optional<double> next_frame_in() const;
  [[nodiscard]] bool quit_asked() const;

  [[nodiscard]] AppContext& context();
  [[nodiscard]] const AppContext& context() const;
  [[nodiscard]] std::string_view page() const;
  void show_page(std::string_view id);
  /// Restricts the page shown to a range, ns since the begin of the profile shown; false if it cannot be.
  bool restrict_to(Interval range);
  /// Title for the window: "llama-70b – Warpscope".
  [[nodiscard]] std::string title() const;
  /// The visible state as JSON text; what --dump-state writes.
  [[nodiscard]] std::string state_text() const;
  /// Why the state file does not hold the last one; nothing if it does, or none was asked for.
  [[nodiscard]] Failure state_problem() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpscope::ui
