#include "app/ui/widgets/table_view.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/ui/model/settings.hpp"
#include "app/ui/widgets/icons.hpp"
#include "app/ui/widgets/menu.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"

namespace warpscope::ui {

namespace {

constexpr float kWidestMain = 720;
constexpr float kMostOfMain = 0.45f;  // of the table's width, if its columns do not fit
constexpr float kIndent = 12;         // per level of a tree

void right_aligned(std::string_view words) {
  align_right(text_width(words));
  text(words);
}

// The first text column shows the depth of a tree.
std::size_t indented_column(const Table& table) {
  const auto found = std::ranges::find(table.columns(), ColumnKind::text, &Column::kind);
  return static_cast<std::size_t>(found - table.columns().begin());
}

// Draws a share as a bar behind its number, from the left edge of the cell.
void draw_share(const AppContext& app, double share) {
  if (!(share > 0)) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x * static_cast<float>(std::min(share, 1.0));
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y},
                                            {at.x + std::max(1.0f, width), at.y + ImGui::GetTextLineHeight()},
                                            scene::with_alpha(app.theme.accent, 0.28f));
}

// Column names are lower case in files and sentence case on screen.
std::string header_of(const Column& column, const ColumnFormat& format, bool as_they_are) {
  const std::string text = header_text(column, format.unit);
  return as_they_are ? text : sentence(text);
}

// Header cell of a numeric column, right-aligned like its numbers.
void right_aligned_header(const char* label) {
  const float width = ImGui::GetContentRegionAvail().x;
  const float words = ImGui::CalcTextSize(label, nullptr, true).x;
  // The last column's header is one padding narrower than its cells.
  const float arrow = ImGui::GetFontSize() + ImGui::GetStyle().CellPadding.x;
  if (words + arrow < width) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + width - words - arrow);
  ImGui::TableHeader(label);
}

}  // namespace

TableView::Options TableView::followed_rows(std::optional<std::size_t>& chosen, bool& scroll,
                                            std::function<bool(std::size_t row)> can_follow,
                                            std::function<void(std::size_t row)> follow) {
  Options options;
  options.chosen = chosen;
  options.scroll_to_chosen = std::exchange(scroll, false);
  options.clicked = [&chosen](std::size_t row) { chosen = chosen == row ? std::nullopt : std::optional(row); };
  options.menu = [can_follow = std::move(can_follow), follow](std::size_t row) {
    if (ImGui::MenuItem("Show in the Timeline", nullptr, false, can_follow(row))) follow(row);
  };
  options.double_clicked = std::move(follow);
  return options;
}

void TableView::set_table(const Table& table, std::vector<std::uint32_t> unsorted) {
  measure(table);
  rows_.set_table(table, std::move(unsorted));
}

void TableView::measure(const Table& table) {
  constexpr std::size_t kMeasuredRows = 200;
  formats_.clear();
  longest_.assign(table.columns().size(), "");
  labels_.assign(table.columns().size(), std::nullopt);
  const auto depth = table.find_role(ColumnRole::depth);
  deepest_ = 0;
  for (std::size_t column = 0; column < table.columns().size(); ++column) {
    formats_.push_back(choose_format(table, column));
    const bool text = table.columns()[column].kind == ColumnKind::text;
    if (plots::holds_kernels(table, column)) labels_[column].emplace(table, column);
    const auto measured = [&](std::size_t row) {
      const std::string words =
          text ? shown_text(column, table.at(row, column)) : format_cell(formats_[column], table.at(row, column));
      if (words.size() > longest_[column].size()) longest_[column] = words;
      if (depth && text) deepest_ = std::max(deepest_, static_cast<float>(table.at(row, *depth).integer()));
    };
    for (std::size_t row = 0; row < std::min(table.rows(), kMeasuredRows); ++row) measured(row);
    if (!text && table.rows() > 0) measured(table.rows() - 1);  // later times have more digits
  }
  stretching_ = table.columns().size();
  for (std::size_t column = 0; column < table.columns().size(); ++column)
    if (table.columns()[column].kind == ColumnKind::text &&
        (stretching_ == table.columns().size() || longest_[column].size() > longest_[stretching_].size()))
      stretching_ = column;
  // Names stay next to their values.
  if (table.columns().size() == 2 && table.columns().back().kind == ColumnKind::text) stretching_ = 1;
}

float TableView::tree_room(const AppContext& app) const {
  return app.px(kIndent) * deepest_ + ImGui::GetTextLineHeight() + app.px(2);
}

std::string TableView::shown_text(std::size_t column, const Cell& cell) const {
  return labels_[column] ? labels_[column]->of(cell.text()) : std::string(cell.text());
}

void TableView::draw(const AppContext& app, const char* id, const Table& table, const Options& options, float height) {
  const auto columns = static_cast<int>(table.columns().size());
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_Sortable | ImGuiTableFlags_SortTristate | ImGuiTableFlags_ScrollY |
                                     ImGuiTableFlags_RowBg | ImGuiTableFlags_Resizable | ImGuiTableFlags_Hideable |
                                     ImGuiTableFlags_Reorderable | ImGuiTableFlags_NoSavedSettings |
                                     ImGuiTableFlags_BordersInnerV;
  if (formats_.size() != table.columns().size()) return;
  const std::vector<std::uint32_t>& order = rows_.rows();
  std::vector<float> widths;
  float all = 0;
  for (std::size_t i = 0; i < table.columns().size(); ++i) {
    const bool words = table.columns()[i].kind == ColumnKind::text;
    const float head =
        ImGui::CalcTextSize(header_of(table.columns()[i], formats_[i], names_as_they_are_).c_str()).x + app.px(30);
    if (!words) ImGui::PushFont(app.fonts.mono);
    float longest = ImGui::CalcTextSize(longest_[i].c_str()).x + app.px(12);
    if (!words) ImGui::PopFont();
    if (rows_.is_tree() && i == indented_column(table)) longest += tree_room(app);
    // The stretching column may become narrow.
    const float most = std::max(head, app.px(i == stretching_ ? 120.0f : 240.0f));
    widths.push_back(words ? std::clamp(longest, head, most) : std::max({app.px(56), head, longest}));
    all += widths.back() + 2 * ImGui::GetStyle().CellPadding.x;
  }
  // If the columns do not fit, let the table scroll instead of shrinking them until they are unreadable.
  const float rows =
      static_cast<float>(order.size() + 1) * (ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y);
  const float room = height > 0 ? height : ImGui::GetContentRegionAvail().y;
  const float bar = rows > room ? ImGui::GetStyle().ScrollbarSize : 0;
  const bool wide = all > ImGui::GetContentRegionAvail().x - bar;
  if (wide && stretching_ < widths.size()) {
    // If the table scrolls anyway, truncate the main column less.
    float& main = widths[stretching_];
    const float most = std::clamp(ImGui::GetContentRegionAvail().x * kMostOfMain, main, app.px(kWidestMain));
    const float longest = ImGui::CalcTextSize(longest_[stretching_].c_str()).x + app.px(12) +
                          (rows_.is_tree() && stretching_ == indented_column(table) ? tree_room(app) : 0);
    const float whole = std::clamp(longest, main, most);
    all += whole - main;
    main = whole;
  }
  // The table and its column separators end at the last row.
  const float used = std::ceil(rows + (wide ? ImGui::GetStyle().ScrollbarSize : 0) + app.px(2));
  if (!ImGui::BeginTable(id, columns, wide ? kFlags | ImGuiTableFlags_ScrollX : kFlags, ImVec2(0, std::min(room, used)),
                         wide ? all : 0.0f))
    return;
  draw_columns(table, widths);

  if (std::exchange(sorts_next_, false)) {
    const int next = rows_.sorted() ? static_cast<int>(rows_.sorted()->first) + 1 : 0;
    const int sorted = next == columns ? 0 : next;
    const auto direction = next == columns ? ImGuiSortDirection_None
                           : is_figure(table.columns()[static_cast<std::size_t>(sorted)].kind)
                               ? ImGuiSortDirection_Descending
                               : ImGuiSortDirection_Ascending;
    ImGui::TableSetColumnSortDirection(sorted, direction, false);
  }
  if (ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs(); specs != nullptr && specs->SpecsDirty) {
    specs->SpecsDirty = false;
    std::optional<std::pair<std::size_t, SortOrder>> by;
    if (specs->SpecsCount > 0)
      by = {
          static_cast<std::size_t>(specs->Specs[0].ColumnIndex),
          specs->Specs[0].SortDirection == ImGuiSortDirection_Ascending ? SortOrder::ascending : SortOrder::descending};
    rows_.sort(table, by);
  }

  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(order.size()));
  if (options.scroll_to_chosen && options.chosen) {
    const auto place = std::ranges::find(order, static_cast<std::uint32_t>(*options.chosen));
    const float row_height = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
    if (place != order.end())
      ImGui::SetScrollFromPosY(ImGui::GetCursorStartPos().y +
                               static_cast<float>(place - order.begin() + 1) * row_height - ImGui::GetScrollY());
  }
  bool menu = false;
  while (clipper.Step()) {
    for (int r = clipper.DisplayStart; r < clipper.DisplayEnd; ++r) {
      ImGui::TableNextRow();
      ImGui::PushID(r);
      draw_row(app, table, options, order[static_cast<std::size_t>(r)], menu);
      ImGui::PopID();
    }
  }
  ImGui::EndTable();
  if (toggled_) rows_.expand(table, *toggled_, !rows_.expanded(*toggled_));
  toggled_.reset();
  ImGui::PushID(id);
  if (menu) ImGui::OpenPopup("##row-menu");
  draw_menu(app, table, options);
  ImGui::PopID();
}

void TableView::draw_columns(const Table& table, const std::vector<float>& widths) {
  const auto columns = static_cast<int>(table.columns().size());
  for (int c = 0; c < columns; ++c) {
    const auto i = static_cast<std::size_t>(c);
    const Column& column = table.columns()[i];
    const bool stretches = i == stretching_;
    ImGuiTableColumnFlags flags = stretches ? ImGuiTableColumnFlags_WidthStretch : ImGuiTableColumnFlags_WidthFixed;
    if (column.kind != ColumnKind::text) flags |= ImGuiTableColumnFlags_PreferSortDescending;
    // The indentation shows depth and parent.
    if (rows_.is_tree() && (column.role == ColumnRole::depth || column.role == ColumnRole::parent_row))
      flags |= ImGuiTableColumnFlags_DefaultHide;
    ImGui::TableSetupColumn(header_of(column, formats_[i], names_as_they_are_).c_str(), flags,
                            stretches ? 0.0f : widths[i]);
  }
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (int c = 0; c < columns; ++c) {
    if (!ImGui::TableSetColumnIndex(c)) continue;
    const Column& column = table.columns()[static_cast<std::size_t>(c)];
    const std::string header = header_of(column, formats_[static_cast<std::size_t>(c)], names_as_they_are_);
    if (is_figure(column.kind))
      right_aligned_header(header.c_str());
    else
      ImGui::TableHeader(header.c_str());
  }
}

void TableView::draw_row(const AppContext& app, const Table& table, const Options& options, std::size_t row,
                         bool& menu) {
  const auto columns = static_cast<int>(table.columns().size());
  bool indented = !rows_.is_tree();
  for (int c = 0; c < columns; ++c) {
    if (!ImGui::TableSetColumnIndex(c)) continue;
    const auto column = static_cast<std::size_t>(c);
    const Cell cell = table.at(row, column);
    const float left = ImGui::GetCursorScreenPos().x;
    const float right = left + ImGui::GetContentRegionAvail().x;
    if (c == 0) {
      // The arrows of a tree are drawn on top.
      const ImGuiSelectableFlags flags =
          ImGuiSelectableFlags_SpanAllColumns | (rows_.is_tree() ? ImGuiSelectableFlags_AllowOverlap : 0);
      if (ImGui::Selectable("##row", options.chosen == row, flags) && options.clicked) options.clicked(row);
      if (options.double_clicked && ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
        options.double_clicked(row);
      if (ImGui::IsItemHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
        menu = true;
        menu_row_ = row;
      }
      if (options.tip && ImGui::IsItemHovered(ImGuiHoveredFlags_DelayShort)) tooltip(app, options.tip(row));
      ImGui::SameLine(0, 0);
    }
    if (const float x = ImGui::GetMousePos().x; menu && row == menu_row_ && x >= left && x < right)
      menu_column_ = column;
    if (is_figure(table.columns()[column].kind)) {
      if (table.columns()[column].kind == ColumnKind::share) draw_share(app, cell.number());
      ImGui::PushFont(app.fonts.mono);
      right_aligned(format_cell(formats_[column], cell));
      ImGui::PopFont();
      continue;
    }
    std::string whole = shown_text(column, cell);
    if (!std::exchange(indented, true)) {
      draw_arrow(app, row);
      whole.erase(0, whole.find_first_not_of(' '));
    }
    const std::string shown = fit_text(whole, ImGui::GetContentRegionAvail().x);
    if (rows_.matches(row))
      text(shown);
    else
      text_muted(shown);  // the caller of a matching row
    if (shown != whole && !options.tip && ImGui::IsItemHovered()) tooltip(app, cell.text());
  }
}

void TableView::draw_arrow(const AppContext& app, std::size_t row) {
  const float side = ImGui::GetTextLineHeight();
  // Deeply nested rows keep room for their names.
  const float most = ImGui::GetContentRegionAvail().x * 0.6f;
  const float indent = std::min(most, app.px(kIndent) * static_cast<float>(rows_.depth(row)));
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + indent);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (rows_.has_children(row)) {
    if (ImGui::InvisibleButton("##expand", {side, side})) toggled_ = row;
    const bool hovered = ImGui::IsItemHovered();
    draw_icon(*ImGui::GetWindowDrawList(), rows_.expanded(row) ? Icon::chevron_down : Icon::chevron_right, at, side,
              hovered ? app.theme.text : app.theme.muted);
  } else {
    ImGui::Dummy({side, side});
  }
  ImGui::SameLine(0, app.px(2));
}

void TableView::draw_menu(const AppContext& app, const Table& table, const Options& options) {
  if (!begin_menu_popup(app, "##row-menu")) return;
  if (rows_.is_tree()) {
    if (ImGui::MenuItem("Expand all")) rows_.expand_all(table, true);
    if (ImGui::MenuItem("Collapse all")) rows_.expand_all(table, false);
    ImGui::Separator();
  }
  if (menu_row_ >= table.rows() || menu_column_ >= table.columns().size()) {
    ImGui::CloseCurrentPopup();
    end_menu_popup();
    return;
  }
  if (options.menu) {
    options.menu(menu_row_);
    ImGui::Separator();
  }
  const auto words = [&](std::size_t column) {
    const Cell cell = table.at(menu_row_, column);
    return is_figure(table.columns()[column].kind) ? format_cell(formats_[column], cell) : std::string(cell.text());
  };
  if (ImGui::MenuItem("Copy cell")) copy_text(app, words(menu_column_));
  if (ImGui::MenuItem("Copy row")) {
    std::string row;
    for (std::size_t column = 0; column < table.columns().size(); ++column)
      row += (column > 0 ? "\t" : "") + words(column);
    copy_text(app, row);
  }
  if (ImGui::MenuItem("Copy table as CSV")) copy_csv(app, table);
  end_menu_popup();
}

}  // namespace warpscope::ui
