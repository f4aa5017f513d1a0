#include "app/ui/shell/palette.hpp"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/ui/model/has_words.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/widgets/menu.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/json_writer.hpp"

namespace warpscope::ui {
namespace {

constexpr int kVisibleRows = 12;
constexpr int kVisibleHelpRows = 24;
constexpr float kRow = 28;
constexpr float kNameAt = 176;

}  // namespace

std::vector<PaletteRow> palette_rows(const CommandTable& table, std::string_view query) {
  std::vector<PaletteRow> rows;
  for (const Command& command : table.all()) {
    const bool named = has_words(query, command.name);
    if (!named && !has_words(query, command.category + " " + command.name + " " + command.keywords)) continue;
    const bool starts = lower(command.name).starts_with(lower(query));
    rows.push_back({&command, table.enabled(command.id), starts ? 0 : named ? 1 : 2});
  }
  std::ranges::stable_sort(rows, {}, [](const PaletteRow& row) { return std::pair(!row.enabled, row.rank); });
  return rows;
}

void Palette::draw(AppContext& context, std::string_view page, std::span<const Gesture> gestures) {
  const float row_height = context.px(kRow);
  const auto fitting = static_cast<float>(std::clamp(shown_rows_, 1, help_ ? kVisibleHelpRows : kVisibleRows));
  const ImVec2 size{context.px(720), context.px(64) + row_height * fitting};
  if (!begin(context, size, context.px(64), false)) return;
  if (just_opened()) {
    query_.clear();
    cursor_.move_to(0);
    focus_next_item();
  }
  ImGui::SetNextItemWidth(-1);
  {
    const FieldEdge edge(context);
    if (ImGui::InputTextWithHint("##query", help_ ? "Find a command or gesture" : "Type a command", &query_))
      cursor_.move_to(0);
  }
  const bool field_active = ImGui::IsItemActive();
  const bool entered = (ImGui::IsItemDeactivated() || field_active) &&
                       (ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false));
  if (!field_active && !just_opened() && !ImGui::IsAnyItemActive()) ImGui::SetKeyboardFocusHere(-1);

  std::vector<PaletteRow> rows = palette_rows(context.commands, query_);
  if (help_ && query_.empty()) {
    std::erase_if(rows, [](const PaletteRow& row) { return row.command->keys.empty(); });
    std::ranges::stable_partition(rows, [page](const PaletteRow& row) { return row.command->page == page; });
  }
  cursor_.update(static_cast<int>(rows.size()));
  const Command* const current =
      rows.empty() ? nullptr : rows[static_cast<std::size_t>(std::max(0, cursor_.at()))].command;
  const Command* chosen = nullptr;
  ImGui::Dummy({0, context.px(4)});
  ImGui::BeginChild("##rows");
  if (rows.empty()) text_muted("No matching command");
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
    const PaletteRow& row = rows[static_cast<std::size_t>(i)];
    ImGui::PushID(i);
    const ImVec2 at = ImGui::GetCursorPos();
    const bool at_cursor = i == cursor_.at();
    if (ImGui::Selectable("##row", at_cursor, 0, {width, row_height}) && row.enabled) chosen = row.command;
    cursor_.mark(context, i);
    if (at_cursor && ImGui::IsWindowAppearing()) ImGui::SetScrollY(0);
    ImGui::SetCursorPos(at);
    draw_row(context, row, at_cursor, width);
    ImGui::SetCursorPos({at.x, at.y + row_height});
    ImGui::PopID();
  }
  shown_rows_ = static_cast<int>(rows.size()) + (help_ ? draw_gestures(context, gestures, width) : 0);
  ImGui::PopStyleVar();
  ImGui::EndChild();

  if (entered && current != nullptr && context.commands.enabled(current->id)) chosen = current;
  if (chosen != nullptr) close();
  const std::string id = chosen == nullptr ? std::string() : chosen->id;
  end();
  if (!id.empty()) context.commands.run(id);
}

int Palette::draw_gestures(const AppContext& context, std::span<const Gesture> gestures, float width) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  int shown = 0;
  for (const Gesture& gesture : gestures) {
    if (!has_words(query_, "Mouse " + std::string(gesture.what) + " " + std::string(gesture.how))) continue;
    ++shown;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float y = at.y + std::floor((context.px(kRow) - ImGui::GetFontSize()) / 2);
    draw_text(list, {at.x + context.px(8), y}, context.theme.muted, "Mouse");
    draw_text(list, {at.x + context.px(kNameAt), y}, context.theme.text, gesture.what);
    draw_text(list, {at.x + width - context.px(8) - text_width(gesture.how), y}, context.theme.muted, gesture.how);
    ImGui::Dummy({width, context.px(kRow)});
  }
  return shown;
}

void Palette::draw_row(const AppContext& context, const PaletteRow& row, bool chosen, float width) const {
  const Theme& theme = context.theme;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = context.px(kRow);
  const float text_y = at.y + std::floor((height - ImGui::GetFontSize()) / 2);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float fade = row.enabled ? 1.0f : 0.5f;
  const std::string category = row.command->category;
  float x = at.x + context.px(8);
  draw_text(list, {x, text_y}, faded(chosen ? theme.text : theme.muted, fade), category);
  x += context.px(kNameAt - 8);
  draw_text(list, {x, text_y}, faded(theme.text, fade), row.command->name);
  float right = at.x + width - context.px(8);
  for (std::size_t i = std::min<std::size_t>(help_ ? 4 : 2, row.command->keys.size()); i-- > 0;) {
    const std::string chord = to_string(row.command->keys[i]);
    ImGui::SetCursorScreenPos({right, at.y + context.px(4)});
    right -= key_caps(context, chord, true, chosen) + context.px(12);
  }
}

}  // namespace warpscope::ui
