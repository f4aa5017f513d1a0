// The drawing half of the list of profiles.
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/ui/commands.hpp"
#include "app/ui/load/list_view.hpp"
#include "app/ui/load/start_view.hpp"
#include "app/ui/session.hpp"
#include "app/ui/settings.hpp"
#include "app/ui/widgets.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {
namespace {

using ingest::FoundProfile;
using ingest::ProfileStatus;

constexpr float kRow = 28;
constexpr int kColumns = static_cast<int>(kListColumns) + 1;  // with the check boxes

std::string count_text(const std::optional<std::size_t>& count) {
  return count ? format_count(static_cast<std::int64_t>(*count)) : std::string();
}

std::string counted(std::size_t count, const char* one, const char* many) {
  return format_count(static_cast<std::int64_t>(count)) + " " + (count == 1 ? one : many);
}

scene::Color status_color(const Theme& theme, ProfileStatus status) {
  switch (status) {
    case ProfileStatus::failed:
      return theme.error;
    case ProfileStatus::incomplete:
    case ProfileStatus::stopping:
    case ProfileStatus::stopped:
      return theme.warning;
    case ProfileStatus::in_progress:
      return theme.accent;
    case ProfileStatus::completed:
      break;
  }
  return theme.text;
}

/// Text in the middle of a row, cut to its cell; true if the pointer is over the cell.
bool cell(const std::string& words, scene::Color color, bool right, float row) {
  const float width = ImGui::GetContentRegionAvail().x;
  const std::string shown = fit_text(words, width);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float x = right ? std::max(0.0f, width - ImGui::CalcTextSize(shown.c_str()).x) : 0.0f;
  const float y = std::floor((row - ImGui::GetFontSize()) / 2);
  ImGui::GetWindowDrawList()->AddText({at.x + x, at.y + y}, color, shown.c_str());
  return ImGui::IsMouseHoveringRect(at, {at.x + width, at.y + row});
}

/// A drop-down of words; the index clicked.
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

bool check_box(const AppContext& context, const char* id, bool on, bool some, float row) {
  const Metrics& px = context.px;
  const Theme& theme = context.theme;
  const float side = px(16);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(id, {px(24), row});
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 corner{at.x + px(4), at.y + std::floor((row - side) / 2)};
  const ImVec2 end{corner.x + side, corner.y + side};
  if (on) list.AddRectFilled(corner, end, theme.accent, px(3));
  list.AddRect(corner, end, on ? theme.accent : hovered ? theme.text : theme.muted, px(3), 0, px(1));
  if (on)
    draw_icon(list, Icon::check, {corner.x + px(1), corner.y + px(1)}, px(14),
              theme.dark() ? theme.ground : theme.panel);
  else if (some)
    list.AddRectFilled({corner.x + px(4), corner.y + px(7)}, {end.x - px(4), end.y - px(7)}, theme.muted);
  return clicked;
}

/// The folder of a profile as seen from the folder that was listed.
std::string folder_text(const FoundProfile& profile, const std::string& root) {
  const std::filesystem::path below = std::filesystem::path(profile.path).lexically_relative(root);
  const std::filesystem::path shown_root = std::filesystem::path(root).filename();
  if (below.empty() || below == "." || *below.begin() == "..") return shown_root.string();
  const std::filesystem::path parent = below.parent_path();
  return parent.empty() ? shown_root.string() : (shown_root / parent).string();
}

}  // namespace

std::vector<std::string> ListView::draw(AppContext& context) {
  const Metrics& px = context.px;
  const std::vector<std::string> checks_before = list_.checked_paths();
  wanted_.clear();
  places_.clear();
  section_title(context, "Profiles");
  draw_roots(context);
  draw_choices(context);
  const float footer = px(52);
  draw_table(context, std::max(px(kRow) * 5, ImGui::GetContentRegionAvail().y - footer));
  draw_footer(context);
  if (list_.checked_paths() != checks_before) context.keep_drawing();  // they are drawn, and asked about, above
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
    std::string facts = root.looking ? "looking, " + counted(root.directories, "folder", "folders") + " so far"
                                     : counted(root.profiles.size(), "profile", "profiles");
    if (!root.problem.empty()) facts += " · " + root.problem;
    const float facts_x = px(28) + ImGui::CalcTextSize(path.c_str()).x + px(16);
    const std::string shown = fit_text(facts, width - facts_x - px(72));
    list.AddText({screen.x + facts_x, text_y}, root.problem.empty() ? context.theme.muted : context.theme.warning,
                 shown.c_str());
    const float tools = facts_x + ImGui::CalcTextSize(shown.c_str()).x + px(12);
    ImGui::SetCursorPos({at.x + tools, at.y});
    const bool kept = std::ranges::find(context.settings.roots, root.path) != context.settings.roots.end();
    if (kept && icon_button(context, "##remove", Icon::close, "Take this folder off the list", "load.remove-root"))
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
  if (ImGui::Button("Look again")) context.commands.run("load.look-again");
  if (ImGui::IsItemHovered())
    tooltip(context, "Look through the folders again", {}, context.commands.keys_text("load.look-again", 1));
  ImGui::SameLine(0, px(16));
  ImGui::AlignTextToFramePadding();
  const std::size_t shown = list_.shown().size();
  const std::string all = counted(list_.all(), "profile", "profiles");
  text_muted(shown == list_.all() ? all : format_count(static_cast<std::int64_t>(shown)) + " of " + all);
  const std::string keys = context.commands.keys_text("find.focus", 1);
  ImGui::SameLine(0, px(16));
  text_fitted(context, "Search by name, date and status in the field at the top (" + keys + ")",
              ImGui::GetContentRegionAvail().x, context.theme.muted);
  ImGui::Dummy({0, px(2)});
}

void ListView::take_sorting() {
  ImGuiTableSortSpecs* const specs = ImGui::TableGetSortSpecs();
  if (sorting_given_) {
    sorting_given_ = false;
    ImGui::TableSetColumnSortDirection(
        static_cast<int>(list_.sorted_by()) + 1,
        list_.descending() ? ImGuiSortDirection_Descending : ImGuiSortDirection_Ascending, false);
    if (specs != nullptr) specs->SpecsDirty = false;
    return;
  }
  if (specs == nullptr || !specs->SpecsDirty) return;
  specs->SpecsDirty = false;
  if (specs->SpecsCount == 0 || specs->Specs[0].ColumnIndex == 0) return;
  list_.sort_by(static_cast<ListColumn>(specs->Specs[0].ColumnIndex - 1),
                specs->Specs[0].SortDirection == ImGuiSortDirection_Descending);
}

void ListView::draw_table(AppContext& context, float height) {
  const Metrics& px = context.px;
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_BordersInnerH |
                                     ImGuiTableFlags_Sortable | ImGuiTableFlags_Resizable |
                                     ImGuiTableFlags_NoSavedSettings;
  if (list_.shown().empty()) {
    ImGui::Dummy({0, px(8)});
    text_muted(scans_.looking() ? "Looking for profiles…"
               : list_.all() == 0
                   ? "No profile was found: no .json, .json.gz, .json.zst that begins as a trace, no .wscope"
                   : "No profile passes the search and the choices above");
    ImGui::Dummy({0, height - px(8) - ImGui::GetTextLineHeightWithSpacing() * 2});
    return;
  }
  const float width = px.units(ImGui::GetContentRegionAvail().x);
  if (!ImGui::BeginTable("##profiles", kColumns, kFlags, {0, height})) return;
  constexpr std::array<float, kListColumns> kWidths = {0, 148, 104, 72, 72, 72, 96, 200, 0};
  // A narrow window shows the columns that tell most.
  constexpr std::array<float, kListColumns> kLeastWidths = {0, 460, 0, 940, 600, 780, 700, 1120, 1280};
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn(
      "##check", ImGuiTableColumnFlags_WidthFixed | ImGuiTableColumnFlags_NoSort | ImGuiTableColumnFlags_NoResize,
      px(24));
  for (std::size_t i = 0; i < kListColumns; ++i) {
    const auto column = static_cast<ListColumn>(i);
    const bool stretches = kWidths[i] == 0;
    ImGuiTableColumnFlags flags = stretches ? ImGuiTableColumnFlags_WidthStretch : ImGuiTableColumnFlags_WidthFixed;
    if (i > 2 && i < 7) flags |= ImGuiTableColumnFlags_PreferSortDescending;
    if (column == ListColumn::created)
      flags |= ImGuiTableColumnFlags_DefaultSort | ImGuiTableColumnFlags_PreferSortDescending;
    if (width < kLeastWidths[i]) flags |= ImGuiTableColumnFlags_Disabled;
    ImGui::TableSetupColumn(std::string(to_string(column)).c_str(), flags,
                            stretches ? (column == ListColumn::name ? 1.4f : 1.0f) : px(kWidths[i]));
  }
  take_sorting();
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  ImGui::TableSetColumnIndex(0);
  const auto checked = static_cast<std::size_t>(std::ranges::count_if(
      list_.shown(), [this](const ProfileList::Row& row) { return list_.checked(row.profile.path); }));
  const bool all = checked > 0 && checked == list_.shown().size();
  if (check_box(context, "##all", all, checked > 0, ImGui::GetFrameHeight() - px(4))) list_.check_shown();
  if (ImGui::IsItemHovered())
    tooltip(context, "Check all that are shown", {}, context.commands.keys_text("load.check-all", 1));
  for (int column = 1; column < kColumns; ++column) {
    if (!ImGui::TableSetColumnIndex(column)) continue;
    const char* const name = ImGui::TableGetColumnName(column);
    const float spare = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(name).x - 1.5f * ImGui::GetFontSize();
    if (column > 3 && column < 8 && spare > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + spare);  // over figures
    ImGui::TableHeader(name);
  }
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(list_.shown().size()));
  const auto cursor = list_.cursor();
  if (scroll_to_cursor_ && cursor) clipper.IncludeItemByIndex(static_cast<int>(*cursor));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) draw_row(context, static_cast<std::size_t>(i));
  scroll_to_cursor_ = false;
  ImGui::EndTable();
}

void ListView::draw_row(AppContext& context, std::size_t index) {
  const Metrics& px = context.px;
  const Theme& theme = context.theme;
  const ProfileList::Row& row = list_.shown()[index];
  const FoundProfile& profile = row.profile;
  const bool at_cursor = list_.cursor() == index;
  const OpenProfile* const loaded = context.session.find(std::filesystem::path(profile.path));
  const float height = px(kRow);
  const float inner = height - 2 * ImGui::GetStyle().CellPadding.y;
  ImGui::PushID(profile.path.c_str());
  ImGui::TableNextRow(0, height);
  ImGui::TableSetColumnIndex(0);
  Place place;
  place.row = index;
  if (check_box(context, "##check", list_.checked(profile.path), false, inner))
    list_.check(profile.path, !list_.checked(profile.path));
  place.check_x = (ImGui::GetItemRectMin().x + ImGui::GetItemRectMax().x) / 2;
  place.y = (ImGui::GetItemRectMin().y + ImGui::GetItemRectMax().y) / 2;

  ImGui::TableSetColumnIndex(1);
  const ImVec2 begin = ImGui::GetCursorPos();
  if (ImGui::Selectable("##row", at_cursor,
                        ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick |
                            ImGuiSelectableFlags_AllowOverlap,
                        {0, inner})) {
    list_.set_cursor(index);
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) wanted_ = {profile.path};
  }
  if (at_cursor && scroll_to_cursor_) ImGui::SetScrollHereY(0.5f);
  const bool hovered = ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenOverlapped);
  ImGui::SetCursorPos(begin);
  place.name_x = ImGui::GetCursorScreenPos().x + px(24);
  std::string tip;
  std::string facts;
  const auto figure = [&](int column, const std::string& words) {
    if (!ImGui::TableSetColumnIndex(column)) return;
    ImGui::PushFont(context.fonts.mono);
    cell(words, theme.text, true, inner);
    ImGui::PopFont();
  };
  if (loaded != nullptr) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddCircleFilled({at.x + px(6), at.y + std::floor(inner / 2)}, px(4), theme.accent);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + px(16));
  }
  if (cell(profile.name, theme.text, false, inner) && hovered) {
    tip = profile.path;
    if (loaded != nullptr) facts = loaded->progress.running ? "Being loaded" : "Loaded";
  }
  const auto shows = [](int column) { return ImGui::TableSetColumnIndex(column); };
  const bool guessed = profile.created_from == ingest::TimeOrigin::modified;
  if (shows(2) && cell(date_text(profile.created), guessed ? theme.muted : theme.text, false, inner) && hovered)
    tip = "Created, as told by " + std::string(ingest::to_string(profile.created_from));
  if (shows(3) &&
      cell(std::string(ingest::to_string(profile.status)), status_color(theme, profile.status), false, inner) &&
      hovered && !profile.reason.empty())
    tip = sentence(profile.reason);
  figure(4, count_text(profile.nodes));
  figure(5, count_text(profile.ranks));
  figure(6, count_text(profile.gpus));
  figure(7, format_bytes(static_cast<std::int64_t>(profile.bytes)));
  const std::string kinds = ingest::kinds_text(profile);
  if (shows(8) && cell(kinds, theme.muted, false, inner) && hovered)
    tip = sentence(kinds) + ", " + counted(profile.files, "file", "files");
  const std::string root = row.root < scans_.roots().size() ? scans_.roots()[row.root].path : std::string();
  if (shows(9) && cell(folder_text(profile, root), theme.muted, false, inner) && hovered) tip = profile.path;
  if (!tip.empty()) tooltip(context, tip, facts, "Double click loads it");
  ImGui::PopID();
  places_.push_back(place);
}

void ListView::draw_footer(AppContext& context) {
  const Metrics& px = context.px;
  ImGui::Dummy({0, px(2)});
  const std::vector<std::string> paths = chosen();
  const std::size_t checked = list_.checked_paths().size();
  const std::string label =
      checked > 1 ? "Load " + counted(checked, "profile", "profiles") + "##load" : std::string("Load##load");
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(px(16), px(6)));
  if (primary_button(context, label.c_str(), !paths.empty())) context.commands.run("load.load");
  ImGui::PopStyleVar();
  load_x_ = (ImGui::GetItemRectMin().x + ImGui::GetItemRectMax().x) / 2;
  load_y_ = (ImGui::GetItemRectMin().y + ImGui::GetItemRectMax().y) / 2;
  if (ImGui::IsItemHovered())
    tooltip(context, "Load what is checked, else the chosen line", {}, context.commands.keys_text("load.load", 1));
  ImGui::SameLine(0, px(16));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + px(6));
  footer_.clear();
  scene::Color color = context.theme.muted;
  if (checked > 0) {
    const auto estimate = estimate_.answer();
    footer_ = estimate ? counted(checked, "profile", "profiles") + ": " + describe(*estimate)
                       : "Working out what this takes…";
    const std::uint64_t limit = context.settings.memory_limit;
    if (estimate && limit > 0 && estimate->resident_bytes > limit) {
      footer_ += "; more than the memory limit, so ranks wait on the disk until they are looked at";
      color = context.theme.warning;
    }
  } else {
    footer_ = paths.empty() ? "Check the profiles to load, or double click one"
                            : std::filesystem::path(paths[0]).filename().string() + " is chosen";
  }
  text_fitted(context, footer_, ImGui::GetContentRegionAvail().x, color);
}

}  // namespace warpscope::ui
