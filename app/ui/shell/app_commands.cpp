// Commands of the application. Pages add their own.
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "app/ui/model/searcher.hpp"
#include "app/ui/shell/app_impl.hpp"
#include "app/ui/timeline/overlays/overlays.hpp"
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
  const auto is_open = [this] { return session.is_open(); };
  const auto start = [this] {
    return session.is_open()           ? session.path()
           : !settings.recents.empty() ? std::filesystem::path(settings.recents.front())
                                       : home_directory();
  };
  Command command{"file.open", "Open directory…", "File", {}, [this, start] {
                    browsing_for_root = false;
                    browser.open_at(start());
                  }};
  command.keywords = "load file trace";
  commands.add(std::move(command), {"Ctrl+O"});
  Command root{"load.add-root", "Add a folder to the list of profiles…", "File", {}, [this, start] {
                 browsing_for_root = true;
                 browser.open_at(settings.roots.empty() ? start().parent_path()
                                                        : std::filesystem::path(settings.roots.back()).parent_path(),
                                 "Add");
               }};
  root.keywords = "directory root jobs";
  commands.add(std::move(root), {"Ctrl+Shift+O"});
  if (options.make_demo) {
    commands.add({"file.open-demo", "Open the demo trace", "File", {}, [this] {
                    show_page("load");
                    show_when_ready = true;
                    session.open_made("Making the demo trace", options.make_demo);
                  }});
  }
  commands.add({"file.reload", "Reload", "File", {}, [this] { session.reload(); }, is_open}, {"F5", "Ctrl+R"});
  Command watch{"file.watch",
                "Watch for new and growing files",
                "File",
                {},
                [this] { session.watch(!session.progress().watching); },
                [this, is_open] { return is_open() && !session.progress().converted; }};
  watch.keywords = "follow live tail";
  commands.add(std::move(watch), {"Shift+F5"});
  commands.add({"file.cancel",
                "Stop loading",
                "File",
                {},
                [this] { session.cancel(); },
                [this] { return session.progress().running; }});
  commands.add({"file.close",
                "Unload",
                "File",
                {},
                [this] {
                  session.close();
                  show_page("load");
                },
                is_open},
               {"Ctrl+W"});
  if (report.offered()) {
    Command save{"file.report",
                 "Save a report of all analyses…",
                 "File",
                 {},
                 [this] { report.ask(context); },
                 [this] { return session.profile() != nullptr && session.profile()->complete; }};
    save.keywords = "html export write page browser";
    commands.add(std::move(save), {"Ctrl+Shift+S"});
  }
  Command clear{"app.clear-stores",         "Clear the cache of opened traces",         "File", {},
                [this] { stores.clear(); }, [this] { return !stores.folder().empty(); }};
  clear.keywords = "cache store disk";
  commands.add(std::move(clear));
  Command leave{"app.quit", "Quit", "File", {}, [this] { quit = true; }};
  leave.while_typing = true;
  commands.add(std::move(leave), {"Ctrl+Q"});
}

void App::Impl::refresh_recent_commands() {
  if (recents_listed == settings.recents) return;
  recents_listed = settings.recents;
  for (std::size_t i = 0; i < kMaxRecents; ++i) {
    const std::string id = "file.open-recent-" + std::to_string(i + 1);
    commands.remove(id);
    if (i >= recents_listed.size()) continue;
    const std::filesystem::path path(recents_listed[i]);
    Command command{id, "Open " + path.filename().string() + " again", "File", {}, [this, path] { open(path); }};
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
    commands.add({"profile.show-" + number, "Make " + name + " current and show it", "Profiles", {}, [this, id] {
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
  const auto anywhere = [this](Command command, std::initializer_list<std::string_view> keys) {
    command.while_typing = true;
    commands.add(std::move(command), keys);
  };
  const auto only = [this](Dialog& dialog) {
    const bool was_open = dialog.is_open();
    palette.close();
    help.close();
    browser.close();
    if (!was_open) dialog.open();
  };
  anywhere({"app.palette", "Command palette", "General", {}, [this, only] { only(palette); }}, {"Ctrl+Shift+P"});
  commands.add({"app.help", "Keyboard shortcuts", "General", {}, [this, only] { only(help); }}, {"?", "F1"});
  anywhere({"app.escape", "Close, clear, or stop loading", "General", {}, [this] { escape(); }}, {"Esc"});
  commands.add({"app.dismiss",
                "Dismiss the last message",
                "General",
                {},
                [this] { messages.dismiss_latest(); },
                [this] { return !messages.all().empty(); }},
               {"Shift+Esc"});

  const auto has_query = [this] { return searcher() != nullptr && !top_bar.find().query().empty(); };
  commands.add(
      {"find.focus", "Find", "Find", {}, [this] { top_bar.find().focus(); }, [this] { return searcher() != nullptr; }},
      {"/", "Ctrl+F"});
  anywhere({"find.next", "Next match", "Find", {}, [this] { searcher()->step(1); }, has_query}, {"F3"});
  anywhere({"find.previous", "Previous match", "Find", {}, [this] { searcher()->step(-1); }, has_query}, {"Shift+F3"});
  commands.add({"find.clear", "Clear the search", "Find", {}, [this] { top_bar.find().clear(searcher()); }, has_query});

  commands.add({"find.everything",
                "Clear all filters",
                "Find",
                {},
                [this] { searcher()->clear_filters(); },
                [this] { return searcher() != nullptr && !searcher()->filters().empty(); }});

  commands.add({"app.fold-rail",
                "Collapse or expand the sidebar",
                "View",
                {},
                [this] { settings.rail_folded = !settings.rail_folded; }},
               {"Ctrl+B"});
  commands.add({"view.larger", "Increase UI scale", "View", {}, [this] { change_scale(1); }}, {"Ctrl+="});
  commands.add({"view.smaller", "Decrease UI scale", "View", {}, [this] { change_scale(-1); }}, {"Ctrl+-"});
  commands.add({"view.automatic-size", "Reset UI scale", "View", {}, [this] { settings.scale = 0; }}, {"Ctrl+0"});
  commands.add({"view.theme-dark", "Dark theme", "View", {}, [this] { settings.theme = ThemeChoice::dark; }});
  commands.add({"view.theme-light", "Light theme", "View", {}, [this] { settings.theme = ThemeChoice::light; }});
  commands.add({"view.theme-system", "System theme", "View", {}, [this] { settings.theme = ThemeChoice::system; }});
  commands.add({"view.rows-compact", "Compact rows", "View", {}, [this] { settings.density = RowDensity::compact; }});
  commands.add({"view.rows-normal", "Normal rows", "View", {}, [this] { settings.density = RowDensity::normal; }});
  commands.add({"view.rows-roomy", "Tall rows", "View", {}, [this] { settings.density = RowDensity::roomy; }});
  commands.add({"view.wheel-zooms", "Toggle: the wheel zooms or scrolls", "View", {}, [this] {
                  settings.wheel_zooms = !settings.wheel_zooms;
                }});
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
