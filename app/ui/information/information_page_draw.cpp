// Draws the Information page.
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/ui/information/information_page.hpp"
#include "app/ui/model/commands.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/widgets/side_list.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/timeline_link.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {
namespace {

constexpr float kSectionsWidth = 208;
constexpr float kNarrowFacts = 620;  // below this width, the sections are a menu above the table
constexpr float kFactsMargin = 16;

}  // namespace

void InformationPage::draw(AppContext& context) {
  update();
  const Metrics& px = context.px;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float margin = px(kFactsMargin);
  if (sections_.empty()) {
    ImGui::SetCursorPos({margin, margin});
    text_muted(context.session.profile() ? "Reading the profile…"
                                         : "Shows details of the job and its traces. Open a directory.");
    return;
  }
  const bool narrow = room.x < px(kNarrowFacts);
  float left = margin;
  if (!narrow) {
    ImGui::SetCursorPos({px(8), margin});
    ImGui::BeginChild("##sections", {px(kSectionsWidth), room.y - margin}, 0, ImGuiWindowFlags_NoBackground);
    draw_sections(px(kSectionsWidth), false);
    ImGui::EndChild();
    left = px(8) + px(kSectionsWidth) + margin;
  }
  ImGui::SetCursorPos({left, margin});
  ImGui::BeginChild("##table", {room.x - left - margin, room.y - margin - px(8)}, 0, ImGuiWindowFlags_NoBackground);
  if (narrow) draw_sections(0, true);
  draw_table(sections_[section_]);
  ImGui::EndChild();
}

void InformationPage::draw_sections(float width, bool menu) {
  std::vector<SideItem> items;
  for (const Section& section : sections_) {
    const bool empty = section.rows.empty();
    items.push_back(
        {.name = section.table.title,
         .figure = empty ? std::string(kNoFigure) : format_count(static_cast<std::int64_t>(section.rows.size())),
         .empty = empty});
  }
  const auto clicked = menu ? side_menu(app_, sections_[section_].table.title, items, section_)
                            : side_list(app_, items, section_, width);
  if (clicked) show_section(*clicked);
}

void InformationPage::draw_table(Section& section) {
  const Metrics& px = app_.px;
  const float y = ImGui::GetCursorPosY();
  heading(app_, section.table.title);
  if (section.shown.rows() > 0) {
    const char* words = "Copy as CSV";
    const float width = ImGui::CalcTextSize(words).x + px(16);
    ImGui::SameLine(ImGui::GetContentRegionMax().x - width);
    ImGui::SetCursorPosY(y);
    if (ImGui::Button(words, {width, px(28)})) copy_csv();
    if (ImGui::IsItemHovered())
      tooltip(app_, "Exact values, in ns and bytes", {}, app_.commands.keys_text("information.copy", 1));
  }
  ImGui::Dummy({0, px(4)});
  std::string note = section.table.note;
  if (section.table.rows() > 0 && section.shown.rows() == 0)
    note = "No row contains \"" + query_ + "\"";
  else if (section.table.rows() == 0 && note.empty())
    note = "No diagnostics";
  if (!note.empty()) text_wrapped(note, app_.theme.muted);
  if (section.shown.rows() == 0) return;

  const float room = ImGui::GetContentRegionAvail().y;
  const bool details = chosen_ && *chosen_ < section.shown.rows();
  const float below = details ? std::min(room * 0.45f, px(240)) : 0;
  TableView::Options options;
  options.clicked = [this](std::size_t row) { chosen_ = chosen_ == row ? std::nullopt : std::optional(row); };
  section.view.draw(app_, section.table.id.c_str(), section.shown, options, room - below);
  if (details) draw_row(section, below);
}

void InformationPage::draw_row(const Section& section, float height) {
  const Metrics& px = app_.px;
  const std::size_t row = *chosen_;
  ImGui::PushStyleColor(ImGuiCol_ChildBg, app_.theme.panel);
  ImGui::BeginChild("##row", {0, height - px(8)}, ImGuiChildFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleColor();
  const float label = px(168);
  for (std::size_t column = 0; column < section.shown.columns().size(); ++column) {
    const Cell cell = section.shown.at(row, column);
    if (cell.missing() || (cell.type() == Cell::Type::text && cell.text().empty())) continue;
    text_muted(sentence(section.shown.columns()[column].shown()));
    ImGui::SameLine(label);
    const ColumnFormat format = choose_format(section.shown, column);
    text_wrapped(is_figure(section.shown.columns()[column].kind)
                     ? format_cell(format, cell) + (format.unit.empty() ? "" : " ") + format.unit
                     : std::string(cell.text()),
                 app_.theme.text);
  }
  ImGui::Dummy({0, px(4)});
  if (section.table.id == "diagnostics" && app_.session.profile()) {
    const Diagnostic* diagnostic = diagnostic_of_row(*app_.session.profile(), section.shown, row);
    if (diagnostic != nullptr && has_place(*diagnostic)) {
      if (ImGui::Button("Show in the Timeline")) jump_to(app_, *diagnostic);
      ImGui::SameLine();
    }
  }
  if (ImGui::Button("Copy the row")) {
    std::string line;
    for (std::size_t column = 0; column < section.shown.columns().size(); ++column) {
      const Cell cell = section.shown.at(row, column);
      const std::string words = cell.type() == Cell::Type::integer ? std::to_string(cell.integer())
                                : cell.type() == Cell::Type::real
                                    ? format_cell(choose_format(section.shown, column), cell)
                                    : std::string(cell.text());
      line += (column == 0 ? "" : "\t") + words;
    }
    copy_text(app_, line);
  }
  ImGui::SameLine();
  if (ImGui::Button("Close")) chosen_.reset();
  ImGui::EndChild();
}

}  // namespace warpscope::ui
