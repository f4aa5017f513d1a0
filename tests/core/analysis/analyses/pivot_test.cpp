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

TEST_CASE("a pivot groups GPU activity by the module and the shapes of its operator") {
  const auto op = [](std::string_view name, std::string_view dims) {
    return fmt::format(R"("cat":"cpu_op","name":"{}","args":{{"Input Dims":{}}})", name, dims);
  };
  const auto module = [](std::string_view name) {
    return fmt::format(R"("cat":"python_function","name":"nn.Module: {}","args":{{}})", name);
  };
  TinyEvents events;
  events.host_range(module("Net_0"), 0, 100).host_range(module("Linear_0"), 5, 25);
  events.host_range(op("aten::mm", "[[8, 4], [4, 2]]"), 10, 10).launch(12, 1);
  events.host_range(op("aten::mm", "[[6, 4], [4, 2]]"), 40, 10).launch(42, 2);
  events.launch(150, 3);
  events.run({.name = "gemm", .begin = 200, .length = 10, .correlation = 1});
  events.run({.name = "gemm", .begin = 220, .length = 20, .correlation = 2});
  events.run({.name = "fill", .begin = 250, .length = 5, .correlation = 3, .stream = 9});
  const TestFolder folder;
  const auto profile = load(folder.write("rank0.json", trace_of(events.text())));
  const Table by_module = pivot(*profile, {{"rows", "module"}, {"columns", "shape"}});
  REQUIRE(by_module.columns().size() == 5);
  CHECK(by_module.columns()[2].name == "(no operator)");
  CHECK(by_module.columns()[3].name == "[[6, 4], [4, 2]]");
  CHECK(row_texts(by_module) == Rows{"Net_0 20000 - 20000 -", "Linear_0 10000 - - 10000", "(no module) 5000 5000 - -"});
  CHECK(by_module.note.empty());
  CHECK(row_texts(pivot(*profile, {{"rows", "stream"}, {"columns", "module"}, {"figure", "count"}})) ==
        Rows{"stream 7 2 - 1 1", "stream 9 1 1 - -"});
  // Runtime calls have the shapes of the enclosing operator.
  CHECK(row_texts(
            pivot(*profile, {{"rows", "shape"}, {"columns", "category"}, {"slices", "host"}, {"figure", "count"}})) ==
        Rows{"(no operator) 3 - 1 2", "[[6, 4], [4, 2]] 2 1 1 -", "[[8, 4], [4, 2]] 2 1 1 -"});
  const TestFolder plain;
  const auto without = pivot_job(plain);
  CHECK(pivot(*without, {{"columns", "shape"}}).note ==
        "The traces have no input shapes; to record them, use profile(record_shapes=True).");
  CHECK(pivot(*without, {{"columns", "module"}}).note ==
        "The traces have no modules; to record them, use profile(with_stack=True).");
}

TEST_CASE("a pivot of a property by itself is rejected") {
  const TestFolder folder;
  const auto profile = pivot_job(folder);
  const std::vector<analysis::Setting> settings{{"rows", "rank"}, {"columns", "rank"}};
  const auto refused = analysis::run_analysis(*analysis::find_analysis("pivot"), *profile, {}, settings);
  CHECK_FALSE(refused.ok());
}
