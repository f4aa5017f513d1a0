// Tables of SQL: their rows are the profile's, and conditions reach the index.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/analysis/information/profile_summary.hpp"
#include "core/sql/database.hpp"
#include "core/sql/recipes.hpp"
#include "tests/catch.hpp"
#include "tests/core/analysis/table_cells.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/load_profile.hpp"
#include "tests/shared_dir.hpp"
#include "tests/small_job.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

std::unique_ptr<sql::Database> open(std::shared_ptr<const trace::Profile> profile) {
  auto database = sql::Database::open(std::move(profile), {});
  REQUIRE(database);
  return std::move(*database);
}

Table query(sql::Database& database, std::string_view text) {
  auto table = database.run(text, {.seconds = 60});
  INFO(text << ": " << (table ? std::string() : table.error().message()));
  REQUIRE(table);
  return std::move(*table);
}

std::int64_t number(sql::Database& database, std::string_view text) {
  const Table table = query(database, text);
  REQUIRE(table.rows() == 1);
  return table.at(0, 0).integer();
}

/// A generated job in memory.
std::shared_ptr<const trace::Profile> small_profile() {
  static const auto kProfile = [] {
    const TestFolder folder;
    write_set(folder, tracegen::generate_in_memory(small_job()));
    return load(folder.path());
  }();
  return kProfile;
}

void check_counts(const trace::Profile& profile, sql::Database& database) {
  const analysis::ProfileSummary summary = analysis::summarize(profile);
  const std::string recorded = " FROM slice WHERE track IN (SELECT id FROM track WHERE kind <> 'async')";
  CHECK(number(database, "SELECT count(*)" + recorded) == static_cast<std::int64_t>(summary.slices));
  CHECK(number(database, "SELECT count(*) FROM gpu_activity") == static_cast<std::int64_t>(summary.runs));
  CHECK(number(database, "SELECT count(*) FROM gpu_activity WHERE launch IS NOT NULL") ==
        static_cast<std::int64_t>(summary.connections));
  CHECK(number(database, "SELECT count(DISTINCT launch) FROM launch") == static_cast<std::int64_t>(summary.launches));
  CHECK(number(database, "SELECT count(DISTINCT name) FROM step") == static_cast<std::int64_t>(summary.steps));
  CHECK(number(database, "SELECT count(*) FROM rank") == static_cast<std::int64_t>(profile.ranks.size()));
  CHECK(number(database, "SELECT count(*) FROM node") == static_cast<std::int64_t>(profile.nodes.size()));
  CHECK(number(database, "SELECT sum(slices) FROM track WHERE kind <> 'async'") ==
        static_cast<std::int64_t>(summary.slices));
  CHECK(number(database, "SELECT coalesce(sum(samples), 0) FROM counter") ==
        number(database, "SELECT count(*) FROM sample"));
  const Table categories = query(database, "SELECT category, count(*)" + recorded + " GROUP BY category");
  CHECK(categories.rows() == summary.slices_by_category.size());
  for (std::size_t row = 0; row < categories.rows(); ++row)
    CHECK(categories.at(row, 1).integer() ==
          static_cast<std::int64_t>(summary.slices_by_category.at(std::string(categories.at(row, 0).text()))));
}

}  // namespace

TEST_CASE("SQL counts the slices, GPU activity and launches of info", "[sql]") {
  check_counts(*small_profile(), *open(small_profile()));
  const auto shared = shared_dir();
  if (!shared) return;
  for (const char* name : {"dlrm8", "mi300_qwen", "cupti", "mtia", "malformed", "sagemaker", "sampled2", "triton"}) {
    INFO(name);
    auto profile = load_profile((*shared / "traces" / name).string());
    REQUIRE(profile);
    check_counts(**profile, *open(*profile));
  }
}

TEST_CASE("SQL finds the same rows by any condition", "[sql]") {
  const auto database = open(small_profile());
  // A column in an expression is not looked up.
  const auto same = [&](const std::string& table, const std::string& fast, const std::string& slow) {
    INFO(table << " WHERE " << fast);
    const auto sum = [&](const std::string& where) {
      return number(*database,
                    "SELECT count(*) * 1000003 + coalesce(sum(dur % 1000003), 0) FROM " + table + " WHERE " + where);
    };
    CHECK(sum(fast) == sum(slow));
  };
  const std::string middle = std::to_string(small_profile()->span.length() / 2);
  const std::string later = std::to_string(small_profile()->span.length() / 2 + 100'000);
  const std::string name = query(*database, "SELECT name FROM gpu_activity LIMIT 1").at(0, 0).text() == ""
                               ? ""
                               : std::string(query(*database, "SELECT name FROM gpu_activity LIMIT 1").at(0, 0).text());
  const std::string id = std::to_string(number(*database, "SELECT max(id) FROM gpu_activity"));
  const std::string track = std::to_string(number(*database, "SELECT max(track) FROM gpu_activity"));
  for (const std::string table : {"slice", "gpu_activity", "annotation"}) {
    same(table, "rank = 1", "+rank = 1");
    same(table, "rank = '1'", "+rank = 1");
    same(table, "rank > 0.5 AND rank <= 1", "+rank = 1");
    same(table, "rank IN (0, 1)", "+rank < 2");
    same(table, "rank = 'x'", "+rank = 'x'");
    same(table, "rank < 'x'", "+rank < 9");
    same(table, "rank = NULL", "+rank > 9");
    same(table, "rank > 9e99", "+rank > 9");
    same(table, "rank < -9223372036854775808.0", "+rank < -9223372036854775808.0");
    same(table, "rank >= -9e99 AND start < 9e18", "+rank >= 0");
    same(table, "start < " + middle, "+start < " + middle);
    same(table, "start >= " + middle, "+start >= " + middle);
    same(table, "start < " + later + " AND end > " + middle, "+start < " + later + " AND +end > " + middle);
    same(table, "end <= " + middle, "+end <= " + middle);
    same(table, "id = " + id, "+id = " + id);
    same(table, "rowid = " + id, "+id = " + id);
    same(table, "id > " + id, "+id > " + id);
    same(table, "id = " + id + " AND rank = 0", "+id = " + id + " AND +rank = 0");
    same(table, "track = " + track, "+track = " + track);
    same(table, "track = " + track + " AND start > " + middle, "+track = " + track + " AND +start > " + middle);
    same(table, "name = '" + name + "'", "+name = '" + name + "'");
    same(table, "name = '" + name + "' AND rank = 1 AND start > " + middle,
         "+name = '" + name + "' AND +rank = 1 AND +start > " + middle);
    same(table, "name LIKE '%GEMM%'", "+name LIKE '%gemm%'");
    same(table, "name GLOB '*gemm*'", "+name GLOB '*gemm*'");
    same(table, "name = '" + name + "' COLLATE NOCASE", "+name LIKE '" + name + "'");
    same(table, "category LIKE 'k%'", "+category LIKE 'k%'");
    same(table, "category = 'kernel'", "+category = 'kernel'");
    same(table, "category IN ('kernel', 'cpu_op')", "+category IN ('kernel', 'cpu_op')");
  }
  same("launch", "launch = (SELECT min(launch) FROM launch)", "+launch = (SELECT min(launch) FROM launch)");
  same("launch", "activity = " + id, "+activity = " + id);
  same("step", "rank = 1", "+rank = 1");
  CHECK(number(*database, "SELECT count(*) FROM track WHERE id = " + track) == 1);
  CHECK(number(*database, "SELECT count(*) FROM gpu_activity g JOIN launch l ON l.activity = g.id") ==
        number(*database, "SELECT count(*) FROM gpu_activity g JOIN slice s ON s.id = g.launch"));
}

TEST_CASE("SQL has the ts of a rank's first slice, whatever its file's base", "[sql]") {
  const TestFolder folder;
  for (const auto& [rank, base] :
       {std::pair("0", ""), std::pair("1", R"("baseTimeNanoseconds": 1711929600000000000,)")})
    folder.write(std::string(rank) + ".json", std::string("{") + base + R"("distributedInfo": {"rank": )" + rank +
                                                  R"(}, "traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::mm",
                                                  "pid": 1, "tid": 1, "ts": 12.345, "dur": 2}]})");
  const Table table = query(*open(load(folder.path())), "SELECT file_start_ns FROM rank");
  REQUIRE(table.rows() == 2);
  for (std::size_t row = 0; row < 2; ++row) CHECK(table.at(row, 0).integer() == 12'345);
}

TEST_CASE("SQL looks at the rows of a condition only", "[sql]") {
  const auto database = open(small_profile());
  const auto visits = [&](std::string_view text) {
    const std::uint64_t before = database->context().visited;
    static_cast<void>(query(*database, text));
    return database->context().visited - before;
  };
  const auto all = static_cast<std::uint64_t>(number(*database, "SELECT count(*) FROM slice"));
  const auto id = std::to_string(number(*database, "SELECT max(id) FROM slice"));
  CHECK(visits("SELECT * FROM slice WHERE id = " + id) == 1);
  CHECK(visits("SELECT * FROM slice WHERE rank = 1") ==
        static_cast<std::uint64_t>(number(*database, "SELECT slices FROM rank WHERE rank = 1")));
  CHECK(visits("SELECT * FROM slice WHERE rank = 1 AND start >= 0 AND start < 1000") < all / 20);
  CHECK(visits("SELECT * FROM slice WHERE name = 'cudaLaunchKernel'") ==
        static_cast<std::uint64_t>(number(*database, "SELECT count(*) FROM slice WHERE +name = 'cudaLaunchKernel'")));
  CHECK(visits("SELECT g.name FROM gpu_activity g JOIN launch l ON l.activity = g.id") <=
        2 * static_cast<std::uint64_t>(number(*database, "SELECT count(*) FROM gpu_activity")));
  const auto plan = [&](const std::string& text) {
    return std::string(query(*database, "EXPLAIN QUERY PLAN " + text).at(0, 3).text());
  };
  CHECK(contains(plan("SELECT * FROM slice WHERE rank = 1 AND start >= 5"), ":rank= start>="));
  const Table grouped = query(*database, "EXPLAIN QUERY PLAN SELECT name, sum(dur) FROM slice GROUP BY name");
  CHECK(grouped.rows() == 1);  // without a sort
}

TEST_CASE("SQL functions return arguments, parents and paths of slices", "[sql]") {
  const TestFolder folder;
  folder.write("trace.json",
               trace_of(
                   R"({"ph": "X", "cat": "cpu_op", "name": "outer", "pid": 1, "tid": 1, "ts": 0, "dur": 100},
         {"ph": "X", "cat": "cpu_op", "name": "inner", "pid": 1, "tid": 1, "ts": 10, "dur": 50,
          "args": {"Input Dims": [[2, 3]], "bytes": 12, "rate": 0.5}})"));
  const auto profile = load(folder.path());
  const auto database = open(profile);
  const Table table = query(*database,
                            "SELECT path(id), arg(id, 'Input Dims'), arg(id, 'bytes') + 1, arg(id, 'none'), "
                            "arg(id, 'rate') FROM slice WHERE parent(id) IS NOT NULL");
  REQUIRE(table.rows() == 1);
  CHECK(table.at(0, 0).text() == "outer / inner");
  CHECK(table.at(0, 1).text() == "[[2, 3]]");
  CHECK(table.at(0, 2).integer() == 13);
  CHECK(table.at(0, 3).missing());
  CHECK(table.at(0, 4).number() == 0.5);
}

TEST_CASE("SQL has medians, percentiles and standard deviations", "[sql]") {
  const auto database = open(small_profile());
  const Table table = query(*database,
                            "WITH t(x) AS (VALUES (4), (1), (NULL), (3.0), ('no number'), (10)) "
                            "SELECT median(x), percentile(x, 0), percentile(x, 90), percentile(x, 100), stddev(x), "
                            "median(NULL), stddev(1) FROM t");
  CHECK(table.at(0, 0).number() == 3.5);
  CHECK(table.at(0, 1).number() == 1);
  CHECK(table.at(0, 2).number() == Approx(8.2));
  CHECK(table.at(0, 3).number() == 10);
  CHECK(table.at(0, 4).number() == Approx(3.8729833462));
  CHECK(table.at(0, 5).missing());
  CHECK(table.at(0, 6).number() == 0);  // of the same value in each row
  CHECK(query(*database, "SELECT stddev(1)").at(0, 0).missing());
  CHECK(!database->run("SELECT percentile(1, 101)"));
}

TEST_CASE("SQL compares times with ns('10 ms'), not with text", "[sql]") {
  const auto database = open(small_profile());
  CHECK(number(*database, "SELECT ns('12.3ms') + ns('7')") == 12'300'007);
  CHECK(number(*database, "SELECT count(*) FROM slice WHERE start >= ns('0') AND dur > '0'") > 0);
  for (const std::string condition :
       {"start > '10ms'", "dur < '1ms'", "rank = 0 AND dur = 'long'", "dur > ns('often')"}) {
    const auto failed = database->run("SELECT count(*) FROM slice WHERE " + condition);
    INFO(condition);
    CHECK(!failed);
    if (!failed) CHECK(contains(failed.error().message(), "ns('"));
  }
}

TEST_CASE("the slowest step of SQL's recipe includes idle time", "[sql]") {
  const TestFolder folder;
  const auto step = [](int number, int start, int kernel) {
    return fmt::format(
        R"({{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#{0}", "pid": 1, "tid": 1, "ts": {1}, "dur": {2}}},
{{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": {3}, "dur": 1,
  "args": {{"correlation": {0}}}}},
{{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": {3}, "dur": 20,
  "args": {{"device": 0, "stream": 7, "correlation": {0}}}}})",
        number, start, kernel - start + 30, kernel);
  };
  folder.write("trace.json", trace_of(step(1, 0, 10) + "," + step(2, 100, 110) + "," + step(3, 200, 280)));
  const auto database = open(load(folder.path()));
  const Table table = query(*database, sql::recipes().front().query);
  REQUIRE(table.rows() == 2);
  CHECK(table.at(0, 0).text() == "(GPU idle)");
  CHECK(table.at(0, 2).integer() == 70'000);
  CHECK(table.at(1, 2).integer() == 0);
}

TEST_CASE("SQL recipes find something in an ordinary job", "[sql]") {
  const TestFolder folder;
  write_set(folder, tracegen::generate_in_memory(small_job()));
  const auto database = open(load(folder.path()));
  for (const sql::Recipe& recipe : sql::recipes()) {
    INFO(recipe.name);
    CHECK(query(*database, recipe.query).rows() > 0);
  }
}
