#include "app/ui/information/information_page.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/fuzzy.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/model/state_members.hpp"
#include "app/ui/widgets/icons.hpp"
#include "app/ui/widgets/side_list.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/timeline_link.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/analysis/information/information.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {
namespace {

constexpr float kSectionsWidth = 208;
constexpr float kNarrowFacts = 620;  // below this width, the sections are a menu above the table
constexpr float kFactsMargin = 16;

std::string row_text(const Table& table, std::size_t row) {
  std::string words;
  for (std::size_t column = 0; column < table.columns().size(); ++column) {
    const Cell cell = table.at(row, column);
    if (cell.type() == Cell::Type::integer) words += std::to_string(cell.integer());
    words += cell.text();
    words += ' ';
  }
  return words;
}

}  // namespace

InformationPage::InformationPage(AppContext& context) : Page(registered::information::kPage), app_(context) {
  add_commands();
}

bool InformationPage::available() const { return app_.session.is_open(); }

bool InformationPage::busy() const { return work_.running() || shown_ != app_.session.generation(); }

void InformationPage::add_commands() {
  const CommandGroup add(app_.commands, "Information", id(), [this] { return !sections_.empty(); });
  add("information.copy", "Copy the table as CSV", {"Ctrl+Shift+C"}, [this] {
    copy_csv();
  }).keywords("clipboard spreadsheet");
  add("information.next", "Next section", {"Down"}, [this] { show_section((section_ + 1) % sections_.size()); });
  add("information.previous", "Previous section", {"Up"},
      [this] { show_section((section_ + sections_.size() - 1) % sections_.size()); });
}

void InformationPage::clear() {
  sections_.clear();
  chosen_.reset();
}

void InformationPage::update() {
  const Session& session = app_.session;
  if (auto tables = work_.take(); tables && asked_id_ == session.current_id()) {
    shown_ = asked_;
    shown_id_ = asked_id_;
    sections_.resize(tables->size());
    for (std::size_t i = 0; i < tables->size(); ++i) {
      sections_[i].table = std::move((*tables)[i]);
      filter(sections_[i]);
    }
    section_ = std::min(section_, sections_.size() - 1);
    chosen_.reset();
  }
  if (shown_id_ != session.current_id()) clear();
  // Let running work finish: a load publishes new profiles several times a second.
  if (shown_ == session.generation() || work_.running()) return;
  if (!session.profile()) {
    clear();
    shown_ = session.generation();
    return;
  }
  asked_ = session.generation();
  asked_id_ = session.current_id();
  work_.start([profile = session.profile()](const CancelToken&) { return analysis::information_tables(*profile); },
              app_.wake);
}

void InformationPage::filter(Section& section) const {
  section.rows.clear();
  for (std::uint32_t row = 0; row < section.table.rows(); ++row)
    if (query_.empty() || has_words(query_, row_text(section.table, row))) section.rows.push_back(row);
  section.shown = section.table;
  section.shown.reorder(section.rows);
  section.view.set_table(section.shown);
}

void InformationPage::search(std::string_view query) {
  query_ = query;
  hit_ = 0;
  chosen_.reset();
  for (Section& section : sections_) filter(section);
  if (query_.empty() || sections_.empty() || !sections_[section_].rows.empty()) return;
  const auto first = std::ranges::find_if(sections_, [](const Section& section) { return !section.rows.empty(); });
  if (first != sections_.end()) section_ = static_cast<std::size_t>(first - sections_.begin());
}

SearchStatus InformationPage::status() const {
  SearchStatus status;
  if (query_.empty()) return status;
  for (const Section& section : sections_) status.count += section.rows.size();
  status.current = hit_;
  return status;
}

void InformationPage::step(int direction) {
  const std::size_t count = status().count;
  if (count == 0) return;
  const std::size_t before = hit_ == 0 ? (direction > 0 ? count - 1 : 0) : hit_ - 1;
  std::size_t at = (before + (direction > 0 ? 1 : count - 1)) % count;
  hit_ = at + 1;
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    if (at < sections_[i].rows.size()) {
      show_section(i);
      chosen_ = at;
      return;
    }
    at -= sections_[i].rows.size();
  }
}

bool InformationPage::escape(AppContext&) { return std::exchange(chosen_, std::nullopt).has_value(); }

void InformationPage::show_section(std::size_t index) {
  section_ = index;
  chosen_.reset();
}

void InformationPage::copy_csv() {
  const Table& shown = sections_[section_].shown;
  ui::copy_csv(app_, shown,
               "Copied " + format_count(static_cast<std::int64_t>(shown.rows())) + " rows of " + shown.title);
}

void InformationPage::draw(AppContext& context) {
  update();
  const Metrics& px = context.px;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float margin = px(kFactsMargin);
  if (sections_.empty()) {
    ImGui::SetCursorPos({margin, margin});
    text_muted(context.session.profile() ? "Reading the profile…"
                                         : "Shows details about the job and its traces. Open a directory.");
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
      tooltip(app_, "Exact values in ns and bytes", {}, app_.commands.keys_text("information.copy", 1));
  }
  ImGui::Dummy({0, px(4)});
  std::string note = section.table.note;
  if (section.table.rows() > 0 && section.shown.rows() == 0)
    note = "No rows contain \"" + query_ + "\"";
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

void InformationPage::write_state(JsonWriter& writer) const {
  writer.member("section", sections_.empty() ? std::string() : sections_[section_].table.id);
  writer.member("rows", sections_.empty() ? 0 : sections_[section_].shown.rows());
  writer.member("chosen", chosen_ && !sections_.empty() && *chosen_ < sections_[section_].shown.rows()
                              ? row_text(sections_[section_].shown, *chosen_)
                              : std::string());
  write_object(writer, "sections", [&] {
    for (const Section& section : sections_) writer.member(section.table.id, section.rows.size());
  });
}

const PageSpec registered::information::kPage{"information", "Information", Icon::information,
                                              make_page<InformationPage>};

}  // namespace warpscope::ui
