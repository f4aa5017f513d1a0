// Late ranks agree with the golden values.
#include <algorithm>

#include "core/analysis/request/registry.hpp"
#include "tests/core/analysis/ranks/golden_values.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

void check_late_ranks(const trace::Profile& profile, const std::string& name) {
  const GoldenRows golden = golden_rows(name + "_ranks.csv");
  const auto tables = tables_of(profile, "late_ranks", {{"clocks", "recorded"}});
  const Table& ranks = tables.front();
  const Table& steps = tables.back();
  REQUIRE(ranks.rows() == golden.size());
  std::int64_t uncaused = 0;  // each wait is caused by someone, but for less than 1 ns per rank and collective
  std::int64_t rounded = 0;
  for (std::size_t row = 0; row < ranks.rows(); ++row) {
    const std::int64_t rank = integer(ranks, row, "rank");
    const auto& expected = golden[static_cast<std::size_t>(rank)];
    INFO(name << ", rank " << rank);
    CHECK(integer(ranks, row, "collectives") == whole(expected, "collectives"));
    CHECK(integer(ranks, row, "times last") == whole(expected, "times_last"));
    std::int64_t waited = 0;
    std::int64_t caused = 0;
    std::int64_t in_steps = 0;
    for (std::size_t each = 0; each < steps.rows(); ++each) {
      if (integer(steps, each, "rank") != rank) continue;
      waited += integer(steps, each, "waited");
      caused += integer(steps, each, "wait caused");
      in_steps += text(steps, each, "step") == "outside steps" ? 0 : 1;
    }
    CHECK(waited == whole(expected, "waited_ns"));
    in_steps = std::max<std::int64_t>(1, in_steps);
    CHECK(integer(ranks, row, "waited per step") == waited / in_steps);
    CHECK(integer(ranks, row, "wait caused per step") == caused / in_steps);
    uncaused += waited - caused;
    rounded += integer(ranks, row, "collectives");
  }
  CHECK(uncaused >= 0);
  CHECK(uncaused <= rounded);
}

}  // namespace

TEST_CASE("late ranks of generated jobs match the golden values") {
  if (golden_rows("tracegen_a_blame.csv").empty()) return;
  const auto [name, straggler, stall] =
      GENERATE(std::tuple("tracegen_a", true, true), std::tuple("tracegen_b", true, false),
               std::tuple("tracegen_c", false, true));
  const GeneratedSet set(golden_job(straggler, stall));
  check_late_ranks(set.profile(), name);
}

TEST_CASE("late ranks in dlrm8 match the golden values") {
  if (golden_rows("dlrm8_ranks.csv").empty()) return;
  const auto profile = load(*real_traces("dlrm8"));
  check_late_ranks(*profile, "dlrm8");
}
