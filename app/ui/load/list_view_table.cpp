// Draws the profile list's table.
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "app/ui/load/list_view.hpp"
#include "app/ui/model/commands.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {
namespace {

using ingest::FoundProfile;
using ingest::ProfileStatus;

constexpr int kColumns = static_cast<int>(kListColumns) + 1;  // including the checkboxes

std::string count_text(const std::optional<std::size_t>& count) {
  return count ? format_count(static_cast<std::int64_t>(*count)) : std::string(kNoFigure);
}

scene::Color status_color(const Theme& theme, ProfileStatus status) {
  switch (status) {
    case ProfileStatus::failed:
      return theme.error;
    case ProfileStatus::incomplete:
    case ProfileStatus::partial:
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

/// Draws text vertically centered in a row, clipped to its cell starting at `from` px; true if hovered. The cursor does
/// not move, because the only item in a row is the row itself.
bool cell(const std::string& words, scene::Color color, bool right, float row, float from = 0) {
  const float width = std::max(0.0f, ImGui::GetContentRegionAvail().x - from);
  const std::string shown = fit_text(words, width);
  const ImVec2 at(ImGui::GetCursorScreenPos().x + from, ImGui::GetCursorScreenPos().y);
  const float x = right ? std::max(0.0f, width - ImGui::CalcTextSize(shown.c_str()).x) : 0.0f;
  const float y = std::floor((row - ImGui::GetFontSize()) / 2);
  ImGui::GetWindowDrawList()->AddText({at.x + x, at.y + y}, color, shown.c_str());
  return ImGui::IsMouseHoveringRect(at, {at.x + width, at.y + row});
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

/// Returns the folder of a profile relative to the listed folder.
std::string folder_text(const FoundProfile& profile, const std::string& root) {
  const std::filesystem::path below = std::filesystem::path(profile.path).lexically_relative(root);
  const std::filesystem::path shown_root = std::filesystem::path(root).filename();
  if (below.empty() || below == "." || *below.begin() == "..") return shown_root.string();
  const std::filesystem::path parent = below.parent_path();
  return parent.empty() ? shown_root.string() : (shown_root / parent).string();
}

}  // namespace

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
    text_wrapped(scans_.looking()   ? "Looking for profiles…"
                 : list_.all() == 0 ? "No profiles found (.json, .json.gz, .json.zst or .wscope)"
                                    : "No profiles match the search and filters above",
                 context.theme.muted);
    ImGui::Dummy({0, height - px(8) - ImGui::GetTextLineHeightWithSpacing() * 2});
    return;
  }
  const float width = px.units(ImGui::GetContentRegionAvail().x);
  if (!ImGui::BeginTable("##profiles", kColumns, kFlags, {0, height})) return;
  constexpr std::array<float, kListColumns> kWidths = {0, 168, 104, 72, 72, 72, 96, 168, 0};
  constexpr float kRoomForReasons = 1180;  // from this width on, the status includes a reason
  // Narrow windows show only the most important columns.
  constexpr std::array<float, kListColumns> kLeastWidths = {0, 460, 0, 860, 600, 780, 700, 980, 1060};
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn(
      "##check", ImGuiTableColumnFlags_WidthFixed | ImGuiTableColumnFlags_NoSort | ImGuiTableColumnFlags_NoResize,
      px(24));
  for (std::size_t i = 0; i < kListColumns; ++i) {
    const auto column = static_cast<ListColumn>(i);
    const bool reasons = column == ListColumn::status && width >= kRoomForReasons;
    const bool stretches = kWidths[i] == 0 || reasons;
    ImGuiTableColumnFlags flags = stretches ? ImGuiTableColumnFlags_WidthStretch : ImGuiTableColumnFlags_WidthFixed;
    if (i > 2 && i < 7) flags |= ImGuiTableColumnFlags_PreferSortDescending;
    if (column == ListColumn::created)
      flags |= ImGuiTableColumnFlags_DefaultSort | ImGuiTableColumnFlags_PreferSortDescending;
    if (width < kLeastWidths[i]) flags |= ImGuiTableColumnFlags_Disabled;
    ImGui::TableSetupColumn(std::string(to_string(column)).c_str(), flags,
                            stretches ? (column == ListColumn::folder ? 1.0f : 1.4f) : px(kWidths[i]));
  }
  take_sorting();
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  ImGui::TableSetColumnIndex(0);
  const auto checked = static_cast<std::size_t>(std::ranges::count_if(
      list_.shown(), [this](const ProfileList::Row& row) { return list_.checked(row.profile.path); }));
  const bool all = checked > 0 && checked == list_.shown().size();
  if (check_box(context, "##all", all, checked > 0, ImGui::GetFrameHeight() - px(4))) list_.check_shown();
  if (ImGui::IsItemHovered()) tooltip(context, "Check all listed", {}, context.commands.keys_text("load.check-all", 1));
  for (int column = 1; column < kColumns; ++column) {
    if (!ImGui::TableSetColumnIndex(column)) continue;
    const char* const name = ImGui::TableGetColumnName(column);
    const float spare = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(name).x - 1.5f * ImGui::GetFontSize();
    if (column > 3 && column < 8 && spare > 0)
      ImGui::SetCursorPosX(ImGui::GetCursorPosX() + spare);  // aligned with numbers
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
  place.check_x = item_center().x;
  place.y = item_center().y;

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
    if (!ImGui::TableSetColumnIndex(column)) return false;
    ImGui::PushFont(context.fonts.mono);
    const bool over = cell(words, words == kNoFigure ? theme.muted : theme.text, true, inner);
    ImGui::PopFont();
    return over && hovered;
  };
  if (loaded != nullptr) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddCircleFilled({at.x + px(6), at.y + std::floor(inner / 2)}, px(4), theme.accent);
  }
  if (cell(profile.name, theme.text, false, inner, loaded != nullptr ? px(16) : 0) && hovered) {
    tip = profile.path;
    if (loaded != nullptr) facts = loaded->progress.running ? "Loading" : "Loaded";
  }
  const auto shows = [](int column) { return ImGui::TableSetColumnIndex(column); };
  const bool guessed = profile.created_from == ingest::TimeOrigin::modified;
  if (shows(2) && cell(created_text(profile), guessed ? theme.muted : theme.text, false, inner) && hovered)
    tip = created_tip(profile);
  if (shows(3)) {
    const std::string status(ingest::to_string(profile.status));
    bool over = cell(status, status_color(theme, profile.status), false, inner);
    const float taken = ImGui::CalcTextSize(status.c_str()).x + px(8);
    if (!profile.reason.empty() && ImGui::GetContentRegionAvail().x > taken + px(40))
      over = cell(profile.reason, theme.muted, false, inner, taken) || over;
    if (over && hovered && !profile.reason.empty()) tip = sentence(profile.reason);
  }
  const std::array<std::optional<std::size_t>, 3> counts{profile.nodes, profile.ranks, profile.gpus};
  constexpr std::array<const char*, 3> kWhy{"Load the profile to see the number of nodes",
                                            "This profile has no rank traces",
                                            "Load the profile to see the number of GPUs"};
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (figure(static_cast<int>(i) + 4, count_text(counts[i])) && !counts[i]) tip = kWhy[i];
  figure(7, format_bytes(static_cast<std::int64_t>(profile.bytes)));
  const std::string kinds = ingest::sources_text(profile);
  if (shows(8) && cell(kinds, theme.muted, false, inner) && hovered)
    tip = sentence(kinds) + ", " + counted(profile.files, "file", "files");
  const std::string root = row.root < scans_.roots().size() ? scans_.roots()[row.root].path : std::string();
  if (shows(9) && cell(folder_text(profile, root), theme.muted, false, inner) && hovered) tip = profile.path;
  if (!tip.empty()) tooltip(context, tip, facts, "Double-click to load it");
  ImGui::PopID();
  places_.push_back(place);
}

}  // namespace warpscope::ui
