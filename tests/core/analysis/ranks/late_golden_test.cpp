// Late ranks, leads and their causes agree with the golden values.
#include <cmath>

#include "tests/core/analysis/ranks/golden_values.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

constexpr std::array kLeadParts{"kernels", "host", "launch", "copies", "transfers", "gaps", "before the step"};

void check_late_ranks(const trace::Profile& profile, const std::string& name) {
  const GoldenRows golden = golden_rows(name + "_ranks.csv");
  const Table ranks = tables_of(profile, "late_ranks", {{"clocks", "recorded"}}).front();
  REQUIRE(ranks.rows() == golden.size());
  for (std::size_t row = 0; row < ranks.rows(); ++row) {
    const auto& expected = golden[static_cast<std::size_t>(integer(ranks, row, "rank"))];
    INFO(name << ", rank " << integer(ranks, row, "rank"));
    CHECK(integer(ranks, row, "collectives") == whole(expected, "collectives"));
    CHECK(integer(ranks, row, "times last") == whole(expected, "times_last"));
    CHECK(integer(ranks, row, "waited") == whole(expected, "waited_ns"));
    CHECK(integer(ranks, row, "marginal as last") == whole(expected, "marginal_ns_as_last"));
    CHECK(integer(ranks, row, "waited by others as last") == whole(expected, "waited_by_others_ns_as_last"));
  }
}

Ns sum_of_parts(const Table& leads, std::size_t row) {
  Ns sum = 0;
  for (const char* part : kLeadParts) sum += integer(leads, row, part);
  return sum;
}

void check_blame(const trace::Profile& profile, const std::string& name) {
  check_late_ranks(profile, name);
  const auto tables = tables_of(profile, "late_causes", {{"clocks", "recorded"}});
  const Table leads = table_of(tables, "leads");
  const GoldenRows golden = golden_rows(name + "_causes.csv");
  REQUIRE(leads.rows() == golden.size());
  for (std::size_t row = 0; row < leads.rows(); ++row) {
    const auto& expected = golden[row];
    INFO(name << ", lead " << row);
    CHECK(integer(leads, row, "late rank") == whole(expected, "late_rank"));
    CHECK(integer(leads, row, "reference rank") == whole(expected, "reference_rank"));
    CHECK(integer(leads, row, "lead") == whole(expected, "lead_ns"));
    CHECK(sum_of_parts(leads, row) == integer(leads, row, "lead"));
    const auto close = [&](Ns ours, const char* column) { return std::abs(ours - whole(expected, column)) <= 30'000; };
    CHECK(close(integer(leads, row, "kernels"), "kernels_ns"));
    CHECK(close(integer(leads, row, "host") + integer(leads, row, "launch"), "host_ns"));
    CHECK(close(integer(leads, row, "copies"), "copies_ns"));
    CHECK(close(integer(leads, row, "transfers"), "transfers_ns"));
    CHECK(close(integer(leads, row, "gaps"), "gaps_ns"));
    CHECK(close(integer(leads, row, "before the step"), "before_the_step_ns"));
    if (whole(expected, "host_call_ns") > 200'000) CHECK(text(leads, row, "host call") == expected.at("host_call"));
  }
  const Table& causes = tables.front();
  const GoldenRows blame = golden_rows(name + "_blame.csv");
  for (std::size_t row = 0; row < blame.size(); ++row) {
    const double share = std::stod(blame[row].at("share_pct"));
    if (share <= 5) break;
    INFO(name << ", cause " << row);
    CHECK(integer(causes, row, "rank") == whole(blame[row], "rank"));
    CHECK(text(causes, row, "cause") == blame[row].at("cause"));
    CHECK(std::abs(100 * figure(causes, row, "share") - share) <= 5);
  }
}

}  // namespace

TEST_CASE("causes of a generated job with a slow rank and a stall match the golden values") {
  if (golden_rows("tracegen_a_blame.csv").empty()) return;
  const GeneratedSet set(golden_job());
  check_blame(set.profile(), "tracegen_a");
  const Table causes = tables_of(set.profile(), "late_causes").front();
  CHECK(text(causes, 0, "sentence") == "rank 5: all kernels ×1.30");
  CHECK(text(causes, 1, "sentence") ==
        "rank 2: enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__ takes 23.7 ms longer in "
        "ProfilerStep#13");
  CHECK(text(causes, 1, "stands out") == "yes");
  CHECK(text(causes, 2, "stands out") == "no");
  CHECK(causes.note.starts_with("Rank 5: all kernels ×1.30; other ranks spend 313 ms in total waiting for it (60."));
}

TEST_CASE("causes of a generated job with a slow rank match the golden values") {
  if (golden_rows("tracegen_b_blame.csv").empty()) return;
  check_blame(GeneratedSet(golden_job(true, false)).profile(), "tracegen_b");
}

TEST_CASE("causes of a generated job with a stall match the golden values") {
  if (golden_rows("tracegen_c_blame.csv").empty()) return;
  check_blame(GeneratedSet(golden_job(false, true)).profile(), "tracegen_c");
}

TEST_CASE("a healthy generated job has no late rank") {
  const GeneratedSet set(golden_job(false, false));
  const auto tables = tables_of(set.profile(), "late_causes");
  for (std::size_t row = 0; row < tables.front().rows(); ++row) CHECK(text(tables.front(), row, "stands out") == "no");
  CHECK(tables.front().note.starts_with("No rank stands out"));
}

TEST_CASE("causes in dlrm8 match the golden values") {
  const GoldenRows golden = golden_rows("dlrm8_causes.csv");
  if (golden.empty()) return;
  const auto profile = load(*real_traces("dlrm8"));
  check_late_ranks(*profile, "dlrm8");
  const Table leads = table_of(tables_of(*profile, "late_causes", {{"clocks", "recorded"}}), "leads");
  REQUIRE(leads.rows() == golden.size());
  for (std::size_t row = 0; row < golden.size(); ++row) {
    const auto& expected = golden[row];
    INFO("lead " << row);
    CHECK(integer(leads, row, "late rank") == whole(expected, "late_rank"));
    CHECK(integer(leads, row, "reference rank") == whole(expected, "reference_rank"));
    CHECK(integer(leads, row, "lead") == whole(expected, "lead_ns"));
    CHECK(sum_of_parts(leads, row) == integer(leads, row, "lead"));
    const auto close = [&](const char* part, const std::string& column) {
      INFO(part);
      CHECK(std::abs(integer(leads, row, part) - whole(expected, column)) <= 20'000);
    };
    close("before the step", "before_the_step_ns");
    close("host", "host_ns");
    close("launch", "launch_ns");
    close("kernels", "kernels_ns");
    close("copies", "copies_ns");
    close("transfers", "transfers_ns");
  }
}
