#include "app/ui/load/list_view.hpp"

#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <ranges>
#include <utility>

#include "app/ui/load/start_view.hpp"
#include "app/ui/model/commands.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/model/state_members.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {
namespace {

using ingest::ProfileStatus;

/// Draws a drop-down list; returns the clicked index.
std::optional<std::size_t> drop_down(const AppContext& context, const char* id, const std::vector<std::string>& words,
                                     std::size_t chosen, float width) {
  std::optional<std::size_t> clicked;
  ImGui::SetNextItemWidth(width);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(context.px(8), context.px(6)));
  if (ImGui::BeginCombo(id, words[chosen].c_str())) {
    for (std::size_t i = 0; i < words.size(); ++i)
      if (ImGui::Selectable(words[i].c_str(), i == chosen)) clicked = i;
    ImGui::EndCombo();
  }
  ImGui::PopStyleVar();
  return clicked;
}

Ns clock_now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

}  // namespace

void ListView::update(const std::vector<std::string>& roots, const Session& session) {
  scans_.set_roots(roots);
  const bool other = roots != roots_listed_;
  roots_listed_ = roots;
  const bool rows = scans_.update() || other;
  if (rows) list_.set_rows(scans_.roots());
  std::map<std::uint64_t, const trace::Profile*> learned;
  for (const OpenProfile* one : session.all()) {
    if (!one->profile || !one->profile->complete || one->progress.running || one->progress.cancelled) continue;
    const auto before = learned_from_.find(one->id);
    learned[one->id] = one->profile.get();
    if (rows || before == learned_from_.end() || before->second != one->profile.get())
      list_.learn(one->path.string(), *one->profile, one->progress.unfinished());
  }
  learned_from_ = std::move(learned);
  std::vector<std::string> paths = chosen();
  std::erase_if(paths, [&](const std::string& path) { return session.find(std::filesystem::path(path)) != nullptr; });
  estimate_.ask(paths);
}

void ListView::set_query(std::string_view query) {
  query_ = query;
  refilter();
}

void ListView::set_status(std::optional<ingest::ProfileStatus> status) {
  status_ = status;
  refilter();
}

void ListView::set_age(ListAge age) {
  age_ = age;
  refilter();
}

void ListView::refilter() { list_.set_filter({words_to_find(query_), earliest(age_, clock_now()), status_}); }

void ListView::sort_by(ListColumn column) {
  const bool figure = column != ListColumn::name && column != ListColumn::status && column != ListColumn::source &&
                      column != ListColumn::folder;
  list_.sort_by(column, list_.sorted_by() == column ? !list_.descending() : figure);
  sorting_given_ = true;
}

void ListView::move_cursor(int by) {
  if (list_.move_cursor(by)) scroll_to_cursor_ = true;
}

void ListView::toggle_check() {
  if (!list_.cursor()) return move_cursor(1);
  const std::string& path = list_.shown()[*list_.cursor()].profile.path;
  list_.check(path, !list_.checked(path));
}

std::vector<std::string> ListView::chosen() const {
  std::vector<std::string> paths = list_.checked_paths();
  if (paths.empty())
    if (const auto cursor = list_.cursor()) paths.push_back(list_.shown()[*cursor].profile.path);
  return paths;
}

std::optional<std::string> ListView::chosen_root() const {
  const std::vector<ProfileScans::Root>& roots = scans_.roots();
  if (const auto cursor = list_.cursor()) {
    const std::size_t root = list_.shown()[*cursor].root;
    if (root < roots.size()) return roots[root].path;
  }
  return roots.size() == 1 ? std::optional(roots[0].path) : std::nullopt;
}

bool ListView::clear() {
  if (!list_.checked_paths().empty()) {
    list_.clear_checks();
    return true;
  }
  if (!list_.cursor()) return false;
  list_.clear_cursor();
  return true;
}

std::vector<std::string> ListView::draw(AppContext& context) {
  const Metrics& px = context.px;
  const std::vector<std::string> checks_before = list_.checked_paths();
  wanted_.clear();
  places_.clear();
  section_title(context, "Profiles");
  draw_roots(context);
  draw_choices(context);
  tell_cost(context);
  const float footer = std::max(px(52), footer_height_ + px(16));
  draw_table(context, std::max(px(kRow) * 5, ImGui::GetContentRegionAvail().y - footer));
  draw_footer(context);
  if (list_.checked_paths() != checks_before) context.keep_drawing();  // drawn and estimated above
  return std::exchange(wanted_, {});
}

void ListView::draw_roots(AppContext& context) {
  const Metrics& px = context.px;
  std::optional<std::string> removed;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(8), px(4)));
  for (std::size_t i = 0; i < scans_.roots().size(); ++i) {
    const ProfileScans::Root& root = scans_.roots()[i];
    ImGui::PushID(static_cast<int>(i));
    const ImVec2 at = ImGui::GetCursorPos();
    const ImVec2 screen = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_icon(list, Icon::folder, {screen.x + px(4), screen.y + px(4)}, px(16), context.theme.muted);
    const float text_y = screen.y + std::floor((px(24) - ImGui::GetFontSize()) / 2);
    const std::string path = fit_text_end(root.path, width * 0.5f);
    list.AddText({screen.x + px(28), text_y}, context.theme.text, path.c_str());
    std::string facts = root.looking ? "scanning, " + counted(root.directories, "folder", "folders") + " so far"
                                     : counted(root.profiles.size(), "profile", "profiles");
    if (!root.problem.empty()) facts += " · " + root.problem;
    const float facts_x = px(28) + ImGui::CalcTextSize(path.c_str()).x + px(16);
    const std::string shown = fit_text(facts, width - facts_x - px(72));
    list.AddText({screen.x + facts_x, text_y}, root.problem.empty() ? context.theme.muted : context.theme.warning,
                 shown.c_str());
    const float tools = facts_x + ImGui::CalcTextSize(shown.c_str()).x + px(12);
    ImGui::SetCursorPos({at.x + tools, at.y});
    const bool kept = std::ranges::find(context.settings.roots, root.path) != context.settings.roots.end();
    if (kept && icon_button(context, "##remove", Icon::close, "Remove this folder from the list", "load.remove-root"))
      removed = root.path;
    ImGui::SetCursorPos({at.x, at.y + px(24)});
    ImGui::Dummy({0, 0});
    ImGui::PopID();
  }
  ImGui::PopStyleVar();
  if (removed) std::erase(context.settings.roots, *removed);
}

void ListView::draw_choices(AppContext& context) {
  const Metrics& px = context.px;
  std::vector<std::string> statuses{"Any status"};
  for (std::size_t i = 0; i < ingest::kProfileStatuses; ++i)
    statuses.emplace_back(ingest::to_string(static_cast<ProfileStatus>(i)));
  const std::size_t status = status_ ? static_cast<std::size_t>(*status_) + 1 : 0;
  if (const auto clicked = drop_down(context, "##status", statuses, status, px(160)))
    set_status(*clicked == 0 ? std::nullopt : std::optional(static_cast<ProfileStatus>(*clicked - 1)));
  ImGui::SameLine();
  std::vector<std::string> ages;
  for (std::size_t i = 0; i < kListAges; ++i) ages.emplace_back(to_string(static_cast<ListAge>(i)));
  if (const auto clicked = drop_down(context, "##age", ages, static_cast<std::size_t>(age_), px(160)))
    set_age(static_cast<ListAge>(*clicked));
  ImGui::SameLine();
  if (ImGui::Button("Refresh")) context.commands.run("load.look-again");
  if (ImGui::IsItemHovered())
    tooltip(context, "Scan the folders again", {}, context.commands.keys_text("load.look-again", 1));
  ImGui::SameLine(0, px(16));
  ImGui::AlignTextToFramePadding();
  const std::size_t shown = list_.shown().size();
  const std::string all = counted(list_.all(), "profile", "profiles");
  text_muted(shown == list_.all() ? all : format_count(static_cast<std::int64_t>(shown)) + " of " + all);
  const std::string keys = context.commands.keys_text("find.focus", 1);
  ImGui::SameLine(0, px(16));
  text_fitted(context, keys.empty() ? std::string() : "Press " + keys + " to search", ImGui::GetContentRegionAvail().x,
              context.theme.muted);
  ImGui::Dummy({0, px(2)});
}

// Updates the estimated cost of loading chosen(), except profiles that are already loaded.
void ListView::tell_cost(const AppContext& context) {
  beyond_limit_ = false;
  const std::vector<std::string> paths = chosen();
  const auto name = [](const std::string& path) { return std::filesystem::path(path).filename().string(); };
  const auto open = static_cast<std::size_t>(std::ranges::count_if(
      paths, [&](const std::string& path) { return context.session.find(std::filesystem::path(path)) != nullptr; }));
  const std::size_t count = paths.size();
  if (count == 0) {
    footer_ = "Check profiles to load, or double-click one";
  } else if (open == count) {
    footer_ = count == 1 ? name(paths[0]) + " is already loaded" : "All checked profiles are already loaded";
  } else {
    const std::string what = count == 1 ? name(paths[0])
                             : open > 0 ? format_count(static_cast<std::int64_t>(count - open)) + " of " +
                                              counted(count, "profile", "profiles")
                                        : counted(count, "profile", "profiles");
    const auto estimate = estimate_.answer();
    const std::uint64_t limit = context.settings.memory_limit;
    footer_ = what + ": " + (estimate ? describe(*estimate, limit) : "estimating…");
    beyond_limit_ = estimate && limit > 0 && estimate->resident_bytes > limit;
  }
}

void ListView::draw_footer(AppContext& context) {
  const Metrics& px = context.px;
  ImGui::Dummy({0, px(2)});
  const std::size_t checked = list_.checked_paths().size();
  const std::string label =
      checked > 1 ? "Load " + counted(checked, "profile", "profiles") + "##load" : std::string("Load##load");
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(px(16), px(6)));
  if (primary_button(context, label.c_str(), !chosen().empty())) context.commands.run("load.load");
  ImGui::PopStyleVar();
  const ImVec2 button = ImGui::GetItemRectSize();
  load_x_ = item_center().x;
  load_y_ = item_center().y;
  if (ImGui::IsItemHovered())
    tooltip(context, "Loads the checked profiles, or the selected one if none is checked", {},
            context.commands.keys_text("load.load", 1));
  ImGui::SameLine(0, px(16));
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = ImGui::CalcTextSize(footer_.c_str(), nullptr, false, width).y;
  // The table above shrinks in the next frame.
  if (std::exchange(footer_height_, height) != height) context.keep_drawing();
  // ImGui moves text next to a button down by its padding.
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - px(6) + std::max(0.0f, std::floor((button.y - height) / 2)));
  text_wrapped(footer_, beyond_limit_ ? context.theme.warning : context.theme.muted);
}

void ListView::write_state(JsonWriter& writer) const {
  write_objects(writer, "roots", scans_.roots(), [&](const ProfileScans::Root& root) {
    writer.member("path", root.path);
    writer.member("profiles", root.profiles.size());
    writer.member("looking", root.looking);
    writer.member("problem", root.problem);
  });
  writer.member("listed", list_.all());
  writer.member("found", list_.shown().size());
  writer.member("checked", list_.checked_paths().size());
  writer.member("sorted_by", to_string(list_.sorted_by()));
  writer.member("descending", list_.descending());
  writer.member("estimate", footer_);
  writer.member("estimate_height", static_cast<double>(footer_height_));
  writer.member("load_x", static_cast<double>(load_x_));
  writer.member("load_y", static_cast<double>(load_y_));
  const auto listed = [this](const Place& place) { return place.row < list_.shown().size(); };
  write_objects(writer, "rows", places_ | std::views::filter(listed), [&](const Place& place) {
    const ingest::FoundProfile& profile = list_.shown()[place.row].profile;
    writer.member("name", profile.name);
    writer.member("path", profile.path);
    writer.member("status", ingest::to_string(profile.status));
    writer.member("reason", profile.reason);
    writer.member("created", created_text(profile));
    const auto figure = [&](const char* name, const std::optional<std::size_t>& count) {
      writer.member(name, count ? std::to_string(*count) : std::string());
    };
    figure("nodes", profile.nodes);
    figure("ranks", profile.ranks);
    figure("gpus", profile.gpus);
    writer.member("checked", list_.checked(profile.path));
    writer.member("cursor", list_.cursor() == place.row);
    writer.member("check_x", static_cast<double>(place.check_x));
    writer.member("name_x", static_cast<double>(place.name_x));
    writer.member("y", static_cast<double>(place.y));
  });
}

}  // namespace warpscope::ui
