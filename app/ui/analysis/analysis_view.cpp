#include "app/ui/analysis/analysis_view.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "app/ui/analysis/row_target.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/model/state_members.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/timeline_link.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/base/format.hpp"
#include "core/base/table_writers.hpp"
#include "core/sql/tables.hpp"

#define WARPSCOPE_SQL_NAME(name) std::string_view(#name),

namespace warpscope::ui {

AnalysisView::AnalysisView(AppContext& app, std::string_view page)
    : app_(app), results_(app.wake), shown_(&analysis::analyses().front()), command_(std::string(page) + ".") {}

const std::vector<Table>* AnalysisView::tables() const {
  return answer_ && answer_->tables.ok() && !answer_->tables->empty() ? &answer_->tables.value() : nullptr;
}

const Table* AnalysisView::table() const {
  const std::vector<Table>* all = tables();
  if (all == nullptr) return nullptr;
  const auto part = part_.find({shown_, look_.table});
  if (part != part_.end() && part->second < all->size()) return &(*all)[part->second];
  const auto first = std::ranges::find(*all, look_.table, &Table::id);
  return first != all->end() ? &*first : &all->front();
}

void AnalysisView::add_commands(const CommandGroup& add) {
  add(command_ + "next-table", "Next table in the analysis", {"Right"}, [this] { turn_part(1); }).repeats();
  add(command_ + "previous-table", "Previous table in the analysis", {"Left"}, [this] { turn_part(-1); }).repeats();
  add(command_ + "copy", "Copy the table as CSV", {"Ctrl+Shift+C"}, [this] { copy_csv(); });
  add(command_ + "query", "Query the table with SQL", {"Q"}, [this] { app_.show_query(as_sql()); }).when([this] {
    return table() != nullptr && !look_.bare && app_.show_query;
  });
  add(command_ + "follow", "Show the row in the Timeline", {"F", "Enter"}, [this] { follow_chosen(); });
  add(command_ + "expand-all", "Expand all tree rows", {"Shift+E"}, [this] {
    if (const Table* now = table()) table_view_.rows().expand_all(*now, true);
  });
  add(command_ + "collapse-all", "Collapse all tree rows", {"Shift+C"}, [this] {
    if (const Table* now = table()) table_view_.rows().expand_all(*now, false);
  });
  add(command_ + "expand", "Expand or collapse the selected row", {"E"}, [this] {
    RowOrder& rows = table_view_.rows();
    if (const Table* now = table(); now != nullptr && chosen_) rows.expand(*now, *chosen_, !rows.expanded(*chosen_));
  });
  add(command_ + "sort", "Sort by the next column", {"S"}, [this] { table_view_.sort_next(); }).repeats();
  add(command_ + "zoom", "Zoom the flame graph to the selected row, or zoom out", {"Z"},
      [this] { zoom(chosen_ == zoomed_ ? std::nullopt : chosen_); });
  add(command_ + "group", "Cycle the first parameter, such as grouping", {"G"},
      [this] { parameters_.turn_first(shown(), look_.hidden); });
  add(command_ + "reset", "Reset the parameters", {"Shift+R"}, [this] { parameters_.reset(shown()); });
}

void AnalysisView::profile_changed(AppContext& app) {
  const std::shared_ptr<const trace::Profile>& profile = app.session.profile();
  const std::string path = profile ? app.session.path().string() : std::string();
  const bool fresh = path != path_;
  results_.set_profile(profile, app.session.generation(), fresh, app.session.events());
  if (fresh) {
    path_ = path;
    scope_.clear();
    answer_.reset();
    drawing_ = {};
    made_of_.clear();
    chosen_.reset();
    zoomed_.reset();
  }
  if (profile) scope_.profile_changed(*profile);
}

bool AnalysisView::escape() {
  if (zoomed_) {
    zoom(std::nullopt);
  } else if (chosen_) {
    chosen_.reset();
  } else if (!filter_.empty()) {
    filter("");
  } else if (scope_.restricted()) {
    scope_.clear();
  } else {
    return false;
  }
  return true;
}

void AnalysisView::show(const analysis::Analysis& analysis, AnalysisLook look) {
  shown_ = &analysis;
  look_ = std::move(look);
  answer_.reset();
  chosen_.reset();
  zoomed_.reset();
}

void AnalysisView::show_part(std::size_t part) {
  part_[{shown_, look_.table}] = part;
  chosen_.reset();
  zoomed_.reset();
}

void AnalysisView::turn_part(int by) {
  const std::vector<Table>* all = tables();
  if (all == nullptr) return;
  const auto now = static_cast<std::size_t>(table() - all->data());
  show_part((now + (by < 0 ? all->size() - 1 : 1)) % all->size());
}

void AnalysisView::filter(std::string_view words) {
  filter_ = words;
  const Table* now = table();
  if (now == nullptr) return;
  table_view_.rows().filter(*now, filter_);
  if (has_bars_) {
    drawing_ = plot();
    chart_.changed();
  }
  if (auto* icicle = std::get_if<charts::Icicle>(&drawing_.chart)) {
    for (std::size_t row = 0; row < icicle->nodes.size(); ++row)
      icicle->nodes[row].dim = !table_view_.rows().matches(row);
    chart_.changed();
  }
}

void AnalysisView::choose(std::optional<std::size_t> row) {
  chosen_ = row;
  const Table* now = table();
  if (now == nullptr || !row) return;
  table_view_.rows().reveal(*now, *row);
  scroll_ = true;
}

void AnalysisView::zoom(std::optional<std::size_t> row) {
  auto* icicle = std::get_if<charts::Icicle>(&drawing_.chart);
  zoomed_ = icicle != nullptr ? row : std::nullopt;
  if (icicle == nullptr) return;
  icicle->root = zoomed_ ? std::optional(static_cast<std::uint32_t>(*zoomed_)) : std::nullopt;
  chart_.changed();
}

void AnalysisView::move_row(int by) {
  const std::vector<std::uint32_t>& order = table_view_.order();
  if (table() == nullptr || order.empty()) return;
  const auto at = chosen_ ? std::ranges::find(order, static_cast<std::uint32_t>(*chosen_)) : order.end();
  std::ptrdiff_t place = by > 0 ? 0 : std::ssize(order) - 1;
  if (at != order.end()) place = std::clamp<std::ptrdiff_t>(at - order.begin() + by, 0, std::ssize(order) - 1);
  choose(order[static_cast<std::size_t>(place)]);
}

void AnalysisView::follow_chosen() {
  if (can_follow(chosen_)) follow(chosen_.value_or(0));
}

std::vector<analysis::Setting> AnalysisView::settings() const {
  std::vector<analysis::Setting> settings = look_.presets;
  std::ranges::move(parameters_.settings(shown()), std::back_inserter(settings));
  // Kernel rules from the user's settings come after those set on this page.
  if (analysis::has_parameter(shown(), analysis::kKernelClassParameter.name))
    analysis::append_kernel_rules(settings, app_.settings.kernel_class);
  return settings;
}

plots::AnalysisDrawing AnalysisView::plot() const {
  const Table* now = table();
  if (look_.bare) return {};
  // Bars follow the table order.
  const bool follows = table_view_.sorted() || !filter_.empty();
  const std::vector<std::uint32_t> order = follows && has_bars_ ? table_view_.order() : std::vector<std::uint32_t>();
  std::optional<std::size_t> figure;
  if (has_bars_ && table_view_.sorted()) {
    const ColumnKind kind = now->columns()[table_view_.sorted()->first].kind;
    if (is_figure(kind) && kind != ColumnKind::identifier && kind != ColumnKind::time)
      figure = table_view_.sorted()->first;
  }
  auto drawing = plots::plot_of(shown().name, *tables(), static_cast<std::size_t>(now - tables()->data()),
                                app_.theme.kind, order, figure);
  if (auto* bars = std::get_if<charts::StackedBars>(&drawing.chart); bars != nullptr && !filter_.empty())
    bars->left_out = order.size() - std::min(order.size(), bars->rows.size());
  return drawing;
}

void AnalysisView::take() {
  const auto answer =
      results_.get({std::string(shown().name), settings(), look_.bare ? analysis::Scope() : scope_.scope()});
  if (answer) answer_ = answer;
  const Table* now = table();
  if (now == nullptr) return;
  const std::string table_of = fmt::format("{} {} {}", answer_->serial, shown().name, now->id);
  const std::string made_of = fmt::format("{} {}", table_of, app_.theme.dark());
  if (made_of == made_of_) {
    if (table_view_.sorted() == drawn_sorted_) return;
    drawn_sorted_ = table_view_.sorted();
    if (!has_bars_) return;
    drawing_ = plot();
    chart_.changed();
    return;
  }
  const bool other_table = table_of != table_of_;
  made_of_ = made_of;
  table_of_ = table_of;
  has_bars_ = false;
  drawing_ = plot();
  has_bars_ = std::holds_alternative<charts::StackedBars>(drawing_.chart);
  drawn_sorted_.reset();
  chart_.changed();
  if (other_table) table_view_.set_table(*now, drawing_.order);
  if (chosen_ && *chosen_ >= now->rows()) chosen_.reset();
  zoom(zoomed_ && *zoomed_ < now->rows() ? zoomed_ : std::nullopt);
  if (!filter_.empty()) filter(filter_);
}

void AnalysisView::copy_csv() {
  const Table* now = table();
  if (now == nullptr) return;
  ui::copy_csv(app_, *now, "Copied " + format_count(static_cast<std::int64_t>(now->rows())) + " rows of " + now->title);
}

std::string AnalysisView::as_sql() const {
  const Table* now = table();
  if (now == nullptr) return {};
  constexpr std::array kTables{WARPSCOPE_SQL_TABLES(WARPSCOPE_SQL_NAME)};
  std::string sql = "SELECT * FROM " + std::string(shown().name);
  if (now != tables()->data() || std::ranges::find(kTables, shown().name) != kTables.end())
    sql += '_' + as_identifier(now->id);
  std::vector<analysis::Setting> set = look_.presets;
  std::ranges::move(parameters_.settings(shown()), std::back_inserter(set));
  const std::vector<CsvColumn> columns = csv_columns(*now);
  for (auto& [name, value] : set)
    if (std::ranges::find(columns, name, &CsvColumn::name) != columns.end()) name.insert(0, "set_");
  const analysis::Scope& scope = scope_.scope();
  const trace::Profile& profile = *app_.session.profile();
  if (!scope.ranks.empty()) set.emplace_back("scope_ranks", ranks_text(profile, scope.ranks));
  if (scope.range) {
    set.emplace_back("scope_from", std::to_string(scope.range->begin - profile.span.begin));
    set.emplace_back("scope_to", std::to_string(scope.range->end - profile.span.begin));
  } else if (!scope.evaluated_only) {
    set.emplace_back("scope_whole", "true");
  }
  for (std::size_t i = 0; i < set.size(); ++i) {
    std::string value = set[i].second;
    for (std::size_t at = 0; (at = value.find('\'', at)) != std::string::npos; at += 2) value.insert(at, 1, '\'');
    sql += fmt::format("{}{} = '{}'", i == 0 ? "\nWHERE " : " AND ", set[i].first, value);
  }
  return sql;
}

bool AnalysisView::can_follow(std::optional<std::size_t> row) const {
  const Table* now = table();
  if (now == nullptr || now->rows() == 0 || !app_.session.profile()) return false;
  return row && answer_->generation == app_.session.generation() && target_of(*app_.session.profile(), *now, *row);
}

void AnalysisView::follow(std::size_t row) {
  const Table* now = table();
  const auto& profile = app_.session.profile();
  if (now == nullptr || !profile || row >= now->rows() || answer_->generation != app_.session.generation()) return;
  follow_row(app_, *answer_, static_cast<std::size_t>(now - tables()->data()), row, scope_.scope().range);
}

void AnalysisView::write_state(JsonWriter& writer) const {
  const Table* now = table();
  writer.member("analysis", shown().name);
  writer.member("table", now != nullptr ? now->id : std::string());
  writer.member("rows", now != nullptr ? now->rows() : 0);
  writer.member("note", now != nullptr ? now->note : std::string());
  writer.member("error", answer_ && !answer_->tables.ok() ? answer_->tables.error().message() : std::string());
  writer.member("chart", !std::holds_alternative<std::monostate>(drawing_.chart));
  writer.member("listed", now != nullptr ? table_view_.order().size() : 0);
  writer.member("filter", filter_);
  writer.member("sorted", table_view_.sorted() ? static_cast<std::int64_t>(table_view_.sorted()->first) : -1);
  writer.member("zoomed", zoomed_ ? static_cast<std::int64_t>(*zoomed_) : -1);
  writer.member("chosen", chosen_ ? static_cast<std::int64_t>(*chosen_) : -1);
  writer.member("leads_to_timeline", can_follow(chosen_));
  writer.member("restricted", scope_.restricted());
  writer.member("scope", app_.session.profile() ? scope_.text(*app_.session.profile()) : std::string());
  write_object(writer, "settings", [&] {
    for (const auto& [name, value] : parameters_.settings(shown())) writer.member(name, value);
  });
}

}  // namespace warpscope::ui
