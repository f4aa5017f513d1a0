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
