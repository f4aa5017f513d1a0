// SageMaker Debugger's rules as AWS counts them; all expected counts are computed by hand. 1,200 samples every half
// second are evaluated after minutes 9 and 10, at samples 1,080 and 1,200, because of the patience of 1,000.
#include "core/rules/sagemaker/host_steps.hpp"
#include "tests/core/rules/sampled_job.hpp"
#include "tests/core/rules/training_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

rules::Outcome judged_by_aws(const std::vector<SampledNode>& nodes, std::string_view rule,
                             const std::vector<analysis::Setting>& settings = {}) {
  const auto profile = sampled_profile(nodes);
  const auto evaluation =
      rules::evaluate({.profile = *profile, .scope = {}, .values = {}}, {.settings = settings, .aws = true});
  REQUIRE(evaluation);
  return outcome_of(*evaluation, rule);
}

using Counts = std::array<std::int64_t, 3>;

/// Triggered, violations, datapoints.
Counts counts_by_aws(const std::vector<SampledNode>& nodes, std::string_view rule,
                     const std::vector<analysis::Setting>& settings = {}) {
  const rules::Outcome outcome = judged_by_aws(nodes, rule, settings);
  REQUIRE(outcome.aws);
  return {outcome.aws->triggered, outcome.aws->violations, outcome.aws->datapoints};
}

/// Steps one after another, lengths in ms.
rules::StepPhase phase_with(const std::vector<Ns>& lengths) {
  rules::StepPhase phase{0, "Step", {}};
  Ns at = 0;
  for (const Ns length : lengths) {
    phase.steps.push_back({0, {at, at + length * 1'000'000}, 0});
    at += length * 1'000'000;
  }
  return phase;
}

Counts outlier_counts(const std::vector<Ns>& lengths, double deviations, std::int64_t outliers = 10) {
  const rules::AwsCounts counts = rules::step_outlier_counts({phase_with(lengths)}, deviations, outliers);
  return {counts.triggered, counts.violations, counts.datapoints};
}

std::vector<Ns> lengths_of(std::size_t usual, std::size_t slow) {
  std::vector<Ns> lengths(usual, 100);
  lengths.insert(lengths.end(), slow, 400);
  return lengths;
}

}  // namespace

TEST_CASE("AWS counts each minute in which the share of bottlenecks is too high") {
  const auto with = [](int share) {
    return std::vector{SampledNode{{partly(share, 5, 80)}, {}, {partly(share, 95, 10)}, {partly(share, 60, 10)}}};
  };
  // 51 of every 100: 10 · 51 + 51 = 561 of 1,080 and 612 of 1,200.
  CHECK(counts_by_aws(with(51), "CPUBottleneck") == Counts{2, 612, 1'200});
  CHECK(counts_by_aws(with(51), "IOBottleneck") == Counts{2, 612, 1'200});
  // 49: 539 of 1,080 (49.9 %) and 588 of 1,200. The violations still count.
  CHECK(counts_by_aws(with(49), "CPUBottleneck") == Counts{0, 588, 1'200});
  CHECK(counts_by_aws(with(49), "CPUBottleneck", {{"CPUBottleneck_threshold", "49.5"}}) == Counts{1, 588, 1'200});
  SECTION("all nodes count together") {
    const std::vector nodes{with(51).front(), with(51).front()};
    // Twice the samples each minute: more than 1,000 from minute 5 on.
    CHECK(counts_by_aws(nodes, "CPUBottleneck") == Counts{6, 1'224, 2'400});
  }
}

TEST_CASE("AWS counts each GPU and minute of low utilization and small batches") {
  const std::vector nodes{SampledNode{{always(69.5), always(69.5)}, {always(30), always(30)}, {always(20)}, {}}};
  CHECK(counts_by_aws(nodes, "LowGPUUtilization") == Counts{4, 4, 1'200});
  CHECK(counts_by_aws(nodes, "BatchSize") == Counts{4, 4, 1'200});
  CHECK(counts_by_aws(nodes, "BatchSize", {{"BatchSize_patience", "1100"}}) == Counts{2, 2, 1'200});
}

TEST_CASE("AWS counts each sample after which memory increased") {
  const std::vector nodes{SampledNode{{always(50)}, {[](std::size_t i) { return i < 1'100 ? 0.0 : 100.0; }}}};
  // k samples after the jump, the difference is 10 k - 100 (k - 2) / 9: 10, 20, 18.9, 17.8, 16.7, 15.6, 14.4, …, 11.1.
  CHECK(counts_by_aws(nodes, "GPUMemoryIncrease") == Counts{10, 10, 1'200});
  CHECK(counts_by_aws(nodes, "GPUMemoryIncrease", {{"GPUMemoryIncrease_increase", "15"}}) == Counts{5, 5, 1'200});
}

TEST_CASE("AWS never finds unbalanced GPUs or a long initialization") {
  const std::vector apart{SampledNode{{always(90), always(10)}}};
  CHECK(counts_by_aws(apart, "LoadBalancing") == Counts{0, 0, 1'200});
  CHECK(judged_by_aws(apart, "LoadBalancing").verdict == rules::Verdict::no_issues);
  CHECK(judged_by_aws(apart, "LoadBalancing").findings.empty());
  CHECK(counts_by_aws(apart, "MaxInitializationTime")[0] == 0);
}

TEST_CASE("AWS looks for outlier steps above the mean once there are more than 100") {
  // 99 steps of 0.1 s and 11 of 0.4 s: mean 0.13 s, standard deviation 0.09 s.
  CHECK(outlier_counts(lengths_of(99, 11), 2.9) == Counts{1, 11, 110});
  CHECK(outlier_counts(lengths_of(99, 11), 3.1) == Counts{0, 0, 110});
  CHECK(outlier_counts(lengths_of(99, 11), 2.9, 11) == Counts{0, 0, 110});
  CHECK(outlier_counts(lengths_of(89, 11), 1) == Counts{0, 0, 100});
  SECTION("each minute counts all outliers again") {
    // Another 600 steps of 0.1 s end after a minute: 11 outliers of 710, with a lower mean, in both minutes.
    std::vector<Ns> lengths = lengths_of(99, 11);
    lengths.insert(lengths.end(), 600, 100);
    CHECK(outlier_counts(lengths, 2.5) == Counts{2, 22, 710});
  }
}

TEST_CASE("AWS's verdict does not recognize insufficient samples") {
  const auto profile = sampled_profile({{{always(5)}, {}, {always(95)}, {}}}, 300);
  const auto evaluation = rules::evaluate({.profile = *profile, .scope = {}, .values = {}}, {.aws = true});
  REQUIRE(evaluation);
  const rules::Outcome& outcome = outcome_of(*evaluation, "CPUBottleneck");
  CHECK(outcome.verdict == rules::Verdict::no_issues);
  CHECK(outcome.aws->datapoints == 300);
}
