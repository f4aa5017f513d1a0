// Late ranks, leads and what explains them agree with the golden values.
#include <cmath>

#include "core/analysis/ranks/lead_causes.hpp"
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

/// Compares the leads of a job's collectives, and the parts that explain them.
void check_leads(const trace::Profile& profile, const std::string& name, Ns tolerance) {
  const GoldenRows golden = golden_rows(name + "_causes.csv");
  const std::vector<analysis::Setting> settings{{"clocks", "recorded"}};
  auto values = analysis::ParameterValues::parse(analysis::find_analysis("late_ranks")->parameters, settings);
  const analysis::AnalysisInput input{.profile = profile, .scope = {}, .values = std::move(*values)};
  const auto comparison = compare_ranks(input);
  const analysis::LeadFinder finder(input, *comparison, analysis::ClockChoice::recorded);
  std::size_t row = 0;
  for (std::uint32_t c = 0; c < comparison->matches().collectives.size(); ++c) {
    const analysis::JobCollective& collective = comparison->matches().collectives[c];
    if (!comparison->symmetric(collective)) continue;
    const auto timing = comparison->timing(collective, analysis::ClockChoice::recorded);
    if (timing.last_start - timing.times[timing.reference()].begin < analysis::kLeastLead) continue;
    REQUIRE(row < golden.size());
    const auto& expected = golden[row++];
    const analysis::Lead lead = finder.lead_of(c);
    INFO(name << ", collective " << c);
    CHECK(profile.ranks[lead.late]->number == whole(expected, "late_rank"));
    CHECK(profile.ranks[lead.reference]->number == whole(expected, "reference_rank"));
    CHECK(lead.lead == whole(expected, "lead_ns"));
    Ns sum = 0;
    for (const Ns part : lead.excess) sum += part;
    CHECK(sum == lead.lead);
    const auto close = [&](Ns ours, const char* column) {
      INFO(column);
      CHECK(std::abs(ours - whole(expected, column)) <= tolerance);
    };
    const auto part = [&](analysis::CauseClass cause) { return lead.excess[static_cast<std::size_t>(cause)]; };
    using analysis::CauseClass;
    close(part(CauseClass::kernel), "kernels_ns");
    close(part(CauseClass::memory), "copies_ns");
    close(part(CauseClass::transfer), "transfers_ns");
    close(part(CauseClass::before), "before_the_step_ns");
    if (!expected.contains("launch_ns")) close(part(CauseClass::host) + part(CauseClass::launch), "host_ns");
  }
  CHECK(row == golden.size());
}

}  // namespace

TEST_CASE("late ranks and leads of generated jobs match the golden values") {
  if (golden_rows("tracegen_a_blame.csv").empty()) return;
  const auto [name, straggler, stall] =
      GENERATE(std::tuple("tracegen_a", true, true), std::tuple("tracegen_b", true, false),
               std::tuple("tracegen_c", false, true));
  const GeneratedSet set(golden_job(straggler, stall));
  check_late_ranks(set.profile(), name);
  check_leads(set.profile(), name, 30'000);
}

TEST_CASE("late ranks and leads in dlrm8 match the golden values") {
  if (golden_rows("dlrm8_causes.csv").empty()) return;
  const auto profile = load(*real_traces("dlrm8"));
  check_late_ranks(*profile, "dlrm8");
  check_leads(*profile, "dlrm8", 20'000);
}
