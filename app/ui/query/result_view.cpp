#include "app/ui/query/result_view.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/ui/analysis/row_target.hpp"
#include "app/ui/model/commands.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/query/result_columns.hpp"
#include "app/ui/widgets/plot_view.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/timeline_link.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/format.hpp"
#include "core/base/json_writer.hpp"

namespace warpscope::ui {
namespace {

constexpr float kChartShare = 0.48F;
constexpr float kLeastChart = 110;
constexpr float kLeastTable = 120;
constexpr float kColumnField = 150;

std::vector<std::string_view> names_of(const Table& rows) {
  std::vector<std::string_view> names;
  for (const Column& column : rows.columns()) names.push_back(column.name);
  return names;
}

}  // namespace

void ResultView::show(std::shared_ptr<const QueryAnswer> answer) {
  const bool same =
      answer && answer->rows() != nullptr && rows() != nullptr && names_of(*answer->rows()) == names_of(*rows());
  answer_ = std::move(answer);
  chosen_.reset();
  made_ = false;
  if (rows() == nullptr) return;
  table_view_.keep_names();
  table_view_.set_table(*rows());
  if (!same || rows()->rows() == 0 || choice_.kind == ResultChart::none) choice_ = suggested_chart(*rows());
}

void ResultView::set_chart(ChartChoice choice) {
  choice_ = choice;
  made_ = false;
}

void ResultView::turn_chart() {
  if (rows() == nullptr) return;
  auto kind = static_cast<std::size_t>(choice_.kind);
  ChartChoice next;
  do {
    kind = (kind + 1) % kResultCharts.size();
    next = choice_for(*rows(), static_cast<ResultChart>(kind));
  } while (next.kind == ResultChart::none && kind != 0);
  set_chart(next);
}

void ResultView::move_row(int by) {
  const std::vector<std::uint32_t>& order = table_view_.order();
  if (rows() == nullptr || order.empty()) return;
  const auto at = chosen_ ? std::ranges::find(order, static_cast<std::uint32_t>(*chosen_)) : order.end();
  std::ptrdiff_t place = by > 0 ? 0 : std::ssize(order) - 1;
  if (at != order.end()) place = std::clamp<std::ptrdiff_t>(at - order.begin() + by, 0, std::ssize(order) - 1);
  chosen_ = order[static_cast<std::size_t>(place)];
  scroll_ = true;
}

void ResultView::copy_csv() const {
  if (rows() != nullptr)
    ui::copy_csv(app_, *rows(), "Copied " + format_count(static_cast<std::int64_t>(rows()->rows())) + " rows");
}

bool ResultView::can_follow(std::optional<std::size_t> row) const {
  const auto& profile = app_.session.profile();
  if (rows() == nullptr || !profile || !row || *row >= rows()->rows()) return false;
  return answer_->result.generation == app_.session.generation() &&
         (slice_in(*profile, *rows(), *row, answer_->slices) || target_of(*profile, *rows(), *row));
}

void ResultView::follow(std::optional<std::size_t> row) {
  if (!can_follow(row)) return;
  if (const auto slice = slice_in(*app_.session.profile(), *rows(), *row, answer_->slices))
    show_in_timeline_page(app_, *slice);
  else
    follow_row(app_, answer_->result, 0, *row);
}

std::string ResultView::summary() const {
  std::string words = format_count(static_cast<std::int64_t>(rows()->rows())) +
                      (rows()->rows() == 1 ? " row" : " rows") + " · " +
                      format_duration(static_cast<Ns>(answer_->seconds * 1e9));
  if (answer_->result.generation != app_.session.generation()) words += " · before the profile changed; run it again";
  return words;
}

void ResultView::update() {
  const bool sorts = choice_.kind == ResultChart::bars && table_view_.sorted() != made_sorted_;
  if (made_ && !sorts && made_for_ == app_.theme.kind) return;
  made_ = true;
  made_for_ = app_.theme.kind;
  made_sorted_ = table_view_.sorted();
  charted_ =
      chart_of(*rows(), choice_, app_.theme.kind, made_sorted_ ? table_view_.order() : std::vector<std::uint32_t>());
  chart_view_.changed();
}

void ResultView::draw() {
  if (rows() == nullptr) return;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (rows()->columns().empty() || rows()->rows() == 0) {
    panel_words(app_, room, rows()->columns().empty() ? "Done. The query has no result." : "No row matches.", "");
    return;
  }
  draw_choices(room.x);
  update();
  if (!rows()->note.empty()) caption(app_, rows()->note, room.x, app_.theme.text, 2);
  if (!charted_.drawing.words.empty()) caption(app_, charted_.drawing.words, room.x, app_.theme.text);
  const float left = ImGui::GetContentRegionAvail().y;
  const float table = std::min(app_.px(kLeastTable), static_cast<float>(rows()->rows() + 2) * ImGui::GetFontSize() * 2);
  const float most = std::max(left * kChartShare, app_.px(kLeastChart));
  if (!std::holds_alternative<std::monostate>(charted_.drawing.chart) && left - table >= app_.px(kLeastChart)) {
    const float wanted = app_.px(plots::bars_height(charted_.drawing.chart, left / app_.px.scale));
    draw_chart({room.x, std::floor(std::min({std::max(wanted, app_.px(kLeastChart)), most, left - table}))});
    ImGui::Dummy({0, app_.px(2)});
  }
  draw_table(ImGui::GetContentRegionAvail().y);
}

void ResultView::draw_head() {
  if (rows() == nullptr) return;
  small_label(app_, summary());
  if (rows()->rows() == 0) return;
  auto button = [&, right = ImGui::GetContentRegionMax().x](const char* word, const char* tip,
                                                            const char* command) mutable {
    right -= small_width(app_, word);
    ImGui::SameLine(right);
    right -= app_.px(8);
    const bool clicked = small_button(app_, word, word);
    if (ImGui::IsItemHovered()) tooltip(app_, tip, {}, app_.commands.keys_text(command, 1));
    return clicked;
  };
  if (button("Copy as CSV", "Copies all rows with exact values", "query.copy")) copy_csv();
  if (can_follow(chosen_) && button("Show in the Timeline", "Goes to the selected row's location", "query.follow"))
    follow(chosen_);
}

void ResultView::draw_choices(float width) {
  std::vector<std::string_view> words;
  std::vector<ChartChoice> choices;
  std::size_t now = 0;
  float used = 0;
  for (std::size_t i = 0; i < kResultCharts.size(); ++i) {
    const auto kind = static_cast<ResultChart>(i);
    const ChartChoice choice = choice_for(*rows(), kind);
    if (choice.kind != kind) continue;
    if (kind == choice_.kind) now = words.size();
    words.push_back(kResultCharts[i]);
    choices.push_back(choice);
    used += small_width(app_, kResultCharts[i]);
  }
  if (words.size() < 2 || rows()->rows() < 2) return;
  if (const auto clicked = small_choice(app_, "##chart-kind", words, now)) set_chart(choices[*clicked]);
  if (choice_.kind == ResultChart::none) return;
  const std::string_view x_word = choice_.kind == ResultChart::lines ? "over" : "of";
  const float labels = small_width(app_, x_word) + small_width(app_, "values") + app_.px(24);
  const float field = std::floor(std::min(app_.px(kColumnField), (width - used - labels) / 2));
  if (choice_.kind != ResultChart::histogram) draw_column_choice("##x", x_word, field, choice_.x, false);
  draw_column_choice("##value", "values", field, choice_.value, true);
}

void ResultView::draw_column_choice(const char* id, std::string_view word, float width, std::size_t& column,
                                    bool value) {
  ImGui::SameLine(0, app_.px(12));
  small_label(app_, word);
  ImGui::SameLine(0, app_.px(6));
  ImGui::PushFont(app_.fonts.caption);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      ImVec2(app_.px(6), std::floor((app_.px(kControlHeight) - ImGui::GetFontSize()) / 2)));
  ImGui::SetNextItemWidth(width);
  const FieldEdge edge(app_);
  if (ImGui::BeginCombo(id, rows()->columns()[column].name.c_str())) {
    for (std::size_t c = 0; c < rows()->columns().size(); ++c) {
      const bool can = value ? can_be_value(*rows(), c) : can_be_x(*rows(), c, choice_.kind);
      const bool other = c != column && (c == choice_.x || c == choice_.value);
      if (!can || (other && choice_.kind != ResultChart::histogram)) continue;
      if (!ImGui::Selectable(rows()->columns()[c].name.c_str(), c == column)) continue;
      column = c;
      made_ = false;
    }
    ImGui::EndCombo();
  }
  ImGui::PopStyleVar();
  ImGui::PopFont();
}

void ResultView::draw_chart(ImVec2 size) {
  const auto marked = chosen_ ? charted_.item_of(*chosen_) : std::nullopt;
  const ChartView::Answer over =
      draw_plot(app_, chart_view_, "##chart", size, app_.theme.ground, charted_.drawing, marked);
  const auto row = over.item ? charted_.row_of(*over.item) : std::nullopt;
  plot_tooltip(app_, chart_view_, charted_.drawing, charted_.tables.front(), over, "",
               can_follow(row) ? "Double-click to show it in the Timeline" : "");
  if (!row) return;
  if (over.clicked) {
    chosen_ = row;
    scroll_ = true;
  }
  if (over.double_clicked) follow(row);
}

void ResultView::draw_table(float height) {
  const auto options = TableView::followed_rows(
      chosen_, scroll_, [this](std::size_t row) { return can_follow(row); }, [this](std::size_t row) { follow(row); });
  // ImGui stores column widths by id, so each set of columns gets its own.
  for (const std::string_view name : names_of(*rows())) ImGui::PushID(name.data(), name.data() + name.size());
  table_view_.draw(app_, "##rows", *rows(), options, height);
  for (std::size_t c = 0; c < rows()->columns().size(); ++c) ImGui::PopID();
}

void ResultView::write_state(JsonWriter& writer) const {
  const Table* now = rows();
  writer.member("rows", now != nullptr ? now->rows() : 0);
  writer.member("columns", now != nullptr ? now->columns().size() : 0);
  writer.member("note", now != nullptr ? now->note : std::string());
  writer.member("chart", kResultCharts[static_cast<std::size_t>(choice_.kind)]);
  writer.member("charted", now != nullptr && !std::holds_alternative<std::monostate>(charted_.drawing.chart));
  writer.member("chosen", chosen_ ? static_cast<std::int64_t>(*chosen_) : -1);
  writer.member("leads_to_timeline", can_follow(chosen_));
}

}  // namespace warpscope::ui
