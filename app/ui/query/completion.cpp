#include "app/ui/query/completion.hpp"

#include <algorithm>
#include <array>

#include "app/ui/query/sql_text.hpp"
#include "core/base/ascii.hpp"
#include "core/sql/functions.hpp"

namespace warpscope::ui {
namespace {

constexpr std::size_t kMost = 60;
constexpr std::size_t kFarColumnFrom = 2;  // typed characters that offer columns of other tables

constexpr std::array<sql::FunctionText, 16> kBuiltIn{{
    {"count(*)", "Number of rows"},
    {"sum(x)", "Sum; an integer if all values are"},
    {"avg(x)", "Mean"},
    {"min(x)", "Smallest value"},
    {"max(x)", "Largest value"},
    {"total(x)", "Sum as a real number; 0 without rows"},
    {"group_concat(x)", "Values joined with commas"},
    {"abs(x)", "Absolute value"},
    {"round(x, digits)", "Rounded value"},
    {"coalesce(x, y)", "First value that is not NULL"},
    {"iif(condition, x, y)", "x if the condition holds, otherwise y"},
    {"length(text)", "Number of characters"},
    {"substr(text, start, length)", "Part of a text; start counts from 1"},
    {"replace(text, from, to)", "Text with other words"},
    {"row_number() OVER (ORDER BY x)", "Position in a window"},
    {"lag(x) OVER (ORDER BY y)", "Value of the row before"},
}};

/// What the statement around the cursor consists of.
struct Around {
  std::string_view sql;
  std::vector<SqlToken> tokens;  ///< of the statement
  std::size_t at = 0;            ///< index of the first token that does not end before the cursor

  [[nodiscard]] std::string_view word(std::size_t i) const { return text_of(tokens[i], sql); }
  [[nodiscard]] bool is(std::size_t i, std::string_view text) const {
    return i < tokens.size() && same_word(word(i), text);
  }
  [[nodiscard]] bool is_name(std::size_t i) const { return i < tokens.size() && tokens[i].kind == SqlKind::name; }
};

Around around(std::string_view sql, std::size_t cursor) {
  Around found{sql, {}};
  for (const SqlToken& token : sql_tokens(sql)) {
    const bool separator = text_of(token, sql) == ";";
    if (separator && token.begin >= cursor) break;
    if (separator)
      found.tokens.clear();
    else
      found.tokens.push_back(token);
  }
  while (found.at < found.tokens.size() && found.tokens[found.at].end < cursor) ++found.at;
  return found;
}

const SchemaTable* find_table(std::span<const SchemaTable> schema, std::string_view name) {
  const auto found =
      std::ranges::find_if(schema, [&](const SchemaTable& table) { return same_word(table.name, unquoted(name)); });
  return found == schema.end() ? nullptr : &*found;
}

struct Named {
  const SchemaTable* table;
  std::string_view as;
};

/// Returns the tables of the statement with the names that it gives them.
std::vector<Named> named_tables(const Around& text, std::span<const SchemaTable> schema) {
  std::vector<Named> found;
  for (std::size_t i = 0; i < text.tokens.size(); ++i) {
    if (!text.is_name(i) || i == text.at || text.is(i + 1, ".") || (i > 0 && text.is(i - 1, "."))) continue;
    const bool after = i > 0 && (text.is(i - 1, "from") || text.is(i - 1, "join") || text.is(i - 1, ","));
    const SchemaTable* table = after ? find_table(schema, text.word(i)) : nullptr;
    if (table == nullptr) continue;
    const std::size_t alias = i + (text.is(i + 1, "as") ? 2 : 1);
    found.push_back({table, text.is_name(alias) && alias != text.at ? text.word(alias) : text.word(i)});
  }
  return found;
}

class Collector {
 public:
  explicit Collector(std::string_view typed) : typed_(typed) {}

  void add(std::string_view name, std::string text, std::string what, std::string_view about) {
    const std::string lowered = lower(name);
    const std::size_t at = lowered.find(lower(typed_));
    if (at == std::string::npos || (at > 0 && typed_.size() < 2)) return;
    if (std::ranges::any_of(items_, [&](const Completion& item) { return item.text == text; }) ||
        std::ranges::any_of(inside_, [&](const Completion& item) { return item.text == text; }))
      return;
    (at == 0 ? items_ : inside_).push_back({std::move(text), std::move(what), std::string(about)});
  }
  void add_columns(const SchemaTable& table) {
    for (const sql::Field& field : table.fields) {
      std::string what = (field.hidden ? "parameter of " : "column of ") + table.name;
      if (!field.unit.empty()) what += " · " + field.unit;
      add(field.name, sql_name(field.name), std::move(what), field.about);
    }
  }
  void add_tables(std::span<const SchemaTable> schema) {
    for (const SchemaTable& table : schema)
      add(table.name, table.name, table.is_analysis ? "analysis" : "table", table.about);
  }
  void add_functions() {
    const auto each = [&](const sql::FunctionText& function) {
      const std::string_view usage = function.usage;
      const std::string_view name = usage.substr(0, usage.find('('));
      const bool whole = usage == "count(*)" || usage.starts_with("row_number");
      add(name, whole ? std::string(usage.substr(0, usage.find(')') + 1)) : std::string(name) + '(', std::string(usage),
          function.about);
    };
    for (const sql::FunctionText& function : sql::kFunctions) each(function);
    for (const sql::FunctionText& function : kBuiltIn) each(function);
  }
  void add_keywords() {
    const bool small = !typed_.empty() && typed_ == lower(typed_);
    for (const std::string_view word : sql_keywords())
      if (lower(word).starts_with(lower(typed_))) add(word, small ? lower(word) : std::string(word), "", "");
  }
  [[nodiscard]] std::vector<Completion> take() {
    items_.insert(items_.end(), std::make_move_iterator(inside_.begin()), std::make_move_iterator(inside_.end()));
    if (items_.size() > kMost) items_.resize(kMost);
    return std::move(items_);
  }

 private:
  std::string_view typed_;
  std::vector<Completion> items_;   // that start with the typed text
  std::vector<Completion> inside_;  // that contain it
};

}  // namespace

Completions completions_at(std::string_view sql, std::size_t cursor, std::span<const SchemaTable> schema, bool asked) {
  Completions found{cursor, {}};
  const Around text = around(sql, cursor);
  const bool inside = text.at < text.tokens.size() && text.tokens[text.at].begin < cursor;
  if (inside) {
    const SqlToken& token = text.tokens[text.at];
    const bool quote = sql[token.begin] == '"';
    if (token.kind == SqlKind::name || token.kind == SqlKind::keyword)
      found.begin = token.begin;
    else if (token.kind != SqlKind::other)
      return found;
    if (quote && token.end == cursor && token.end - token.begin > 1 && sql[cursor - 1] == '"') return found;
  }
  std::string_view typed = sql.substr(found.begin, cursor - found.begin);
  if (typed.starts_with('"')) typed.remove_prefix(1);
  // The token before the typed word.
  const std::size_t before = inside && found.begin == cursor ? text.at : text.at - 1;
  const bool has_before = before < text.tokens.size();
  if (!asked && (typed.empty() || (has_before && text.is(before, "as"))) && !(has_before && text.is(before, ".")))
    return found;

  Collector collect(typed);
  const std::vector<Named> named = named_tables(text, schema);
  if (has_before && text.is(before, ".")) {
    for (const Named& each : named)
      if (before > 0 && same_word(unquoted(each.as), unquoted(text.word(before - 1)))) collect.add_columns(*each.table);
  } else if (has_before && (text.is(before, "from") || text.is(before, "join"))) {
    collect.add_tables(schema);
  } else if (has_before && (text.is_name(before) || text.is(before, ")"))) {
    if (asked || typed.size() > 1) collect.add_keywords();  // or a new name
  } else {
    for (const Named& each : named) collect.add_columns(*each.table);
    collect.add_functions();
    collect.add_keywords();
    if (typed.size() >= kFarColumnFrom || (asked && named.empty()))
      for (const SchemaTable& table : schema)
        if (!table.is_analysis) collect.add_columns(table);
    collect.add_tables(schema);
  }
  found.items = collect.take();
  // A word that is complete needs no list, unless the user asks for one.
  if (!asked && std::ranges::any_of(found.items, [&](const Completion& item) { return same_word(item.text, typed); }))
    found.items.clear();
  return found;
}

}  // namespace warpscope::ui
