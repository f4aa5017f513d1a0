#include <fmt/format.h>

#include "tests/core/analysis/ranks/golden_values.hpp"
#include "tests/core/analysis/ranks/ranks_job.hpp"
#include "tests/core/analysis/table_cells.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

constexpr Ns kUs = 1000;

/// Device 0 from 10 to 40 µs: computes 10–14 and 16–20, communicates 12–24 (exposed 14–16, 20–24), copies 22–27 (alone
/// 24–27), and computes 36–40: idle 27–36. Device 1 communicates 100–110 and copies 130–131: idle 110–130. Both count
/// from 10 to 131 µs.
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

TEST_CASE("each moment of a GPU counts once: computation, communication, memory, idle") {
  const auto profile = load_events(mixed_events().text());
  const Table ranks = tables_of(*profile, "where_time_goes")[0];
  REQUIRE(ranks.rows() == 1);
  CHECK(integer(ranks, 0, "computation") == (4 + 4 + 4) * kUs);
  CHECK(integer(ranks, 0, "transfer") == (2 + 4 + 10) * kUs);
  CHECK(integer(ranks, 0, "memory") == (3 + 1) * kUs);
  CHECK(integer(ranks, 0, "idle") == (9 + 91 + 90 + 20) * kUs);
  CHECK(integer(ranks, 0, "time") == 2 * 121 * kUs);
  CHECK(figure(ranks, 0, "idle share") == Approx(210.0 / 242));
  // The launch of the kernel at 36 µs ends at 30.5; the activity on the other device has no launch.
  CHECK(integer(ranks, 0, "idle_launch") == 3'500);
  CHECK(integer(ranks, 0, "idle_latency") == 5'500);
  CHECK(integer(ranks, 0, "idle_no_launch") == (90 + 20) * kUs);
}

TEST_CASE("idle time in a range is the same in all analyses") {
  const auto profile = load_events(mixed_events().text());
  const Ns zero = profile->span.begin - kUs;  // of the times above
  const analysis::Scope range{.ranks = {}, .range = Interval{zero + 20 * kUs, zero + 120 * kUs}};
  const Table uses = tables_of(*profile, "where_time_goes", {}, range)[0];
  CHECK(integer(uses, 0, "time") == 2 * 100 * kUs);
  CHECK(integer(uses, 0, "idle") == (9 + 80 + 80 + 10) * kUs);
  CHECK(integer(tables_of(*profile, "gpu_active_time", {}, range)[0], 1, "total") == integer(uses, 0, "idle"));
  CHECK(integer(tables_of(*profile, "gpu_activity", {}, range)[0], 3, "total") == integer(uses, 0, "idle"));
  const Table breakdown = tables_of(*profile, "temporal_breakdown", {}, range)[0];
  CHECK(integer(breakdown, 0, "idle") == integer(uses, 0, "idle"));
  CHECK(integer(breakdown, 0, "compute") == integer(uses, 0, "computation"));
}

TEST_CASE("shares of classes over time are relative to all GPUs") {
  const auto profile = load_events(mixed_events().text());
  const Table over_time = tables_of(*profile, "where_time_goes", {{"bin", "10us"}})[1];
  // The span starts with the first launch at 1 µs: bins start at 1, 11, 21, … µs.
  REQUIRE(over_time.rows() == 13);
  CHECK(figure(over_time, 1, "computation") == Approx((3 + 4) / 20.0));
  CHECK(figure(over_time, 1, "transfer") == Approx((2 + 1) / 20.0));
  CHECK(figure(over_time, 2, "transfer") == Approx(3 / 20.0));
  CHECK(figure(over_time, 2, "memory") == Approx(3 / 20.0));
  CHECK(figure(over_time, 10, "transfer") == Approx(9 / 20.0));
}

TEST_CASE("steps are split like ranks: a slow rank computes more and waits less than its peers") {
  RanksJob job(4);
  for (std::size_t r = 0; r < 4; ++r) {
    const double kernel = r == 2 ? 6 : 2;
    for (int s = 0; s < 4; ++s) {
      const double start = 1 + 20.0 * s;
      job.step(r, s, start, 19);
      job.kernel(r, "gemm", start + 1, kernel, 7, "", start + 0.3);
      job.collective(r, {.begin = start + 1 + kernel, .length = 7 - kernel, .ranks = "[0, 1, 2, 3]", .sequence = s});
    }
  }
  const auto tables = job.tables("where_time_goes");
  const Table steps = table_of(tables, "time-by-step");
  REQUIRE(steps.rows() == 16);
  for (std::size_t row = 0; row < steps.rows(); ++row) {
    const bool slow = integer(steps, row, "rank") == 2;
    CHECK(figure(steps, row, "computation") / 1e6 == Approx(slow ? 6 : 2));
    CHECK(figure(steps, row, "waiting_for_ranks") / 1e6 == Approx(slow ? 0 : 4).margin(1e-3));
    CHECK(figure(steps, row, "transfer") / 1e6 == Approx(1));
    CHECK(integer(steps, row, "computation") + integer(steps, row, "waiting_for_ranks") +
              integer(steps, row, "transfer") + integer(steps, row, "idle") ==
          integer(steps, row, "time"));
  }
  for (const char* label : {"computation", "waiting_for_ranks", "transfer", "idle", "time"}) {
    Ns sum = 0;
    Ns of_steps = 0;
    for (std::size_t row = 0; row < 4; ++row) sum += integer(tables[0], row, label);
    for (std::size_t row = 0; row < steps.rows(); ++row) of_steps += integer(steps, row, label);
    CHECK((sum >= of_steps && sum > 0));
  }
}
