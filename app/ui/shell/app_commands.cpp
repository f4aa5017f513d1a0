// Commands of the application. Pages add their own.
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "app/ui/model/searcher.hpp"
#include "app/ui/shell/app_impl.hpp"
#include "app/ui/timeline/overlays/overlay.hpp"
#include "core/ingest/listing/profile_listing.hpp"

namespace warpscope::ui {
namespace {

/// Absolute, without a slash at the end: "runs/" equals "runs".
std::filesystem::path whole_path(const std::filesystem::path& path) {
  std::error_code failed;
  std::filesystem::path whole = std::filesystem::absolute(path, failed).lexically_normal();
  if (!whole.has_filename() && whole.has_relative_path()) whole = whole.parent_path();
  return failed ? path : whole;
}

constexpr std::array<float, 11> kScaleSteps = {0.5f, 0.67f, 0.75f, 0.9f, 1, 1.25f, 1.5f, 1.75f, 2, 2.5f, 3};

}  // namespace

void App::Impl::add_commands() {
  add_file_commands();
  add_view_commands();
}

void App::Impl::add_file_commands() {
  const CommandGroup add(commands, "File");
  const CommandGroup add_open(commands, "File", {}, [this] { return session.is_open(); });
  const auto start = [this] {
    return session.is_open()           ? session.path()
           : !settings.recents.empty() ? std::filesystem::path(settings.recents.front())
                                       : home_directory();
  };
  add("file.open", "Open directory…", {"Ctrl+O"}, [this, start] {
    browsing_for_root = false;
    browser.open_at(start());
  }).keywords("load file trace");
  add("load.add-root", "Add a folder to the list of profiles…", {"Ctrl+Shift+O"}, [this, start] {
    browsing_for_root = true;
    browser.open_at(
        settings.roots.empty() ? start().parent_path() : std::filesystem::path(settings.roots.back()).parent_path(),
        "Add");
  }).keywords("directory root jobs");
  if (options.make_demo) {
    add("file.open-demo", "Open the demo trace", {}, [this] {
      show_page("load");
      show_when_ready = true;
      session.open_made("Generating the demo trace", options.make_demo);
    });
  }
  add_open("file.reload", "Reload", {"F5", "Ctrl+R"}, [this] { session.reload(); });
  add("file.watch", "Watch for new and growing files", {"Shift+F5"}, [this] {
    session.watch(!session.progress().watching);
  }).when([this] {
      return session.is_open() && !session.progress().converted;
    }).keywords("follow live tail");
  add("file.cancel", "Stop loading", {}, [this] { session.cancel(); }).when([this] {
    return session.progress().running;
  });
  add_open("file.close", "Unload", {"Ctrl+W"}, [this] {
    session.close();
    show_page("load");
  });
  if (report.offered()) {
    add("file.report", "Save a report of all analyses…", {"Ctrl+Shift+S"}, [this] {
      report.ask(context);
    }).when([this] {
        return session.profile() != nullptr && session.profile()->complete;
      }).keywords("html export write page browser");
  }
  add("app.clear-stores", "Clear the cache of opened traces", {}, [this] {
    stores.clear();
  }).when([this] {
      return !stores.folder().empty();
    }).keywords("cache store disk");
  add("app.quit", "Quit", {"Ctrl+Q"}, [this] { quit = true; }).while_typing();
}

void App::Impl::refresh_recent_commands() {
  if (recents_listed == settings.recents) return;
  recents_listed = settings.recents;
  for (std::size_t i = 0; i < kMaxRecents; ++i) {
    const std::string id = "file.open-recent-" + std::to_string(i + 1);
    commands.remove(id);
    if (i >= recents_listed.size()) continue;
    const std::filesystem::path path(recents_listed[i]);
    Command command{id, "Reopen " + path.filename().string(), "File", {}, [this, path] { open(path); }};
    command.keywords = "recent " + recents_listed[i];
    commands.add(std::move(command));
  }
}

void App::Impl::refresh_profile_commands() {
  constexpr std::size_t kMost = 20;  // limit on open profiles with their own commands
  std::vector<std::uint64_t> ids;
  for (const OpenProfile* one : session.all()) ids.push_back(one->id);
  if (ids == profiles_listed) return;
  profiles_listed = ids;
  for (std::size_t i = 0; i < kMost; ++i) {
    const std::string number = std::to_string(i + 1);
    for (const char* verb : {"profile.show-", "profile.stop-", "profile.unload-"}) commands.remove(verb + number);
    if (i >= ids.size()) continue;
    const std::uint64_t id = ids[i];
    const std::string name = session.find(id)->name();
    commands.add({"profile.show-" + number, "Switch to " + name, "Profiles", {}, [this, id] {
                    session.make_current(id);
                    show_when_ready = true;
                  }});
    commands.add({"profile.stop-" + number,
                  "Stop loading " + name,
                  "Profiles",
                  {},
                  [this, id] { session.cancel(id); },
                  [this, id] {
                    const OpenProfile* one = session.find(id);
                    return one != nullptr && one->progress.running;
                  }});
    commands.add({"profile.unload-" + number, "Unload " + name, "Profiles", {}, [this, id] { session.unload(id); }});
  }
}

void App::Impl::add_view_commands() {
  const auto only = [this](Dialog& dialog) {
    const bool was_open = dialog.is_open();
    palette.close();
    help.close();
    browser.close();
    if (!was_open) dialog.open();
  };
  const CommandGroup general(commands, "General");
  general("app.palette", "Command palette", {"Ctrl+Shift+P"}, [this, only] { only(palette); }).while_typing();
  general("app.help", "Keyboard shortcuts", {"?", "F1"}, [this, only] { only(help); });
  general("app.escape", "Close, clear, or stop loading", {"Esc"}, [this] { escape(); }).while_typing();
  general("app.dismiss", "Dismiss the last message", {"Shift+Esc"}, [this] { messages.dismiss_latest(); }).when([this] {
    return !messages.all().empty();
  });

  const auto searchable = [this] { return searcher() != nullptr; };
  const CommandGroup find(commands, "Find", {},
                          [this] { return searcher() != nullptr && !top_bar.find().query().empty(); });
  find("find.focus", "Find", {"/", "Ctrl+F"}, [this] { top_bar.find().focus(); }).when(searchable);
  find("find.next", "Next match", {"F3"}, [this] { searcher()->step(1); }).while_typing();
  find("find.previous", "Previous match", {"Shift+F3"}, [this] { searcher()->step(-1); }).while_typing();
  find("find.clear", "Clear the search", {}, [this] { top_bar.find().clear(searcher()); });
  find("find.everything", "Clear all filters", {}, [this] { searcher()->clear_filters(); }).when([this] {
    return searcher() != nullptr && !searcher()->filters().empty();
  });

  const CommandGroup view(commands, "View");
  view("app.fold-rail", "Collapse or expand the sidebar", {"Ctrl+B"},
       [this] { settings.rail_folded = !settings.rail_folded; });
  view("view.larger", "Increase UI scale", {"Ctrl+="}, [this] { change_scale(1); });
  view("view.smaller", "Decrease UI scale", {"Ctrl+-"}, [this] { change_scale(-1); });
  view("view.automatic-size", "Reset UI scale", {"Ctrl+0"}, [this] { settings.scale = 0; });
  view("view.theme-dark", "Dark theme", {}, [this] { settings.theme = ThemeChoice::dark; });
  view("view.theme-light", "Light theme", {}, [this] { settings.theme = ThemeChoice::light; });
  view("view.theme-system", "System theme", {}, [this] { settings.theme = ThemeChoice::system; });
  view("view.rows-compact", "Compact rows", {}, [this] { settings.density = RowDensity::compact; });
  view("view.rows-normal", "Normal rows", {}, [this] { settings.density = RowDensity::normal; });
  view("view.rows-roomy", "Tall rows", {}, [this] { settings.density = RowDensity::roomy; });
  view("view.clocks", "Align clocks, or show times as recorded", {}, [this] {
    session.show_recorded_clocks(!session.recorded_clocks());
  }).when([this] {
      return session.clocks().alignable();
    }).keywords("offset skew time sync");
  view("view.wheel-zooms", "Toggle wheel zoom", {}, [this] {
    settings.wheel_zooms = !settings.wheel_zooms;
  }).keywords("mouse scroll");
  add_overlay_commands(context);
}

void App::Impl::open(const std::filesystem::path& path) {
  show_page("load");
  show_when_ready = true;
  session.choose(choices());
  session.open(whole_path(path));
  options.watch = false;
}

void App::Impl::load(const std::vector<std::filesystem::path>& paths) {
  if (paths.empty()) return;
  if (paths.size() == 1) return open(paths[0]);
  session.choose(choices());
  options.watch = false;
  session.open(paths[0]);
  for (const std::filesystem::path& path : std::span(paths).subspan(1)) static_cast<void>(session.add(path));
}

void App::Impl::drop(const std::vector<std::filesystem::path>& paths) {
  for (const std::filesystem::path& path : paths) dropped.push_back({path});
  take_dropped();
}

void App::Impl::add_root(const std::filesystem::path& path) {
  dropped.push_back({.path = path, .as_root = true});
  take_dropped();
}

/// Classifying a path reads its folder, and disks may be slow.
void App::Impl::take_dropped() {
  if (const auto known = looking_at_dropped.take()) {
    std::vector<std::filesystem::path> profiles;
    for (const Dropped& one : *known) {
      if (one.opens)
        profiles.push_back(one.path);
      else
        list_root(one.path);
    }
    load(profiles);
  }
  if (dropped.empty() || looking_at_dropped.running()) return;
  looking_at_dropped.start(
      [paths = std::exchange(dropped, {})](const CancelToken& cancel) mutable {
        std::error_code failed;
        for (Dropped& one : paths) {
          if (cancel.cancelled()) break;
          const bool folder = std::filesystem::is_directory(one.path, failed);
          one.opens = !folder || (!one.as_root && ingest::is_one_profile(one.path));
        }
        return std::move(paths);
      },
      context.wake);
}

void App::Impl::list_root(const std::filesystem::path& folder) {
  remember_root(settings, whole_path(folder).string());
  show_page("load");
}

void App::Impl::show_page(std::string_view id) {
  const auto found = std::ranges::find(pages, id, [](const auto& page) { return page->id(); });
  if (found == pages.end() || !(*found)->available()) return;
  page_index = static_cast<std::size_t>(found - pages.begin());
  show_when_ready = false;
}

void App::Impl::escape() {
  if (dialog_open()) {
    palette.close();
    help.close();
    browser.close();
    return;
  }
  if (popup_open()) return ImGui::ClosePopupToLevel(0, true);
  if (ImGui::GetIO().WantTextInput) return;  // the text field handles it and releases focus
  if (shown().escape(context)) return;
  if (!top_bar.find().query().empty()) return top_bar.find().clear(searcher());
  if (session.progress().running) session.cancel();
}

void App::Impl::change_scale(int direction) {
  const float now = context.px.scale;
  const auto next = direction > 0
                        ? std::ranges::find_if(kScaleSteps, [now](float step) { return step > now + 0.01f; })
                        : std::ranges::find_if(kScaleSteps, [now](float step) { return step >= now - 0.01f; });
  if (direction > 0) {
    settings.scale = next == kScaleSteps.end() ? kScaleSteps.back() : *next;
  } else {
    settings.scale = next == kScaleSteps.begin() ? kScaleSteps.front() : *(next - 1);
  }
}

}  // namespace warpscope::ui
