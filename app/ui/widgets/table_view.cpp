#include "app/ui/widgets/table_view.hpp"

#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>

#include "app/ui/model/settings.hpp"
#include "app/ui/widgets/menu.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/table_writers.hpp"

namespace warpscope::ui {

namespace {

constexpr float kWidestMain = 720;

void right_aligned(std::string_view words) {
  const float free =
      ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(words.data(), words.data() + words.size()).x;
  if (free > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + free);
  text(words);
}

// Column names are lower case in files and sentence case on screen.
std::string header_of(const Column& column, const ColumnFormat& format) {
  std::string header = header_text(column, format.unit);
  if (!header.empty()) header[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(header[0])));
  return header;
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

void TableView::set_table(const Table& table, std::vector<std::uint32_t> unsorted) {
  constexpr std::size_t kMeasuredRows = 200;
  formats_.clear();
  longest_.assign(table.columns().size(), "");
  labels_.assign(table.columns().size(), std::nullopt);
  for (std::size_t column = 0; column < table.columns().size(); ++column) {
    formats_.push_back(choose_format(table, column, style_));
    const bool text = table.columns()[column].kind == ColumnKind::text;
    if (plots::holds_kernels(table, column)) labels_[column].emplace(table, column);
    const auto measure = [&](std::size_t row) {
      const std::string words =
          text ? shown_text(column, table.at(row, column)) : format_cell(formats_[column], table.at(row, column));
      if (words.size() > longest_[column].size()) longest_[column] = words;
    };
    for (std::size_t row = 0; row < std::min(table.rows(), kMeasuredRows); ++row) measure(row);
    if (!text && table.rows() > 0) measure(table.rows() - 1);  // later times have more digits
  }
  stretching_ = table.columns().size();
  for (std::size_t column = 0; column < table.columns().size(); ++column)
    if (table.columns()[column].kind == ColumnKind::text &&
        (stretching_ == table.columns().size() || longest_[column].size() > longest_[stretching_].size()))
      stretching_ = column;
  unsorted_ = std::move(unsorted);
  make_order(table);
}

void TableView::make_order(const Table& table) {
  if (sorted_ && sorted_->first < table.columns().size()) {
    order_ = sorted_order(table, sorted_->first, sorted_->second);
  } else if (!unsorted_.empty()) {
    order_ = unsorted_;
  } else {
    order_.resize(table.rows());
    std::iota(order_.begin(), order_.end(), 0u);
  }
}

std::string TableView::shown_text(std::size_t column, const Cell& cell) const {
  return labels_[column] ? labels_[column]->of(cell.text()) : std::string(cell.text());
}

void TableView::set_style(const Table& table, const FigureStyle& style) {
  if (style == style_) return;
  style_ = style;
  set_table(table, std::move(unsorted_));
}

void TableView::draw(const AppContext& app, const char* id, const Table& table, const Options& options, float height) {
  const auto columns = static_cast<int>(table.columns().size());
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_Sortable | ImGuiTableFlags_SortTristate | ImGuiTableFlags_ScrollY |
                                     ImGuiTableFlags_RowBg | ImGuiTableFlags_Resizable | ImGuiTableFlags_Hideable |
                                     ImGuiTableFlags_Reorderable | ImGuiTableFlags_NoSavedSettings |
                                     ImGuiTableFlags_BordersInnerV;
  set_style(table, app.settings.figures);
  if (formats_.size() != table.columns().size()) return;
  std::vector<float> widths;
  float all = 0;
  for (std::size_t i = 0; i < table.columns().size(); ++i) {
    const bool words = table.columns()[i].kind == ColumnKind::text;
    const float head = ImGui::CalcTextSize(header_of(table.columns()[i], formats_[i]).c_str()).x + app.px(30);
    if (!words) ImGui::PushFont(app.fonts.mono);
    const float longest = ImGui::CalcTextSize(longest_[i].c_str()).x + app.px(12);
    if (!words) ImGui::PopFont();
    // The stretching column may be narrow.
    const float most = std::max(head, app.px(i == stretching_ ? 120.0f : 240.0f));
    widths.push_back(words ? std::clamp(longest, head, most) : std::max({app.px(56), head, longest}));
    all += widths.back() + 2 * ImGui::GetStyle().CellPadding.x;
  }
  // Scroll columns that do not fit instead of shrinking them until unreadable.
  const float rows =
      static_cast<float>(order_.size() + 1) * (ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y);
  const float room = height > 0 ? height : ImGui::GetContentRegionAvail().y;
  const float bar = rows > room ? ImGui::GetStyle().ScrollbarSize : 0;
  const bool wide = all > ImGui::GetContentRegionAvail().x - bar;
  if (wide && stretching_ < widths.size()) {
    // If the table scrolls anyway, the main column need not be truncated.
    float& main = widths[stretching_];
    const float whole =
        std::clamp(ImGui::CalcTextSize(longest_[stretching_].c_str()).x + app.px(12), main, app.px(kWidestMain));
    all += whole - main;
    main = whole;
  }
  // The table and its column separators end at the last row.
  const float used = std::ceil(rows + (wide ? ImGui::GetStyle().ScrollbarSize : 0) + app.px(2));
  if (!ImGui::BeginTable(id, columns, wide ? kFlags | ImGuiTableFlags_ScrollX : kFlags, ImVec2(0, std::min(room, used)),
                         wide ? all : 0.0f))
    return;

  for (int c = 0; c < columns; ++c) {
    const auto i = static_cast<std::size_t>(c);
    const Column& column = table.columns()[i];
    const bool words = column.kind == ColumnKind::text;
    const std::string header = header_of(column, formats_[i]);
    const float width = widths[i];
    const bool stretches = i == stretching_;
    ImGuiTableColumnFlags flags = stretches ? ImGuiTableColumnFlags_WidthStretch : ImGuiTableColumnFlags_WidthFixed;
    if (!words) flags |= ImGuiTableColumnFlags_PreferSortDescending;
    ImGui::TableSetupColumn(header.c_str(), flags, stretches ? 0.0f : width);
  }
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (int c = 0; c < columns; ++c) {
    if (!ImGui::TableSetColumnIndex(c)) continue;
    const Column& column = table.columns()[static_cast<std::size_t>(c)];
    const std::string header = header_of(column, formats_[static_cast<std::size_t>(c)]);
    if (is_figure(column.kind))
      right_aligned_header(header.c_str());
    else
      ImGui::TableHeader(header.c_str());
  }

  if (ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs(); specs != nullptr && specs->SpecsDirty) {
    specs->SpecsDirty = false;
    if (specs->SpecsCount > 0) {
      const bool up = specs->Specs[0].SortDirection == ImGuiSortDirection_Ascending;
      sorted_ = {static_cast<std::size_t>(specs->Specs[0].ColumnIndex),
                 up ? SortOrder::ascending : SortOrder::descending};
    } else {
      sorted_.reset();
    }
    make_order(table);
  }

  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(order_.size()));
  if (options.scroll_to_chosen && options.chosen) {
    const auto place = std::ranges::find(order_, static_cast<std::uint32_t>(*options.chosen));
    const float row_height = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
    ImGui::SetScrollFromPosY(ImGui::GetCursorStartPos().y +
                             static_cast<float>(place - order_.begin() + 1) * row_height - ImGui::GetScrollY());
  }
  bool menu = false;
  while (clipper.Step()) {
    for (int r = clipper.DisplayStart; r < clipper.DisplayEnd; ++r) {
      const std::size_t row = order_[static_cast<std::size_t>(r)];
      ImGui::TableNextRow();
      ImGui::PushID(r);
      for (int c = 0; c < columns; ++c) {
        if (!ImGui::TableSetColumnIndex(c)) continue;
        const auto column = static_cast<std::size_t>(c);
        const Cell cell = table.at(row, column);
        const float left = ImGui::GetCursorScreenPos().x;
        const float right = left + ImGui::GetContentRegionAvail().x;
        if (c == 0) {
          if (ImGui::Selectable("##row", options.chosen == row, ImGuiSelectableFlags_SpanAllColumns) && options.clicked)
            options.clicked(row);
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
          ImGui::PushFont(app.fonts.mono);
          right_aligned(format_cell(formats_[column], cell));
          ImGui::PopFont();
        } else {
          const std::string shown = fit_text(shown_text(column, cell), ImGui::GetContentRegionAvail().x);
          text(shown);
          if (shown != cell.text() && !options.tip && ImGui::IsItemHovered()) tooltip(app, cell.text());
        }
      }
      ImGui::PopID();
    }
  }
  ImGui::EndTable();
  ImGui::PushID(id);
  if (menu) ImGui::OpenPopup("##row-menu");
  draw_menu(app, table, options);
  ImGui::PopID();
}

void TableView::draw_menu(const AppContext& app, const Table& table, const Options& options) {
  if (!begin_menu_popup(app, "##row-menu")) return;
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
  if (ImGui::MenuItem("Copy table as CSV")) {
    std::string csv;
    write_csv(csv, table);
    copy_text(app, csv);
  }
  end_menu_popup();
}

}  // namespace warpscope::ui
