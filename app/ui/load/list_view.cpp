#include "app/ui/load/list_view.hpp"

#include <imgui.h>

#include <algorithm>
#include <ranges>
#include <utility>

#include "app/ui/load/start_view.hpp"
#include "app/ui/model/commands.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/model/state_members.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {

void ListView::update(const std::vector<std::string>& roots) {
  const bool other = scans_.set_roots(roots);
  if (!scans_.update() && !other) return;
  profiles_ = listed_profiles(scans_.roots());
  table_ = profiles_table(profiles_);
  view_.set_table(table_);
  if (!scans_.looking()) ++scans_shown_;
}

std::optional<std::size_t> ListView::cursor() const {
  const auto at =
      std::ranges::find_if(view_.order(), [this](auto row) { return profiles_[row].profile.path == cursor_; });
  if (at == view_.order().end()) return std::nullopt;
  return static_cast<std::size_t>(at - view_.order().begin());
}

void ListView::move_cursor(int by) {
  if (view_.order().empty()) return;
  const auto last = static_cast<std::ptrdiff_t>(shown()) - 1;
  const auto at = cursor();
  const std::ptrdiff_t to = at ? static_cast<std::ptrdiff_t>(*at) + by : by > 0 ? 0 : last;
  cursor_ = profiles_[view_.order()[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(to, 0, last))]].profile.path;
  scroll_to_cursor_ = true;
}

const ListedProfile* ListView::chosen() const {
  const auto at = cursor();
  return at ? &profiles_[view_.order()[*at]] : nullptr;
}

std::optional<std::string> ListView::chosen_root() const {
  if (const ListedProfile* const one = chosen()) return one->root;
  return scans_.roots().size() == 1 ? std::optional(scans_.roots()[0].path) : std::nullopt;
}

void ListView::draw(AppContext& context) {
  section_title(context, "Profiles");
  draw_roots(context);
  draw_controls(context);
  if (shown() == 0) {
    ImGui::Dummy({0, context.px(8)});
    text_wrapped(scans_.looking()    ? "Looking for profiles…"
                 : profiles_.empty() ? "No profiles found (.json, .json.gz, .json.zst or .wscope)"
                                     : "No profiles match the search",
                 context.theme.muted);
    return;
  }
  TableView::Options options;
  options.clicked = [this](std::size_t row) { cursor_ = profiles_[row].profile.path; };
  options.double_clicked = [&](std::size_t row) { context.load({profiles_[row].profile.path}); };
  options.tip = [this](std::size_t row) { return profile_tip(profiles_[row].profile); };
  if (const auto at = cursor()) options.chosen = view_.order()[*at];
  options.scroll_to_chosen = std::exchange(scroll_to_cursor_, false);
  view_.draw(context, ("##profiles" + std::to_string(scans_shown_)).c_str(), table_, options);
}

void ListView::draw_roots(AppContext& context) const {
  const float width = ImGui::GetContentRegionAvail().x;
  std::optional<std::string> removed;
  for (const ProfileScans::Root& root : scans_.roots()) {
    ImGui::PushID(root.path.c_str());
    ImGui::AlignTextToFramePadding();
    text(fit_text_end(root.path, width * 0.5f));
    std::string facts = root.looking ? "scanning, " + counted(root.directories, "folder", "folders") + " so far"
                                     : counted(root.profiles.size(), "profile", "profiles");
    if (!root.problem.empty()) facts += " · " + root.problem;
    ImGui::SameLine(0, context.px(16));
    text_fitted(context, facts, ImGui::GetContentRegionAvail().x - context.px(40),
                root.problem.empty() ? context.theme.muted : context.theme.warning);
    if (std::ranges::find(context.settings.roots, root.path) != context.settings.roots.end()) {
      ImGui::SameLine(0, context.px(8));
      if (icon_button(context, "##remove", Icon::close, "Remove this folder from the list", "load.remove-root"))
        removed = root.path;
    }
    ImGui::PopID();
  }
  if (removed) std::erase(context.settings.roots, *removed);
}

void ListView::draw_controls(AppContext& context) const {
  if (primary_button(context, "Load", chosen() != nullptr)) context.commands.run("load.load");
  ImGui::SameLine();
  if (ImGui::Button("Refresh")) context.commands.run("load.look-again");
  if (ImGui::IsItemHovered())
    tooltip(context, "Scan the folders again", {}, context.commands.keys_text("load.look-again", 1));
  ImGui::SameLine(0, context.px(16));
  ImGui::AlignTextToFramePadding();
  const std::string all = counted(profiles_.size(), "profile", "profiles");
  text_muted(shown() == profiles_.size() ? all : format_count(static_cast<std::int64_t>(shown())) + " of " + all);
  if (const std::string keys = context.commands.keys_text("find.focus", 1); !keys.empty()) {
    ImGui::SameLine(0, context.px(16));
    text_fitted(context, "Press " + keys + " to search by name, date, status or folder",
                ImGui::GetContentRegionAvail().x, context.theme.muted);
  }
}

void ListView::write_state(JsonWriter& writer) const {
  constexpr std::size_t kMost = 100;  // rows written
  write_objects(writer, "roots", scans_.roots(), [&](const ProfileScans::Root& root) {
    writer.member("path", root.path);
    writer.member("profiles", root.profiles.size());
    writer.member("looking", root.looking);
    writer.member("problem", root.problem);
  });
  writer.member("listed", profiles_.size());
  writer.member("found", shown());
  write_objects(writer, "rows", view_.order() | std::views::take(kMost), [&](std::uint32_t row) {
    const ingest::FoundProfile& profile = profiles_[row].profile;
    writer.member("name", profile.name);
    writer.member("path", profile.path);
    writer.member("status", ingest::to_string(profile.status));
    writer.member("reason", profile.reason);
    writer.member("cursor", profile.path == cursor_);
  });
}

}  // namespace warpscope::ui
