// Collectives, arrivals, clocks and matching agree with the golden values.
#include <set>

#include "tests/core/analysis/ranks/golden_values.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

std::string ranks_of(const Table& table, std::size_t row) { return text(table, row, "ranks"); }

void check_collectives(const trace::Profile& profile, const std::string& name) {
  const GoldenRows golden = golden_rows(name + "_collectives.csv");
  if (golden.empty()) return;
  const auto tables = tables_of(profile, "collectives", {{"clocks", "recorded"}});
  const Table ours = table_of(tables, "collectives");
  const Ns zero = golden_zero(profile);
  std::map<std::pair<std::int64_t, std::int64_t>, Ns> starts;  // by collective and rank
  for (const auto& row : golden_rows(name + "_arrivals.csv"))
    starts[{whole(row, "collective"), whole(row, "rank")}] = whole(row, "start_ns");
  REQUIRE(ours.rows() == golden.size());
  for (std::size_t row = 0; row < golden.size(); ++row) {
    const auto& expected = golden[row];
    INFO(name << ", collective " << row);
    CHECK(text(ours, row, "group") == expected.at("group"));
    CHECK(text(ours, row, "kind") == expected.at("kind"));
    CHECK(text(ours, row, "step") == expected.at("step"));
    CHECK(ranks_of(ours, row) == expected.at("ranks"));
    CHECK(integer(ours, row, "members") == whole(expected, "members"));
    // Several ranks may start first.
    CHECK(starts.at({row, integer(ours, row, "first rank")}) == starts.at({row, whole(expected, "first_rank")}));
    CHECK(integer(ours, row, "last rank") == whole(expected, "last_rank"));
    CHECK(integer(ours, row, "last start") - zero == whole(expected, "last_start_ns"));
    CHECK(integer(ours, row, "skew") == whole(expected, "skew_ns"));
    CHECK(integer(ours, row, "waited") == whole(expected, "waited_ns"));
    CHECK(integer(ours, row, "marginal") == whole(expected, "marginal_ns"));
    CHECK(integer(ours, row, "transfer") == whole(expected, "transfer_ns"));
    CHECK(integer(ours, row, "end spread") == whole(expected, "end_spread_ns"));
    if (!expected.at("in_nelems").empty()) CHECK(integer(ours, row, "in nelems") == whole(expected, "in_nelems"));
  }
  const Table arrivals = table_of(tables, "arrivals");
  const GoldenRows expected = golden_rows(name + "_arrivals.csv");
  REQUIRE(arrivals.rows() == expected.size());
  for (std::size_t row = 0; row < expected.size(); ++row) {
    INFO(name << ", arrival " << row);
    CHECK(integer(arrivals, row, "collective") == whole(expected[row], "collective"));
    CHECK(integer(arrivals, row, "rank") == whole(expected[row], "rank"));
    CHECK(integer(arrivals, row, "start") - zero == whole(expected[row], "start_ns"));
    CHECK(integer(arrivals, row, "end") - zero == whole(expected[row], "end_ns"));
    CHECK(integer(arrivals, row, "wait") == whole(expected[row], "wait_ns"));
  }
}

/// Numbers of matched collectives by kind and ranks, "allreduce 0 1 2 3: 18".
std::map<std::pair<std::string, std::string>, std::int64_t> counts_of(const trace::Profile& profile) {
  const Table table = table_of(tables_of(profile, "collectives"), "collectives");
  std::map<std::pair<std::string, std::string>, std::int64_t> counts;
  for (std::size_t row = 0; row < table.rows(); ++row) ++counts[{text(table, row, "kind"), ranks_of(table, row)}];
  return counts;
}

void check_matching(const std::string& name, const tracegen::Options& options) {
  std::map<std::pair<std::string, std::string>, std::int64_t> expected;
  for (const auto& row : golden_rows("matching_tracegen.csv"))
    if (row.at("set") == name) expected[{row.at("kind"), row.at("ranks")}] = whole(row, "collectives");
  if (expected.empty()) return;
  const GeneratedSet set(options);
  INFO(name);
  for (const auto& [what, count] : counts_of(set.profile())) {
    INFO(what.first << " of ranks " << what.second);
    CHECK(count == expected[what]);
    expected.erase(what);
  }
  CHECK(expected.empty());
  const Table clocks = tables_of(set.profile(), "rank_clocks").front();
  for (const auto& row : golden_rows("clocks_tracegen.csv")) {
    if (row.at("set") != name) continue;
    bool found = false;
    for (std::size_t r = 0; r < clocks.rows(); ++r) {
      if (integer(clocks, r, "rank") != whole(row, "rank")) continue;
      found = true;
      INFO("rank " << row.at("rank"));
      CHECK(std::abs(integer(clocks, r, "offset") - whole(row, "offset_ns_expected_within_200")) <= 200);
    }
    CHECK(found);
  }
}

}  // namespace

TEST_CASE("collectives of dlrm8 match the golden values") {
  const auto folder = real_traces("dlrm8");
  if (folder) check_collectives(*load(*folder), "dlrm8");
}

TEST_CASE("collectives of a generated job with a slow rank and a stall match the golden values") {
  check_collectives(GeneratedSet(golden_job()).profile(), "tracegen_a");
}

TEST_CASE("collectives of a generated job with a slow rank match the golden values") {
  check_collectives(GeneratedSet(golden_job(true, false)).profile(), "tracegen_b");
}

TEST_CASE("collectives of a generated job with a stall match the golden values") {
  check_collectives(GeneratedSet(golden_job(false, true)).profile(), "tracegen_c");
}

TEST_CASE("collectives match across ranks whose clocks differ") {
  tracegen::Options options = golden_job();
  options.defects = {*tracegen::parse_defect("clock-apart@3"), *tracegen::parse_defect("clock-apart@6")};
  check_matching("g_clock", options);
}

TEST_CASE("collectives match with a truncated rank") {
  tracegen::Options options = golden_job();
  options.defects = {*tracegen::parse_defect("truncated@6")};
  check_matching("g_trunc", options);
}

TEST_CASE("collectives match with a missing rank") {
  tracegen::Options options = golden_job();
  options.defects = {*tracegen::parse_defect("missing-rank@7")};
  check_matching("g_miss", options);
}

TEST_CASE("collectives match without process groups, with whole microseconds") {
  tracegen::Options options = golden_job();
  options.generation = tracegen::Generation::y2023;
  check_matching("g_2023", options);
}

TEST_CASE("collectives match in traces of PyTorch 1.8") {
  tracegen::Options options = golden_job();
  options.generation = tracegen::Generation::torch_1_8;
  check_matching("g_18", options);
}

TEST_CASE("collectives match in traces of PyTorch 1.8 with a truncated rank") {
  tracegen::Options options = golden_job();
  options.generation = tracegen::Generation::torch_1_8;
  options.defects = {*tracegen::parse_defect("truncated@6")};
  check_matching("g_18trunc", options);
}

TEST_CASE("clocks of dlrm8 match the golden values") {
  const auto folder = real_traces("dlrm8");
  const GoldenRows golden = golden_rows("dlrm8_clocks.csv");
  if (golden.empty()) return;
  const Table clocks = tables_of(*load(*folder), "rank_clocks").front();
  REQUIRE(clocks.rows() == golden.size());
  for (std::size_t row = 0; row < golden.size(); ++row) {
    INFO("rank " << row);
    CHECK(std::abs(integer(clocks, row, "offset") - whole(golden[row], "offset_ns")) <= 1500);
    CHECK(std::abs(integer(clocks, row, "standard error") - whole(golden[row], "standard_error_ns")) <= 100);
    CHECK(integer(clocks, row, "collectives") == whole(golden[row], "collectives"));
  }
}

TEST_CASE("only the pairs of sampled2 whose ends agree match") {
  const GoldenRows golden = golden_rows("sampled2_pairs.csv");
  if (golden.empty()) return;
  const auto profile = load(*real_traces("sampled2"));
  const Table arrivals = table_of(tables_of(*profile, "collectives", {{"clocks", "recorded"}}), "arrivals");
  REQUIRE(arrivals.rows() == 2 * golden.size());
  const Ns zero = golden_zero(*profile);
  std::set<std::array<std::int64_t, 4>> expected;
  std::set<std::array<std::int64_t, 4>> found;
  for (std::size_t pair = 0; pair < golden.size(); ++pair) {
    expected.insert({whole(golden[pair], "rank0_start_ns"), whole(golden[pair], "rank0_end_ns"),
                     whole(golden[pair], "rank1_start_ns"), whole(golden[pair], "rank1_end_ns")});
    found.insert({integer(arrivals, 2 * pair, "start") - zero, integer(arrivals, 2 * pair, "end") - zero,
                  integer(arrivals, 2 * pair + 1, "start") - zero, integer(arrivals, 2 * pair + 1, "end") - zero});
  }
  CHECK(found == expected);
}
