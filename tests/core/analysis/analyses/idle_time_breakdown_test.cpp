#include "tests/core/analysis/table_cells.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;

using Rows = std::vector<std::string>;

namespace {

/// Returns the rows with nonzero time.
Rows with_gaps(const Table& table) {
  Rows rows;
  for (const std::string& row : row_texts(table))
    if (!row.ends_with(" 0")) rows.push_back(row);
  return rows;
}

}  // namespace

TEST_CASE("gaps of a stream are split by cause") {
  TinyEvents events;
  events.launch(0, 1).launch(1, 2).launch(2, 3).launch(25, 4);
  events.run({.begin = 10, .length = 2, .correlation = 1});
  events.run({.begin = 12.02, .length = 2, .correlation = 2});  // 20 ns: the device's own delay
  events.run({.begin = 35.02, .length = 2, .correlation = 3});  // 21 µs, although launched long before
  events.run({.begin = 40.02, .length = 2, .correlation = 4});  // 3 µs, launched before that
  events.run({.begin = 44.02, .length = 2});                    // 2 µs without a launch
  const auto tables = tables_of(*load_events(events.text()), "idle_time_breakdown");
  CHECK(with_gaps(tables[0]) == Rows{"0 7 launch latency 0 3020 0.116065 2",
                                     "0 7 work without a launch record 0 2000 0.076864 1",
                                     "0 7 launched work waiting for unknown reasons 0 21000 0.807071 1"});
  CHECK(row_texts(tables[1])[2] ==
        "0 7 launched work waiting for unknown reasons 0 1 21000 - 21000 21000 21000 21000 21000");
  const auto wider =
      tables_of(*load_events(events.text()), "idle_time_breakdown", {{"consecutive_kernel_delay", "30us"}});
  CHECK(with_gaps(wider[0])[0] == "0 7 launch latency 0 24020 0.923136 3");
}

TEST_CASE("a gap is charged to the host until the launch call ends") {
  TinyEvents events;
  events.launch(0, 1).launch(20, 2, "cudaLaunchKernel", 5).launch(45, 3).launch(60, 4, "cudaMemcpyAsync", 30);
  events.run({.begin = 10, .length = 2, .correlation = 1});
  events.run({.begin = 28, .length = 2, .correlation = 2});      // 13 µs until the call ended, 3 µs to start
  events.run({.begin = 45.25, .length = 20, .correlation = 3});  // starts before its call ends
  // Called before the gap. The call waits for the copy and lasts until it is done.
  events.run({.begin = 67.25, .length = 10, .correlation = 4, .category = "gpu_memcpy"});
  const auto tables = tables_of(*load_events(events.text()), "idle_time_breakdown");
  CHECK(with_gaps(tables[0]) ==
        Rows{"0 7 short launch delays 0 28250 0.849624 2", "0 7 launch latency 0 5000 0.150376 2"});
}

TEST_CASE("compute that waits for communication is a stream wait, not a host wait") {
  TinyEvents events;
  events.launch(0, 1).launch(1, 2).launch(300, 3);
  events.run({.begin = 10, .length = 50, .correlation = 1});
  events.run({.name = "ncclDevKernel_AllReduce", .begin = 20, .length = 42'420, .correlation = 2, .stream = 20});
  events.run({.name = "relu", .begin = 42'445, .length = 5, .correlation = 3});
  const auto tables = tables_of(*load_events(events.text()), "idle_time_breakdown");
  // The host accounts for 240.5 of 42,385 µs.
  CHECK(with_gaps(tables[0]) ==
        Rows{"0 7 other host work 0 240500 0.00567418 1", "0 7 waiting for another stream 0 42144500 0.994326 1"});
  CHECK(row_texts(table_of(tables, "longest-gaps")) ==
        Rows{"0 0 7 60000 42385000 waiting for another stream 240500 relu ncclDevKernel_AllReduce 20"});
  const auto hta = tables_of(*load_events(events.text()), "idle_time_breakdown", {{"hta", "true"}});
  CHECK(with_gaps(hta[0]) == Rows{"0 7 host_wait - 42385000 1 1"});
}

TEST_CASE("a stream waits for activity that ended within 20 µs, or that a recorded event wait refers to") {
  const auto causes = [](double other_ends, bool event) {
    TinyEvents events;
    events.launch(0, 1).launch(1, 2).launch(4, 3);
    events.run({.begin = 10, .length = 2, .correlation = 1});
    events.run({.begin = 11, .length = other_ends - 11, .correlation = 2, .stream = 20});
    events.run({.begin = 100, .length = 5, .correlation = 3});
    if (event) events.run({.name = "Stream Wait Event", .begin = 3, .length = 0.5, .category = "cuda_sync"});
    return with_gaps(tables_of(*load_events(events.text()), "idle_time_breakdown")[0]);
  };
  CHECK(causes(81, false) == Rows{"0 7 waiting for another stream 0 88000 1 1"});
  CHECK(causes(79, false) == Rows{"0 7 launched work waiting for unknown reasons 0 88000 1 1"});
  CHECK(causes(101, false) == Rows{"0 7 launched work waiting for unknown reasons 0 88000 1 1"});
  CHECK(causes(60, true) == Rows{"0 7 waiting for another stream 0 48000 0.545455 1",
                                 "0 7 launched work waiting for unknown reasons 0 40000 0.454545 1"});
  // Just within 20 µs of the end of the gap, and just outside.
  CHECK(causes(80, true) == Rows{"0 7 waiting for another stream 0 88000 1 1"});
  CHECK(causes(79.999, true) == Rows{"0 7 waiting for another stream 0 67999 0.772716 1",
                                     "0 7 launched work waiting for unknown reasons 0 20001 0.227284 1"});
  CHECK(causes(99, true) == Rows{"0 7 waiting for another stream 0 88000 1 1"});
}

TEST_CASE("a GPU is idle while none of its streams runs anything") {
  TinyEvents events;
  events.launch(0, 1).launch(1, 2).launch(30, 3).launch(2, 4);
  events.run({.begin = 10, .length = 10, .correlation = 1});
  events.run({.begin = 15, .length = 10, .correlation = 2, .stream = 8});
  events.run({.begin = 40.5, .length = 10, .correlation = 3});              // idle 15.5: 5.5 host, 10 to start
  events.run({.begin = 65.5, .length = 1, .correlation = 4, .stream = 8});  // idle 15: another stream's work ended
  events.run({.begin = 70, .length = 10, .device = 1});
  events.run({.begin = 90, .length = 10, .device = 1});
  const auto profile = load_events(events.text());
  const auto tables = tables_of(*profile, "idle_time_breakdown");
  CHECK(row_texts(table_of(tables, "longest-idle"))[0] == "0 0 7 25000 15500 launch latency 5500 gemm - -");
}

TEST_CASE("the requested number of longest gaps is listed") {
  TinyEvents events;
  events.launch(0, 1).launch(1, 2).launch(25, 3);
  events.run({.begin = 10, .length = 2, .correlation = 1});
  events.run({.begin = 15, .length = 2, .correlation = 2});
  events.run({.name = "last", .begin = 30, .length = 2, .correlation = 3});
  events.run({.begin = 40, .length = 1, .stream = 8}).run({.begin = 48, .length = 1, .stream = 8});
  const auto profile = load_events(events.text());
  const auto longest = [&](const char* rows) {
    return table_of(tables_of(*profile, "idle_time_breakdown", {{"rows", rows}}), "longest-gaps");
  };
  const Rows all{"0 0 7 17000 13000 short launch delays 8500 last - -",
                 "0 0 8 41000 7000 work without a launch record 0 gemm - -",
                 "0 0 7 12000 3000 launch latency 0 gemm - -"};
  CHECK(row_texts(longest("0")) == all);
  CHECK(row_texts(longest("100")) == all);
  CHECK(row_texts(longest("2")) == Rows{all[0], all[1]});
  CHECK(longest("2").note.starts_with("Shows the 2 longest of 3 gaps."));
}

TEST_CASE("with hta, a duration without a unit is in µs") {
  TinyEvents events;
  events.launch(0, 1).launch(1, 2);
  events.run({.begin = 10, .length = 2, .correlation = 1}).run({.begin = 37, .length = 2, .correlation = 2});
  const auto profile = load_events(events.text());
  const auto cause = [&](const char* delay, const char* hta) {
    const Table table =
        tables_of(*profile, "idle_time_breakdown", {{"consecutive_kernel_delay", delay}, {"hta", hta}}).at(0);
    return table.rows() == 0 ? std::string() : text(table, 0, "cause");
  };
  CHECK(cause("30", "true") == "kernel_wait");
  CHECK(cause("20", "true") == "other");
  CHECK(cause("30", "false") == "launched work waiting for unknown reasons");
  CHECK(cause("30ns", "true") == "other");
  CHECK(cause("30us", "false") == "launch latency");
}

TEST_CASE("overlapping GPU activity on a stream leaves no gap") {
  TinyEvents events;
  events.launch(0, 1).launch(1, 2).launch(2, 3);
  events.run({.begin = 10, .length = 10, .correlation = 1});
  events.run({.begin = 12, .length = 2, .correlation = 2});
  events.run({.begin = 21, .length = 2, .correlation = 3});
  const auto profile = load_events(events.text());
  CHECK(with_gaps(tables_of(*profile, "idle_time_breakdown")[0]) == Rows{"0 7 launch latency 0 1000 1 1"});
  // HTA: -8 µs, then 7 µs.
  CHECK(with_gaps(tables_of(*profile, "idle_time_breakdown", {{"hta", "true"}})[0]) ==
        Rows{"0 7 kernel_wait - -1000 1 2"});
}

TEST_CASE("a range has only the gaps between GPU activity within it") {
  TinyEvents events;
  for (int i = 0; i < 4; ++i) events.launch(0.5 * i, i + 1).run({.begin = 10.0 * i, .length = 4, .correlation = i + 1});
  const auto profile = load_events(events.text());
  const Ns zero = profile->span.begin;
  const auto gaps = [&](Ns from, Ns to) {
    return with_gaps(tables_of(*profile, "idle_time_breakdown", {}, {{}, Interval{zero + from, zero + to}})[0]);
  };
  CHECK(gaps(0, 100'000) == Rows{"0 7 launch latency 0 18000 1 3"});
  CHECK(gaps(2'000, 22'000) == Rows{"0 7 launch latency 0 12000 1 2"});
  CHECK(gaps(5'000, 25'000) == Rows{"0 7 launch latency 0 6000 1 1"});
  CHECK(gaps(5'000, 9'000).empty());
}

TEST_CASE("streams with the same number on different devices are separate") {
  TinyEvents events;
  for (const int device : {0, 1})
    for (const double begin : {10.0, 20.0}) events.run({.begin = begin + device, .length = 4, .device = device});
  const auto profile = load_events(events.text());
  CHECK(with_gaps(tables_of(*profile, "idle_time_breakdown")[0]) ==
        Rows{"0 7 work without a launch record 0 6000 1 1", "0 7 work without a launch record 1 6000 1 1"});
  // HTA: 10 to 14, 11 to 15, 20 to 24, 21 to 25 on one stream.
  CHECK(with_gaps(tables_of(*profile, "idle_time_breakdown", {{"hta", "true"}})[0]) ==
        Rows{"0 7 kernel_wait - -1000 1 3"});
}

TEST_CASE("a stream is idle from the start of the evaluated steps") {
  TinyEvents events;
  events.step(1, 0, 100).launch(30, 1, "cudaLaunchKernel", 5);
  events.run({.begin = 40, .length = 20, .correlation = 1});
  const auto profile = load_events(events.text());
  const analysis::Scope steps{.ranks = {}, .range = {}, .evaluated_only = true};
  CHECK(with_gaps(tables_of(*profile, "idle_time_breakdown", {}, steps)[0]) ==
        Rows{"0 7 short launch delays 0 35000 0.875 1", "0 7 launch latency 0 5000 0.125 1"});
}
