// Analyses in SQL: the same names and cells as in CSV, with parameters as hidden columns.
#include <string>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/shared/hta.hpp"
#include "core/base/table_writers.hpp"
#include "core/sql/database.hpp"
#include "core/sql/export.hpp"
#include "tests/catch.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/load_profile.hpp"
#include "tests/shared_dir.hpp"
#include "tests/small_job.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using analysis::Analysis;
using analysis::Setting;

namespace {

std::string csv_of(const Table& table) {
  std::string out;
  write_csv(out, table);
  return out;
}

/// The tables of `analyze NAME --csv`.
Result<std::vector<Table>> analyzed(const Analysis& analysis, const trace::Profile& profile,
                                    std::vector<Setting> settings = {}) {
  if (analysis::has_parameter(analysis, analysis::kCorrelationParameter.name))
    settings.emplace_back(analysis::kCorrelationParameter.name, "true");
  return analysis::run_analysis(analysis, profile, {.ranks = {}, .range = {}, .evaluated_only = true}, settings);
}

/// Compares names and cells with those of the CSV.
void check_same(const Table& found, const Table& expected) {
  const std::vector<CsvColumn> columns = csv_columns(expected);
  REQUIRE(found.columns().size() == columns.size());
  REQUIRE(found.rows() == expected.rows());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    CHECK(found.columns()[c].name == columns[c].name);
    for (std::size_t row = 0; row < found.rows(); ++row) {
      const Cell cell = csv_value(expected.columns()[columns[c].column], expected.at(row, columns[c].column));
      const bool same = found.at(row, c).missing() ? cell.missing()
                                                   : found.at(row, c).type() == cell.type() && found.at(row, c) == cell;
      if (!same) FAIL("row " << row << ", column " << columns[c].name);
    }
  }
}

void check_all(const trace::Profile& profile, sql::Database& database) {
  for (const Analysis& each : analysis::analyses()) {
    if (each.compares) continue;
    const auto tables = analyzed(each, profile);
    const bool taken = std::ranges::any_of(database.tables(), [&](const auto& own) { return own->name == each.name; });
    for (std::size_t t = 0; tables && t < tables->size(); ++t) {
      std::string id = (*tables)[t].id;
      std::ranges::replace(id, '-', '_');
      const std::string name = t == 0 && !taken ? std::string(each.name) : std::string(each.name) + '_' + id;
      INFO(name);
      const auto found = database.run("SELECT * FROM \"" + name + "\"");
      if (!found) FAIL_CHECK(found.error().message());
      if (found) check_same(*found, (*tables)[t]);
    }
  }
}

std::unique_ptr<sql::Database> open_database(std::shared_ptr<const trace::Profile> profile) {
  auto database = sql::Database::open(std::move(profile), {});
  REQUIRE(database);
  return std::move(*database);
}

}  // namespace

TEST_CASE("every analysis in SQL equals its CSV", "[sql]") {
  const TestFolder folder;
  write_set(folder, tracegen::generate_in_memory(small_job()));
  const auto profile = load(folder.path());
  check_all(*profile, *open_database(profile));
  const auto shared = shared_dir();
  if (!shared) return;
  for (const char* name : {"cupti", "mi300_resnet_ddp", "sagemaker"}) {
    INFO(name);
    auto real = load_profile((*shared / "traces" / name).string());
    REQUIRE(real);
    check_all(**real, *open_database(*real));
  }
}

TEST_CASE("parameters of analyses are hidden columns in SQL", "[sql]") {
  const TestFolder folder;
  write_set(folder, tracegen::generate_in_memory(small_job()));
  const auto profile = load(folder.path());
  const auto database = open_database(profile);
  const auto rows = [&](const std::string& query) {
    const auto table = database->run(query);
    INFO(query << ": " << (table ? std::string() : table.error().message()));
    REQUIRE(table);
    return csv_of(*table);
  };
  const auto expected = analyzed(*analysis::find_analysis("kernel_time"), *profile, {{"k", "2"}});
  CHECK(rows("SELECT * FROM kernel_time WHERE k = 2") == csv_of(expected->front()));
  CHECK(rows("SELECT * FROM kernel_time WHERE k = '2' AND scope_ranks = '0-1'") == csv_of(expected->front()));
  const auto parameter = analysis::find_analysis("late_ranks")->parameters.front().name;
  CHECK(parameter == "clocks");
  CHECK(rows("SELECT * FROM late_ranks('recorded')") == rows("SELECT * FROM late_ranks WHERE clocks = 'recorded'"));
  CHECK(rows("SELECT DISTINCT clocks FROM late_ranks") == "clocks\r\naligned\r\n");
  CHECK(rows("SELECT DISTINCT k FROM (SELECT 2 AS n UNION SELECT 3) JOIN kernel_time ON k = n ORDER BY k") ==
        "k\r\n2\r\n3\r\n");
  const auto error = database->run("SELECT * FROM late_ranks('wrong')");
  REQUIRE(!error);
  CHECK(contains(error.error().message(), "clocks: cannot be \"wrong\"; use one of aligned"));
  CHECK(!database->run("SELECT * FROM kernel_time WHERE scope_ranks = '99'"));
  CHECK(!database->run("SELECT * FROM kernel_time_nothing"));
}

TEST_CASE("an exported file has the rows of the tables", "[sql]") {
  const TestFolder folder;
  write_set(folder, tracegen::generate_in_memory(small_job()));
  const auto profile = load(folder.path());
  const auto database = open_database(profile);
  const std::string file = folder.path() / "job.db";
  Progress progress;
  CHECK(!sql::is_export(file));
  const Failure failure = sql::export_tables(*database, file, CancelToken(), progress);
  INFO((failure ? failure->message() : ""));
  REQUIRE(!failure);
  CHECK(sql::is_export(file));
  CHECK(database->run("SELECT * FROM slice LIMIT 1"));
  CHECK(!database->run("ATTACH '" + file + "' AS x"));
  database->trust(true);
  REQUIRE(database->run("ATTACH '" + file + "' AS x"));
  for (const auto& table : database->tables()) {
    INFO(table->name);
    const auto own = database->run("SELECT * FROM main." + table->name);
    const auto written = database->run("SELECT * FROM x." + table->name);
    REQUIRE((own && written));
    CHECK(csv_of(*own) == csv_of(*written));
  }
  CancelToken cancelled;
  cancelled.cancel();
  const TestFolder empty;
  CHECK(sql::export_tables(*database, empty.path() / "other.db", cancelled, progress));
  CHECK(std::filesystem::is_empty(empty.path()));
}
