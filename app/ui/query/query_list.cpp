#include "app/ui/query/query_list.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/ui/model/has_words.hpp"
#include "app/ui/query/sql_text.hpp"
#include "app/ui/widgets/icons.hpp"
#include "app/ui/widgets/menu.hpp"
#include "app/ui/widgets/widgets.hpp"

namespace warpscope::ui {
namespace {

constexpr float kListLine = 24;
constexpr const char* kMenu = "##menu";

std::string type_of(const sql::Field& field) {
  if (field.hidden) return "parameter";
  return lower(sql::to_string(field.type)) + (field.unit.empty() ? "" : " · " + field.unit);
}

}  // namespace

struct QueryList::Line {
  std::string_view name;
  std::string figure{};
  std::string_view about{};
  std::string_view further{};
  int level = 0;
  std::optional<bool> expanded{};
  bool on = false;
  bool mono = false;
};

QueryList::Hit QueryList::draw_line(const AppContext& app, const Line& line) {
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = app.px(kListLine);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton("##line", {width, height});
  const bool hovered = ImGui::IsItemHovered();
  const bool menu = hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Right);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (line.on || hovered) list.AddRectFilled(at, {at.x + width, at.y + height}, app.theme.raised, app.px(4));
  const float icon = app.px(14);
  const float left = at.x + app.px(8.0F + 14.0F * static_cast<float>(line.level));
  const float x = line.expanded || line.level > 0 ? left + icon + app.px(2) : left + app.px(4);
  if (line.expanded)
    draw_icon(list, *line.expanded ? Icon::chevron_down : Icon::chevron_right, {left, at.y + (height - icon) / 2}, icon,
              app.theme.muted);
  ImFont& font = line.mono ? *app.fonts.mono : *app.fonts.ui;
  const float figure = line.figure.empty() ? 0 : text_width(*app.fonts.caption, line.figure);
  const float room = at.x + width - x - app.px(8) - (figure > 0 ? figure + app.px(8) : 0);
  ImGui::PushFont(&font);
  const std::string name = fit_text(line.name, room);
  draw_text(list, {x, at.y + std::floor((height - font.FontSize) / 2)},
            line.on || hovered ? app.theme.text
            : line.level > 0   ? app.theme.muted
                               : app.theme.text,
            name);
  ImGui::PopFont();
  draw_text(list, *app.fonts.caption,
            {at.x + width - figure - app.px(8), at.y + std::floor((height - app.fonts.caption->FontSize) / 2)},
            app.theme.muted, line.figure);
  if (hovered && (!line.about.empty() || name.size() != line.name.size()))
    tooltip(app, line.name, line.about, line.further);
  if (menu) return Hit::menu;
  if (!clicked) return Hit::none;
  return line.expanded && ImGui::GetMousePos().x < x ? Hit::arrow : Hit::name;
}

bool QueryList::heading(const AppContext& app, std::string_view group) {
  const float height = app.px(kListLine);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(group.data(), group.data() + group.size());
  const bool clicked = ImGui::InvisibleButton("##heading", {ImGui::GetContentRegionAvail().x, height});
  ImGui::PopID();
  if (clicked && folded_.erase(std::string(group)) == 0) folded_.emplace(group);
  const bool open = !words_.empty() || !folded_.contains(group);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float icon = app.px(14);
  draw_icon(list, open ? Icon::chevron_down : Icon::chevron_right, {at.x, at.y + (height - icon) / 2}, icon,
            app.theme.muted);
  draw_text(list, *app.fonts.caption,
            {at.x + icon + app.px(2), at.y + std::floor((height - app.fonts.caption->FontSize) / 2)}, app.theme.accent,
            group);
  return open;
}

void QueryList::draw(const AppContext& app, const QueryFiles& files, QueryRunner& runner, std::string_view open) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  matches_ = 0;
  const auto section = [&](std::string_view group, const auto& items, const auto& belongs, const auto& draw) {
    if (std::ranges::none_of(items, belongs) || !heading(app, group)) return;
    int i = 0;
    ImGui::PushID(group.data(), group.data() + group.size());
    for (const auto& item : items) {
      ImGui::PushID(i++);
      if (belongs(item)) draw(item);
      ImGui::PopID();
    }
    ImGui::PopID();
  };
  const auto fits = [this](const NamedQuery& query) { return has_words(words_, query.title); };
  const auto draw_one = [&](const NamedQuery& query) { draw_query(app, query, open); };
  section(
      "Saved", files.all(), [&](const NamedQuery& query) { return fits(query) && !query.file.empty(); }, draw_one);
  section(
      "Recipes", files.all(), [&](const NamedQuery& query) { return fits(query) && query.file.empty(); }, draw_one);
  const auto has = [this](const SchemaTable& table) {
    return has_words(words_, table.name) ||
           std::ranges::any_of(table.fields, [&](const sql::Field& field) { return has_words(words_, field.name); });
  };
  const auto draw_each = [&](const SchemaTable& table) { draw_table(app, table, runner); };
  section(
      "Tables", runner.schema(), [&](const SchemaTable& table) { return has(table) && !table.is_analysis; }, draw_each);
  section(
      "Analyses", runner.schema(), [&](const SchemaTable& table) { return has(table) && table.is_analysis; },
      draw_each);
  ImGui::PopStyleVar();
}

void QueryList::draw_query(const AppContext& app, const NamedQuery& query, std::string_view open) {
  ++matches_;
  const Hit hit = draw_line(
      app, {.name = query.title, .about = query.about, .further = "Click to run it", .on = query.text == open});
  if (hit == Hit::name) actions_.open(query);
  if (hit == Hit::menu) ImGui::OpenPopup(kMenu);
  if (!begin_menu_popup(app, kMenu)) return;
  if (ImGui::MenuItem("Run")) actions_.open(query);
  if (ImGui::MenuItem("Delete", nullptr, false, !query.file.empty())) actions_.remove(query);
  end_menu_popup();
}

void QueryList::draw_table(const AppContext& app, const SchemaTable& table, QueryRunner& runner) {
  ++matches_;
  const bool named = has_words(words_, table.name);
  const bool open = expanded_.contains(table.name) || !named;
  const Hit hit = draw_line(app, {.name = table.name,
                                  .about = table.about,
                                  .further = "Click to insert the name, right-click for its rows",
                                  .expanded = open,
                                  .mono = true});
  if (hit == Hit::arrow && expanded_.erase(table.name) == 0) expanded_.insert(table.name);
  if (hit == Hit::name) actions_.insert(sql_name(table.name));
  if (hit == Hit::menu) ImGui::OpenPopup(kMenu);
  if (begin_menu_popup(app, kMenu)) {
    if (ImGui::MenuItem("Insert")) actions_.insert(sql_name(table.name));
    if (ImGui::MenuItem(table.is_analysis ? "Show its rows" : "Show its first rows")) actions_.show_rows(table);
    if (ImGui::MenuItem("Show its columns", nullptr, open) && expanded_.erase(table.name) == 0)
      expanded_.insert(table.name);
    end_menu_popup();
  }
  if (open) draw_columns(app, table, runner);
}

void QueryList::draw_columns(const AppContext& app, const SchemaTable& table, QueryRunner& runner) {
  if (table.fields.empty()) {
    const std::string_view failed = runner.describe(table.name);
    draw_line(app, {.name = failed.empty() ? "computing…" : failed, .level = 1});
    return;
  }
  const bool named = has_words(words_, table.name);
  for (const sql::Field& field : table.fields) {
    if (!named && !has_words(words_, field.name)) continue;
    ImGui::PushID(field.name.c_str());
    const std::string type = type_of(field);
    if (draw_line(app, {.name = field.name,
                        .figure = type,
                        .about = field.about.empty() ? std::string_view(type) : std::string_view(field.about),
                        .further = "Click to insert the name",
                        .level = 1,
                        .mono = true}) == Hit::name)
      actions_.insert(sql_name(field.name));
    ImGui::PopID();
  }
}

}  // namespace warpscope::ui
