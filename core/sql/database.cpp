#include "core/sql/database.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <span>
#include <utility>

#include "core/base/ascii.hpp"
#include "core/base/format.hpp"
#include "core/base/nearest_word.hpp"
#include "core/sql/aggregates.hpp"
#include "core/sql/module.hpp"
#include "core/sql/tables.hpp"

namespace warpscope::sql {

namespace {

using Clock = std::chrono::steady_clock;

/// How often a query checks its limits, in instructions of SQLite's virtual machine.
constexpr int kInstructions = 5000;

/// Tables of analyses that one statement may add.
constexpr int kMostAdded = 20;

constexpr std::array<std::pair<int, int>, 9> kLimits{{{SQLITE_LIMIT_LENGTH, 64 << 20},
                                                      {SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
                                                      {SQLITE_LIMIT_COLUMN, 500},
                                                      {SQLITE_LIMIT_EXPR_DEPTH, 500},
                                                      {SQLITE_LIMIT_COMPOUND_SELECT, 200},
                                                      {SQLITE_LIMIT_VDBE_OP, 1 << 20},
                                                      {SQLITE_LIMIT_ATTACHED, 1},  // for an export
                                                      {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
                                                      {SQLITE_LIMIT_TRIGGER_DEPTH, 1}}};

/// How often reading rows checks its limits.
constexpr std::size_t kRowsBetweenLooks = 4096;

/// PRAGMAs that only describe.
constexpr std::array<std::string_view, 9> kPragmas{"table_info",  "table_xinfo",   "table_list",
                                                   "module_list", "function_list", "collation_list",
                                                   "index_list",  "index_info",    "compile_options"};

/// Allows reading, and tables, views and indexes that live in memory.
int authorize(void* /*data*/, int action, const char* first, const char* second, const char* database,
              const char* /*trigger*/) {
  const auto is = [](const char* text, std::string_view word) { return text != nullptr && text == word; };
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
    case SQLITE_CREATE_TEMP_TABLE:
    case SQLITE_CREATE_TEMP_VIEW:
    case SQLITE_CREATE_TEMP_INDEX:
    case SQLITE_DROP_TEMP_TABLE:
    case SQLITE_DROP_TEMP_VIEW:
    case SQLITE_DROP_TEMP_INDEX:
      return SQLITE_OK;
    case SQLITE_FUNCTION:
      return is(second, "load_extension") || is(second, "fts3_tokenizer") ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_PRAGMA:
      return first != nullptr && std::ranges::find(kPragmas, first) != kPragmas.end() ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_UPDATE:
      // SQLite asks for this when it reads the schema, which statements cannot change.
      return is(database, "temp") || is(first, "sqlite_master") ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_INSERT:
    case SQLITE_DELETE:
    case SQLITE_REINDEX:
      return is(database, "temp") ? SQLITE_OK : SQLITE_DENY;
    default:
      return SQLITE_DENY;
  }
}

/// What stops a running query.
struct Watch {
  const CancelToken* cancel;
  Clock::time_point until;
  bool late = false;
};

int look_at(void* data) {
  auto& watch = *static_cast<Watch*>(data);
  watch.late = watch.late || Clock::now() >= watch.until;
  return watch.late || analysis::cancelled(watch.cancel) ? 1 : 0;
}

bool is_too_large(const Table& table, const Limits& limits) {
  return table.rows() % kRowsBetweenLooks == 0 && table.resident_bytes() > limits.result_bytes;
}

/// True if the result must not get another row; says so in its note.
bool is_full(Table& table, const Limits& limits) {
  if (limits.rows == 0 || table.rows() < limits.rows) return false;
  table.note = fmt::format("Only the first {} rows: add conditions or a LIMIT.",
                           format_count(static_cast<std::int64_t>(limits.rows)));
  return true;
}

Error too_large(const Limits& limits) {
  return {"query", fmt::format("has a result of more than {} MiB", limits.result_bytes >> 20),
          "add conditions or a LIMIT"};
}

/// Appends a value of the current row, in place: a copy of a cell that was just written would wait for the writes.
void append_cell(std::vector<Cell>& cells, sqlite3_stmt* statement, int column) {
  sqlite3_value* const value = sqlite3_column_value(statement, column);
  switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER:
      cells.emplace_back(static_cast<std::int64_t>(sqlite3_value_int64(value)));
      break;
    case SQLITE_FLOAT:
      cells.emplace_back(sqlite3_value_double(value));
      break;
    case SQLITE_NULL:
      cells.emplace_back();
      break;
    default: {
      const auto* text = static_cast<const char*>(sqlite3_value_blob(value));
      const auto size = static_cast<std::size_t>(sqlite3_value_bytes(value));
      cells.emplace_back(text == nullptr ? std::string_view("") : std::string_view(text, size));
    }
  }
}

/// Computes a cell where it is constructed, for the same reason.
struct CellAt {
  const Cursor& cursor;
  std::uint32_t field;
  operator Cell() const { return cursor.at(field); }
};

/// Returns the kind of a column by its first value or, if that is missing, by its declaration.
ColumnKind kind_of_column(sqlite3_stmt* statement, int column, const Cell& first) {
  const char* declared = sqlite3_column_decltype(statement, column);
  const std::string_view type = declared == nullptr ? "" : declared;
  switch (first.missing() ? Cell::Type::missing : first.type()) {
    case Cell::Type::integer:
      return ColumnKind::identifier;
    case Cell::Type::real:
      return ColumnKind::real;
    case Cell::Type::missing:
      return type == "INTEGER" ? ColumnKind::identifier : type == "REAL" ? ColumnKind::real : ColumnKind::text;
    default:
      return ColumnKind::text;
  }
}

}  // namespace

Database::Database(std::shared_ptr<const trace::Profile> profile, ContextOptions options)
    : context_(std::move(profile), std::move(options)),
      arguments_(context_),
      tables_(make_tables(context_)),
      analyses_(context_, tables_) {}

Database::~Database() { sqlite3_close_v2(handle_); }

Result<std::unique_ptr<Database>> Database::open(std::shared_ptr<const trace::Profile> profile,
                                                 ContextOptions options) {
  std::unique_ptr<Database> own(new Database(std::move(profile), std::move(options)));
  const Error failed{"SQL", "cannot be started: too little memory", "close other programs"};
  sqlite3_hard_heap_limit64(kMostMemory);
  constexpr int kFlags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(":memory:", &own->handle_, kFlags, nullptr) != SQLITE_OK) return failed;
  // Sorts and temporary tables stay in memory, where they are limited.
  if (sqlite3_exec(own->handle_, "PRAGMA temp_store = MEMORY", nullptr, nullptr, nullptr) != SQLITE_OK) return failed;
  for (const auto& [limit, most] : kLimits) sqlite3_limit(own->handle_, limit, most);
  sqlite3_db_config(own->handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(own->handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  if (!add_functions(own->handle_, own->arguments_) || !add_aggregates(own->handle_)) return failed;
  for (const auto& table : own->tables_)
    if (!add_table(own->handle_, *table)) return failed;
  for (const auto& analysis : own->analyses())
    if (!add_table(own->handle_, *analysis)) return failed;
  own->trust(false);
  return own;
}

void Database::trust(bool trusted) {
  sqlite3_set_authorizer(handle_, trusted ? nullptr : authorize, nullptr);
  only_own_tables_ = only_own_tables_ && !trusted;
}

Error Database::error_in(std::string_view statement) const {
  std::string what = sqlite3_errmsg(handle_);
  if (sqlite3_extended_errcode(handle_) == SQLITE_AUTH)
    what = "is refused: queries may only read, and create temporary tables";
  else if (sqlite3_errcode(handle_) == SQLITE_NOMEM)
    what = fmt::format("needs more than {} MiB of memory; add conditions or a LIMIT", kMostMemory >> 20);
  std::string where = "query";
  if (const int offset = sqlite3_error_offset(handle_); offset >= 0) {
    const std::string_view before = statement.substr(0, static_cast<std::size_t>(offset));
    const auto line = 1 + std::ranges::count(before, '\n');
    const std::string_view rest = statement.substr(before.size(), 40);
    where += fmt::format(" (line {}, at \"{}\")", line, rest.substr(0, rest.find('\n')));
  }
  return {where, what, advice_for(what, statement)};
}

std::string Database::advice_for(std::string_view what, std::string_view statement) const {
  const auto rest_after = [&](std::string_view begin) {
    return what.starts_with(begin) ? std::optional(what.substr(begin.size())) : std::nullopt;
  };
  const auto meant = [](const NearestWord& nearest) {
    return nearest.word().empty() ? std::string() : "did you mean " + std::string(nearest.word()) + "?";
  };
  if (const auto table = rest_after("no such table: ")) {
    NearestWord nearest(*table);
    for (const auto* group : {&tables_, &analyses()})
      for (const auto& each : *group) {
        nearest.consider(each->name);
        if (const std::string parts = table->starts_with(each->name + '_') ? analyses_.part_names(each->name) : "";
            !parts.empty())
          return each->name + " has the tables " + parts;
      }
    const std::string better = meant(nearest);
    return better.empty() ? "warpscope sql PATH .tables lists the tables and analyses" : better;
  }
  if (const auto column = rest_after("no such column: ")) {
    NearestWord nearest(column->substr(column->rfind('.') + 1));  // npos + 1 is 0
    const std::string words = lower(statement);
    for (const auto* group : {&tables_, &analyses()})
      for (const auto& each : *group)
        if (words.find(each->name) != std::string::npos)
          for (const Field& field : each->fields) nearest.consider(field.name);
    return meant(nearest);
  }
  if (const auto function = rest_after("no such function: ")) {
    NearestWord nearest(*function);
    for (const FunctionText& each : kFunctions) nearest.consider(each.name());
    return meant(nearest);
  }
  for (const auto& table : tables_)
    for (const Field& field : table->fields)
      if (what == "near \"" + field.name + "\": syntax error")
        return "it is also a word of SQL: write \"" + field.name + "\" in quotes";
  return {};
}

bool Database::add_missing_table() {
  constexpr std::string_view kMissing = "no such table: ";
  const std::string message = sqlite3_errmsg(handle_);
  if (!message.starts_with(kMissing)) return false;
  Relation* relation = analyses_.find(std::string_view(message).substr(kMissing.size()));
  return relation != nullptr && add_table(handle_, *relation);
}

Result<sqlite3_stmt*> Database::prepare(std::string_view& script) {
  sqlite3_stmt* statement = nullptr;
  const char* rest = nullptr;
  const int size = static_cast<int>(std::min<std::size_t>(script.size(), 1 << 30));
  for (int added = 0; sqlite3_prepare_v2(handle_, script.data(), size, &statement, &rest) != SQLITE_OK; ++added)
    if (added == kMostAdded || !add_missing_table()) return error_in(script);
  script.remove_prefix(static_cast<std::size_t>(rest - script.data()));
  return statement;
}

// Repeated names get a number, so that records have them all.
Table Database::table_for(sqlite3_stmt* statement, std::span<const Cell> first, const Limits& limits) const {
  std::vector<Column> columns;
  std::set<std::string> names;
  for (int c = 0; c < sqlite3_column_count(statement); ++c) {
    const std::string name = sqlite3_column_name(statement, c);
    std::string unique = name;
    for (int i = 2; !names.insert(unique).second; ++i) unique = name + '_' + std::to_string(i);
    const Cell value = first.empty() ? Cell() : first[static_cast<std::size_t>(c)];
    columns.push_back(Column(unique, kind_of_column(statement, c, value)).csv(unique));
  }
  if (limits.describe) {
    std::vector<const Field*> fields;
    for (int c = 0; c < sqlite3_column_count(statement); ++c) fields.push_back(field_of(statement, c));
    limits.describe(columns, fields);
  }
  return {"rows", "", std::move(columns)};
}

const Field* Database::field_of(sqlite3_stmt* statement, int column) const {
  const char* table = sqlite3_column_table_name(statement, column);
  const char* name = sqlite3_column_origin_name(statement, column);
  if (table == nullptr || name == nullptr) return nullptr;
  const Relation* relation = analyses_.known(table);
  for (const auto& each : tables_)
    if (each->name == table) relation = each.get();
  if (relation == nullptr) return nullptr;
  const auto found = std::ranges::find(relation->fields, std::string_view(name), &Field::name);
  return found == relation->fields.end() ? nullptr : &*found;
}

Failure Database::collect(sqlite3_stmt* statement, Table& into, const Limits& limits) const {
  std::vector<Cell> cells;
  int status = sqlite3_step(statement);
  const int count = sqlite3_column_count(statement);
  const auto read = [&] {
    cells.clear();
    for (int c = 0; status == SQLITE_ROW && c < count; ++c) append_cell(cells, statement, c);
  };
  read();
  if (count > 0) into = table_for(statement, cells, limits);
  for (; status == SQLITE_ROW; status = sqlite3_step(statement), read()) {
    if (is_full(into, limits)) return {};
    into.add_row(cells);
    if (is_too_large(into, limits)) return too_large(limits);
  }
  return status == SQLITE_DONE ? std::nullopt : Failure(error_in(sqlite3_sql(statement)));
}

Failure Database::scan(const PlainScan& scan, sqlite3_stmt* statement, Table& into, const Limits& limits,
                       const std::function<bool()>& stopped) const {
  const auto cursor = scan.relation->open();
  Query query;
  query.bounds.resize(scan.relation->fields.size());
  query.path = scan.relation->estimate({}).path;
  if (const Failure failure = cursor->start(query)) return Error{"query", failure->message(), ""};
  std::vector<Cell> cells;
  const auto read = [&] {
    cells.clear();
    if (cursor->done()) return;
    for (const std::uint32_t field : scan.fields) {
      cells.emplace_back(CellAt{*cursor, field});
      if (cells.back().missing()) cells.back() = Cell();  // NaN is NULL
    }
  };
  read();
  into = table_for(statement, cells, limits);
  for (; !cursor->done() && into.rows() < scan.limit; cursor->next(), read()) {
    if (is_full(into, limits)) break;
    into.add_row(cells);
    if (is_too_large(into, limits)) return too_large(limits);
    if (into.rows() % kRowsBetweenLooks == 0 && stopped()) break;  // run() reports it
  }
  return {};
}

Failure Database::collect_rows(sqlite3_stmt* statement, Table& into, const Limits& limits,
                               const std::function<bool()>& stopped) {
  only_own_tables_ = only_own_tables_ && sqlite3_stmt_readonly(statement) != 0;
  const auto plain = only_own_tables_ ? plain_scan(sqlite3_sql(statement), {&tables_, &analyses()}) : std::nullopt;
  const bool is_plain = plain && static_cast<int>(plain->fields.size()) == sqlite3_column_count(statement);
  return is_plain ? scan(*plain, statement, into, limits, stopped) : collect(statement, into, limits);
}

Result<Table> Database::run(std::string_view script, const Limits& limits) {
  Watch watch{limits.cancel, Clock::time_point::max()};
  if (limits.seconds > 0)
    watch.until =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.seconds));
  context_.cancel = limits.cancel;
  sqlite3_progress_handler(handle_, kInstructions, look_at, &watch);
  Table table("rows", "", {});
  Failure failure;
  for (std::string_view left = script; !failure && !left.empty();) {
    const auto statement = prepare(left);
    if (!statement)
      failure = statement.error();
    else if (*statement != nullptr)
      failure = collect_rows(*statement, table, limits, [&] { return look_at(&watch) != 0; });
    if (statement) sqlite3_finalize(*statement);
  }
  context_.read_ahead().stop();
  sqlite3_progress_handler(handle_, 0, nullptr, nullptr);
  context_.cancel = nullptr;
  if (analysis::cancelled(limits.cancel)) return Error{"query", "was interrupted", ""};
  if (watch.late)
    return Error{"query", fmt::format("was stopped after {} s", limits.seconds),
                 "add conditions or a LIMIT, or allow more time"};
  if (failure) return *failure;
  return table;
}

}  // namespace warpscope::sql
