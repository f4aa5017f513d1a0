#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;

using Rows = std::vector<std::string>;

namespace {

/// Those that tell of any time.
Rows with_gaps(const Table& table) {
  Rows rows;
  for (const std::string& row : row_texts(table))
    if (!row.ends_with(" 0")) rows.push_back(row);
  return rows;
}

}  // namespace

TEST_CASE("a stream's gaps are told by what ended them") {
  TinyEvents events;
  events.launch(0, 1).launch(1, 2).launch(2, 3).launch(25, 4);
  events.run({.begin = 10, .length = 2, .correlation = 1});
  events.run({.begin = 12.02, .length = 2, .correlation = 2});  // 20 ns: the device's own delay
  events.run({.begin = 15.02, .length = 2, .correlation = 3});  // 1 µs, though launched long before
  events.run({.begin = 30.02, .length = 2, .correlation = 4});  // 13 µs: launched when the stream had run dry
  events.run({.begin = 34.02, .length = 2});                    // 2 µs: nobody knows
  const auto tables = tables_of(*load_events(events.text()), "idle_time_breakdown");
  CHECK(row_texts(tables[0]) == Rows{"0 7 host_wait 0 13000 0.811486 1", "0 7 kernel_wait 0 20 0.00124844 1",
                                     "0 7 other 0 1000 0.062422 1", "0 7 no_launch_record 0 2000 0.124844 1"});
  CHECK(row_texts(tables[1])[0] == "0 7 host_wait 0 1 13000 - 13000 13000 13000 13000 13000");
  const auto wider =
      tables_of(*load_events(events.text()), "idle_time_breakdown", {{"consecutive_kernel_delay", "2us"}});
  CHECK(row_texts(wider[0])[1] == "0 7 kernel_wait 0 1020 0.0636704 2");
}

TEST_CASE("the longest gaps are told one by one, as many as are asked for") {
  TinyEvents events;
  events.launch(0, 1).launch(1, 2).launch(25, 3);
  events.run({.begin = 10, .length = 2, .correlation = 1});
  events.run({.begin = 15, .length = 2, .correlation = 2});
  events.run({.name = "last", .begin = 30, .length = 2, .correlation = 3});
  events.run({.begin = 40, .length = 1, .stream = 8}).run({.begin = 48, .length = 1, .stream = 8});
  const auto profile = load_events(events.text());
  const auto longest = [&](const char* rows) {
    return tables_of(*profile, "idle_time_breakdown", {{"rows", rows}})[3];
  };
  const Rows all{"0 0 7 17000 13000 host_wait last", "0 0 8 41000 7000 no_launch_record gemm",
                 "0 0 7 12000 3000 other gemm"};
  CHECK(row_texts(longest("0")) == all);
  CHECK(row_texts(longest("100")) == all);
  CHECK(row_texts(longest("2")) == Rows{all[0], all[1]});
  CHECK(longest("2").note.ends_with("The 2 longest of 3."));
}

TEST_CASE("with hta a duration without a unit is in us, as HTA has it") {
  TinyEvents events;
  events.launch(0, 1).launch(1, 2);
  events.run({.begin = 10, .length = 2, .correlation = 1}).run({.begin = 37, .length = 2, .correlation = 2});
  const auto profile = load_events(events.text());
  const auto cause = [&](const char* delay, const char* hta) {
    const Rows rows =
        with_gaps(tables_of(*profile, "idle_time_breakdown", {{"consecutive_kernel_delay", delay}, {"hta", hta}})[0]);
    return rows.empty() ? std::string() : rows[0].substr(4, rows[0].find(' ', 4) - 4);
  };
  CHECK(cause("30", "true") == "kernel_wait");
  CHECK(cause("20", "true") == "other");
  CHECK(cause("30", "false") == "other");
  CHECK(cause("30ns", "true") == "other");
  CHECK(cause("30us", "false") == "kernel_wait");
}

TEST_CASE("the time of each cause is told side by side for a chart") {
  TinyEvents events;
  events.launch(0, 1).launch(1, 2).launch(20, 3);
  events.run({.begin = 10, .length = 2, .correlation = 1});
  events.run({.begin = 15, .length = 2, .correlation = 2});
  events.run({.begin = 30, .length = 2, .correlation = 3});
  events.run({.begin = 33, .length = 2, .stream = 8});
  CHECK(row_texts(tables_of(*load_events(events.text()), "idle_time_breakdown")[2]) ==
        Rows{"0 0 7 13000 0 3000 0", "0 0 8 0 0 0 0"});
}

TEST_CASE("runs that overlap on a stream leave no gap, and none of less than nothing") {
  TinyEvents events;
  events.launch(0, 1).launch(1, 2).launch(2, 3);
  events.run({.begin = 10, .length = 10, .correlation = 1});
  events.run({.begin = 12, .length = 2, .correlation = 2});
  events.run({.begin = 21, .length = 2, .correlation = 3});
  const auto profile = load_events(events.text());
  CHECK(with_gaps(tables_of(*profile, "idle_time_breakdown")[0]) == Rows{"0 7 other 0 1000 1 1"});
  // HTA: -8 µs, then 7 µs.
  CHECK(with_gaps(tables_of(*profile, "idle_time_breakdown", {{"hta", "true"}})[0]) ==
        Rows{"0 7 kernel_wait - -1000 1 2"});
}

TEST_CASE("of a range only the gaps between runs that are in it count") {
  TinyEvents events;
  for (int i = 0; i < 4; ++i) events.launch(0.5 * i, i + 1).run({.begin = 10.0 * i, .length = 4, .correlation = i + 1});
  const auto profile = load_events(events.text());
  const Ns zero = profile->span.begin;
  const auto told = [&](Ns from, Ns to) {
    return with_gaps(tables_of(*profile, "idle_time_breakdown", {}, {{}, Interval{zero + from, zero + to}})[0]);
  };
  CHECK(told(0, 100'000) == Rows{"0 7 other 0 18000 1 3"});
  CHECK(told(2'000, 22'000) == Rows{"0 7 other 0 12000 1 2"});
  CHECK(told(5'000, 25'000) == Rows{"0 7 other 0 6000 1 1"});
  CHECK(told(5'000, 9'000).empty());
}

TEST_CASE("streams of the same number on different devices are two") {
  TinyEvents events;
  for (const int device : {0, 1})
    for (const double begin : {10.0, 20.0}) events.run({.begin = begin + device, .length = 4, .device = device});
  const auto profile = load_events(events.text());
  CHECK(with_gaps(tables_of(*profile, "idle_time_breakdown")[0]) ==
        Rows{"0 7 no_launch_record 0 6000 1 1", "0 7 no_launch_record 1 6000 1 1"});
  // HTA: 10 to 14, 11 to 15, 20 to 24, 21 to 25 on one stream.
  CHECK(with_gaps(tables_of(*profile, "idle_time_breakdown", {{"hta", "true"}})[0]) ==
        Rows{"0 7 kernel_wait - -1000 1 3"});
}
