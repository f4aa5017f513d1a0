// SageMaker Debugger's rules at the boundaries of patience, window and interval, and by AWS's arithmetic; all expected
// counts are computed by hand.
#include <cmath>

#include "core/rules/settings.hpp"
#include "tests/core/rules/framework_timeline.hpp"
#include "tests/core/rules/sampled_job.hpp"
#include "tests/core/rules/training_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using rules::Verdict;

namespace {

using CountsOf = std::array<std::int64_t, 3>;

rules::Outcome judged_at(const std::vector<SampledNode>& nodes, std::size_t samples, std::string_view rule,
                         std::vector<analysis::Setting> settings = {}) {
  return outcome_of(rules_evaluated(*sampled_profile(nodes, samples), std::move(settings)), rule);
}

rules::Outcome judged_like_aws(const std::vector<SampledNode>& nodes, std::string_view rule,
                               const std::vector<analysis::Setting>& settings = {}) {
  const auto profile = sampled_profile(nodes);
  const auto evaluation =
      rules::evaluate({.profile = *profile, .scope = {}, .values = {}}, {.settings = settings, .aws = true});
  REQUIRE(evaluation);
  return outcome_of(*evaluation, rule);
}

CountsOf counts_like_aws(const std::vector<SampledNode>& nodes, std::string_view rule,
                         const std::vector<analysis::Setting>& settings = {}) {
  const rules::AwsCounts counts = judged_like_aws(nodes, rule, settings).aws.value();
  return {counts.triggered, counts.violations, counts.datapoints};
}

bool accepts(const std::string& name, const std::string& value) {
  return !rules::check_settings(std::array{analysis::Setting{name, value}});
}

}  // namespace

TEST_CASE("IOBottleneck needs more samples than its patience, and its limits are strict") {
  const std::vector busy{SampledNode{{always(5)}, {}, {}, {always(60)}}};
  CHECK(judged_at(busy, 1'000, "IOBottleneck").verdict == Verdict::insufficient_data);
  CHECK(judged_at(busy, 1'001, "IOBottleneck").verdict == Verdict::issues_found);
  CHECK(judged_at(busy, 50, "IOBottleneck", {{"IOBottleneck_patience", "49"}}).verdict == Verdict::issues_found);
  const std::vector at_limit{SampledNode{{always(5)}, {}, {}, {always(50)}}};
  CHECK(judged_at(at_limit, 1'200, "IOBottleneck").verdict == Verdict::no_issues);
  CHECK(judged_at(at_limit, 1'200, "IOBottleneck", {{"IOBottleneck_io_threshold", "49.9"}}).verdict ==
        Verdict::issues_found);
}

TEST_CASE("bottlenecks are evaluated after each scan interval") {
  // Bottlenecks in the first 300 samples only: 300 of 300 at 2.5 minutes, 300 of 540 at 4.5 minutes, 300 of 600 (50 %,
  // not more) at five.
  const std::vector early{SampledNode{
      {[](std::size_t i) { return i < 300 ? 5.0 : 80.0; }}, {}, {[](std::size_t i) { return i < 300 ? 95.0 : 20.0; }}}};
  const auto triggered = [&](const char* patience, const char* interval) {
    return counts_like_aws(early, "CPUBottleneck",
                           {{"CPUBottleneck_patience", patience}, {"CPUBottleneck_scan_interval_us", interval}})[0];
  };
  CHECK(triggered("100", "60000000") == 4);  // after minutes 1 to 4
  CHECK(triggered("100", "30000000") == 8);  // after 1 to 4.5 minutes: 120, 180, …, 540 samples
  CHECK(triggered("539", "30000000") == 1);
  CHECK(triggered("540", "30000000") == 0);
  const rules::Outcome once = judged_like_aws(
      early, "CPUBottleneck", {{"CPUBottleneck_patience", "539"}, {"CPUBottleneck_scan_interval_us", "30000000"}});
  CHECK(once.verdict == Verdict::issues_found);
  CHECK_FALSE(once.findings.empty());
  CHECK(once.why.starts_with("Triggered 1 time: "));
  const std::vector<analysis::Setting> patient{{"CPUBottleneck_patience", "500"},
                                               {"CPUBottleneck_scan_interval_us", "60000000"}};
  CHECK(judged_at(early, kSamples, "CPUBottleneck", patient).verdict == Verdict::no_issues);
  CHECK(judged_at(early, kSamples, "CPUBottleneck", {{"CPUBottleneck_patience", "400"}}).verdict ==
        Verdict::issues_found);
}

TEST_CASE("LowGPUUtilization evaluates exactly the window, after exactly the patience") {
  // 94.9 % of the samples are low: the 95th percentile is low only as long as at most 5 % are high.
  const auto high_in = [](std::size_t first, std::size_t last) {
    return std::vector{SampledNode{{[=](std::size_t i) { return i >= first && i < last ? 90.0 : 60.0; }}}};
  };
  const std::vector<analysis::Setting> one_judgment{{"LowGPUUtilization_patience", "1100"}};
  // The only evaluation is at sample 1,200, over samples 700 to 1,200. With 26 of 500 high, position 474.05 is high.
  CHECK(judged_at(high_in(700, 725), 1'200, "LowGPUUtilization", one_judgment).verdict == Verdict::issues_found);
  CHECK(judged_at(high_in(700, 726), 1'200, "LowGPUUtilization", one_judgment).verdict == Verdict::no_issues);
  CHECK(judged_at(high_in(600, 699), 1'200, "LowGPUUtilization", one_judgment).verdict == Verdict::issues_found);
  CHECK(judged_at({SampledNode{{always(10)}}}, 1'000, "LowGPUUtilization").verdict == Verdict::insufficient_data);
  CHECK(judged_at({SampledNode{{always(10)}}}, 1'001, "LowGPUUtilization").verdict == Verdict::issues_found);
}

TEST_CASE("BatchSize respects patience and window") {
  const std::vector low{SampledNode{{always(50)}, {always(30)}, {always(20)}}};
  CHECK(judged_at(low, 1'000, "BatchSize").verdict == Verdict::insufficient_data);
  CHECK(judged_at(low, 1'001, "BatchSize").verdict == Verdict::issues_found);
  const std::vector<analysis::Setting> short_patience{{"BatchSize_patience", "1"}};
  CHECK(judged_at(low, 500, "BatchSize", short_patience).verdict == Verdict::insufficient_data);
  CHECK(judged_at(low, 501, "BatchSize", short_patience).verdict == Verdict::issues_found);
  // The CPU must be below its limit of 70, not at it.
  const auto with_cpu = [](double use) { return std::vector{SampledNode{{always(50)}, {always(30)}, {always(use)}}}; };
  CHECK(judged_at(with_cpu(69.5), 1'200, "BatchSize").verdict == Verdict::issues_found);
  CHECK(judged_at(with_cpu(70), 1'200, "BatchSize").verdict == Verdict::no_issues);
  // High until sample 700; evaluated at 1,080 over the latest 500 or 300 samples, and at 1,200.
  const std::vector early{
      SampledNode{{always(50)}, {always(30)}, {[](std::size_t i) { return i < 700 ? 90.0 : 20.0; }}}};
  CHECK(judged_at(early, 1'100, "BatchSize").verdict == Verdict::no_issues);
  CHECK(judged_at(early, 1'100, "BatchSize", {{"BatchSize_window", "300"}}).verdict == Verdict::issues_found);
}

TEST_CASE("AWS mixes the cores of all nodes in BatchSize") {
  // Cores of the same name count once, so each node's sum is divided by two; at equal times both nodes are added.
  const SampledNode idle{{always(50)}, {always(30)}, {always(40), always(40)}};
  CHECK(counts_like_aws({idle}, "BatchSize") == CountsOf{2, 2, 1'200});
  // 40 + 40 is not below 70.
  CHECK(counts_like_aws({idle, idle}, "BatchSize") == CountsOf{0, 0, 1'200});
  CHECK(counts_like_aws({idle, idle}, "BatchSize", {{"BatchSize_cpu_threshold_p95", "80.1"}}) == CountsOf{4, 4, 1'200});
  CHECK(judged_at({idle, idle}, kSamples, "BatchSize").verdict == Verdict::issues_found);
}

TEST_CASE("GPUMemoryIncrease respects patience and window") {
  const auto jump_at = [](std::size_t sample) {
    return std::vector{SampledNode{{always(50)}, {[=](std::size_t i) { return i < sample ? 20.0 : 60.0; }}}};
  };
  // After 2 to 9 samples of the jump, the means differ by more than 5 points.
  CHECK(judged_at(jump_at(1'050), 1'200, "GPUMemoryIncrease").verdict == Verdict::issues_found);
  CHECK(judged_at(jump_at(991), 1'200, "GPUMemoryIncrease", {{"GPUMemoryIncrease_increase", "7.9"}}).verdict ==
        Verdict::no_issues);  // the largest difference, 8 points, is at sample 993
  CHECK(judged_at(jump_at(999), 1'200, "GPUMemoryIncrease", {{"GPUMemoryIncrease_increase", "7.9"}}).verdict ==
        Verdict::issues_found);
  CHECK(judged_at(jump_at(998), 1'200, "GPUMemoryIncrease",
                  {{"GPUMemoryIncrease_increase", "7.9"}, {"GPUMemoryIncrease_patience", "1000"}})
            .verdict == Verdict::no_issues);
  // A jump by 40 points is 8 points for a window of 10, 4 for one of 20.
  CHECK(judged_at(jump_at(1'050), 1'200, "GPUMemoryIncrease", {{"GPUMemoryIncrease_window", "20"}}).verdict ==
        Verdict::no_issues);
}

TEST_CASE("LoadBalancing needs more samples than its patience, and two GPUs") {
  const std::vector apart{SampledNode{{always(90), always(10)}}};
  CHECK(judged_at(apart, 1'000, "LoadBalancing").verdict == Verdict::insufficient_data);
  CHECK(judged_at(apart, 1'001, "LoadBalancing").verdict == Verdict::issues_found);
  const rules::Outcome one = judged_at({SampledNode{{always(90)}}}, 1'200, "LoadBalancing");
  CHECK(one.verdict == Verdict::not_evaluable);
  CHECK(one.aws.value().datapoints == 1'200);
  CHECK(counts_like_aws({SampledNode{{always(90)}}}, "LoadBalancing") == CountsOf{0, 0, 1'200});
}

TEST_CASE("LoadBalancing counts pairs, and AWS's histogram drops samples above 98 %") {
  // Two GPUs at 100 %, one always at 30 %: two of three pairs are disjoint.
  const std::vector nodes{SampledNode{{always(100), always(100), always(30)}}};
  const rules::Outcome ours = judged_at(nodes, kSamples, "LoadBalancing");
  CHECK(ours.counts.value().triggered == 2);
  CHECK(ours.findings.front().headline.starts_with(
      "The GPUs are used unevenly: 2 of 3 pairs differ by more than 0.2. The largest distance is 0.83, "));
  CHECK(judged_like_aws(nodes, "LoadBalancing").why ==
        "Triggered 0 times: 0 violations in 1\u2009200 data points. With AWS's histograms, the largest distance is "
        "0.00, but AWS's rule compares each GPU only with itself.");
  // GPU 0: half of the samples at 31 %, the rest dropped; GPU 1: a quarter at 31 %, three at 51 %.
  const std::vector mixed{SampledNode{{partly(50, 99, 31), partly(75, 51, 31)}}};
  // P = (1, 0) of 600 samples, Q = (¼, ¾) of 1,200; the middle of the counts is (½, ½).
  const double distance =
      std::sqrt((std::log(1 / 0.5) + 0.25 * std::log(0.25 / 0.5) + 0.75 * std::log(0.75 / 0.5)) / 2);
  CHECK(
      judged_like_aws(mixed, "LoadBalancing").why.find(fmt::format("the largest distance is {:.2f}, but", distance)) !=
      std::string::npos);
}

TEST_CASE("rules list the values they evaluate as details") {
  const std::vector nodes{
      SampledNode{{always(90), partly(50, 80, 20)}, {always(30), always(40)}, {always(20)}, {always(1)}}};
  const rules::Evaluation evaluation = rules_evaluated(*sampled_profile(nodes));
  const auto details = [&](std::string_view rule) -> const auto& { return outcome_of(evaluation, rule).details; };
  REQUIRE(details("LowGPUUtilization").size() == 1);
  const Table& gpus = details("LowGPUUtilization").front().table;
  CHECK(gpus.rows() == 2);
  CHECK(gpus.at(1, 2).number() == 0.5);  // median of 20 and 80 %
  CHECK(details("LoadBalancing").size() == 2);
  CHECK(details("BatchSize").front().table.rows() == 5);
  CHECK(details("CPUBottleneck").front().table.rows() == 3);
  CHECK(details("GPUMemoryIncrease").front().table.rows() == 2);
  CHECK(details("OverallSystemUsage").front().table.rows() == 4);
  const auto tables = rules::tables(evaluation, *sampled_profile(nodes));
  CHECK(std::ranges::count(tables, "loadbalancing-gpu-distances", &Table::id) == 1);
  CHECK(tables.back().id == rules::kRulesTable);
}

TEST_CASE("CPUBottleneck shows the activity of processes at bottlenecks") {
  FrameworkTimeline timeline;
  timeline.step("TRAIN", 0, 0, 10'000);
  timeline.slice("DataLoaderIter", 10'000, 10'000);
  timeline.step("TRAIN", 1, 20'000, 10'000);
  // Ten bottlenecks: eight in the loader, two in a step.
  for (int s = 0; s < 30; ++s) {
    const bool bottleneck = s >= 12 && s < 22;
    timeline.sample(500 + 1'000 * s, bottleneck ? 5 : 90);
    timeline.core(500 + 1'000 * s, bottleneck ? 95 : 20);
  }
  const rules::Outcome outcome = outcome_of(
      rules_evaluated(*timeline.load(), {{"CPUBottleneck_patience", "1"}, {"CPUBottleneck_threshold", "30"}}),
      "CPUBottleneck");
  CHECK(outcome.verdict == Verdict::issues_found);
  REQUIRE(outcome.details.size() == 2);
  const Table& phases = outcome.details.back().table;
  REQUIRE(phases.rows() == 2);
  CHECK(phases.at(0, 0).text() == "DataLoaderIter");
  CHECK(phases.at(0, 2).number() == 0.8);
  CHECK(phases.at(1, 0).text() == "Step:ModeKeys.TRAIN");
  CHECK(phases.at(1, 2).number() == 0.2);
}

TEST_CASE("ProfilerReport summarizes SageMaker Debugger's rules") {
  const rules::Outcome found =
      judged_at({SampledNode{{always(5)}, {always(30)}, {always(95)}, {always(1)}}}, kSamples, "ProfilerReport");
  CHECK(found.verdict == Verdict::issues_found);
  CHECK(found.why.ends_with("2 found issues: CPUBottleneck, LowGPUUtilization."));
  CHECK(found.findings.empty());
  CHECK(judged_at({SampledNode{{always(90)}}}, kSamples, "ProfilerReport").verdict == Verdict::no_issues);
  CHECK(outcome_of(rules_evaluated(*training_profile({.steps = 2})), "ProfilerReport").verdict !=
        Verdict::issues_found);
}

TEST_CASE("GPU utilization from traces is evaluated at the given interval") {
  // 80 ms of steps that keep the GPU busy for a fifth of the time.
  const auto profile = training_profile({.kernel = 20, .gap = 80});
  const auto at = [&](std::string_view rule, std::vector<analysis::Setting> settings) {
    return outcome_of(rules_evaluated(*profile, std::move(settings)), rule);
  };
  const rules::Outcome few = at("LowGPUUtilization", {});
  CHECK(few.verdict == Verdict::insufficient_data);
  CHECK(few.why == "1 sample (utilization per 500 ms, computed from the traces); more than 1\u2009000 needed.");
  const rules::Outcome found =
      at("LowGPUUtilization", {{"LowGPUUtilization_interval", "1ms"}, {"LowGPUUtilization_patience", "50"}});
  REQUIRE(found.verdict == Verdict::issues_found);
  CHECK(found.findings.front().headline.find("(utilization per 1.00 ms, computed from the traces)") !=
        std::string::npos);
  CHECK(std::abs(found.details.front().table.at(0, 2).number() - 0.2) < 0.001);
  const rules::Outcome waiting = at("LowGPUUtilization", {{"LowGPUUtilization_interval", "1ms"}});
  CHECK(waiting.why.ends_with(" more than 1\u2009000 needed (record 921 ms more)."));
}

TEST_CASE("rule parameters are validated as AWS does") {
  CHECK_FALSE(accepts("StepOutlier_stddev", "0"));
  CHECK(accepts("StepOutlier_stddev", "0.1"));
  CHECK_FALSE(accepts("StepOutlier_n_outliers", "0"));
  CHECK_FALSE(accepts("GPUMemoryIncrease_increase", "0"));
  CHECK(accepts("GPUMemoryIncrease_increase", "0.5"));
  CHECK_FALSE(accepts("GPUMemoryIncrease_window", "1"));
  CHECK(accepts("GPUMemoryIncrease_window", "2"));
  CHECK_FALSE(accepts("CPUBottleneck_patience", "0"));
  CHECK_FALSE(accepts("CPUBottleneck_scan_interval_us", "0"));
  CHECK(accepts("Dataloader_patience", "1"));
  CHECK(accepts("LoadBalancing_threshold", "0"));
  CHECK_FALSE(accepts("LoadBalancing_threshold", "100.1"));
  const Failure failure = rules::check_settings(std::array{analysis::Setting{"stepoutlier_STDDEV", "-1"}});
  REQUIRE(failure);
  CHECK(failure->message().find("use a number above 0") != std::string::npos);
}

TEST_CASE("settings are read from the output of describe-training-job") {
  const auto settings = rules::parse_settings_file(R"({
    "TrainingJobName": "job", "HyperParameters": {"share": "3"}, "ResourceConfig": {"InstanceCount": 2},
    "DebugRuleConfigurations": [{"RuleParameters": {"rule_to_invoke": "VanishingGradient", "threshold": "1"}}],
    "ProfilerRuleConfigurations": [
      {"RuleConfigurationName": "mine", "RuleEvaluatorImage": "image", "VolumeSizeInGB": 0,
       "RuleParameters": {"rule_to_invoke": "CPUBottleneck", "threshold": "60", "scan_interval_us": "30000000"}},
      {"RuleConfigurationName": "report",
       "RuleParameters": {"rule_to_invoke": "ProfilerReport", "StepOutlier_stddev": "4"}},
      {"RuleConfigurationName": "low",
       "RuleParameters": {"rule_to_invoke": "LoadBalancing", "scan_interval_us": "60000000"}},
      {"RuleConfigurationName": "DetailedProfilerProcessingJobConfig-1",
       "RuleParameters": {"rule_to_invoke": "DetailedProfilerProcessing", "other": "1"}}]})");
  INFO((settings ? std::string() : settings.error().message()));
  REQUIRE(settings);
  CHECK(*settings == rules::Settings{{"CPUBottleneck_threshold", "60"},
                                     {"CPUBottleneck_scan_interval_us", "30000000"},
                                     {"StepOutlier_stddev", "4"}});
  const auto wrong = rules::parse_settings_file(
      R"({"ProfilerRuleConfigurations": [{"RuleParameters": {"rule_to_invoke": "CPUBottleneck", "limit": "1"}}]})");
  CHECK_FALSE(wrong);
}

TEST_CASE("the documented preset has the values of AWS's documentation") {
  const rules::Settings& preset = *rules::find_preset("documented");
  CHECK_FALSE(rules::check_settings(preset));
  const auto has = [&](const char* name, const char* value) {
    return std::ranges::count(preset, analysis::Setting{name, value}) == 1;
  };
  CHECK(has("StepOutlier_stddev", "5"));
  CHECK(has("StepOutlier_n_outliers", "10"));
  CHECK(has("StepOutlier_mode", "5"));
  CHECK(has("LoadBalancing_threshold", "0.5"));
}
