#include "app/ui/query/result_columns.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "app/ui/query/sql_text.hpp"
#include "core/base/ascii.hpp"
#include "core/sql/context.hpp"

namespace warpscope::ui {
namespace {

constexpr int kDeepest = 4;  // expressions that name other expressions

/// Meaning of numbers.
struct Meaning {
  ColumnKind kind = ColumnKind::integer;
  ColumnRole role = ColumnRole::none;
};

constexpr std::array<std::string_view, 16> kIdentifiers{
    "id",     "track", "lane",    "depth",      "process", "number", "launch", "activity",
    "parent", "slice", "counter", "collective", "step",    "pid",    "tid",    "gpu"};

/// Names of tables, and those of analyses, which have the unit at their end.
std::optional<Meaning> meaning_of_name(std::string_view name) {
  const std::string lowered = lower(name);
  std::string_view base = lowered;
  const bool ns = base.ends_with("_ns");
  if (ns) base.remove_suffix(3);
  if (base == "start" || base == "begin") return Meaning{ColumnKind::time, ColumnRole::start};
  if (base == "end") return Meaning{ColumnKind::time, ColumnRole::end};
  if (base == "dur" || base == "duration") return Meaning{ColumnKind::duration, ColumnRole::duration};
  if (ns) return Meaning{ColumnKind::duration};
  if (base == "bytes" || base.ends_with("_bytes")) return Meaning{ColumnKind::bytes};
  if (base == "share" || base.ends_with("_share")) return Meaning{ColumnKind::share};
  if (base == "rank") return Meaning{ColumnKind::identifier, ColumnRole::rank};
  if (base == "device") return Meaning{ColumnKind::identifier, ColumnRole::device};
  if (base == "stream") return Meaning{ColumnKind::identifier, ColumnRole::stream};
  if (std::ranges::find(kIdentifiers, base) != kIdentifiers.end()) return Meaning{ColumnKind::identifier};
  return std::nullopt;
}

ColumnRole role_of_text(std::string_view name) {
  if (same_word(name, "name")) return ColumnRole::name;
  if (same_word(name, "kernel")) return ColumnRole::kernel;
  if (same_word(name, "annotation")) return ColumnRole::annotation;
  if (same_word(name, "step")) return ColumnRole::step;
  if (same_word(name, "operator")) return ColumnRole::op;
  if (same_word(name, "node")) return ColumnRole::node;
  return ColumnRole::none;
}

/// Finds the meaning of expressions by the columns in them.
class Expressions {
 public:
  explicit Expressions(std::string_view query) : query_(query), tokens_(sql_tokens(query)) {}

  /// Returns the meaning of a result column that is no column of a table.
  [[nodiscard]] std::optional<Meaning> meaning_of(std::string_view name, int depth = 0) const {
    if (depth > kDeepest) return std::nullopt;
    if (const auto known = meaning_of_name(name)) return known;
    for (std::size_t i = 1; i < tokens_.size(); ++i)
      if (tokens_[i].kind == SqlKind::name && word(i - 1) == "as" && same_word(unquoted(at(i)), name)) {
        const std::size_t first = start_of(i - 1);
        return meaning_in(query_.substr(tokens_[first].begin, tokens_[i - 1].begin - tokens_[first].begin), depth);
      }
    // SQLite names other expressions by their text.
    return name.find('(') != std::string_view::npos ? meaning_in(name, depth) : std::nullopt;
  }

 private:
  [[nodiscard]] std::string_view at(std::size_t i) const { return text_of(tokens_[i], query_); }
  [[nodiscard]] std::string word(std::size_t i) const { return lower(at(i)); }

  /// Returns the first token of the expression that ends before token `end`.
  [[nodiscard]] std::size_t start_of(std::size_t end) const {
    int depth = 0;
    for (std::size_t i = end; i-- > 0;) {
      const std::string text = word(i);
      if (text == ")") ++depth;
      if (text == "(" && depth-- == 0) return i + 1;
      if (depth == 0 && (text == "," || text == "select" || text == "distinct")) return i + 1;
    }
    return 0;
  }

  /// Returns the meaning that all columns in the expression share, if it only adds and aggregates them.
  [[nodiscard]] std::optional<Meaning> meaning_in(std::string_view expression, int depth) const {
    static const std::set<std::string, std::less<>> kKeeps{
        "sum", "avg", "min", "max", "total", "abs", "round", "coalesce", "ifnull", "first_value", "lag", "lead"};
    const std::vector<SqlToken> tokens = sql_tokens(expression);
    const auto next_is = [&](std::size_t i, std::string_view text) {
      return i + 1 < tokens.size() && text_of(tokens[i + 1], expression) == text;
    };
    std::optional<Meaning> found;
    bool difference = false;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const std::string_view text = text_of(tokens[i], expression);
      if (same_word(text, "over") || same_word(text, "filter")) break;  // what follows chooses rows
      if (tokens[i].kind == SqlKind::number || text == "(" || text == ")" || text == "," || text == "+" || text == ".")
        continue;
      if (text == "-") {
        difference = true;
        continue;
      }
      if (tokens[i].kind != SqlKind::name) return std::nullopt;
      if (next_is(i, ".")) continue;  // a table
      if (next_is(i, "(")) {
        if (!kKeeps.contains(lower(text))) return std::nullopt;
        continue;
      }
      const auto meaning = meaning_of(unquoted(text), depth + 1);
      if (!meaning || (found && found->kind != meaning->kind)) return std::nullopt;
      found = meaning;
    }
    if (found && difference && found->kind == ColumnKind::time) found->kind = ColumnKind::duration;
    const bool sum = lower(expression).find("sum") != std::string::npos;
    if (found && (difference || sum || found->kind == ColumnKind::identifier)) found->role = ColumnRole::none;
    return found;
  }

  std::string_view query_;
  std::vector<SqlToken> tokens_;
};

bool refers_to_slice(const sql::Field& field) {
  return field.about.find("slice.id") != std::string::npos ||
         field.about.find("gpu_activity.id") != std::string::npos || field.about.starts_with("Number of the slice");
}

}  // namespace

std::vector<std::size_t> describe_columns(std::vector<Column>& columns, const std::vector<const sql::Field*>& fields,
                                          std::string_view query) {
  std::vector<std::size_t> slices;
  std::set<ColumnRole> taken{ColumnRole::none};
  const Expressions expressions(query);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    Column& column = columns[c];
    const sql::Field* field = c < fields.size() ? fields[c] : nullptr;
    const std::string& name = field != nullptr ? field->name : column.name;
    if (column.kind == ColumnKind::text) {
      column.role = role_of_text(name);
    } else if ((field != nullptr && refers_to_slice(*field)) || lower(column.name).starts_with("parent(")) {
      slices.push_back(c);
    } else {
      const bool percent = field != nullptr && field->unit == "%";  // already out of a hundred
      const auto meaning = percent            ? std::nullopt
                           : field != nullptr ? meaning_of_name(name)
                                              : expressions.meaning_of(name);
      const ColumnKind plain = column.kind == ColumnKind::real ? ColumnKind::real : ColumnKind::integer;
      column.kind = meaning ? meaning->kind : plain;
      column.role = meaning ? meaning->role : ColumnRole::none;
    }
    // The header has the unit in which the values are shown.
    if (column.kind == ColumnKind::duration && column.name.ends_with("_ns"))
      column.label = column.name.substr(0, column.name.size() - 3);
    if (!taken.insert(column.role).second) column.role = ColumnRole::none;
  }
  return slices;
}

std::optional<trace::SliceRef> slice_in(const trace::Profile& profile, const Table& rows, std::size_t row,
                                        const std::vector<std::size_t>& slices) {
  for (const std::size_t column : slices)
    if (const Cell cell = rows.at(row, column); cell.type() == Cell::Type::integer)
      if (const auto slice = sql::slice_of(profile, cell.integer())) return slice;
  return std::nullopt;
}

}  // namespace warpscope::ui
