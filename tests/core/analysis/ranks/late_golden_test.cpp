// Late ranks agree with the golden values.
#include "core/analysis/request/registry.hpp"
#include "tests/core/analysis/ranks/golden_values.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

void check_late_ranks(const trace::Profile& profile, const std::string& name) {
  const GoldenRows golden = golden_rows(name + "_ranks.csv");
  const Table ranks = tables_of(profile, "late_ranks", {{"clocks", "recorded"}}).front();
  REQUIRE(ranks.rows() == golden.size());
  std::int64_t uncaused = 0;  // each wait is caused by someone, but for less than 1 ns per rank and collective
  std::int64_t rounded = 0;
  for (std::size_t row = 0; row < ranks.rows(); ++row) {
    const auto& expected = golden[static_cast<std::size_t>(integer(ranks, row, "rank"))];
    INFO(name << ", rank " << integer(ranks, row, "rank"));
    CHECK(integer(ranks, row, "collectives") == whole(expected, "collectives"));
    CHECK(integer(ranks, row, "times last") == whole(expected, "times_last"));
    CHECK(integer(ranks, row, "waited") == whole(expected, "waited_ns"));
    CHECK(integer(ranks, row, "marginal as last") == whole(expected, "marginal_ns_as_last"));
    CHECK(integer(ranks, row, "waited by others as last") == whole(expected, "waited_by_others_ns_as_last"));
    uncaused += integer(ranks, row, "waited") - integer(ranks, row, "wait caused");
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
