#pragma once
// Implementation of App, shared by app.cpp (lifetime and frames) and app_commands.cpp (commands).
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/model/background.hpp"
#include "app/ui/model/column_loader.hpp"
#include "app/ui/model/commands.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/model/store_usage.hpp"
#include "app/ui/shell/app.hpp"
#include "app/ui/shell/frame_watch.hpp"
#include "app/ui/shell/help_overlay.hpp"
#include "app/ui/shell/idle_timer.hpp"
#include "app/ui/shell/palette.hpp"
#include "app/ui/shell/state_dump.hpp"
#include "app/ui/shell/top_bar.hpp"
#include "app/ui/widgets/file_browser.hpp"
#include "app/ui/widgets/messages.hpp"
#include "app/ui/widgets/widgets.hpp"

namespace warpscope::ui {

struct App::Impl {
  explicit Impl(AppOptions app_options);
  ~Impl();

  // Draws the window's content.
  void frame();
  void draw_root();
  void draw_dialogs();
  void take_news();
  bool update_session();
  void take_options();
  void show_first_page();
  void refresh_keys();
  void close_if_idle();
  void follow_desktop();
  [[nodiscard]] IdleTimer::Clock::time_point now() const;
  [[nodiscard]] LoadChoices choices() const;
  [[nodiscard]] Settings to_save() const;
  void write_state(JsonWriter& writer) const;
  [[nodiscard]] Page& shown() const { return *pages[page_index]; }
  [[nodiscard]] Searcher* searcher() const;
  [[nodiscard]] static bool popup_open();
  [[nodiscard]] bool dialog_open() const { return palette.is_open() || help.is_open() || browser.is_open(); }
  [[nodiscard]] float wanted_scale(float display_scale) const;

  // Actions of commands.
  void add_commands();
  void add_file_commands();
  void refresh_recent_commands();
  void refresh_profile_commands();
  void add_view_commands();
  void open(const std::filesystem::path& path);
  void load(const std::vector<std::filesystem::path>& paths);
  void drop(const std::vector<std::filesystem::path>& paths);
  void take_dropped();
  /// Lists a folder on the Load page; opens a file.
  void add_root(const std::filesystem::path& path);
  void list_root(const std::filesystem::path& folder);
  void show_page(std::string_view id);
  void escape();
  void change_scale(int direction);

  AppOptions options;
  SettingsFile settings_file;
  Settings settings;
  Session session;
  CommandTable commands;
  Messages messages;
  StateDump state;
  FrameWatch frame_watch;
  AppContext context;
  std::vector<std::unique_ptr<Page>> pages;
  std::size_t page_index = 0;
  TopBar top_bar;
  Palette palette;
  HelpOverlay help;
  FileBrowser browser;
  ReportSaver report;
  bool browsing_for_root = false;  // the browser's choice is listed, not opened
  /// A path dropped on the window or chosen to be listed. Inspecting it may be slow on a slow disk.
  struct Dropped {
    std::filesystem::path path;
    bool as_root = false;  ///< a folder is listed, even if it is a profile
    bool opens = true;     ///< known after inspection; false: it is listed
  };
  std::vector<Dropped> dropped;  // not inspected yet
  Background<std::vector<Dropped>> looking_at_dropped;
  StoreUsage stores;
  ColumnLoader columns;                                 // columns that frames miss
  std::vector<ColumnLoader::Column> missed_by_session;  // in this frame, while resolving the selection
  Splitter rail_edge;
  std::optional<Theme> style;               // current style of the interface; empty: not set yet
  FontChoice fonts;                         // fonts of the current atlas
  std::uint64_t bound_revision = 0;         // revision of the command table when the user's keys were applied
  KeyBindings bound;                        // the keys applied then
  Background<std::optional<bool>> desktop;  // detects whether the desktop is dark
  IdleTimer idle;
  bool idle_notice = false;  // visible
  std::uint64_t opened_seen = 0;
  std::vector<std::string> recents_listed;     // recents with commands
  std::vector<std::uint64_t> profiles_listed;  // ids of those with commands
  Settings given;                              // values set by options for this run; not saved unless changed
  Settings kept;                               // their values in the file
  bool show_when_ready = false;                // show the first page as soon as something is loaded
  bool quit = false;
};

}  // namespace warpscope::ui
