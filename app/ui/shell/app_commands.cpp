// Commands of the application. Pages add their own.
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "app/ui/model/searcher.hpp"
#include "app/ui/shell/app.hpp"
#include "app/ui/timeline/overlays/overlay.hpp"
#include "core/ingest/listing/profile_listing.hpp"
#include "core/ingest/remote/remote_path.hpp"

namespace warpscope::ui {
namespace {

constexpr std::array<float, 11> kScaleSteps = {0.5f, 0.67f, 0.75f, 0.9f, 1, 1.25f, 1.5f, 1.75f, 2, 2.5f, 3};

}  // namespace

std::filesystem::path App::whole_path(const std::filesystem::path& path) {
  if (ingest::is_remote(path.string())) return path;
  std::error_code failed;
  std::filesystem::path whole = std::filesystem::absolute(path, failed).lexically_normal();
  if (!whole.has_filename() && whole.has_relative_path()) whole = whole.parent_path();
  return failed ? path : whole;
}

void App::add_file_commands() {
  const CommandGroup add(commands_, "File");
  const CommandGroup add_open(commands_, "File", {}, [this] { return session_.is_open(); });
  // A directory that contains what was opened last.
  const auto start = [this] {
    std::vector<std::string> last = settings_.recents;
    if (session_.is_open()) last.insert(last.begin(), session_.path().string());
    const auto local = std::ranges::find_if_not(last, ingest::is_remote);
    return local != last.end() ? std::filesystem::path(*local).parent_path() : home_directory();
  };
  add("file.open", "Open directory…", {"Ctrl+O"}, [this, start] {
    browsing_for_root_ = false;
    browser_.ask(start(), "Open a directory or file", "Open");
    browser_.offer_remote();
  }).keywords("load file trace ssh remote host");
  add("load.add-root", "Add a folder to the list of profiles…", {"Ctrl+Shift+O"}, [this, start] {
    browsing_for_root_ = true;
    browser_.ask(settings_.roots.empty() ? start() : std::filesystem::path(settings_.roots.back()).parent_path(),
                 "Add a folder to the list of profiles", "Add");
  }).keywords("directory root jobs");
  if (options_.make_demo) {
    add("file.open-demo", "Open the demo trace", {}, [this] {
      show_page("load");
      show_when_ready_ = true;
      session_.open_made("Generating the demo trace", options_.make_demo);
    });
  }
  add_open("file.reload", "Reload", {"F5", "Ctrl+R"}, [this] { session_.reload(); });
  add("file.watch", "Watch for new and growing files", {"Shift+F5"}, [this] {
    session_.watch(!session_.progress().watching);
  }).when([this] {
      return session_.is_open() && !session_.progress().converted;
    }).keywords("follow live tail");
  add("file.cancel", "Stop loading", {}, [this] { session_.cancel(); }).when([this] {
    return session_.progress().running;
  });
  add_open("file.close", "Unload", {"Ctrl+W"}, [this] {
    session_.close();
    show_page("load");
  });
  add("app.quit", "Quit", {"Ctrl+Q"}, [this] { quit_ = true; }).while_typing();
}

void App::refresh_recent_commands() {
  if (recents_listed_ == settings_.recents) return;
  recents_listed_ = settings_.recents;
  for (std::size_t i = 0; i < kMaxRecents; ++i) {
    const std::string id = "file.open-recent-" + std::to_string(i + 1);
    commands_.remove(id);
    if (i >= recents_listed_.size()) continue;
    const std::filesystem::path path(recents_listed_[i]);
    Command command{id, "Reopen " + path.filename().string(), "File", {}, [this, path] { open(path); }};
    command.keywords = "recent " + recents_listed_[i];
    commands_.add(std::move(command));
  }
}

void App::add_view_commands() {
  const auto toggle = [this](bool help) {
    return [this, help] {
      browser_.close();
      palette_.is_open() ? palette_.close() : palette_.open(help);
    };
  };
  const CommandGroup general(commands_, "General");
  general("app.palette", "Command palette", {"Ctrl+Shift+P"}, toggle(false)).while_typing();
  general("app.help", "Keyboard shortcuts", {"?", "F1"}, toggle(true));
  general("app.escape", "Close, clear, or stop loading", {"Esc"}, [this] { escape(); }).while_typing();
  general("app.dismiss", "Dismiss the last message", {"Shift+Esc"}, [this] {
    messages_.dismiss_latest();
  }).when([this] { return !messages_.all().empty(); });

  const auto searchable = [this] { return searcher() != nullptr; };
  const CommandGroup find(commands_, "Find", {},
                          [this] { return searcher() != nullptr && !top_bar_.find().query().empty(); });
  find("find.focus", "Find", {"/", "Ctrl+F"}, [this] { top_bar_.find().focus(); }).when(searchable);
  find("find.next", "Next match", {"F3"}, [this] { searcher()->step(1); }).while_typing();
  find("find.previous", "Previous match", {"Shift+F3"}, [this] { searcher()->step(-1); }).while_typing();
  find("find.clear", "Clear the search", {}, [this] { top_bar_.find().clear(searcher()); });
  find("find.everything", "Clear all filters", {}, [this] { searcher()->clear_filters(); }).when([this] {
    return searcher() != nullptr && !searcher()->filters().empty();
  });

  const CommandGroup view(commands_, "View");
  view("app.fold-rail", "Collapse or expand the sidebar", {"Ctrl+B"},
       [this] { settings_.rail_folded = !settings_.rail_folded; });
  view("view.larger", "Increase UI scale", {"Ctrl+="}, [this] { change_scale(1); });
  view("view.smaller", "Decrease UI scale", {"Ctrl+-"}, [this] { change_scale(-1); });
  view("view.automatic-size", "Reset UI scale", {"Ctrl+0"}, [this] { settings_.scale = 0; });
  view("view.theme-dark", "Dark theme", {}, [this] { settings_.theme = ThemeChoice::dark; });
  view("view.theme-light", "Light theme", {}, [this] { settings_.theme = ThemeChoice::light; });
  view("view.rows-compact", "Compact rows", {}, [this] { settings_.density = RowDensity::compact; });
  view("view.rows-normal", "Normal rows", {}, [this] { settings_.density = RowDensity::normal; });
  view("view.rows-roomy", "Tall rows", {}, [this] { settings_.density = RowDensity::roomy; });
  view("view.clocks", "Align clocks, or show times as recorded", {}, [this] {
    session_.show_recorded_clocks(!session_.recorded_clocks());
  }).when([this] {
      return session_.clocks().alignable();
    }).keywords("offset skew time sync");
  view("view.wheel-zooms", "Toggle wheel zoom", {}, [this] {
    settings_.wheel_zooms = !settings_.wheel_zooms;
  }).keywords("mouse scroll");
  add_overlay_commands(context_);
}

void App::open(const std::filesystem::path& path) {
  show_page("load");
  show_when_ready_ = true;
  session_.choose(choices());
  session_.open(whole_path(path));
  options_.watch = false;
}

void App::load(const std::vector<std::filesystem::path>& paths) {
  if (paths.empty()) return;
  if (paths.size() == 1) return open(paths[0]);
  session_.choose(choices());
  options_.watch = false;
  session_.open(paths[0]);
  for (const std::filesystem::path& path : std::span(paths).subspan(1)) static_cast<void>(session_.add(path));
}

void App::drop(const std::vector<std::filesystem::path>& paths) {
  for (const std::filesystem::path& path : paths) dropped_.push_back({path});
  take_dropped();
}

void App::add_root(const std::filesystem::path& path) {
  dropped_.push_back({.path = path, .as_root = true});
  take_dropped();
}

/// Classifies dropped paths on another thread, because this reads folders and disks may be slow.
void App::take_dropped() {
  if (const auto known = looking_at_dropped_.take()) {
    std::vector<std::filesystem::path> profiles;
    for (const Dropped& one : *known) {
      if (one.opens)
        profiles.push_back(one.path);
      else
        list_root(one.path);
    }
    load(profiles);
  }
  if (dropped_.empty() || looking_at_dropped_.running()) return;
  looking_at_dropped_.start(
      [paths = std::exchange(dropped_, {})](const CancelToken& cancel) mutable {
        std::error_code failed;
        for (Dropped& one : paths) {
          if (cancel.cancelled()) break;
          const bool folder = std::filesystem::is_directory(one.path, failed);
          one.opens = !folder || (!one.as_root && ingest::is_one_profile(one.path));
        }
        return std::move(paths);
      },
      context_.wake);
}

void App::list_root(const std::filesystem::path& folder) {
  remember_root(settings_, whole_path(folder).string());
  show_page("load");
}

void App::show_page(std::string_view id) {
  const auto found = std::ranges::find(pages_, id, [](const auto& page) { return page->id(); });
  if (found == pages_.end() || !(*found)->available()) return;
  page_index_ = static_cast<std::size_t>(found - pages_.begin());
  show_when_ready_ = false;
}

void App::escape() {
  if (dialog_open()) {
    palette_.close();
    browser_.close();
    return;
  }
  if (popup_open()) return ImGui::ClosePopupToLevel(0, true);
  if (ImGui::GetIO().WantTextInput) return;  // the text field handles it and releases focus
  if (shown().escape(context_)) return;
  if (!top_bar_.find().query().empty()) return top_bar_.find().clear(searcher());
  if (session_.progress().running) session_.cancel();
}

void App::change_scale(int direction) {
  const float now = context_.px.scale;
  const auto next = direction > 0
                        ? std::ranges::find_if(kScaleSteps, [now](float step) { return step > now + 0.01f; })
                        : std::ranges::find_if(kScaleSteps, [now](float step) { return step >= now - 0.01f; });
  if (direction > 0) {
    settings_.scale = next == kScaleSteps.end() ? kScaleSteps.back() : *next;
  } else {
    settings_.scale = next == kScaleSteps.begin() ? kScaleSteps.front() : *(next - 1);
  }
}

}  // namespace warpscope::ui
