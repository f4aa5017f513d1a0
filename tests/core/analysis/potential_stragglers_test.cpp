#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/tracegen/tracegen.hpp"

using namespace warpscope;
using namespace warpscope::tests;

using Rows = std::vector<std::string>;

namespace {

/// Ranks whose collectives end together: rank r is late by `late[r]` µs in the first step, by nothing in the second.
std::shared_ptr<const trace::Profile> ranks_of(std::string_view collective, std::vector<double> late) {
  const TestFolder folder;
  for (std::size_t r = 0; r < late.size(); ++r) {
    TinyEvents events;
    events.step(3, 200, 100).step(2, 100, 100).step(1, 0, 100);  // names are not numbered in the order of time
    events.launch(1, 1).launch(101, 2).launch(201, 3);
    events.run({.name = collective, .begin = 10 + late[r], .length = 40 - late[r], .correlation = 1, .stream = 20});
    events.run({.name = collective, .begin = 110, .length = 40, .correlation = 2, .stream = 20});
    events.run({.name = collective, .begin = 210 + late[r], .length = 40 - late[r], .correlation = 3, .stream = 20});
    folder.write(fmt::format("rank{}.json", r),
                 trace_of(events.text(), fmt::format(R"("distributedInfo": {{"rank": {}, "world_size": 4}})", r)));
  }
  return load(folder.path());
}

}  // namespace

TEST_CASE("who is in a collective for the shortest time came last") {
  const auto profile = ranks_of("ncclDevKernel_AllReduce_Sum_f32_RING_LL", {0, 5, 20, 1});
  const auto tables = tables_of(*profile, "potential_stragglers");
  CHECK(row_texts(tables[0]) == Rows{"2 yes 2 40000 3", "1 yes 2 10000 3", "3 no 0 2000 3", "0 no 0 0 3"});
  CHECK(row_texts(tables[1])[2] == "2 ProfilerStep#1 yes 20000 1");
  CHECK(row_texts(tables[1])[6] == "2 ProfilerStep#2 no 0 1");
  CHECK(row_texts(tables_of(*profile, "potential_stragglers", {{"num_candidates", "1"}})[0]) ==
        Rows{"2 yes 2 40000 3", "1 no 0 10000 3", "3 no 0 2000 3", "0 no 0 0 3"});
  // The second step alone, and with a part of the third.
  for (const Ns end : {200'000, 290'000}) {
    const analysis::Scope scope{{}, Interval{profile->span.begin + 100'000, profile->span.begin + end}};
    CHECK(row_texts(tables_of(*profile, "potential_stragglers", {}, scope)[0]) ==
          Rows{"0 no 0 0 1", "1 no 0 0 1", "2 no 0 0 1", "3 no 0 0 1"});
  }
  // HTA does not know this name.
  const auto hta = tables_of(*profile, "potential_stragglers", {{"hta", "true"}});
  CHECK(hta[0].rows() == 0);
  CHECK_FALSE(hta[0].note.empty());
}

TEST_CASE("HTA's stragglers are the last that begin a kernel of NCCL's old names") {
  const auto profile = ranks_of("ncclKernel_AllReduce_RING_LL_Sum_float", {0, 5, 20, 1});
  // Of the steps but the last, in which all are equal in the second: there all are last.
  CHECK(row_texts(tables_of(*profile, "potential_stragglers", {{"hta", "true"}})[0]) ==
        Rows{"1 yes 2 - -", "2 yes 2 - -", "0 no 1 - -", "3 no 1 - -"});
  const analysis::Scope first{{}, Interval{profile->span.begin, profile->span.begin + 100'000}};
  CHECK(row_texts(tables_of(*profile, "potential_stragglers", {{"hta", "true"}}, first)[0]) ==
        Rows{"1 yes 1 - -", "2 yes 1 - -", "0 no 0 - -", "3 no 0 - -"});
}

TEST_CASE("short collectives, and those that one rank alone has, name nobody") {
  CHECK(tables_of(*ranks_of("ncclDevKernel_AllReduce", {0}), "potential_stragglers")[0].note ==
        "Stragglers are found by comparing ranks, and there are no two here.");
  CHECK(tables_of(*ranks_of("gemm", {0, 4}), "potential_stragglers")[0].note ==
        "No collective that takes 1 % of a step ran in the same step of several ranks.");
  CHECK(tables_of(*ranks_of("ncclDevKernel_AllReduce", {39.5, 39.6}), "potential_stragglers")[1].rows() == 2);
}

TEST_CASE("the slow rank of a generated job is found in each of its steps") {
  const TestFolder folder;
  tracegen::Options options;
  options.gpus = 4;
  options.steps = 4;
  options.stragglers = {{2, 150}};
  (void)tracegen::generate(options, folder.path());
  const auto tables = tables_of(*load(folder.path()), "potential_stragglers", {{"num_candidates", "1"}});
  const auto rows = row_texts(tables[0]);
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].starts_with("2 yes 4 "));
  for (std::size_t row = 1; row < 4; ++row) CHECK(tables[0].at(row, 2) == Cell(0));
}
