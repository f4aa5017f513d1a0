#include "app/ui/information/information_page.hpp"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/fuzzy.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/model/state_members.hpp"
#include "app/ui/widgets/icons.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "core/analysis/information/information.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {
namespace {

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
