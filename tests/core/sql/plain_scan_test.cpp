// Queries that read columns of one table have the same result as when SQLite reads them, also from a store, whose
// columns are loaded ahead.
#include "core/sql/plain_scan.hpp"

#include <algorithm>
#include <string>

#include "core/base/table_writers.hpp"
#include "core/ingest/load/loader.hpp"
#include "core/sql/database.hpp"
#include "tests/catch.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/load_profile.hpp"
#include "tests/small_job.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

std::unique_ptr<sql::Database> plain_database(std::shared_ptr<const trace::Profile> profile) {
  auto database = sql::Database::open(std::move(profile), {});
  REQUIRE(database);
  return std::move(*database);
}

/// The result as CSV, after the kinds of its columns.
std::string result_of(sql::Database& database, const std::string& query) {
  const auto table = database.run(query, {.seconds = 60});
  if (!table) return table.error().message();
  std::string out;
  for (const Column& column : table->columns()) out.append(to_string(column.kind)).append(" ");
  write_csv(out, *table);
  return out;
}

bool is_plain(const sql::Database& database, const std::string& query) {
  return sql::plain_scan(query, {&database.tables(), &database.analyses()}).has_value();
}

}  // namespace

TEST_CASE("a plain scan has the result of SQLite", "[sql]") {
  const TestFolder folder;
  write_set(folder, tracegen::generate_in_memory(small_job()));
  const auto database = plain_database(load(folder.path()));
  for (const auto* group : {&database->tables(), &database->analyses()})
    for (const auto& table : *group) {
      const std::string plain = "SELECT * FROM " + table->name;
      INFO(plain);
      const std::string expected = result_of(*database, plain + " WHERE 1");
      CHECK(result_of(*database, plain) == expected);
      CHECK(is_plain(*database, plain));
      CHECK_FALSE(is_plain(*database, plain + " WHERE 1"));
    }
  for (const std::string query :
       {"select Name, dur,NAME , \"end\" from Slice LIMIT 3", "SELECT name,dur FROM slice limit 7 ;",
        "SELECT rank FROM rank", "SELECT rank, * FROM rank LIMIT 0", "SELECT rowid FROM step"}) {
    INFO(query);
    const std::string other = "SELECT * FROM (" + query.substr(0, query.find(';')) + ")";
    CHECK_FALSE(is_plain(*database, other));
    const std::string found = result_of(*database, query);
    CHECK(found.substr(found.find('\n') + 1) == [&] {
      const std::string expected = result_of(*database, other);
      return expected.substr(expected.find('\n') + 1);
    }());
  }
  for (const char* const query :
       {"SELECT name FROM slice LIMIT -1", "SELECT name FROM slice LIMIT 1 OFFSET 2", "SELECT DISTINCT name FROM slice",
        "SELECT name n FROM slice", "SELECT name FROM slice, rank", "SELECT name FROM slice -- all",
        "SELECT 1 FROM slice", "EXPLAIN SELECT name FROM slice", "SELECT name FROM main.slice",
        "SELECT name FROM slice ORDER BY id", ""})
    CHECK_FALSE(is_plain(*database, query));
}

TEST_CASE("a plain scan respects temporary tables and limits", "[sql]") {
  const TestFolder folder;
  tracegen::Options options = small_job();
  options.steps = 40;
  write_set(folder, tracegen::generate_in_memory(options));
  const auto database = plain_database(load(folder.path()));
  REQUIRE(database->run("SELECT * FROM slice")->rows() > 5000);
  CHECK(contains(result_of(*database, "SELECT nowhere FROM slice"), "no such column: nowhere"));
  CancelToken cancel;
  cancel.cancel();
  const auto interrupted = database->run("SELECT * FROM slice", {.cancel = &cancel});
  REQUIRE(!interrupted);
  CHECK(contains(interrupted.error().message(), "was interrupted"));
  CHECK(!database->run("SELECT * FROM slice", {.result_bytes = 1000}));
  CHECK(!database->run("SELECT * FROM slice", {.seconds = 1e-9}));
  CHECK(result_of(*database, "CREATE TEMP TABLE step(a); INSERT INTO step VALUES (7); SELECT * FROM step") ==
        "identifier a\r\n7\r\n");
}

TEST_CASE("SQL on a store equals SQL on the traces", "[sql]") {
  const TestFolder folder;
  write_set(folder, tracegen::generate_in_memory(small_job()), "job");
  const std::string path = folder.path() / "job";
  const std::string store = folder.path() / "job.wscope";
  ingest::Loader loader(path);
  loader.wait();
  REQUIRE(!loader.save(store, CancelToken()));
  const auto traces = plain_database(loader.profile());
  for (const char* const query :
       {"SELECT * FROM gpu_activity", "SELECT * FROM slice", "SELECT name, count(*), sum(dur) FROM slice GROUP BY name",
        "SELECT * FROM slice LIMIT 40", "SELECT count(*) FROM gpu_activity g JOIN slice s ON s.id = g.launch"}) {
    INFO(query);
    const auto stored = plain_database(load_profile(store).value());
    CHECK(result_of(*stored, query) == result_of(*traces, query));
  }
}
