#include "app/ui/information/information_page.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/ui/commands.hpp"
#include "app/ui/diagnostic_jump.hpp"
#include "app/ui/fuzzy.hpp"
#include "app/ui/messages.hpp"
#include "app/ui/session.hpp"
#include "app/ui/widgets.hpp"
#include "core/analysis/information.hpp"
#include "core/base/format.hpp"
#include "core/base/json_writer.hpp"
#include "core/base/table_writers.hpp"

namespace warpscope::ui {
namespace {

constexpr float kSectionsWidth = 208;
constexpr float kNarrow = 620;  // below, the sections are a menu above the table
constexpr float kMargin = 16;

/// The column that takes what is left: the one with the longest texts to tell.
std::size_t stretching_column(const Table& table) {
  for (const char* name : {"value", "explanation", "file", "members", "model", "host"})
    if (const auto column = table.find_column(name)) return *column;
  return table.columns().size() - 1;
}

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

std::string capitalised(std::string words) { return sentence(words); }

}  // namespace

InformationPage::InformationPage(AppContext& context) : app_(context) { add_commands(); }

Icon InformationPage::icon() const { return Icon::information; }

bool InformationPage::available() const { return app_.session.is_open(); }

bool InformationPage::busy() const { return work_.running() || (app_.session.profile() != profile_); }

void InformationPage::add_commands() {
  const auto has_table = [this] { return !sections_.empty(); };
  Command copy{"information.copy", "Copy the table as CSV", "Information", {}, [this] { copy_csv(); }, has_table};
  copy.page = "information";
  copy.keywords = "clipboard spreadsheet";
  app_.commands.add(std::move(copy), {"Ctrl+Shift+C"});
  const auto move = [&](const char* id, const char* name, const char* key, std::size_t by) {
    Command command{id,       name, "Information", {}, [this, by] { show_section((section_ + by) % sections_.size()); },
                    has_table};
    command.page = "information";
    app_.commands.add(std::move(command), {key});
  };
  move("information.next", "Next section", "Ctrl+PageDown", 1);
  // The same as one back: there are as many sections whatever the profile.
  Command back{"information.previous",
               "Previous section",
               "Information",
               {},
               [this] { show_section((section_ + sections_.size() - 1) % sections_.size()); },
               has_table};
  back.page = "information";
  app_.commands.add(std::move(back), {"Ctrl+PageUp"});
}

void InformationPage::update() {
  if (auto tables = work_.take()) {
    profile_ = std::exchange(asked_, nullptr);
    sections_.resize(tables->size());
    for (std::size_t i = 0; i < tables->size(); ++i) {
      sections_[i].table = std::move((*tables)[i]);
      filter(sections_[i]);
    }
    section_ = std::min(section_, sections_.size() - 1);
    chosen_.reset();
  }
  const auto& profile = app_.session.profile();
  if (profile == profile_ || (work_.running() && asked_ == profile)) return;
  if (!profile) {
    work_.stop();
    profile_.reset();
    asked_.reset();
    sections_.clear();
    chosen_.reset();
    return;
  }
  if (work_.running() && !profile->complete) return;  // while it loads, a new one comes several times a second
  asked_ = profile;
  work_.start([profile](const CancelToken&) { return analysis::information_tables(*profile); }, app_.wake);
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
  std::string text;
  write_csv(text, sections_[section_].shown);
  ImGui::SetClipboardText(text.c_str());
  app_.messages.info("Copied " + format_count(static_cast<std::int64_t>(sections_[section_].shown.rows())) +
                         " rows of " + sections_[section_].table.title,
                     app_.now);
}

void InformationPage::draw(AppContext& context) {
  update();
  const Metrics& px = context.px;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float margin = px(kMargin);
  if (sections_.empty()) {
    ImGui::SetCursorPos({margin, margin});
    text_muted(context.session.profile()
                   ? "Looking at the profile…"
                   : "What is known about the job and its traces is shown here. Open a directory.");
    return;
  }
  const bool narrow = room.x < px(kNarrow);
  float left = margin;
  if (!narrow) {
    ImGui::SetCursorPos({px(8), margin});
    ImGui::BeginChild("##sections", {px(kSectionsWidth), room.y - margin}, 0, ImGuiWindowFlags_NoBackground);
    draw_sections(px(kSectionsWidth));
    ImGui::EndChild();
    left = px(8) + px(kSectionsWidth) + margin;
  }
  ImGui::SetCursorPos({left, margin});
  ImGui::BeginChild("##table", {room.x - left - margin, room.y - margin - px(8)}, 0, ImGuiWindowFlags_NoBackground);
  if (narrow) draw_section_menu();
  draw_table(sections_[section_]);
  ImGui::EndChild();
}

void InformationPage::draw_sections(float width) {
  const Metrics& px = app_.px;
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    const Section& section = sections_[i];
    ImGui::PushID(static_cast<int>(i));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = px(28);
    if (ImGui::InvisibleButton("##section", {width, height})) show_section(i);
    const bool on = i == section_;
    const bool hovered = ImGui::IsItemHovered();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (on || hovered) list.AddRectFilled(at, {at.x + width, at.y + height}, app_.theme.raised, px(4));
    const float text_y = at.y + std::floor((height - ImGui::GetFontSize()) / 2);
    const bool some = !section.rows.empty();
    list.AddText({at.x + px(12), text_y}, on || (hovered && some) ? app_.theme.text : app_.theme.muted,
                 section.table.title.c_str());
    const std::string count =
        some ? format_count(static_cast<std::int64_t>(section.rows.size())) : std::string(kNoFigure);
    list.AddText({at.x + width - px(12) - ImGui::CalcTextSize(count.c_str()).x, text_y}, app_.theme.muted,
                 count.c_str());
    ImGui::PopID();
  }
}

void InformationPage::draw_section_menu() {
  ImGui::SetNextItemWidth(-1);
  if (ImGui::BeginCombo("##section", sections_[section_].table.title.c_str(), ImGuiComboFlags_HeightLargest)) {
    for (std::size_t i = 0; i < sections_.size(); ++i)
      if (ImGui::Selectable(sections_[i].table.title.c_str(), i == section_)) show_section(i);
    ImGui::EndCombo();
  }
  ImGui::Dummy({0, app_.px(4)});
}

void InformationPage::draw_table(Section& section) {
  const Metrics& px = app_.px;
  const float y = ImGui::GetCursorPosY();
  ImGui::PushFont(app_.fonts.heading);
  text(section.table.title);
  ImGui::PopFont();
  if (section.shown.rows() > 0) {
    const char* words = "Copy as CSV";
    const float width = ImGui::CalcTextSize(words).x + px(16);
    ImGui::SameLine(ImGui::GetContentRegionMax().x - width);
    ImGui::SetCursorPosY(y);
    if (ImGui::Button(words, {width, px(28)})) copy_csv();
    if (ImGui::IsItemHovered())
      tooltip(app_, "Exact figures, in ns and bytes", {}, app_.commands.keys_text("information.copy", 1));
  }
  ImGui::Dummy({0, px(4)});
  ImGui::PushTextWrapPos(0);
  if (section.table.rows() > 0 && section.shown.rows() == 0)
    text_muted("No row has \"" + query_ + "\"");
  else if (section.table.rows() == 0)
    text_muted(section.table.note.empty() ? "Nothing odd was found about the input" : section.table.note);
  else if (!section.table.note.empty())
    text_muted(section.table.note);
  ImGui::PopTextWrapPos();
  if (section.shown.rows() == 0) return;

  const float room = ImGui::GetContentRegionAvail().y;
  const bool details = chosen_ && *chosen_ < section.shown.rows();
  const float below = details ? std::min(room * 0.45f, px(240)) : 0;
  TableView::Options options;
  options.stretch = stretching_column(section.shown);
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
    text_muted(capitalised(section.shown.columns()[column].name));
    ImGui::SameLine(label);
    ImGui::PushTextWrapPos(0);
    const ColumnFormat format = choose_format(section.shown, column);
    text(is_figure(section.shown.columns()[column].kind)
             ? format_cell(format, cell) + (format.unit.empty() ? "" : " ") + format.unit
             : std::string(cell.text()));
    ImGui::PopTextWrapPos();
  }
  ImGui::Dummy({0, px(4)});
  if (section.table.id == "diagnostics" && profile_) {
    const Diagnostic* diagnostic = diagnostic_of_row(*profile_, section.shown, row);
    if (diagnostic != nullptr && has_place(*diagnostic)) {
      if (ImGui::Button("Show in the timeline")) jump_to(app_, *diagnostic);
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
    ImGui::SetClipboardText(line.c_str());
    app_.messages.info("Copied", app_.now);
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
  writer.key("sections");
  writer.begin_object();
  for (const Section& section : sections_) writer.member(section.table.id, section.rows.size());
  writer.end_object();
}

std::unique_ptr<Page> make_information_page(AppContext& context) { return std::make_unique<InformationPage>(context); }

}  // namespace warpscope::ui
