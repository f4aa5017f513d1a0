#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;

using Rows = std::vector<std::string>;

TEST_CASE("communication overlaps computation on the same device and counts toward the step of its launch") {
  TinyEvents events;
  events.step(1, 0, 20).step(2, 20, 20);
  events.launch(1, 1).launch(2, 2).launch(21, 3).launch(22, 4);
  events.run({.name = "ncclDevKernel_AllReduce", .begin = 10, .length = 8, .correlation = 1, .stream = 20});
  events.run({.begin = 12, .length = 4, .correlation = 2});
  events.run({.name = "ncclKernel_AllReduce", .begin = 16, .length = 8, .correlation = 3, .stream = 21});
  events.run({.begin = 12, .length = 20, .correlation = 4, .device = 1});
  events.run({.name = "ncclDevKernel_Broadcast", .begin = 40, .length = 2, .stream = 20});
  const auto profile = load_events(events.text());
  const auto tables = tables_of(*profile, "comm_comp_overlap");
  // 14 µs from 10 to 24 and 2 µs from 40 on. The other device computes the whole time, which does not count as overlap.
  CHECK(row_texts(tables[0]) == Rows{"0 0.25 16000 4000 12000"});
  CHECK(row_texts(tables[1]) == Rows{"0 ProfilerStep#1 0 8000 4000 4000 0.5", "0 ProfilerStep#2 20000 8000 0 8000 1",
                                     "0 outside steps - 2000 0 2000 1"});
  // HTA treats the devices as one and excludes the last step and activity without a launch.
  CHECK(row_texts(tables_of(*profile, "comm_comp_overlap", {{"hta", "true"}})[0]) == Rows{"0 0.5 8000 4000 4000"});
  const analysis::Scope range{{}, Interval{profile->span.begin + 11'000, profile->span.begin + 17'000}};
  CHECK(row_texts(tables_of(*profile, "comm_comp_overlap", {}, range)[0]) == Rows{"0 0.666667 6000 4000 2000"});
}

TEST_CASE("hta excludes kernels launched exactly at the start of the last step") {
  TinyEvents events;
  events.step(1, 0, 20).step(2, 20, 20);
  events.launch(1, 1).launch(2, 2).launch(20, 3);
  events.run({.name = "ncclDevKernel_AllReduce", .begin = 10, .length = 8, .correlation = 1, .stream = 20});
  events.run({.begin = 12, .length = 4, .correlation = 2});
  events.run({.name = "ncclDevKernel_AllReduce", .begin = 30, .length = 4, .correlation = 3, .stream = 20});
  const auto profile = load_events(events.text());
  CHECK(row_texts(tables_of(*profile, "comm_comp_overlap")[0]) == Rows{"0 0.333333 12000 4000 8000"});
  CHECK(row_texts(tables_of(*profile, "comm_comp_overlap", {{"hta", "true"}})[0]) == Rows{"0 0.5 8000 4000 4000"});
}

TEST_CASE("without communication the overlap share is missing") {
  const auto tables = tables_of(*load_events(TinyEvents().run({.begin = 5, .length = 2}).text()), "comm_comp_overlap");
  CHECK(row_texts(tables[0]) == Rows{"0 - 0 0 0"});
  CHECK(tables[0].note == "No communication kernels in this selection.");
  CHECK(tables[1].rows() == 0);
}
