#pragma once
// The application without its window: pages, rail, top bar, dialogs, commands, settings. The caller starts and ends the
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
#include "app/ui/model/background.hpp"
#include "app/ui/model/column_loader.hpp"
#include "app/ui/model/commands.hpp"
#include "app/ui/model/loading.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/page.hpp"
#include "app/ui/shell/frame_watch.hpp"
#include "app/ui/shell/palette.hpp"
#include "app/ui/shell/state_dump.hpp"
#include "app/ui/shell/top_bar.hpp"
#include "app/ui/timeline/timeline_options.hpp"
#include "app/ui/widgets/messages.hpp"
#include "app/ui/widgets/path_dialog.hpp"
#include "app/ui/widgets/widgets.hpp"

namespace warpscope::ui {

struct AppOptions {
  LoaderFactory loader;                       ///< required
  std::vector<PageFactory> pages;             ///< in the order of the rail; empty: all
  std::string first_page;                     ///< shown after a load; empty: the first page that needs a profile
  TimelineOptions timeline{};                 ///< initial state of the Timeline
  std::filesystem::path settings_path;        ///< empty: use defaults, save nothing
  std::filesystem::path store_folder;         ///< folder of core/store's cache; empty: no cache
  std::optional<std::uint64_t> memory_limit;  ///< bytes; overrides the setting for this run; not saved
  std::optional<std::uint64_t> store_limit;   ///< same
  bool keep_stores = true;                    ///< false: write no stores, regardless of the setting
  bool recorded_clocks = false;               ///< show rank times as recorded, even if clocks differ
  std::vector<std::string> roots;             ///< additional folders to list on the Load page
  bool watch = false;                         ///< watch the first opened path
  std::optional<ThemeChoice> theme;           ///< replaces the setting
  std::optional<float> scale;                 ///< same
  std::filesystem::path state_file;           ///< --dump-state
  std::function<Result<std::filesystem::path>()> make_demo;  ///< empty: no demo
  std::function<void()> wake;      ///< requests a frame from the host; thread-safe; may be empty
  bool tells_frame_times = false;  ///< write frame times to the state file
};

class App {
 public:
  explicit App(AppOptions options);
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  /// Opens a path and shows AppOptions::first_page as soon as something is loaded.
  void open(const std::filesystem::path& path);

  /// Handles paths dropped on the window: opens profiles and lists folders of profiles on the Load page.
  void drop(const std::vector<std::filesystem::path>& paths);

  /// Applies the theme and scale; call between frames. Returns true if the font atlas was rebuilt and the host must
  /// upload it. `display_scale`: scale requested by the display; settings and options override it.
  bool prepare(float display_scale);
  /// Draws a frame; call between ImGui::NewFrame and ImGui::Render.
  void frame();

  /// True during an animation or while input waits for the next frame. If true, the next frame must be drawn
  /// immediately.
  [[nodiscard]] bool animating() const;
  /// True while loads or background work may still change the window; they request a frame when results are ready.
  [[nodiscard]] bool busy() const;
  /// Returns the number of seconds until a frame is needed even without events; nullopt if none is needed.
  [[nodiscard]] std::optional<double> next_frame_in() const;
  [[nodiscard]] bool quit_asked() const { return quit_; }

  [[nodiscard]] AppContext& context() { return context_; }
  [[nodiscard]] const AppContext& context() const { return context_; }
  [[nodiscard]] std::string_view page() const { return shown().id(); }
  void show_page(std::string_view id);
  /// Restricts the current page to a range, in ns since the start of the profile. Returns false if the page does not
  /// support this.
  bool restrict_to(Interval range);
  /// Returns the window title: "llama-70b – Warpscope".
  [[nodiscard]] std::string title() const;
  /// Returns the visible state as JSON text, as written by --dump-state.
  [[nodiscard]] std::string state_text() const { return state_.text(); }
  /// Returns the reason the state file is out of date; empty if the file is current or was not requested.
  [[nodiscard]] Failure state_problem() const { return state_.problem(); }

 private:
  // Draws the window's content.
  void lay_out();
  void draw_root();
  void draw_dialogs();
  void take_news();
  bool update_session();
  void take_options();
  void show_first_page();
  [[nodiscard]] LoadChoices choices() const;
  [[nodiscard]] Settings to_save() const;
  void write_state(JsonWriter& writer) const;
  [[nodiscard]] Page& shown() const { return *pages_[page_index_]; }
  [[nodiscard]] Searcher* searcher() const;
  [[nodiscard]] static bool popup_open();
  [[nodiscard]] bool dialog_open() const { return palette_.is_open() || browser_.is_open(); }

  /// Returns the absolute path without a trailing slash: "runs/" equals "runs".
  [[nodiscard]] static std::filesystem::path whole_path(const std::filesystem::path& path);

  // Actions of commands.
  void add_file_commands();
  void refresh_recent_commands();
  void add_view_commands();
  void load(const std::vector<std::filesystem::path>& paths);
  void take_dropped();
  /// Lists a folder on the Load page, or opens a file.
  void add_root(const std::filesystem::path& path);
  void list_root(const std::filesystem::path& folder);
  void escape();
  void change_scale(int direction);

  AppOptions options_;
  SettingsFile settings_file_;
  Settings settings_;
  Session session_;
  CommandTable commands_;
  Messages messages_;
  StateDump state_;
  FrameWatch frame_watch_;
  AppContext context_;
  std::vector<std::unique_ptr<Page>> pages_;
  std::size_t page_index_ = 0;
  TopBar top_bar_;
  Palette palette_;
  PathDialog browser_{"##browser"};
  bool browsing_for_root_ = false;  // list the path chosen in the browser instead of opening it

  // A path dropped on the window, or a folder to list. Inspecting the path can take a while on a slow disk.
  struct Dropped {
    std::filesystem::path path;
    bool as_root = false;  ///< a folder is listed, even if it is a profile
    bool opens = true;     ///< known after inspection; false: the path is listed
  };
  std::vector<Dropped> dropped_;  // not inspected yet
  Background<std::vector<Dropped>> looking_at_dropped_;
  ColumnLoader columns_;                                 // columns that frames miss
  std::vector<ColumnLoader::Column> missed_by_session_;  // in this frame, while resolving the selection
  std::optional<Theme> style_;                           // current style of the interface; empty: not set yet
  std::uint64_t opened_seen_ = 0;
  std::vector<std::string> recents_listed_;  // recents with commands
  std::uint64_t kept_memory_limit_ = 0;      // the setting that AppOptions::memory_limit overrides
  bool show_when_ready_ = false;             // show the first page as soon as something is loaded
  bool quit_ = false;
};

}  // namespace warpscope::ui
