#include "app/ui/load/load_page.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ranges>
#include <utility>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/model/state_members.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {
namespace {

constexpr float kStartWidth = 760;
constexpr float kProfilesWidth = 1440;

/// Code that users can copy to record a profile.
struct RecordingWay {
  const char* command;
  const char* command_name;
  const char* title;
  const char* lines;
};
constexpr std::array kRecordingWays{
    RecordingWay{"record.copy-pytorch", "Copy code to record with PyTorch", "Record a trace with PyTorch",
                 "from torch.profiler import profile, tensorboard_trace_handler\n"
                 "with profile(on_trace_ready=tensorboard_trace_handler(\"traces\")):\n"
                 "    train_some_steps()"},
    RecordingWay{"record.copy-host", "Copy the command to also record host load", "Also record host load",
                 "warpscope record --out traces -- python3 train.py"},
};

}  // namespace

LoadPage::LoadPage(AppContext& context) : Page(registered::load::kPage), context_(context), list_(context.wake) {
  add_commands();
}

std::span<const Gesture> LoadPage::gestures() const {
  static constexpr std::array<Gesture, 3> kGestures = {
      {{"Open a profile, or list a folder's profiles", "Drop on the window"},
       {"Load a listed profile", "Double-click"},
       {"Switch to a loaded profile", "Click"}}};
  return kGestures;
}

std::vector<std::string> LoadPage::roots() const {
  std::vector<std::string> roots = context_.settings.roots;
  for (const std::string& root : context_.extra_roots)
    if (std::ranges::find(roots, root) == roots.end()) roots.push_back(root);
  return roots;
}

Searcher* LoadPage::searcher() { return roots().empty() ? nullptr : this; }

SearchStatus LoadPage::status() const {
  SearchStatus status;
  status.count = view_.order().size();
  if (const auto at = cursor()) status.current = *at + 1;
  status.running = list_.looking();
  return status;
}

bool LoadPage::escape(AppContext&) { return !std::exchange(cursor_, {}).empty(); }

bool LoadPage::enter() { return context_.commands.run("load.load"); }

void LoadPage::add_commands() {
  const CommandGroup add(context_.commands, "Load", id(), [this] { return !roots().empty(); });
  add("load.next", "Next profile in the list", {"Down", "J"}, [this] { move_cursor(1); }).repeats();
  add("load.previous", "Previous profile in the list", {"Up", "K"}, [this] { move_cursor(-1); }).repeats();
  add("load.load", "Load the selected profile", {"Enter"}, [this] {
    context_.load({chosen()->profile.path});
  }).when([this] { return chosen() != nullptr; });
  add("load.sort", "Sort by the next column", {"S"}, [this] { view_.sort_next(); }).repeats();
  add("load.look-again", "Scan the folders again", {"Ctrl+Shift+R"}, [this] {
    list_.look_again();
  }).keywords("refresh rescan");
  add("load.remove-root", "Remove the selected profile's folder from the list", {"Delete"}, [this] {
    if (const auto root = chosen_root()) std::erase(context_.settings.roots, *root);
  }).when([this] { return chosen_root().has_value(); });
  const CommandGroup record(context_.commands, "Load", {}, {});
  for (const RecordingWay& way : kRecordingWays)
    record(way.command, way.command_name, {}, [this, &way] { copy_text(context_, way.lines); });

  const auto turn = [this](std::ptrdiff_t by) {
    return [this, by] {
      const std::vector<const OpenProfile*> open = context_.session.all();
      const auto at = std::ranges::find(open, context_.session.current_id(), [](const auto* one) { return one->id; });
      const auto count = static_cast<std::ptrdiff_t>(open.size());
      context_.session.make_current(open[static_cast<std::size_t>(((at - open.begin()) + by + count) % count)]->id);
    };
  };
  const CommandGroup profiles(context_.commands, "Profiles", {}, [this] { return context_.session.all().size() > 1; });
  profiles("profile.next", "Next loaded profile", {"Ctrl+PageDown"}, turn(1)).keywords("switch current");
  profiles("profile.previous", "Previous loaded profile", {"Ctrl+PageUp"}, turn(-1));
  profiles("profile.unload-all", "Unload all profiles", {}, [this] {
    while (context_.session.is_open()) context_.session.close();
    context_.show_page("load");
  }).when([this] { return context_.session.is_open(); });
}

std::optional<std::size_t> LoadPage::cursor() const {
  const auto at =
      std::ranges::find_if(view_.order(), [this](auto row) { return list_.profiles()[row].profile.path == cursor_; });
  if (at == view_.order().end()) return std::nullopt;
  return static_cast<std::size_t>(at - view_.order().begin());
}

void LoadPage::move_cursor(int by) {
  if (view_.order().empty()) return;
  const auto last = std::ssize(view_.order()) - 1;
  const auto at = cursor();
  const std::ptrdiff_t to = at ? static_cast<std::ptrdiff_t>(*at) + by : by > 0 ? 0 : last;
  const std::uint32_t row = view_.order()[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(to, 0, last))];
  cursor_ = list_.profiles()[row].profile.path;
  scroll_to_cursor_ = true;
}

const ListedProfile* LoadPage::chosen() const {
  const auto at = cursor();
  return at ? &list_.profiles()[view_.order()[*at]] : nullptr;
}

std::optional<std::string> LoadPage::chosen_root() const {
  if (const ListedProfile* const one = chosen()) return one->root;
  return list_.roots().size() == 1 ? std::optional(list_.roots()[0]) : std::nullopt;
}

void LoadPage::draw(AppContext& context) {
  const Metrics& px = context.px;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const std::vector<std::string> listed = roots();
  list_.set_roots(listed);
  if (list_.update() || table_.rows() != list_.profiles().size()) {
    table_ = profiles_table(list_.profiles());
    view_.set_table(table_);
  }
  const bool nothing = listed.empty() && !context.session.is_open() && context.session.making().empty();
  const bool wide = !listed.empty() || context.session.all().size() > 1;
  const float width = std::min(px(wide ? kProfilesWidth : kStartWidth), room.x - px(48));
  const float left = std::max(px(24), std::floor((room.x - width) / 2));
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + left);
  ImGui::BeginChild("##load", {width, room.y}, 0, ImGuiWindowFlags_NoBackground);
  ImGui::Dummy({0, px(wide ? 12 : 24)});
  if (nothing) {
    heading(context, "Open a trace");
    text_wrapped(
        "Open a directory containing one job's traces, one file per rank (.json, .json.gz, .json.zst), or a SageMaker "
        "Debugger output directory. Or add a folder containing many jobs to list them here.",
        context.theme.muted);
    ImGui::Dummy({0, px(8)});
  }
  draw_open_buttons(nothing);
  loaded_.draw(context);
  if (!listed.empty()) draw_list();
  if (nothing) {
    draw_recents();
    draw_recordings();
  }
  ImGui::EndChild();
}

void LoadPage::draw_open_buttons(bool first) {
  const Metrics& px = context_.px;
  const auto button = [&](const char* label, const char* command, const char* tip, bool primary) {
    if (context_.commands.find(command) == nullptr) return;
    if (primary ? primary_button(context_, label) : ImGui::Button(label)) context_.commands.run(command);
    if (ImGui::IsItemHovered()) tooltip(context_, tip, {}, context_.commands.keys_text(command, 1));
    ImGui::SameLine();
  };
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(px(first ? 16 : 12), px(6)));
  button("Open directory…", "file.open", "Choose a job's directory or a file", first);
  button("Add a folder to the list…", "load.add-root", "Choose a folder of jobs to list here", false);
  button("Open the demo trace", "file.open-demo", "A small generated job to explore", false);
  ImGui::PopStyleVar();
  ImGui::SameLine(0, px(16));
  ImGui::AlignTextToFramePadding();
  text_muted("or drop it here");
}

void LoadPage::draw_recents() {
  const std::vector<std::string>& recents = context_.settings.recents;
  if (recents.empty()) return;
  section_title(context_, "Recent");
  for (std::size_t i = 0; i < recents.size(); ++i) {
    const std::string shown = fit_text_end(recents[i], ImGui::GetContentRegionAvail().x);
    const std::string command = "file.open-recent-" + std::to_string(i + 1);
    if (ImGui::Selectable((shown + "##" + command).c_str())) context_.commands.run(command);
  }
}

void LoadPage::draw_recordings() {
  for (const RecordingWay& way : kRecordingWays) {
    section_title(context_, way.title);
    ImGui::PushFont(context_.fonts.mono);
    text(way.lines);
    ImGui::PopFont();
    if (small_button(context_, way.command, "Copy")) context_.commands.run(way.command);
  }
}

void LoadPage::draw_roots() {
  std::optional<std::string> removed;
  for (const std::string& root : list_.roots()) {
    ImGui::PushID(root.c_str());
    ImGui::AlignTextToFramePadding();
    text(fit_text_end(root, ImGui::GetContentRegionAvail().x * 0.5f));
    ImGui::SameLine(0, context_.px(16));
    const auto count = std::ranges::count(list_.profiles(), root, &ListedProfile::root);
    text_muted(counted(static_cast<std::size_t>(count), "profile", "profiles"));
    if (std::ranges::find(context_.settings.roots, root) != context_.settings.roots.end()) {
      ImGui::SameLine(0, context_.px(8));
      if (icon_button(context_, "##remove", Icon::close, "Remove this folder from the list", "load.remove-root"))
        removed = root;
    }
    ImGui::PopID();
  }
  if (removed) std::erase(context_.settings.roots, *removed);
}

void LoadPage::draw_list() {
  section_title(context_, "Profiles");
  draw_roots();
  if (primary_button(context_, "Load", chosen() != nullptr)) context_.commands.run("load.load");
  ImGui::SameLine();
  if (ImGui::Button("Refresh")) context_.commands.run("load.look-again");
  if (ImGui::IsItemHovered())
    tooltip(context_, "Scan the folders again", {}, context_.commands.keys_text("load.look-again", 1));
  ImGui::SameLine(0, context_.px(16));
  ImGui::AlignTextToFramePadding();
  const std::size_t shown = view_.order().size();
  std::string facts = list_.looking() ? "scanning · " : "";
  if (shown < list_.profiles().size()) facts += format_count(static_cast<std::int64_t>(shown)) + " of ";
  facts += counted(list_.profiles().size(), "profile", "profiles");
  if (!list_.problem().empty()) facts += " · " + list_.problem();
  text_fitted(context_, facts, ImGui::GetContentRegionAvail().x,
              list_.problem().empty() ? context_.theme.muted : context_.theme.warning);
  if (shown == 0) {
    ImGui::Dummy({0, context_.px(8)});
    text_wrapped(list_.looking()            ? "Looking for profiles…"
                 : list_.profiles().empty() ? "No profiles found (.json, .json.gz, .json.zst or .wscope)"
                                            : "No profiles match the search",
                 context_.theme.muted);
    return;
  }
  TableView::Options options;
  options.clicked = [this](std::size_t row) { cursor_ = list_.profiles()[row].profile.path; };
  options.double_clicked = [this](std::size_t row) { context_.load({list_.profiles()[row].profile.path}); };
  options.tip = [this](std::size_t row) { return list_.profiles()[row].profile.path + "\nDouble-click to load it"; };
  if (const auto at = cursor()) options.chosen = view_.order()[*at];
  options.scroll_to_chosen = std::exchange(scroll_to_cursor_, false);
  // Another id while scanning, so that the columns fit the complete list.
  view_.draw(context_, list_.looking() ? "##scanned" : "##profiles", table_, options);
}

void LoadPage::write_state(JsonWriter& writer) const {
  constexpr std::size_t kMost = 100;  // rows written
  loaded_.write_state(writer);
  write_objects(writer, "roots", list_.roots(), [&](const std::string& root) {
    writer.member("path", root);
    writer.member("profiles", std::ranges::count(list_.profiles(), root, &ListedProfile::root));
  });
  writer.member("looking", list_.looking());
  writer.member("listed", list_.profiles().size());
  writer.member("found", view_.order().size());
  write_objects(writer, "rows", view_.order() | std::views::take(kMost), [&](std::uint32_t row) {
    const ingest::FoundProfile& profile = list_.profiles()[row].profile;
    writer.member("name", profile.name);
    writer.member("path", profile.path);
    writer.member("cursor", profile.path == cursor_);
  });
}

const PageSpec registered::load::kPage{"load", "Load", Icon::load, make_page<LoadPage>, false};

}  // namespace warpscope::ui
