#include <fmt/format.h>

#include "core/analysis/shared/device_time.hpp"
#include "tests/core/analysis/table_cells.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

constexpr Ns kUs = 1000;

/// Device 0 from 10 to 40 µs: computes 10–14 and 16–20, communicates 12–24 (exposed 14–16, 20–24), copies 22–27 (alone
/// 24–27), and computes 36–40: idle 27–36. Device 1 communicates 100–110 and copies 130–131: idle 110–130.
TinyEvents mixed_events() {
  TinyEvents events;
  events.launch(1, 1).launch(30, 2);
  events.run({.begin = 10, .length = 4, .correlation = 1});
  events.run({.begin = 16, .length = 4});
  events.run({.name = "ncclDevKernel_AllReduce", .begin = 12, .length = 12, .stream = 20});
  events.run({.name = "Memcpy HtoD", .begin = 22, .length = 5, .stream = 9, .category = "gpu_memcpy"});
  events.run({.begin = 36, .length = 4, .correlation = 2});
  events.run({.name = "ncclDevKernel_AllReduce", .begin = 100, .length = 10, .stream = 20, .device = 1});
  events.run({.name = "Memcpy HtoD", .begin = 130, .length = 1, .stream = 9, .device = 1, .category = "gpu_memcpy"});
  return events;
}

}  // namespace

TEST_CASE("each moment of a GPU counts once: compute, exposed communication, memory, idle") {
  const auto profile = load_events(mixed_events().text());
  const Table ranks = tables_of(*profile, "where_time_goes")[0];
  REQUIRE(ranks.rows() == 1);
  CHECK(integer(ranks, 0, "compute") == (4 + 4 + 4) * kUs);
  CHECK(integer(ranks, 0, "exposed communication") == (2 + 4 + 10) * kUs);
  CHECK(integer(ranks, 0, "memory") == (3 + 1) * kUs);
  CHECK(integer(ranks, 0, "idle") == (9 + 20) * kUs);
  CHECK(integer(ranks, 0, "time") == (30 + 31) * kUs);
  CHECK(figure(ranks, 0, "idle share") == Approx(29.0 / 61));
  // The launch of the kernel at 36 µs ends at 30.5; the memcpy on the other device has no launch.
  CHECK(integer(ranks, 0, "host wait") == 3'500);
  CHECK(integer(ranks, 0, "kernel wait") == 5'500);
  CHECK(integer(ranks, 0, "no launch record") == 20 * kUs);
}

TEST_CASE("shares of classes over time are relative to all GPUs") {
  const auto profile = load_events(mixed_events().text());
  const Table over_time = tables_of(*profile, "where_time_goes", {{"bin", "10us"}})[1];
  // The span starts with the first launch at 1 µs: bins start at 1, 11, 21, … µs.
  REQUIRE(over_time.rows() == 13);
  CHECK(figure(over_time, 1, "compute") == Approx((3 + 4) / 20.0));
  CHECK(figure(over_time, 1, "exposed communication") == Approx((2 + 1) / 20.0));
  CHECK(figure(over_time, 2, "exposed communication") == Approx(3 / 20.0));
  CHECK(figure(over_time, 2, "memory") == Approx(3 / 20.0));
  CHECK(figure(over_time, 10, "exposed communication") == Approx(9 / 20.0));
}

TEST_CASE("interval difference keeps the gaps between subtracted intervals") {
  using Intervals = std::vector<Interval>;
  const Intervals from{{0, 10}, {20, 30}, {40, 50}};
  CHECK(analysis::without(from, Intervals{}) == from);
  CHECK(analysis::without(from, from).empty());
  CHECK(analysis::without(from, Intervals{{2, 4}, {8, 22}, {25, 26}, {45, 90}}) ==
        Intervals{{0, 2}, {4, 8}, {22, 25}, {26, 30}, {40, 45}});
}

TEST_CASE("the dominating part comes first, with its analysis and longest occurrence") {
  const auto profile = load_events(mixed_events().text());
  const Table answers = tables_of(*profile, "what_dominates")[0];
  REQUIRE(answers.rows() == 3);
  // Of 61 µs, 29 are idle, 16 exposed communication, 4 memory, and 12 computation, which is not the largest part.
  CHECK(text(answers, 0, "answer").starts_with("The GPU is idle for 47.5 % of the time"));
  CHECK(text(answers, 0, "analysis") == "idle_time_breakdown");
  CHECK(integer(answers, 0, "begin") == (110 - 1) * kUs);
  CHECK(integer(answers, 0, "duration") == 20 * kUs);
  CHECK(integer(answers, 0, "device") == 1);
  CHECK(text(answers, 1, "answer").starts_with("26.2 % of GPU time is exposed communication"));
  CHECK(text(answers, 1, "analysis") == "comm_comp_overlap");
  CHECK(integer(answers, 1, "duration") == 10 * kUs);
  CHECK(text(answers, 2, "answer").starts_with("6.6 % of GPU time goes to memcpys and memsets alone"));
}

TEST_CASE("computation has a sentence only if it dominates, with the longest kernel") {
  TinyEvents events;
  events.run({.name = "void gemm<float>(int)", .begin = 0, .length = 60});
  events.run({.name = "relu", .begin = 60, .length = 30});
  events.run({.name = "relu", .begin = 98, .length = 2});
  const Table answers = tables_of(*load_events(events.text()), "what_dominates")[0];
  REQUIRE(answers.rows() == 2);
  CHECK(text(answers, 0, "answer") == "92.0 % of GPU time is computation. The most expensive kernel is gemm: 60.0 µs.");
  CHECK(text(answers, 0, "name") == "void gemm<float>(int)");
  CHECK(text(answers, 1, "analysis") == "idle_time_breakdown");
}

TEST_CASE("significant losses come before computation") {
  TinyEvents events;
  events.launch(0, 1).launch(70, 2);
  events.run({.name = "gemm", .begin = 10, .length = 50, .correlation = 1});
  events.run({.name = "gemm", .begin = 80, .length = 30, .correlation = 2});
  const Table answers = tables_of(*load_events(events.text()), "what_dominates")[0];
  REQUIRE(answers.rows() == 2);
  CHECK(text(answers, 0, "answer") ==
        "The GPU is idle for 20.0 % of the time, 52.5 % of it waiting for the host "
        "to launch work.");
  CHECK(text(answers, 1, "analysis") == "kernel_time");
}

TEST_CASE("exposed communication reports missing ranks as possible cause") {
  TinyEvents events;
  events.run({.name = "ncclDevKernel_AllReduce", .begin = 0, .length = 60});
  const auto sentence = [&](int world) {
    const auto profile =
        load_events(events.text(), fmt::format(R"("distributedInfo": {{"rank": 0, "world_size": {}}})", world));
    return std::string(text(tables_of(*profile, "what_dominates")[0], 0, "answer"));
  };
  CHECK(sentence(1) == "100.0 % of GPU time is exposed communication, not overlapped by computation.");
  CHECK(sentence(8).ends_with(" Part of this may be time spent waiting for the 7 ranks without traces."));
}
