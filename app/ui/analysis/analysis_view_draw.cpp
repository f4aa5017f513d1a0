// Draws an analysis.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/ui/analysis/analysis_view.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/timeline/panel.hpp"
#include "app/ui/widgets/menu.hpp"
#include "app/ui/widgets/plot_view.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {
namespace {

constexpr float kLeastChart = 140;
constexpr float kLeastTable = 56;
constexpr float kFilterWidth = 220;
constexpr float kNarrowTable = 480;  // next to a panel
constexpr const char* kChartMenu = "##chart-menu";

}  // namespace

void AnalysisView::draw() {
  take();
  draw_head(ImGui::GetContentRegionAvail().x);
  draw_answer(ImGui::GetContentRegionAvail());
  results_.end_frame();
}

void AnalysisView::draw_head(float width) {
  const Metrics& px = app_.px;
  const float y = ImGui::GetCursorPosY();
  const Table* now = table();
  heading(app_, look_.bare && now != nullptr ? std::string_view(now->title)
                : look_.title.empty()        ? std::string_view(shown().title)
                                             : std::string_view(look_.title));
  if (now != nullptr && now->rows() > 0) {
    float right = width;
    const auto button = [&](const char* words, const char* tip, const char* command) {
      const float own = ImGui::CalcTextSize(words).x + px(16);
      ImGui::SameLine(right - own);
      ImGui::SetCursorPosY(y);
      const bool clicked = ImGui::Button(words, {own, px(28)});
      if (ImGui::IsItemHovered()) tooltip(app_, tip, {}, app_.commands.keys_text(command_ + command, 1));
      right -= own + px(8);
      return clicked;
    };
    if (button("Copy as CSV", "Uses stable column names suitable for scripts", "copy")) copy_csv();
    if (!look_.bare && app_.show_query && button("SQL", "Opens the table on the Query page", "query"))
      app_.show_query(as_sql());
    if (can_follow(chosen_) && button("Show in the Timeline", "Goes to the selected row's location", "follow"))
      follow(chosen_.value_or(0));
  }
  if (look_.bare) return ImGui::Dummy({0, px(4)});
  text_wrapped(shown().about, app_.theme.muted);
  ImGui::Dummy({0, px(2)});
  scope_.draw(app_, *app_.session.profile());
  if (!shown().parameters.empty()) parameters_.draw(app_, shown(), width, look_.hidden);
  const auto chosen = parameters_.settings(shown());
  if (!shown().still_ours.empty() && std::ranges::find(chosen, analysis::Setting("hta", "true")) != chosen.end()) {
    // Below the fields, so that a clicked switch stays under the pointer.
    text_wrapped("Differs from HTA even with hta=true: " + std::string(shown().still_ours), app_.theme.muted);
  }
  draw_parts(width);
  ImGui::Dummy({0, px(2)});
}

void AnalysisView::draw_filter(float width) {
  const Table* now = table();
  if (now == nullptr || now->rows() < 2) return;
  std::string words = filter_;
  if (small_search(app_, "##filter", words, "Filter the rows", std::min(app_.px(kFilterWidth), width))) filter(words);
  if (filter_.empty()) return;
  ImGui::SameLine(0, app_.px(8));
  if (small_button(app_, "##clear-filter", "Clear")) filter("");
  ImGui::SameLine(0, app_.px(8));
  small_label(app_, fmt::format("{} of {} rows", format_count(static_cast<std::int64_t>(table_view_.rows().matches())),
                                format_count(static_cast<std::int64_t>(now->rows()))));
}

void AnalysisView::draw_parts(float width) {
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

void AnalysisView::draw_answer(ImVec2 room) {
  if (answer_ && !answer_->tables.ok()) {
    panel_words(app_, room, sentence(answer_->tables.error().message()), "");
    return;
  }
  const Table* now = table();
  if (now == nullptr) {
    panel_words(app_, room, "Computing…", "");
    return;
  }
  if (now->rows() == 0) {
    panel_words(
        app_, room,
        now->note.empty() ? std::string_view("This profile has no data for this table") : std::string_view(now->note),
        "");
    return;
  }
  // The note of the first table also applies to tables without a note.
  const std::string& note = now->note.empty() && !look_.bare ? tables()->front().note : now->note;
  if (!note.empty()) caption(app_, note, room.x, app_.theme.text, 3);
  if (!drawing_.words.empty()) caption(app_, drawing_.words, room.x, app_.theme.text);
  room = ImGui::GetContentRegionAvail();
  if (!std::holds_alternative<std::monostate>(drawing_.chart)) {
    const float wanted = app_.px(plots::bars_height(drawing_.chart, room.y / app_.px.scale));
    const float height = std::min(std::max(std::min(wanted, room.y * look_.chart_share), app_.px(kLeastChart)), room.y);
    draw_chart(*now, {room.x, std::floor(height)});
    ImGui::Dummy({0, app_.px(4)});
  }
  // If they do not both fit, keep the chart: the table scrolls, and it can be copied while hidden.
  if (!look_.bare) draw_filter(room.x);
  const float rest = ImGui::GetContentRegionAvail().y;
  if (rest < app_.px(kLeastTable)) return;
  const float beside = look_.beside ? app_.px(look_.beside_width()) : 0;
  if (beside == 0 || room.x - beside < app_.px(kNarrowTable)) return draw_table(*now, rest);
  const ImVec2 at = ImGui::GetCursorPos();
  ImGui::BeginChild("##rows", {room.x - beside - app_.px(12), rest}, 0, ImGuiWindowFlags_NoBackground);
  draw_table(*now, rest);
  ImGui::EndChild();
  ImGui::SetCursorPos({at.x + room.x - beside, at.y});
  look_.beside(rest);
}

void AnalysisView::draw_chart(const Table& table, ImVec2 size) {
  const bool own = drawing_.table == static_cast<std::size_t>(&table - tables()->data());
  const auto marked = own && chosen_ ? drawing_.item_of(*chosen_) : std::nullopt;
  const ChartView::Answer over = draw_plot(app_, chart_, "##chart", size, app_.theme.ground, drawing_, marked);
  const bool icicle = std::holds_alternative<charts::Icicle>(drawing_.chart);
  const auto row = own && over.item ? drawing_.row_of(*over.item) : std::nullopt;
  if (over.menu) {
    if (row) choose(row);
    ImGui::OpenPopup(kChartMenu);
  }
  draw_chart_menu();
  if (ImGui::IsPopupOpen(kChartMenu)) return;
  plot_tooltip(app_, chart_, drawing_, (*tables())[drawing_.table], over, "",
               icicle            ? "Click to zoom in or out; press F to show all its calls in the Timeline"
               : can_follow(row) ? "Double-click to show it in the Timeline"
                                 : "");
  if (!row) return;
  if (over.clicked) {
    choose(row);
    if (icicle) zoom(zoomed_ == row ? std::nullopt : row);
  }
  if (over.double_clicked && !icicle) follow(*row);
}

void AnalysisView::draw_chart_menu() {
  if (!begin_menu_popup(app_, kChartMenu)) return;
  for (const char* command : {"follow", "copy"}) menu_item(app_, command_ + command);
  end_menu_popup();
}

void AnalysisView::draw_table(const Table& table, float height) {
  const auto options = TableView::followed_rows(
      chosen_, scroll_, [this](std::size_t row) { return can_follow(row); }, [this](std::size_t row) { follow(row); });
  // ImGui stores column widths by id, so each table gets its own id.
  ImGui::PushID(shown().name.data(), shown().name.data() + shown().name.size());
  table_view_.draw(app_, table.id.c_str(), table, options, height);
  ImGui::PopID();
}

}  // namespace warpscope::ui
