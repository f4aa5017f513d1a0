#include "app/ui/shell/palette.hpp"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "app/ui/model/fuzzy.hpp"
#include "app/ui/widgets/widgets.hpp"

namespace warpscope::ui {
namespace {

constexpr int kVisibleRows = 12;

void draw_marked(ImDrawList& list, ImVec2 at, const std::string& words, const std::vector<std::size_t>& matched,
                 scene::Color color, scene::Color marked) {
  std::size_t begin = 0;
  auto mark = matched.begin();
  while (begin < words.size()) {
    const bool is_mark = mark != matched.end() && *mark == begin;
    std::size_t end = begin + 1;
    if (is_mark) {
      ++mark;
    } else {
      end = mark == matched.end() ? words.size() : *mark;
    }
    const char* first = words.data() + begin;
    const char* last = words.data() + end;
    list.AddText(at, is_mark ? marked : color, first, last);
    at.x += ImGui::CalcTextSize(first, last).x;
    begin = end;
  }
}

}  // namespace

std::vector<PaletteRow> palette_rows(const CommandTable& table, std::string_view query) {
  std::vector<PaletteRow> rows;
  for (const Command& command : table.all()) {
    PaletteRow row{&command, table.enabled(command.id), 0, {}};
    if (auto by_name = fuzzy_match(query, command.name)) {
      row.score = by_name->score + 4;
      row.matched = std::move(by_name->positions);
    } else if (const auto by_words =
                   fuzzy_match(query, command.category + " " + command.name + " " + command.keywords)) {
      row.score = by_words->score;
    } else {
      continue;
    }
    rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(rows, [](const PaletteRow& a, const PaletteRow& b) {
    if (a.enabled != b.enabled) return a.enabled;
    return a.score > b.score;
  });
  return rows;
}

void Palette::draw(AppContext& context) {
  const float row_height = context.px(28);
  const auto fitting = static_cast<float>(std::clamp(shown_rows_, 1, kVisibleRows));
  const ImVec2 size{context.px(720), context.px(60) + row_height * fitting};
  if (!begin(context, size, context.px(64), false)) return;
  if (just_opened()) {
    query_.clear();
    cursor_ = 0;
    focus_next_item();
  }
  ImGui::SetNextItemWidth(-1);
  {
    const FieldEdge edge(context);
    if (ImGui::InputTextWithHint("##query", "Type a command", &query_)) cursor_ = 0;
  }
  const bool field_active = ImGui::IsItemActive();
  const bool entered = (ImGui::IsItemDeactivated() || field_active) &&
                       (ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false));
  if (!field_active && !just_opened() && !ImGui::IsAnyItemActive()) ImGui::SetKeyboardFocusHere(-1);

  const std::vector<PaletteRow> rows = palette_rows(context.commands, query_);
  shown_rows_ = static_cast<int>(rows.size());
  const bool moved = move_cursor(cursor_, static_cast<int>(rows.size()), kVisibleRows);
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
    if (ImGui::Selectable("##row", i == cursor_, 0, {width, row_height}) && row.enabled) chosen = row.command;
    if (i == cursor_ && moved) ImGui::SetScrollHereY();
    if (i == cursor_ && ImGui::IsWindowAppearing()) ImGui::SetScrollY(0);
    ImGui::SetCursorPos(at);
    draw_row(context, row, i == cursor_, width);
    ImGui::SetCursorPos({at.x, at.y + row_height});
    ImGui::PopID();
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();

  if (entered && cursor_ < static_cast<int>(rows.size()) && rows[static_cast<std::size_t>(cursor_)].enabled) {
    chosen = rows[static_cast<std::size_t>(cursor_)].command;
  }
  if (chosen != nullptr) close();
  const std::string id = chosen == nullptr ? std::string() : chosen->id;
  end();
  if (!id.empty()) context.commands.run(id);
}

void Palette::draw_row(const AppContext& context, const PaletteRow& row, bool chosen, float width) const {
  const Theme& theme = context.theme;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = context.px(28);
  const float text_y = at.y + std::floor((height - ImGui::GetFontSize()) / 2);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float fade = row.enabled ? 1.0f : 0.5f;
  const std::string category = row.command->category;
  float x = at.x + context.px(8);
  draw_text(list, {x, text_y}, faded(chosen ? theme.text : theme.muted, fade), category);
  x += context.px(168);
  draw_marked(list, {x, text_y}, row.command->name, row.matched, faded(theme.text, fade),
              row.enabled ? theme.accent : faded(theme.text, fade));
  float right = at.x + width - context.px(8);
  for (std::size_t i = std::min<std::size_t>(2, row.command->keys.size()); i-- > 0;) {
    const std::string chord = to_string(row.command->keys[i]);
    ImGui::SetCursorScreenPos({right, at.y + context.px(4)});
    right -= key_caps(context, chord, true, chosen) + context.px(12);
  }
}

}  // namespace warpscope::ui
