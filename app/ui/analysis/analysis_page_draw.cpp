// Draws the Analysis page.
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/ui/analysis/analysis_page.hpp"
#include "app/ui/analysis/page_words.hpp"
#include "app/ui/model/commands.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/timeline/panel.hpp"
#include "app/ui/widgets/line_hover.hpp"
#include "app/ui/widgets/menu.hpp"
#include "app/ui/widgets/side_list.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"

namespace warpscope::ui {
namespace {

constexpr float kListWidth = 240;
constexpr float kNarrow = 760;  // below this width, the list is a menu above the table
constexpr float kMargin = 16;
constexpr float kLeastChart = 140;
constexpr float kLeastTable = 56;
constexpr const char* kChartMenu = "##chart-menu";

}  // namespace

void AnalysisPage::draw(AppContext& app) {
  if (!app.session.profile()) {
    nothing_here(app, "Shows analyses of the open trace, each with a chart and a table.",
                 "Open a directory with " + app.commands.keys_text("file.open", 1) + ".");
    return;
  }
  take();
  const Metrics& px = app.px;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float margin = px(kMargin);
  const bool narrow = room.x < px(kNarrow);
  float left = margin;
  if (!narrow) {
    ImGui::SetCursorPos({px(8), margin});
    ImGui::BeginChild("##analyses", {px(kListWidth), room.y - margin}, 0, ImGuiWindowFlags_NoBackground);
    draw_list(ImGui::GetContentRegionAvail().x, false);
    ImGui::EndChild();
    left = px(8) + px(kListWidth) + margin;
  }
  ImGui::SetCursorPos({left, margin});
  ImGui::BeginChild("##answer", {room.x - left - margin, room.y - margin - px(8)}, 0,
                    ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar);
  const float width = ImGui::GetContentRegionAvail().x;
  if (narrow) draw_list(width, true);
  draw_head(width);
  draw_answer(ImGui::GetContentRegionAvail());
  ImGui::EndChild();
  results_.end_frame();
  if (const auto path = save_.draw(app)) save_picture(*path);
}

void AnalysisPage::draw_list(float width, bool menu) {
  std::vector<SideItem> items;
  std::vector<std::size_t> indices;  // registry indices of the items
  std::optional<std::size_t> on;
  for (const std::size_t i : listed()) {
    if (i == shown_) on = items.size();
    const analysis::Analysis& each = analysis::analyses()[i];
    items.push_back({.name = each.title,
                     .about = each.about,
                     .further = each.name,
                     .group = titled(i) ? analysis::group_of(each) : "Matches in descriptions"});
    indices.push_back(i);
  }
  if (items.empty() && !menu) text_muted("No analysis matches");
  const auto clicked = menu ? side_menu(app_, shown().title, items, on) : side_list(app_, items, on, width);
  if (clicked) show(indices[*clicked]);
}

void AnalysisPage::draw_head(float width) {
  const Metrics& px = app_.px;
  const float y = ImGui::GetCursorPosY();
  ImGui::PushFont(app_.fonts.heading);
  text(shown().title);
  ImGui::PopFont();
  if (const Table* now = table(); now != nullptr && now->rows() > 0) {
    float right = width;
    const auto button = [&](const char* words, const char* tip, const char* command) {
      const float own = ImGui::CalcTextSize(words).x + px(16);
      ImGui::SameLine(right - own);
      ImGui::SetCursorPosY(y);
      const bool clicked = ImGui::Button(words, {own, px(28)});
      if (ImGui::IsItemHovered()) tooltip(app_, tip, {}, app_.commands.keys_text(command, 1));
      right -= own + px(8);
      return clicked;
    };
    if (button("Copy as CSV", "With stable column names for scripts", "analysis.copy")) copy_csv();
    if (!std::holds_alternative<std::monostate>(drawing_.chart) &&
        button("Save chart…", "Saves as SVG or PNG with axis titles, for papers", "analysis.save-picture"))
      ask_picture();
    if (can_follow(chosen_) &&
        button("Show in the Timeline",
               leads_to_path() ? "Shows the critical path of the selected row's rank, otherwise of the first rank"
                               : "Goes to the selected row's place",
               "analysis.follow"))
      follow(chosen_.value_or(0));
  }
  ImGui::PushTextWrapPos(0);
  text_muted(shown().about);
  ImGui::PopTextWrapPos();
  ImGui::Dummy({0, px(2)});
  scope_.draw(app_, *app_.session.profile());
  if (!shown().parameters.empty()) parameters_.draw(app_, shown(), width);
  const auto chosen = parameters_.settings(shown());
  if (!shown().still_ours.empty() && std::ranges::find(chosen, analysis::Setting("hta", "true")) != chosen.end()) {
    // Below the fields, so that a switch does not move from under the pointer when clicked.
    ImGui::PushTextWrapPos(0);
    text_muted("Differs from HTA even with hta=true: " + std::string(shown().still_ours));
    ImGui::PopTextWrapPos();
  }
  draw_parts(width);
  ImGui::Dummy({0, px(2)});
}

void AnalysisPage::draw_parts(float width) {
  const std::vector<Table>* all = tables();
  if (all == nullptr || all->size() < 2) return;
  std::vector<std::string_view> words;
  float whole = 0;
  for (const Table& each : *all) {
    words.push_back(each.title);
    whole += small_width(app_, each.title);
  }
  const auto now = static_cast<std::size_t>(table() - all->data());
  if (whole <= width) {
    if (const auto clicked = small_choice(app_, "##part", words, now)) show_part(*clicked);
    return;
  }
  ImGui::SetNextItemWidth(std::min(width, app_.px(320)));
  if (ImGui::BeginCombo("##part", (*all)[now].title.c_str())) {
    for (std::size_t i = 0; i < all->size(); ++i)
      if (ImGui::Selectable((*all)[i].title.c_str(), i == now)) show_part(i);
    ImGui::EndCombo();
  }
}

void AnalysisPage::draw_answer(ImVec2 room) {
  answers_.clear();
  if (answer_ && !answer_->tables.ok()) {
    panel_words(app_, room, sentence(answer_->tables.error().message()), "");
    return;
  }
  const Table* now = table();
  if (now == nullptr) {
    panel_words(app_, room, "Counting…", "");
    return;
  }
  if (now->rows() == 0) {
    panel_words(app_, room, now->note.empty() ? "This profile has no data for it" : note_on_page(now->note), "");
    return;
  }
  if (!now->note.empty()) caption(app_, note_on_page(now->note), room.x, app_.theme.muted, 3);
  if (const AnswerLines::Choice choice = answers_.draw(app_, *app_.session.profile(), *now, room.x);
      !answers_.lines().empty()) {
    if (!choice.analysis.empty()) app_.commands.run("analysis.show." + choice.analysis);
    if (choice.place) follow(*choice.place);
    return;
  }
  if (!drawing_.words.empty()) caption(app_, drawing_.words, room.x, app_.theme.text);
  room = ImGui::GetContentRegionAvail();
  if (!std::holds_alternative<std::monostate>(drawing_.chart)) {
    const float wanted = app_.px(plots::bars_height(drawing_.chart, room.y / app_.px.scale));
    const float height = std::min(std::max(std::min(wanted, room.y * 0.45f), app_.px(kLeastChart)), room.y);
    draw_chart(*now, {room.x, std::floor(height)});
    ImGui::Dummy({0, app_.px(4)});
  }
  // If both do not fit, keep the chart: the table scrolls, and can be copied while hidden.
  if (const float rest = ImGui::GetContentRegionAvail().y; rest >= app_.px(kLeastTable)) draw_table(*now, rest);
}

void AnalysisPage::draw_chart(const Table& table, ImVec2 size) {
  const auto* lines = std::get_if<charts::LineChart>(&drawing_.chart);
  const auto make = [this, lines](float width, float height, const charts::ChartStyle& style) {
    if (lines != nullptr) {
      charts::LineDrawing made = charts::draw_lines(*lines, width, height, style);
      time_ = made.x;
      return std::move(made.drawing);
    }
    return plots::draw(drawing_.chart, width, height, style);
  };
  std::optional<std::uint32_t> marked;
  if (chosen_) marked = drawing_.item_of(*chosen_);
  const ChartView::Answer over = chart_.draw(app_, "##chart", size, app_.theme.ground, make, marked);
  if (lines != nullptr && over.hovered) line_hover(app_, chart_, *lines, time_, over.pointer, "");
  const std::size_t row = over.item ? drawing_.row_of(*over.item).value_or(table.rows()) : table.rows();
  if (over.menu) {
    if (row < table.rows()) chosen_ = row;
    ImGui::OpenPopup(kChartMenu);
  }
  draw_chart_menu();
  if (ImGui::IsPopupOpen(kChartMenu)) return;
  if (row >= table.rows()) return;
  tooltip(app_, plots::row_name(table, row), row_texts(table, row) + plots::row_facts(table, row),
          can_follow(row) ? "Double-click to show it in the Timeline" : "");
  if (over.clicked) chosen_ = row;
  if (over.double_clicked) follow(row);
}

void AnalysisPage::draw_chart_menu() {
  if (!begin_menu_popup(app_, kChartMenu)) return;
  for (const char* command : {"analysis.follow", "analysis.copy", "analysis.save-picture"}) menu_item(app_, command);
  end_menu_popup();
}

void AnalysisPage::draw_table(const Table& table, float height) {
  TableView::Options options;
  options.chosen = chosen_;
  options.clicked = [this](std::size_t row) { chosen_ = chosen_ == row ? std::nullopt : std::optional(row); };
  options.menu = [this](std::size_t row) {
    if (ImGui::MenuItem("Show in the Timeline", nullptr, false, can_follow(row))) follow(row);
  };
  options.double_clicked = [this](std::size_t row) { follow(row); };
  // ImGui stores column widths by id, so each table gets its own id.
  ImGui::PushID(shown().name.data(), shown().name.data() + shown().name.size());
  table_view_.draw(app_, table.id.c_str(), table, options, height);
  ImGui::PopID();
}

}  // namespace warpscope::ui
