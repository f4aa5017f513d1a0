// Matching of generated jobs with tensor, pipeline and data parallelism, and with flawed recordings, agrees with the
// ground truth.
#include <cmath>

#include "tests/core/analysis/ranks/golden_values.hpp"
#include "tests/core/analysis/ranks/ranks_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

tracegen::Options parallel_job() {
  tracegen::Options options = *tracegen::preset("small");
  options.layout = tracegen::Layout::minified;
  options.nodes = 2;
  options.gpus = 4;
  options.tensor = 2;
  options.pipeline = 2;
  options.layers = 1;
  options.steps = 4;
  options.microbatches = 2;
  return options;
}

/// Returns the number of matched collectives by kind and group size.
std::map<std::string, std::size_t> matched_kinds(const trace::Profile& profile) {
  const Table each = table_of(tables_of(profile, "collectives"), "collectives");
  std::map<std::string, std::size_t> counts;
  for (std::size_t row = 0; row < each.rows(); ++row)
    ++counts[text(each, row, "kind") + " of " + std::to_string(integer(each, row, "members"))];
  return counts;
}

}  // namespace

TEST_CASE("faults and flaws of recordings are parsed") {
  const auto fault = tracegen::parse_fault("slow-kernel@5=2.5,name=flash,step=3");
  REQUIRE(fault);
  CHECK(fault->kind == tracegen::FaultKind::slow_kernel);
  CHECK(fault->rank == 5);
  CHECK(fault->value == 2.5);
  CHECK(fault->name == "flash");
  CHECK(fault->step == 3);
  for (const char* bad : {"", "slow-kernel", "slow-kernel@x=2", "slow-kernel@1=", "odd@1=2", "gc@1=2,step=", "gc@1=-3"})
    CHECK_FALSE(tracegen::parse_fault(bad));
  const auto clock = tracegen::parse_clock("1:-3000:20");
  REQUIRE(clock);
  CHECK(clock->ahead_ns == -3'000'000);
  CHECK(clock->gains_ppb == 20'000);
  CHECK(tracegen::parse_late_start("2:1.5")->value == 1'500'000);
  CHECK_FALSE(tracegen::parse_missing_runs("2:101"));
}

TEST_CASE("all collectives, sends and receives of a parallel job match, with and without sequence numbers") {
  for (const bool numbers : {true, false}) {
    tracegen::Options options = parallel_job();
    options.sequence_numbers = numbers;
    const auto set = tracegen::generate_in_memory(options);
    std::size_t pairs = 0;
    std::size_t others = 0;
    for (const tracegen::CollectiveTruth& one : set.truth.collectives)
      ++(one.group == tracegen::Group::forward || one.group == tracegen::Group::backward ? pairs : others);
    const auto counts = matched_kinds(GeneratedSet(options).profile());
    INFO("sequence numbers: " << numbers);
    CHECK(counts.at("sendrecv of 2") == pairs);
    CHECK(counts.at("allreduce of 2") + counts.at("allreduce of 8") == others);
  }
}

TEST_CASE("clocks of nodes are recovered from a generated job") {
  tracegen::Options options = parallel_job();
  options.tensor = options.pipeline = 1;
  options.steps = 80;
  options.clocks = {{0, -3'000'000, 0}, {1, 1'500'000, 300'000}};
  const GeneratedSet set(options);
  const Table clocks = tables_of(set.profile(), "rank_clocks").front();
  REQUIRE(clocks.rows() == 8);
  for (std::size_t row = 1; row < 8; ++row) {
    const bool other = row >= 4;
    const Ns apart = integer(clocks, row, "offset") - integer(clocks, 0, "offset");
    // By the middle of the recording, the second clock has gained 300 µs for every second.
    const double gained = other ? 300e-6 * static_cast<double>(set.profile().span.length()) / 2 : 0;
    CHECK(std::abs(static_cast<double>(apart - (other ? 4'500'000 : 0)) - gained) < 5'000);
    CHECK(figure(clocks, row, "drift") - figure(clocks, 0, "drift") == Approx(other ? 300 : 0).margin(3));
  }
}

TEST_CASE("recordings that start late and lack activity match without sequence numbers") {
  tracegen::Options options = parallel_job();
  options.tensor = options.pipeline = 1;
  options.layers = 3;
  options.steps = 6;
  options.sequence_numbers = false;
  options.clocks = {{1, 400'000'000, 0}};
  const auto whole_job = matched_kinds(GeneratedSet(options).profile());
  options.late_starts = {{3, 25'000'000}};
  options.missing_runs = {{6, 5}};
  const GeneratedSet set(options);
  const auto tables = tables_of(set.profile(), "collectives");
  CHECK(!says(tables.front().note, "Not compared"));
  const Table arrivals = table_of(tables, "arrivals");
  std::map<std::int64_t, std::int64_t> ends;  // of rank 0, by collective
  for (std::size_t row = 0; row < arrivals.rows(); ++row) {
    const auto [first, fresh] = ends.try_emplace(integer(arrivals, row, "collective"), integer(arrivals, row, "end"));
    CHECK(std::abs(integer(arrivals, row, "end") - first->second) < 1'000);
  }
  std::size_t all = 0;
  for (const auto& [kind, count] : whole_job) all += count;
  CHECK(ends.size() == all);
}

TEST_CASE("the ground truth of a generated job lists its faults, if it has any") {
  tracegen::Options options = parallel_job();
  options.steps = 1;
  CHECK(tracegen::generate_in_memory(options).truth.json().find("causes") == std::string::npos);
  options.faults = {*tracegen::parse_fault("gc@3=25,step=0")};
  CHECK(says(tracegen::generate_in_memory(options).truth.json(),
             R"({"kind": "gc", "rank": 3, "class": "host", "value": 25, "step": 0, "name": ""})"));
}
