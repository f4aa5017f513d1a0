#include "app/ui/findings/rule_details.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/ui/widgets/plot_view.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/rules/registry.hpp"

namespace warpscope::ui {

namespace {

constexpr float kDetailChartHeight = 220;
constexpr float kMostDetailChart = 420;
constexpr std::size_t kMostLines = 12;  // of a table; more scroll

}  // namespace

void RuleDetails::show(const rules::Evaluated& rule) {
  close();
  rule_ = &rule;
  for (const rules::Detail& detail : rule.outcome.details) {
    auto shown = std::make_unique<Shown>();
    shown->detail = detail;
    shown->view.set_table(shown->detail.table);
    shown_.push_back(std::move(shown));
  }
}

void RuleDetails::draw_chart(AppContext& app, Shown& shown, float width) {
  const scene::Theme theme = app.theme.kind;
  if (shown.drawn_for != theme) {
    shown.drawing = plots::plot_of(shown.detail.chart, {shown.detail.table}, 0, theme);
    shown.drawn_for = theme;
    shown.chart.changed();
  }
  if (std::holds_alternative<std::monostate>(shown.drawing.chart)) return;
  const float height = app.px(std::min(plots::bars_height(shown.drawing.chart, kDetailChartHeight), kMostDetailChart));
  const auto over =
      draw_plot(app, shown.chart, "##chart", {width, std::floor(height)}, app.theme.ground, shown.drawing);
  plot_tooltip(app, shown.chart, shown.drawing, shown.detail.table, over, "", "");
  ImGui::Dummy({0, app.px(4)});
}

void RuleDetails::draw(AppContext& app, float width) {
  if (rule_ == nullptr) return;
  ImGui::Dummy({0, app.px(8)});
  heading(app, rule_->rule->title);
  const float right = ImGui::GetCursorPosX() + width;
  text_wrapped(rules::description(*rule_->rule), app.theme.muted, right);
  if (!rule_->parameters.empty())
    text_wrapped("Parameters of " + std::string(rule_->rule->name) + ": " + rule_->parameters, app.theme.text, right);
  ImGui::Dummy({0, app.px(8)});
  for (std::size_t i = 0; i < shown_.size(); ++i) {
    Shown& shown = *shown_[i];
    const Table& table = shown.detail.table;
    ImGui::PushID(static_cast<int>(i));
    text(table.title);
    if (!table.note.empty()) caption(app, table.note, width, app.theme.muted, 3);
    draw_chart(app, shown, width);
    const float line = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
    const float height = line * static_cast<float>(std::min(table.rows(), kMostLines) + 1) + app.px(8);
    ImGui::BeginChild("##table", {width, height}, 0, ImGuiWindowFlags_NoBackground);
    shown.view.draw(app, "##rows", table, {}, height);
    ImGui::EndChild();
    ImGui::Dummy({0, app.px(8)});
    ImGui::PopID();
  }
}

}  // namespace warpscope::ui
