#include "app/ui/analysis/answer_lines.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <cfloat>
#include <cmath>

#include "app/ui/analysis/row_target.hpp"
#include "app/ui/model/commands.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/analysis/request/registry.hpp"

namespace warpscope::ui {
namespace {

constexpr float kPad = 6;  // above and below a sentence
constexpr float kInset = 12;
constexpr const char* kPlace = "Show in the Timeline";

}  // namespace

bool AnswerLines::draw(AppContext& app, std::shared_ptr<const AnalysisAnswer> answer, std::size_t index, float width) {
  lines_.clear();
  const Table& table = (*answer->tables)[index];
  const auto text = table.find_role(ColumnRole::answer);
  const auto analysis = table.find_role(ColumnRole::analysis);
  if (!text || !analysis || table.rows() == 0) return false;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 corner = ImGui::GetCursorPos();
  float y = corner.y;
  const float button = small_width(app, kPlace);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    ImGui::PushID(static_cast<int>(row));
    Line line{std::string(table.at(row, *text).text()), std::string(table.at(row, *analysis).text())};
    ImFont* font = row == 0 ? app.fonts.heading : ImGui::GetFont();
    const float room = width - button - app.px(3 * kInset);
    const ImVec2 words = font->CalcTextSizeA(font->FontSize, FLT_MAX, room, line.text.c_str());
    const float height = std::ceil(words.y) + app.px(2 * kPad);
    ImGui::SetCursorPos({corner.x, y});
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (ImGui::InvisibleButton("##answer", {std::ceil(words.x) + app.px(2 * kInset), height}))
      app.commands.run("analysis.show." + line.analysis);
    const bool hovered = ImGui::IsItemHovered();
    if (hovered) {
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      list.AddRectFilled(at, ImGui::GetItemRectMax(), app.theme.raised, app.px(4));
      const auto* more = analysis::find_analysis(line.analysis);
      if (more != nullptr) tooltip(app, more->title, more->about, "Click to show this analysis");
    }
    const float bar = app.px(3);
    list.AddRectFilled({at.x, at.y + app.px(kPad)}, {at.x + bar, at.y + height - app.px(kPad)}, app.theme.accent);
    list.AddText(font, font->FontSize, {at.x + app.px(kInset), at.y + app.px(kPad)},
                 hovered ? app.theme.accent : app.theme.text, line.text.c_str(), nullptr, room);
    line.x = at.x;
    line.y = at.y;
    line.width = std::ceil(words.x) + app.px(2 * kInset);
    line.height = height;
    if (answer->generation == app.session.generation() && has_target(*app.session.profile(), table, row)) {
      ImGui::SetCursorPos({corner.x + line.width + app.px(4), y + std::floor((height - app.px(kControlHeight)) / 2)});
      line.place_x = ImGui::GetCursorScreenPos().x;
      if (small_button(app, "##place", kPlace, true, "Shows the longest occurrence, rank or kernel in the Timeline"))
        follow_row(app, answer, index, row);
    }
    lines_.push_back(std::move(line));
    y += height;
    ImGui::PopID();
  }
  ImGui::SetCursorPos({corner.x, y});
  return true;
}

}  // namespace warpscope::ui
