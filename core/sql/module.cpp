#include "core/sql/module.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

namespace warpscope::sql {

namespace {

/// How a query looks up rows. `words` describe it in EXPLAIN QUERY PLAN.
struct Lookup {
  struct Use {
    bool operator==(const Use&) const = default;
    std::uint32_t field;
    char op;  // '=', '<', 'L' (<=), '>', 'G' (>=), '~' (LIKE), '*' (GLOB); 0: only checks the value's type
  };
  std::vector<Use> uses;  // by argument
  std::string words;
  int path = 0;
};

struct ModuleTable : sqlite3_vtab {
  Relation* relation = nullptr;
  std::vector<std::unique_ptr<const Lookup>> lookups;  // different ones, by the number that SQLite passes to filter()
};

struct ModuleCursor : sqlite3_vtab_cursor {
  explicit ModuleCursor(const Relation& relation) : cursor(relation.open()) {
    query.bounds.resize(relation.fields.size());
  }
  std::unique_ptr<Cursor> cursor;
  Query query;
};

Relation& relation_of(sqlite3_vtab* table) { return *static_cast<ModuleTable*>(table)->relation; }
ModuleCursor& cursor_of(sqlite3_vtab_cursor* cursor) { return *static_cast<ModuleCursor*>(cursor); }

std::string quoted_name(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) text.append(c == '"' ? 2 : 1, c);
  return text + '"';
}

/// Returns "CREATE TABLE x(…)": only columns and types count.
std::string declaration(const Relation& relation) {
  std::string text = "CREATE TABLE x(";
  for (const Field& field : relation.fields) {
    if (&field != &relation.fields.front()) text += ", ";
    text.append(quoted_name(field.name)).append(" ").append(to_string(field.type));
    if (field.hidden) text += " HIDDEN";
  }
  return text + ')';
}

int connect(sqlite3* database, void* relation, int /*argc*/, const char* const* /*argv*/, sqlite3_vtab** into,
            char** error) {
  auto& own = *static_cast<Relation*>(relation);
  if (const Failure failure = own.prepare()) {
    *error = sqlite3_mprintf("%s", failure->message().c_str());
    return SQLITE_ERROR;
  }
  if (const int status = sqlite3_declare_vtab(database, declaration(own).c_str()); status != SQLITE_OK) {
    *error = sqlite3_mprintf("%s", sqlite3_errmsg(database));
    return status;
  }
  auto* table = new (std::nothrow) ModuleTable{};
  if (table == nullptr) return SQLITE_NOMEM;
  table->relation = &own;
  sqlite3_vtab_config(database, SQLITE_VTAB_INNOCUOUS);
  *into = table;
  return SQLITE_OK;
}

int disconnect(sqlite3_vtab* table) {
  delete static_cast<ModuleTable*>(table);
  return SQLITE_OK;
}

/// Returns how a condition is looked up: its operator in Plan, or 0 if it is not.
char op_of(const Field& field, int op, const char* collation) {
  if (field.key == Key::text && sqlite3_stricmp(collation, "BINARY") != 0) return 0;
  switch (op) {
    case SQLITE_INDEX_CONSTRAINT_EQ:
      return field.key == Key::none ? '\0' : '=';
    case SQLITE_INDEX_CONSTRAINT_GT:
      return field.key == Key::range ? '>' : '\0';
    case SQLITE_INDEX_CONSTRAINT_GE:
      return field.key == Key::range ? 'G' : '\0';
    case SQLITE_INDEX_CONSTRAINT_LT:
      return field.key == Key::range ? '<' : '\0';
    case SQLITE_INDEX_CONSTRAINT_LE:
      return field.key == Key::range ? 'L' : '\0';
    case SQLITE_INDEX_CONSTRAINT_LIKE:
      return field.key == Key::text ? '~' : '\0';
    case SQLITE_INDEX_CONSTRAINT_GLOB:
      return field.key == Key::text ? '*' : '\0';
    default:
      return 0;
  }
}

/// True for a comparison with a time or duration that is not looked up.
bool is_compared_time(const Field& field, int op) {
  const bool compares = op == SQLITE_INDEX_CONSTRAINT_EQ || op == SQLITE_INDEX_CONSTRAINT_GT ||
                        op == SQLITE_INDEX_CONSTRAINT_GE || op == SQLITE_INDEX_CONSTRAINT_LT ||
                        op == SQLITE_INDEX_CONSTRAINT_LE;
  return compares && !field.hidden && field.unit == "ns";
}

const char* words_of(char op) {
  return op == 'G'   ? ">="
         : op == 'L' ? "<="
         : op == '>' ? ">"
         : op == '<' ? "<"
         : op == '~' ? " LIKE"
         : op == '*' ? " GLOB"
                     : "=";
}
char kind_of_op(char op) { return op == 'G' ? '>' : op == 'L' ? '<' : op == '*' ? '~' : op; }

/// Returns the column of a constraint. The rowid of a table with a column id is that id.
int column_of(const Relation& relation, int column) {
  return column >= 0 ? column : relation.fields.front().name == "id" ? 0 : -1;
}

/// Keeps a lookup and returns its number.
int number_of(std::vector<std::unique_ptr<const Lookup>>& lookups, Lookup lookup) {
  const auto same = std::ranges::find_if(
      lookups, [&](const auto& each) { return each->uses == lookup.uses && each->path == lookup.path; });
  if (same != lookups.end()) return static_cast<int>(same - lookups.begin());
  lookups.push_back(std::make_unique<const Lookup>(std::move(lookup)));
  return static_cast<int>(lookups.size()) - 1;
}

int best_index(sqlite3_vtab* table, sqlite3_index_info* info) {
  const Relation& relation = relation_of(table);
  Plan plan;
  Lookup lookup;
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& constraint = info->aConstraint[i];
    const int column = column_of(relation, constraint.iColumn);
    if (column < 0) continue;
    const Field& field = relation.fields[static_cast<std::size_t>(column)];
    if (!constraint.usable) {
      // A function needs its arguments, so it comes after the tables that they are from.
      if (field.hidden && constraint.op == SQLITE_INDEX_CONSTRAINT_EQ) return SQLITE_CONSTRAINT;
      continue;
    }
    const char op = op_of(field, constraint.op, sqlite3_vtab_collation(info, i));
    if (op == 0 && !is_compared_time(field, constraint.op)) continue;
    lookup.uses.push_back({static_cast<std::uint32_t>(column), op});
    info->aConstraintUsage[i].argvIndex = static_cast<int>(lookup.uses.size());
    if (op == 0) continue;
    plan.uses.push_back({static_cast<std::uint32_t>(column), kind_of_op(op)});
    lookup.words += (lookup.words.empty() ? "" : " ") + field.name + words_of(op);
    // SQLite need not check integers again. It does check text, which may be compared by the rules of another column.
    info->aConstraintUsage[i].omit = field.hidden || field.key == Key::equal || field.key == Key::range;
  }
  for (int i = 0; i < info->nOrderBy; ++i) {
    const int column = column_of(relation, info->aOrderBy[i].iColumn);
    if (column < 0 || info->aOrderBy[i].desc) {
      plan.order.clear();
      break;
    }
    plan.order.push_back(static_cast<std::uint32_t>(column));
  }
  const Estimate estimate = relation.estimate(plan);
  info->estimatedRows = static_cast<sqlite3_int64>(std::ceil(estimate.rows));
  info->estimatedCost = estimate.cost;
  info->idxFlags = estimate.one_row ? SQLITE_INDEX_SCAN_UNIQUE : 0;
  info->orderByConsumed = !plan.order.empty() && estimate.ordered;
  info->idxStr = sqlite3_mprintf("%s", lookup.words.c_str());
  info->needToFreeIdxStr = 1;
  lookup.path = estimate.path;
  info->idxNum = number_of(static_cast<ModuleTable*>(table)->lookups, std::move(lookup));
  return info->idxStr == nullptr ? SQLITE_NOMEM : SQLITE_OK;
}

int open_cursor(sqlite3_vtab* table, sqlite3_vtab_cursor** into) {
  *into = new (std::nothrow) ModuleCursor(relation_of(table));
  return *into == nullptr ? SQLITE_NOMEM : SQLITE_OK;
}

int close_cursor(sqlite3_vtab_cursor* cursor) {
  delete static_cast<ModuleCursor*>(cursor);
  return SQLITE_OK;
}

constexpr Bounds kNothing{1, 0};

/// Narrows the bounds to integers that satisfy `op value`, by SQLite's rules for a column of integers: text that reads
/// as a number is that number, other text is greater than all numbers, and nothing compares to NULL.
void narrow(Bounds& bounds, char op, sqlite3_value* value) {
  const int type = sqlite3_value_numeric_type(value);
  const bool greater = op == '>' || op == 'G';
  if (type == SQLITE_INTEGER) {
    const std::int64_t number = sqlite3_value_int64(value);
    if ((op == '>' && number == INT64_MAX) || (op == '<' && number == INT64_MIN)) {
      bounds = kNothing;
      return;
    }
    if (op == '=' || greater) bounds.least = std::max(bounds.least, number + (op == '>' ? 1 : 0));
    if (op == '=' || !greater) bounds.most = std::min(bounds.most, number - (op == '<' ? 1 : 0));
  } else if (type == SQLITE_FLOAT) {
    const double number = sqlite3_value_double(value);
    constexpr double kTooLarge = 9223372036854775808.0;  // 2^63
    const bool above = number >= kTooLarge;
    const bool below = number < -kTooLarge;
    if ((above || below) && (op == '=' || above == greater)) bounds = kNothing;
    if (op == '<' && number == -kTooLarge) bounds = kNothing;
    if (above || below || (op == '<' && number == -kTooLarge)) return;
    const auto down = static_cast<std::int64_t>(std::floor(number));
    const bool whole = std::floor(number) == number;
    if (op == '=' && !whole) bounds = kNothing;
    if (op == '=' || greater) bounds.least = std::max(bounds.least, whole && op != '>' ? down : down + 1);
    if (op == '=' || !greater) bounds.most = std::min(bounds.most, whole && op == '<' ? down - 1 : down);
  } else if (type == SQLITE_NULL || op == '=' || greater) {
    bounds = kNothing;
  }
}

std::string text_of(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  return text == nullptr ? std::string() : std::string(text, static_cast<std::size_t>(sqlite3_value_bytes(value)));
}

/// Returns the mistake of comparing ns with text such as '10ms', which is greater than all numbers. Empty if `value` is
/// a number or NULL.
std::string mistaken_time(const Field& field, sqlite3_value* value) {
  if (field.unit != "ns" || sqlite3_value_numeric_type(value) != SQLITE_TEXT) return {};
  const std::string text = text_of(value);
  return field.name + " is in ns, not text: compare it with ns('" + text + "')";
}

int fail_cursor(sqlite3_vtab_cursor* cursor, const std::string& message) {
  sqlite3_free(cursor->pVtab->zErrMsg);
  cursor->pVtab->zErrMsg = sqlite3_mprintf("%s", message.c_str());
  return SQLITE_ERROR;
}

int filter(sqlite3_vtab_cursor* cursor, int number, const char* /*words*/, int count, sqlite3_value** values) {
  ModuleCursor& own = cursor_of(cursor);
  const Relation& relation = relation_of(cursor->pVtab);
  const Lookup& lookup = *static_cast<ModuleTable*>(cursor->pVtab)->lookups[static_cast<std::size_t>(number)];
  own.query.path = lookup.path;
  own.query.texts.clear();
  std::fill(own.query.bounds.begin(), own.query.bounds.end(), Bounds());
  for (int i = 0; i < count; ++i) {
    const auto [column, op] = lookup.uses[static_cast<std::size_t>(i)];
    const Field& field = relation.fields[column];
    if (const std::string mistake = mistaken_time(field, values[i]); !mistake.empty() && !field.hidden)
      return fail_cursor(cursor, mistake);
    if (op == 0) continue;
    if (field.hidden) {
      if (sqlite3_value_type(values[i]) == SQLITE_NULL) continue;
      own.query.texts.push_back({column, TextMatch::equal, text_of(values[i])});
    } else if (field.key == Key::equal || field.key == Key::range) {
      narrow(own.query.bounds[column], op, values[i]);
    } else if (sqlite3_value_type(values[i]) == SQLITE_TEXT) {  // other values may compare as numbers
      const TextMatch match = op == '=' ? TextMatch::equal : op == '~' ? TextMatch::like : TextMatch::glob;
      own.query.texts.push_back({column, match, text_of(values[i])});
    }
  }
  if (const Failure failure = own.cursor->start(own.query)) return fail_cursor(cursor, failure->message());
  return SQLITE_OK;
}

int next(sqlite3_vtab_cursor* cursor) {
  cursor_of(cursor).cursor->next();
  return SQLITE_OK;
}

int eof(sqlite3_vtab_cursor* cursor) { return cursor_of(cursor).cursor->done() ? 1 : 0; }

int column_value(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int number) {
  const Cell cell = cursor_of(cursor).cursor->at(static_cast<std::uint32_t>(number));
  if (cell.missing()) return SQLITE_OK;  // NULL
  switch (cell.type()) {
    case Cell::Type::integer:
      sqlite3_result_int64(context, cell.integer());
      break;
    case Cell::Type::real:
      sqlite3_result_double(context, cell.number());
      break;
    default: {
      const auto destructor = relation_of(cursor->pVtab).copies_text ? SQLITE_TRANSIENT : SQLITE_STATIC;
      const std::string_view text = cell.text().data() == nullptr ? std::string_view("") : cell.text();
      sqlite3_result_text64(context, text.data(), text.size(), destructor, SQLITE_UTF8);
    }
  }
  return SQLITE_OK;
}

int row_id(sqlite3_vtab_cursor* cursor, sqlite3_int64* into) {
  *into = cursor_of(cursor).cursor->id();
  return SQLITE_OK;
}

constexpr sqlite3_module make_module() {
  sqlite3_module module{};
  module.iVersion = 0;
  module.xConnect = connect;  // without xCreate: the table exists under the module's name only
  module.xBestIndex = best_index;
  module.xDisconnect = disconnect;
  module.xDestroy = disconnect;
  module.xOpen = open_cursor;
  module.xClose = close_cursor;
  module.xFilter = filter;
  module.xNext = next;
  module.xEof = eof;
  module.xColumn = column_value;
  module.xRowid = row_id;
  return module;
}
constexpr sqlite3_module kModule = make_module();

}  // namespace

bool add_table(sqlite3* database, Relation& relation) {
  return sqlite3_create_module_v2(database, relation.name.c_str(), &kModule, &relation, nullptr) == SQLITE_OK;
}

}  // namespace warpscope::sql
