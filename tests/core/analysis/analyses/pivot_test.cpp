// Compares the pivot with sums over all slices of generated ranks.
#include <fmt/format.h>

#include <map>

#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

using Rows = std::vector<std::string>;

std::shared_ptr<const trace::Profile> pivot_job(const TestFolder& folder) {
  for (int rank = 0; rank < 2; ++rank) {
    TinyEvents events;
    events.step(1, 0, 100).step(2, 100, 100);
    events.run({.name = "gemm", .begin = 10, .length = 20.0 + rank}).run({.name = "gemm", .begin = 110, .length = 30});
    if (rank == 1) events.run({.name = "relu", .begin = 150, .length = 5});
    events.run({.name = "late", .begin = 250, .length = 1});
    folder.write(fmt::format("rank{}.json", rank),
                 trace_of(events.text(), fmt::format(R"("distributedInfo": {{"rank": {}, "world_size": 2}})", rank)));
  }
  return load(folder.path());
}

Table pivot(const trace::Profile& profile, std::vector<analysis::Setting> settings) {
  return std::move(tables_of(profile, "pivot", std::move(settings))[0]);
}

}  // namespace

TEST_CASE("a pivot sums durations by two properties") {
  const TestFolder folder;
  const auto profile = pivot_job(folder);
  CHECK(row_texts(pivot(*profile, {})) == Rows{"gemm 101000 50000 51000", "relu 5000 - 5000", "late 2000 1000 1000"});
  const Table steps = pivot(*profile, {{"columns", "step"}, {"figure", "count"}});
  CHECK(steps.columns()[2].name == "(outside steps)");
  CHECK(row_texts(steps) == Rows{"gemm 4 - 2 2", "relu 1 - - 1", "late 2 2 - -"});
  CHECK(row_texts(pivot(*profile, {{"figure", "mean"}}))[0] == "gemm 25250 25000 25500");
  CHECK(row_texts(pivot(*profile, {{"figure", "share"}}))[1] == "relu 0.0462963 - 0.0462963");
  CHECK(row_texts(pivot(*profile, {{"rows", "rank"}, {"columns", "category"}})) ==
        Rows{"rank 1 57000 57000", "rank 0 51000 51000"});
}

TEST_CASE("a pivot sums the columns it does not list") {
  const TestFolder folder;
  const Table table =
      pivot(*pivot_job(folder), {{"rows", "rank"}, {"columns", "name"}, {"column_limit", "1"}, {"row_limit", "1"}});
  CHECK(row_texts(table) == Rows{"rank 1 57000 51000 6000"});
  CHECK(table.columns().back().name == "others");
  CHECK(table.note == "Shows the 1 largest of 2 rows; row_limit=0 shows all.");
}

TEST_CASE("a pivot of a property by itself is rejected") {
  const TestFolder folder;
  const auto profile = pivot_job(folder);
  const std::vector<analysis::Setting> settings{{"rows", "rank"}, {"columns", "rank"}};
  const auto refused = analysis::run_analysis(*analysis::find_analysis("pivot"), *profile, {}, settings);
  CHECK_FALSE(refused.ok());
}
