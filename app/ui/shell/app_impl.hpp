#pragma once
// The inside of App, shared by the files that make it up: app.cpp (life and frames), app_commands.cpp (what it can do).
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/model/background.hpp"
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

class SettingsPage;

struct App::Impl {
  explicit Impl(AppOptions app_options);
  ~Impl();

  // The window's content.
  void frame();
  void draw_root();
  void draw_dialogs();
  void take_news();
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

  // What commands do.
  void add_commands();
  void add_file_commands();
  void refresh_recent_commands();
  void refresh_profile_commands();
  void add_view_commands();
  void add_settings_commands(SettingsPage& page);
  void open(const std::filesystem::path& path);
  void load(const std::vector<std::filesystem::path>& paths);
  void drop(const std::vector<std::filesystem::path>& paths);
  void take_dropped();
  void add_root(const std::filesystem::path& path);
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
  bool browsing_for_root = false;  // what is chosen in the browser is listed, not opened
  /// Something that was dropped on the window.
  struct Dropped {
    std::filesystem::path path;
    bool profile = true;  ///< false: a folder of profiles
  };
  std::vector<std::filesystem::path> dropped;  // not looked at yet
  Background<std::vector<Dropped>> looking_at_dropped;
  StoreUsage stores;
  Splitter rail_edge;
  std::optional<Theme> style;               // that the interface has; empty: not yet
  FontChoice fonts;                         // same
  std::uint64_t bound_revision = 0;         // of the commands that have the user's keys
  KeyBindings bound;                        // those keys
  Background<std::optional<bool>> desktop;  // asks whether the desktop is dark
  IdleTimer idle;
  bool idle_notice = false;  // shown
  std::uint64_t opened_seen = 0;
  std::vector<std::string> recents_listed;     // as the commands have them
  std::vector<std::uint64_t> profiles_listed;  // ids, as the commands have them
  Settings given;                              // what the options set for this run; not saved while it stays so
  Settings kept;                               // what the file had in its place
  bool show_when_ready = false;                // the page that is shown after a load, once something is there
  bool quit = false;
};

}  // namespace warpscope::ui
