// Hostile queries: each is refused or stopped with a message, memory is bounded, and nothing is written.
#include <filesystem>
#include <string>

#include "core/sql/database.hpp"
#include "tests/catch.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/small_job.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

struct Attacked {
  TestFolder job;
  TestFolder target;  ///< where queries try to write
  std::unique_ptr<sql::Database> database;

  Attacked() {
    write_set(job, tracegen::generate_in_memory(small_job()));
    auto opened = sql::Database::open(load(job.path()), {});
    REQUIRE(opened);
    database = std::move(*opened);
  }
  ~Attacked() { CHECK(std::filesystem::is_empty(target.path())); }
  /// Returns the error of a query in which $ is a path; "" if it succeeds.
  [[nodiscard]] std::string error_of(std::string text, double seconds = 0.05) const {
    for (std::size_t at = text.find('$'); at != std::string::npos; at = text.find('$'))
      text.replace(at, 1, target.path() / "x.db");
    const auto table = database->run(text, {.seconds = seconds, .result_bytes = 1 << 20});
    return table ? "" : table.error().message();
  }
};

}  // namespace

TEST_CASE("SQL refuses everything but reading", "[sql][hostile]") {
  const Attacked attacked;
  for (const std::string text : {"ATTACH '$' AS x",
                                 "ATTACH ':memory:' AS x",
                                 "ATTACH 'file:$?mode=rwc' AS x",
                                 "DETACH main",
                                 "VACUUM",
                                 "VACUUM INTO '$'",
                                 "PRAGMA temp_store_directory = '/tmp'",
                                 "PRAGMA temp_store = FILE",
                                 "PRAGMA journal_mode = WAL",
                                 "PRAGMA writable_schema = 1",
                                 "PRAGMA hard_heap_limit = 0",
                                 "PRAGMA threads = 8",
                                 "PRAGMA mmap_size = 1",
                                 "PRAGMA user_version = 1",
                                 "PRAGMA trusted_schema = 1",
                                 "PRAGMA cache_size = 1000000",
                                 "PRAGMA case_sensitive_like = 1",
                                 "PRAGMA optimize",
                                 "PRAGMA incremental_vacuum",
                                 "SELECT * FROM pragma_journal_mode('wal')",
                                 "CREATE TABLE t(a)",
                                 "CREATE VIEW v AS SELECT 1",
                                 "CREATE INDEX i ON slice(dur)",
                                 "CREATE VIRTUAL TABLE t USING fts5(a)",
                                 "CREATE VIRTUAL TABLE temp.t USING rtree(a, b, c)",
                                 "CREATE VIRTUAL TABLE temp.t USING slice",
                                 "CREATE TEMP TRIGGER t INSERT ON slice BEGIN SELECT 1; END",
                                 "DROP TABLE slice",
                                 "ALTER TABLE slice RENAME TO t",
                                 "INSERT INTO slice VALUES (1)",
                                 "INSERT INTO late_ranks(rank) VALUES (1)",
                                 "UPDATE slice SET dur = 0",
                                 "DELETE FROM slice",
                                 "REPLACE INTO slice(id) VALUES (1)",
                                 "UPDATE sqlite_master SET sql = 1",
                                 "DELETE FROM sqlite_master",
                                 "INSERT INTO sqlite_temp_master VALUES (1, 2, 3, 4, 5)",
                                 "BEGIN",
                                 "SAVEPOINT s",
                                 "COMMIT",
                                 "ANALYZE",
                                 "SELECT load_extension('$')",
                                 "SELECT writefile('$', 'y')",
                                 "SELECT readfile('/etc/passwd')",
                                 "SELECT edit('x')",
                                 "SELECT fts3_tokenizer('simple')",
                                 "SELECT * FROM fsdir('/')"}) {
    INFO(text);
    CHECK(!attacked.error_of(text).empty());
  }
}

TEST_CASE("SQL stops queries without an end", "[sql][hostile]") {
  const Attacked attacked;
  const std::string endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) ";
  const std::string many = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 100000) ";
  for (const std::string& text :
       {endless + "SELECT count(*) FROM c", endless + "SELECT max(x) FROM c WHERE x < 0",
        endless + "SELECT 1 FROM c ORDER BY 1", many + "SELECT count(*) FROM c a, c b, c d",
        many + "SELECT count(*) FROM slice s, c a, c b",
        std::string("SELECT count(*) FROM slice a, slice b, slice c, slice d"),
        std::string(
            "SELECT sum(a.dur * b.dur) FROM slice a JOIN slice b ON a.dur < b.dur JOIN slice c ON b.dur < c.dur"),
        std::string("WITH RECURSIVE c(x) AS (SELECT 'a' UNION SELECT x || 'a' FROM c) SELECT count(*) FROM c")}) {
    INFO(text);
    CHECK(contains(attacked.error_of(text), "was stopped after 0.05 s"));
  }
  CHECK(contains(attacked.error_of(endless + "SELECT x FROM c", 60), "has a result of more than 1 MiB"));
  CancelToken cancelled;
  cancelled.cancel();
  const auto result = attacked.database->run(endless + "SELECT count(*) FROM c", {.cancel = &cancelled});
  REQUIRE(!result);
  CHECK(contains(result.error().message(), "was interrupted"));
  CHECK(!attacked.database->run("SELECT * FROM collective", {.cancel = &cancelled}));
  CHECK(attacked.database->run("SELECT count(*) FROM collective"));  // nothing half-computed is kept
}

TEST_CASE("SQL limits memory and the size of a query", "[sql][hostile]") {
  const Attacked attacked;
  std::string deep = "1";
  for (int i = 0; i < 2000; ++i) deep = "(" + deep + ")";
  std::string wide = "SELECT 1";
  for (int i = 0; i < 600; ++i) wide += ", 1";
  std::string compound = "SELECT 1";
  for (int i = 0; i < 300; ++i) compound += " UNION ALL SELECT 1";
  for (const std::string& text :
       {std::string("SELECT zeroblob(1000000000)"), std::string("SELECT hex(zeroblob(60000000))"),
        std::string("SELECT replace(hex(zeroblob(30000000)), '0', '12345678')"),
        std::string("SELECT group_concat(hex(zeroblob(1000000))) FROM slice"),
        std::string("SELECT 1 LIKE '") + std::string(5000, '%') + "'",
        "SELECT " + deep + "+" + std::string(3000, '-') + "1", wide, compound,
        "SELECT '" + std::string(2 << 20, 'x') + "'"}) {
    INFO(text.substr(0, 100));
    CHECK(!attacked.error_of(text, 5).empty());
  }
}

TEST_CASE("SQL limits the memory of medians", "[sql][hostile]") {
  const Attacked attacked;
  const std::string fill =
      "CREATE TEMP TABLE t AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 11) "
      "SELECT zeroblob(64000000) FROM n; ";  // most of the memory, so that the test takes less time
  CHECK(attacked.error_of(fill, 60).empty());
  std::string query = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT median(x)";
  for (int i = 0; i < 60; ++i) query += ", median(x + " + std::to_string(i) + ")";
  CHECK(contains(attacked.error_of(query + " FROM n", 60), "memory"));
}

TEST_CASE("malformed SQL is an error with its place", "[sql][hostile]") {
  const Attacked attacked;
  const std::string query =
      "WITH t AS (SELECT name, dur FROM slice WHERE rank IN (0, 1) AND name LIKE 'a%') SELECT max(dur) AS m, arg(1, "
      "'x') "
      "FROM t JOIN late_ranks('recorded') GROUP BY name HAVING m > 0 ORDER BY 1 LIMIT 3";
  CHECK(attacked.error_of(query, 10).empty());
  for (std::size_t size = 0; size < query.size(); ++size)
    static_cast<void>(attacked.error_of(query.substr(0, size), 10));
  for (const std::string text :
       {"SELECT", "SELECT '", "SELECT \xFF", "(", ")", "SELECT * FROM nowhere", "SELECT none FROM rank",
        "SELECT * FROM late_ranks(1, 2, 3, 4, 5, 6, 7, 8)", "SELECT arg(1)", "SELECT ?; SELECT"}) {
    INFO(text);
    CHECK(!attacked.error_of(text).empty());
  }
  const auto advises = [&](const std::string& text, const std::string& advice) {
    INFO(attacked.error_of(text));
    CHECK(contains(attacked.error_of(text), advice));
  };
  advises("SELECT * FROM late_rank", "did you mean late_ranks?");
  advises("SELECT s.nam FROM slice s", "did you mean name?");
  advises("SELECT medain(dur) FROM slice", "did you mean median?");
  advises("SELECT group FROM collective", "write \"group\" in quotes");
  advises("SELECT * FROM where_time_goes_by_step", "where_time_goes has the tables where_time_goes, ");
  CHECK(contains(attacked.error_of("SELECT rank\nFROM rank\nWHERE none = 1"), "line 3, at \"none = 1\""));
  CHECK(attacked.error_of("CREATE TEMP TABLE t AS SELECT rank FROM rank; INSERT INTO t VALUES (7); DROP TABLE t", 5) ==
        "");
}
