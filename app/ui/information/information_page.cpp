#include "app/ui/information/information_page.hpp"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/model/state_members.hpp"
#include "app/ui/widgets/icons.hpp"
#include "app/ui/widgets/row_order.hpp"
#include "app/ui/widgets/side_list.hpp"
#include "app/ui/widgets/timeline_link.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/analysis/information/information.hpp"
#include "core/base/diagnostics_table.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {
namespace {

constexpr float kSectionsWidth = 208;
constexpr float kRowWidth = 360;

}  // namespace

InformationPage::InformationPage(AppContext& context)
    : TabsPage(context, registered::information::kPage, {}, "Shows details about the job and its traces.",
               kSectionsWidth) {
  AnalysisLook look{.bare = true, .chart_share = 0};
  look.beside = [this](float height) { draw_row(height); };
  look.beside_width = [this] { return view_.chosen() ? kRowWidth : 0; };
  show_analysis(analysis::registered::information::kAnalysis, std::move(look));
  const CommandGroup add(app_.commands, "Information", id(), [this] { return view_.tables() != nullptr; });
  add("information.copy", "Copy the table as CSV", {"Ctrl+Shift+C"}, [this] {
    view_.copy_csv();
  }).keywords("clipboard spreadsheet");
  add("information.diagnostics", "Show the diagnostics", {}, [this] {
    diagnostics_wanted_ = true;
    app_.show_page(id());
  }).everywhere();
  add("information.next", "Next section", {"Down"}, [this] { view_.turn_part(1); });
  add("information.previous", "Previous section", {"Up"}, [this] { view_.turn_part(-1); });
}

std::vector<std::size_t> InformationPage::matches() const {
  std::vector<std::size_t> found;
  for (const Table& table : *view_.tables()) {
    if (found.push_back(table.rows()); view_.filtered_by().empty()) continue;
    RowOrder rows;
    rows.set_table(table);
    rows.filter(table, view_.filtered_by());
    found.back() = rows.matches();
  }
  return found;
}

void InformationPage::search(std::string_view query) {
  view_.filter(query);
  if (view_.tables() == nullptr) return;
  const std::vector<std::size_t> found = matches();
  const auto first = std::ranges::find_if(found, [](std::size_t rows) { return rows > 0; });
  if (view_.shown_order().empty() && first != found.end())
    view_.show_part(static_cast<std::size_t>(first - found.begin()));
}

void InformationPage::draw_list(float width, bool menu) {
  if (view_.tables() == nullptr) return;
  const std::vector<Table>& tables = *view_.tables();
  if (std::exchange(diagnostics_wanted_, false))
    view_.show_part(static_cast<std::size_t>(std::ranges::find(tables, "diagnostics", &Table::id) - tables.begin()));
  const std::vector<std::size_t> found = matches();
  std::vector<SideItem> items;
  for (std::size_t i = 0; i < tables.size(); ++i)
    items.push_back(
        {.name = tables[i].title,
         .figure = found[i] == 0 ? std::string(kNoFigure) : format_count(static_cast<std::int64_t>(found[i])),
         .empty = found[i] == 0});
  const auto now = static_cast<std::size_t>(view_.table() - tables.data());
  const auto clicked = menu ? side_menu(app_, tables[now].title, items, now) : side_list(app_, items, now, width);
  if (clicked) view_.show_part(*clicked);
}

void InformationPage::draw_row(float height) {
  const Table& table = *view_.table();
  const std::size_t row = *view_.chosen();
  ImGui::PushStyleColor(ImGuiCol_ChildBg, app_.theme.panel);
  ImGui::BeginChild("##row", {0, height}, ImGuiChildFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleColor();
  for (std::size_t c = 0; c < table.columns().size(); ++c) {
    const Column& column = table.columns()[c];
    const Cell cell = table.at(row, c);
    if (cell.missing() || (cell.type() == Cell::Type::text && cell.text().empty())) continue;
    text_muted(sentence(column.shown()));
    const ColumnFormat format = choose_format(table, c);
    text_wrapped(is_figure(column.kind) ? format_cell(format, cell) + (format.unit.empty() ? "" : " ") + format.unit
                                        : std::string(cell.text()),
                 app_.theme.text);
  }
  const Diagnostics& diagnostics = app_.session.profile()->diagnostics;
  if (table.id == "diagnostics" && row < diagnostics.all().size())
    if (const Diagnostic& diagnostic = *by_severity(diagnostics)[row];
        has_place(diagnostic) && ImGui::Button("Show in the Timeline"))
      jump_to(app_, diagnostic);
  ImGui::EndChild();
}

void InformationPage::write_state(JsonWriter& writer) const {
  writer.member("section", view_.table() != nullptr ? view_.table()->id : std::string());
  view_.write_state(writer);
  const std::vector<std::size_t> found = view_.tables() != nullptr ? matches() : std::vector<std::size_t>();
  write_object(writer, "sections", [&] {
    for (std::size_t i = 0; i < found.size(); ++i) writer.member((*view_.tables())[i].id, found[i]);
  });
}

const PageSpec registered::information::kPage{"information", "Information", Icon::information,
                                              make_page<InformationPage>};

}  // namespace warpscope::ui
