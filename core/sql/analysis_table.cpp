#include "core/sql/analysis_table.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/analysis/shared/hta.hpp"
#include "core/base/ascii.hpp"
#include "core/base/format.hpp"
#include "core/base/table_writers.hpp"

namespace warpscope::sql {

namespace {

using analysis::Analysis;
using analysis::Parameter;
using analysis::Setting;

constexpr std::array kScope{
    analysis::text_parameter("scope_ranks", "ranks: 0,3-5; all if empty"),
    analysis::text_parameter("scope_from", "start of the time range: ns since the start of the profile, or 12.3ms"),
    analysis::text_parameter("scope_to", "end of the time range"),
    analysis::flag_parameter("scope_whole", "the whole recording instead of the evaluated steps"),
};

FieldType type_of(const Column& column) {
  if (column.kind == ColumnKind::text) return FieldType::text;
  const bool real = column.kind == ColumnKind::real || column.kind == ColumnKind::share || column.csv_divisor != 1;
  return real ? FieldType::real : FieldType::integer;
}

bool has_field(const std::vector<Field>& fields, std::string_view name) {
  return std::ranges::any_of(fields, [&](const Field& field) { return lower(field.name) == lower(name); });
}

/// A table of an analysis; `id` is "" for the first one.
class AnalysisRelation final : public Relation {
 public:
  AnalysisRelation(AnalysisTables& owner, const Analysis& of, std::string relation_name, std::string table_id)
      : owner_(owner), analysis_(of), id_(std::move(table_id)) {
    name = std::move(relation_name);
    about = of.about;
    copies_text = true;
  }

  [[nodiscard]] Failure prepare() override;
  [[nodiscard]] Estimate estimate(const Plan& /*plan*/) const override { return {.rows = 100, .cost = 1e5}; }
  [[nodiscard]] std::unique_ptr<Cursor> open() const override;
  [[nodiscard]] double rows() const override { return 100; }

  /// Returns the parameter behind a hidden field.
  [[nodiscard]] const Parameter& parameter(std::uint32_t field) const {
    const std::size_t i = field - visible_;
    return i < analysis_.parameters.size() ? analysis_.parameters[i] : kScope[i - analysis_.parameters.size()];
  }
  [[nodiscard]] const Table* table_in(const std::vector<Table>& tables) const {
    const auto found = id_.empty() ? tables.begin() : std::ranges::find(tables, id_, &Table::id);
    return found == tables.end() ? nullptr : &*found;
  }
  [[nodiscard]] Result<AnalysisTables::Tables> run(const std::vector<Setting>& settings) const {
    return owner_.run(analysis_, settings);
  }
  [[nodiscard]] std::size_t visible() const { return visible_; }

 private:
  AnalysisTables& owner_;
  const Analysis& analysis_;
  std::string id_;
  std::size_t visible_ = 0;  // fields that are not hidden
};

class AnalysisCursor final : public Cursor {
 public:
  explicit AnalysisCursor(const AnalysisRelation& relation) : relation_(relation) {}

  [[nodiscard]] Failure start(const Query& query) override {
    settings_.clear();
    for (const TextBound& bound : query.texts)
      settings_.emplace_back(relation_.parameter(bound.field).name, bound.text);
    const auto tables = relation_.run(settings_);
    if (!tables) return tables.error();
    if (tables_ != *tables) {
      tables_ = *tables;
      table_ = relation_.table_in(*tables_);
      find_columns();
    }
    row_ = 0;
    return {};
  }
  [[nodiscard]] bool done() const override { return table_ == nullptr || row_ >= table_->rows(); }
  void next() override { ++row_; }
  [[nodiscard]] std::int64_t id() const override { return static_cast<std::int64_t>(row_); }
  [[nodiscard]] Cell at(std::uint32_t field) const override {
    if (field >= relation_.visible()) {
      const Parameter& parameter = relation_.parameter(field);
      const auto set = std::ranges::find(settings_, parameter.name, &Setting::first);
      return set == settings_.end() ? Cell(parameter.preset) : Cell(set->second);
    }
    const std::size_t column = columns_[field];
    return column == kNone ? Cell() : csv_value(table_->columns()[column], table_->at(row_, column));
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  /// Fields are in the order of the default result's columns, with the same names.
  void find_columns() {
    columns_.assign(relation_.visible(), kNone);
    if (table_ == nullptr) return;
    const std::vector<CsvColumn> columns = csv_columns(*table_);
    for (std::size_t f = 0; f < columns_.size(); ++f) {
      const std::string& name = relation_.fields[f].name;
      const bool same = f < columns.size() && name.starts_with(columns[f].name);
      const auto found =
          same ? columns.begin() + static_cast<std::ptrdiff_t>(f) : std::ranges::find(columns, name, &CsvColumn::name);
      if (found != columns.end()) columns_[f] = found->column;
    }
  }

  const AnalysisRelation& relation_;
  std::vector<Setting> settings_;
  AnalysisTables::Tables tables_;
  const Table* table_ = nullptr;
  std::vector<std::size_t> columns_;  // by visible field
  std::size_t row_ = 0;
};

Failure AnalysisRelation::prepare() {
  if (!fields.empty()) return {};
  const auto tables = run({});
  if (!tables) return tables.error();
  const Table* table = table_in(**tables);
  if (table == nullptr) return Error{name, "has no table", ""};
  for (const CsvColumn& each : csv_columns(*table)) {
    const Column& column = table->columns()[each.column];
    std::string unique = each.name;
    for (int i = 2; has_field(fields, unique); ++i) unique = each.name + '_' + std::to_string(i);
    const bool percent = column.kind == ColumnKind::share;
    fields.push_back({unique, type_of(column), percent ? "%" : std::string(exact_unit(column)), column.shown()});
  }
  visible_ = fields.size();
  const auto add = [this](const Parameter& parameter) {
    std::string unique(parameter.name);
    while (has_field(fields, unique)) unique = "set_" + unique;
    fields.push_back({.name = unique, .about = std::string(parameter.about), .key = Key::equal, .hidden = true});
  };
  std::ranges::for_each(analysis_.parameters, add);
  std::ranges::for_each(kScope, add);
  return {};
}

std::unique_ptr<Cursor> AnalysisRelation::open() const { return std::make_unique<AnalysisCursor>(*this); }

/// Takes the scope's settings out of `settings`.
Result<analysis::Scope> take_scope(std::vector<Setting>& settings, const trace::Profile& profile) {
  std::array<std::string, kScope.size()> texts;
  std::erase_if(settings, [&](Setting& setting) {
    const auto found = std::ranges::find(kScope, setting.first, &Parameter::name);
    if (found != kScope.end()) texts[static_cast<std::size_t>(found - kScope.begin())] = setting.second;
    return found != kScope.end();
  });
  const auto& [ranks, from, to, whole] = texts;
  analysis::Scope scope;
  if (!ranks.empty()) {
    auto parsed = analysis::parse_ranks(profile, ranks);
    if (!parsed) return parsed.error();
    scope.ranks = std::move(*parsed);
  }
  scope.evaluated_only = whole.empty() || whole == "false" || whole == "0";
  if (from.empty() && to.empty()) return scope;
  const auto time_of = [&](const std::string& text, Ns otherwise) -> std::optional<Ns> {
    if (text.empty()) return otherwise;
    const auto time = parse_time(text);
    return time ? std::optional(saturating_add(profile.span.begin, *time)) : std::nullopt;
  };
  const auto begin = time_of(from, profile.span.begin);
  const auto end = time_of(to, profile.span.end);
  if (!begin || !end || *begin >= *end)
    return Error{"scope_from and scope_to", "are not a time range", "use ns since the start, or a unit: '12.3ms'"};
  scope.range = Interval{*begin, *end};
  return scope;
}

}  // namespace

AnalysisTables::AnalysisTables(Context& context, const std::vector<std::unique_ptr<Relation>>& taken)
    : context_(context) {
  for (const Analysis& each : analysis::analyses())
    if (!each.compares && std::ranges::none_of(taken, [&](const auto& table) { return table->name == each.name; }))
      all_.push_back(std::make_unique<AnalysisRelation>(*this, each, std::string(each.name), ""));
}

Relation* AnalysisTables::find(std::string_view wanted) {
  if (const auto found = further_.find(wanted); found != further_.end()) return found->second.get();
  for (const Analysis& each : analysis::analyses()) {
    if (each.compares || !wanted.starts_with(std::string(each.name) + '_')) continue;
    const auto tables = run(each, {});
    if (!tables) continue;
    for (const Table& table : **tables) {
      if (wanted != std::string(each.name) + '_' + as_identifier(table.id)) continue;
      auto relation = std::make_unique<AnalysisRelation>(*this, each, std::string(wanted), table.id);
      return (further_[std::string(wanted)] = std::move(relation)).get();
    }
  }
  return nullptr;
}

const Relation* AnalysisTables::known(std::string_view wanted) const {
  if (const auto found = further_.find(wanted); found != further_.end()) return found->second.get();
  const auto found = std::ranges::find_if(all_, [&](const auto& each) { return each->name == wanted; });
  return found == all_.end() ? nullptr : found->get();
}

std::string AnalysisTables::part_names(std::string_view analysis) const {
  const auto found = kept_.find(analysis);
  if (found == kept_.end()) return {};
  std::string names;
  for (const NamedTable& each : named_tables(analysis, *found->second))
    names += (names.empty() ? "" : ", ") + each.name;
  return names;
}

Result<AnalysisTables::Tables> AnalysisTables::run(const Analysis& analysis, const std::vector<Setting>& settings) {
  std::string key(analysis.name);
  for (const Setting& setting : settings)
    key.append(1, '\0').append(setting.first).append(1, '=').append(setting.second);
  if (const auto found = kept_.find(key); found != kept_.end()) return found->second;
  std::vector<Setting> all;
  if (analysis::has_parameter(analysis, analysis::kCorrelationParameter.name))  // as in CSV
    all.emplace_back(analysis::kCorrelationParameter.name, "true");
  all.insert(all.end(), settings.begin(), settings.end());
  if (analysis::has_parameter(analysis, analysis::kKernelClassParameter.name))
    analysis::append_kernel_rules(all, context_.options().kernel_rules);
  auto scope = take_scope(all, context_.profile());
  if (!scope) return scope.error();
  auto tables = analysis::run_analysis(analysis, context_.profile(), std::move(*scope), all, context_.cancel, nullptr,
                                       context_.options().events, &context_.shared());
  if (Failure failure = context_.interrupted()) return *failure;
  if (!tables) return tables.error();
  if (kept_.size() >= kMostKept) kept_.clear();
  auto result = std::make_shared<const std::vector<Table>>(std::move(*tables));
  kept_[key] = result;
  return Tables(result);
}

}  // namespace warpscope::sql
