#pragma once
// A profile as a database: SQLite in memory with the tables of tables.hpp and the functions of functions.hpp.
// Read-only: queries may create temporary tables and views in memory, but no file is opened, written or attached.
// Queries from anywhere are safe to run: time and memory are limited.
//
//   auto database = Database::open(profile, {});
//   auto table = (*database)->run("SELECT name, sum(dur) AS time FROM gpu_activity GROUP BY name ORDER BY time DESC");
//
// Not thread-safe. Holds the profile.
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/sql/analysis_table.hpp"
#include "core/sql/context.hpp"
#include "core/sql/functions.hpp"
#include "core/sql/plain_scan.hpp"
#include "core/sql/relation.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace warpscope::sql {

struct Limits {
  double seconds = 0;                               ///< of a query; 0: none
  std::size_t result_bytes = std::size_t{1} << 30;  ///< of its result
  std::size_t rows = 0;                             ///< of its result, which then has a note; 0: all
  const CancelToken* cancel = nullptr;              ///< stops it; may be null
  /// Changes the kinds of the result's columns, except names. `fields`: the columns of tables that they are; null for
  /// expressions. May be empty.
  std::function<void(std::vector<Column>& columns, const std::vector<const Field*>& fields)> describe{};
};

/// Memory that SQLite may use in this process, for all databases: sorts, groups, temporary tables.
inline constexpr std::int64_t kMostMemory = std::int64_t{1} << 30;

class Database {
 public:
  /// Fails if SQLite has too little memory.
  [[nodiscard]] static Result<std::unique_ptr<Database>> open(std::shared_ptr<const trace::Profile> profile,
                                                              ContextOptions options);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  /// Runs the statements of `script` in order and returns the rows of the last one that has columns. Columns keep their
  /// names from SQL; values are exact. Errors: those of SQLite, with the line; what is refused; a limit.
  [[nodiscard]] Result<Table> run(std::string_view script, const Limits& limits = {});

  /// Returns the tables of the profile.
  [[nodiscard]] const std::vector<std::unique_ptr<Relation>>& tables() const { return tables_; }
  /// Returns the analyses. Their columns are known after prepare().
  [[nodiscard]] const std::vector<std::unique_ptr<Relation>>& analyses() const { return analyses_.all(); }
  [[nodiscard]] Context& context() { return context_; }
  [[nodiscard]] sqlite3* handle() { return handle_; }

  /// Switches the rules above off, for writers such as export.hpp, which attach a file.
  void trust(bool trusted);

 private:
  Database(std::shared_ptr<const trace::Profile> profile, ContextOptions options);
  /// Prepares the statement at the start of `script` and removes it; null for an empty one.
  [[nodiscard]] Result<sqlite3_stmt*> prepare(std::string_view& script);
  [[nodiscard]] bool add_missing_table();
  [[nodiscard]] Error error_in(std::string_view statement) const;
  /// Returns what may have been meant; "" if unknown. `what`: SQLite's message.
  [[nodiscard]] std::string advice_for(std::string_view what, std::string_view statement) const;
  [[nodiscard]] Failure collect_rows(sqlite3_stmt* statement, Table& into, const Limits& limits,
                                     const std::function<bool()>& stopped);
  [[nodiscard]] Failure collect(sqlite3_stmt* statement, Table& into, const Limits& limits) const;
  /// Returns an empty table with the columns of a statement. `first`: its first row, if any.
  [[nodiscard]] Table table_for(sqlite3_stmt* statement, std::span<const Cell> first, const Limits& limits) const;
  [[nodiscard]] const Field* field_of(sqlite3_stmt* statement, int column) const;
  [[nodiscard]] Failure scan(const PlainScan& scan, sqlite3_stmt* statement, Table& into, const Limits& limits,
                             const std::function<bool()>& stopped) const;

  Context context_;
  ArgumentReader arguments_;
  std::vector<std::unique_ptr<Relation>> tables_;
  AnalysisTables analyses_;
  sqlite3* handle_ = nullptr;
  bool only_own_tables_ = true;  // no temporary or attached table can hide one of ours
};

}  // namespace warpscope::sql
