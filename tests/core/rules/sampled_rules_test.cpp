// SageMaker Debugger's rules for system metrics, at the boundaries of their thresholds.
#include <cmath>

#include "core/analysis/job/sample_tables.hpp"
#include "tests/core/rules/sampled_job.hpp"
#include "tests/core/rules/training_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using rules::Verdict;

namespace {

Verdict verdict_of(std::string_view rule, const std::vector<SampledNode>& nodes,
                   std::vector<analysis::Setting> settings = {}) {
  return outcome_of(rules_evaluated(*sampled_profile(nodes), std::move(settings)), rule).verdict;
}

}  // namespace

TEST_CASE("CPUBottleneck fires if more than half of the snapshots have an idle GPU and a busy core") {
  const auto with = [](int share) {
    return std::vector{SampledNode{{partly(share, 5, 80), always(90)}, {}, {always(20), partly(share, 95, 10)}, {}}};
  };
  CHECK(verdict_of("CPUBottleneck", with(51)) == Verdict::issues_found);
  CHECK(verdict_of("CPUBottleneck", with(49)) == Verdict::no_issues);
  CHECK(verdict_of("CPUBottleneck", with(49), {{"CPUBottleneck_threshold", "48"}}) == Verdict::issues_found);
  SECTION("limits are strict") {
    const std::vector at{SampledNode{{always(10)}, {}, {always(95)}, {}}};
    CHECK(verdict_of("CPUBottleneck", at) == Verdict::no_issues);
    CHECK(verdict_of("CPUBottleneck", at, {{"CPUBottleneck_gpu_threshold", "10.1"}}) == Verdict::issues_found);
    const std::vector busy{SampledNode{{always(5)}, {}, {always(90)}, {}}};
    CHECK(verdict_of("CPUBottleneck", busy) == Verdict::no_issues);
  }
  SECTION("GPU and core samples must be simultaneous") {
    const std::vector apart{SampledNode{{partly(50, 5, 80)}, {}, {partly(50, 10, 95)}, {}}};
    CHECK(verdict_of("CPUBottleneck", apart, {{"CPUBottleneck_threshold", "1"}}) == Verdict::no_issues);
  }
}

TEST_CASE("IOBottleneck fires if cores wait for I/O while a GPU is idle") {
  const auto with = [](int share) {
    return std::vector{SampledNode{{partly(share, 5, 80)}, {}, {}, {partly(share, 60, 10)}}};
  };
  CHECK(verdict_of("IOBottleneck", with(51)) == Verdict::issues_found);
  CHECK(verdict_of("IOBottleneck", with(49)) == Verdict::no_issues);
}

TEST_CASE("rules for system metrics need more samples than their patience and report how many are missing") {
  const std::vector nodes{SampledNode{{always(5)}, {}, {always(95)}, {}}};
  const auto at = [&](std::size_t samples) {
    return outcome_of(rules_evaluated(*sampled_profile(nodes, samples)), "CPUBottleneck");
  };
  CHECK(at(1'001).verdict == Verdict::issues_found);
  CHECK(at(1'000).verdict == Verdict::insufficient_data);
  CHECK(at(344).why.ends_with(" more than 1\u2009000 needed (record 5 m 29 s more)."));
  CHECK(outcome_of(rules_evaluated(*sampled_profile(nodes, 344)), "LowGPUUtilization").verdict ==
        Verdict::insufficient_data);
}

TEST_CASE("without a metric a rule is not evaluable") {
  const std::vector nodes{SampledNode{{always(50)}}};
  for (const char* const rule : {"CPUBottleneck", "IOBottleneck", "BatchSize", "GPUMemoryIncrease", "LoadBalancing"})
    CHECK(verdict_of(rule, nodes) == Verdict::not_evaluable);
}

TEST_CASE("LowGPUUtilization finds underused and fluctuating GPUs") {
  CHECK(verdict_of("LowGPUUtilization", {{{always(69.5)}}}) == Verdict::issues_found);
  CHECK(verdict_of("LowGPUUtilization", {{{always(70.5)}}}) == Verdict::no_issues);
  CHECK(verdict_of("LowGPUUtilization", {{{partly(10, 5, 95)}}}) == Verdict::issues_found);
  CHECK(verdict_of("LowGPUUtilization", {{{partly(3, 5, 95)}}}) == Verdict::no_issues);
  SECTION("only the latest samples are evaluated") {
    // Low until sample 600; the first evaluation, after minute 9, covers samples 580 to 1,080.
    const std::vector early{SampledNode{{[](std::size_t i) { return i < 600 ? 10.0 : 95.0; }}}};
    CHECK(verdict_of("LowGPUUtilization", early, {{"LowGPUUtilization_threshold_p5", "0"}}) == Verdict::no_issues);
    CHECK(verdict_of("LowGPUUtilization", early, {{"LowGPUUtilization_threshold_p5", "11"}}) == Verdict::no_issues);
    CHECK(verdict_of("LowGPUUtilization", early,
                     {{"LowGPUUtilization_threshold_p5", "11"}, {"LowGPUUtilization_window", "1000"}}) ==
          Verdict::issues_found);
  }
}

TEST_CASE("BatchSize fires only if CPU, GPU and GPU memory are all underused") {
  const auto with = [](double cpu, double gpu, double memory) {
    return std::vector{SampledNode{{always(gpu)}, {always(memory)}, {always(cpu), always(cpu)}, {}}};
  };
  CHECK(verdict_of("BatchSize", with(69, 69, 69)) == Verdict::issues_found);
  CHECK(verdict_of("BatchSize", with(71, 69, 69)) == Verdict::no_issues);
  CHECK(verdict_of("BatchSize", with(69, 71, 69)) == Verdict::no_issues);
  CHECK(verdict_of("BatchSize", with(69, 69, 71)) == Verdict::no_issues);
}

TEST_CASE("GPUMemoryIncrease compares the latest samples as Debugger does") {
  // A jump by J points: the largest difference is when the latest window has two samples more of it than the window
  // before: 0.2 J with a window of 10.
  const auto jump = [](double points) {
    return std::vector{SampledNode{{always(50)}, {[=](std::size_t i) { return i < 1'100 ? 20.0 : 20.0 + points; }}}};
  };
  CHECK(verdict_of("GPUMemoryIncrease", jump(25.5)) == Verdict::issues_found);
  CHECK(verdict_of("GPUMemoryIncrease", jump(24.5)) == Verdict::no_issues);
  SECTION("a jump before the patience does not count") {
    const std::vector early{SampledNode{{always(50)}, {[](std::size_t i) { return i < 500 ? 20.0 : 90.0; }}}};
    CHECK(verdict_of("GPUMemoryIncrease", early) == Verdict::no_issues);
  }
}

TEST_CASE("LoadBalancing compares all pairs of GPUs, including on different nodes") {
  // Half of the mass of one histogram is elsewhere: sqrt(ln 2 / 4 · …), far above 0.2.
  const std::vector apart{SampledNode{{always(90)}}, SampledNode{{partly(50, 90, 30)}}};
  CHECK(verdict_of("LoadBalancing", apart) == Verdict::issues_found);
  const std::vector equal{SampledNode{{partly(40, 90, 30)}}, SampledNode{{partly(41, 90, 30)}}};
  CHECK(verdict_of("LoadBalancing", equal) == Verdict::no_issues);
  SECTION("samples of 100 % count") {
    const std::vector full{SampledNode{{always(100), partly(50, 100, 30)}}};
    CHECK(verdict_of("LoadBalancing", full) == Verdict::issues_found);
  }
  SECTION("the distance is the square root of the Jensen-Shannon divergence") {
    // P = (1, 0), Q = (½, ½), M = (¾, ¼).
    const double expected = std::sqrt((std::log(4.0 / 3) + 0.5 * std::log(2.0 / 3) + 0.5 * std::log(2.0)) / 2);
    const auto with = [&](double threshold) {
      return verdict_of("LoadBalancing", apart, {{"LoadBalancing_threshold", std::to_string(threshold)}});
    };
    CHECK(with(expected - 0.001) == Verdict::issues_found);
    CHECK(with(expected + 0.001) == Verdict::no_issues);
  }
}

TEST_CASE("LoadBalancing compares a bounded number of GPUs, including those that differ") {
  std::vector<SampledNode> nodes(1);
  for (int gpu = 0; gpu < 400; ++gpu) nodes[0].gpus.push_back(gpu == 300 ? always(10) : partly(40 + gpu % 10, 90, 70));
  const auto profile = sampled_profile(nodes);
  const rules::Evaluation evaluation = rules_evaluated(*profile);
  const rules::Outcome& outcome = outcome_of(evaluation, "LoadBalancing");
  REQUIRE(outcome.findings.size() == 1);
  const auto& finding = outcome.findings[0];
  const auto compared = analysis::kMostCompared;
  CHECK(finding.headline.starts_with(
      fmt::format("The GPUs are used unevenly: {} of {} pairs", compared - 1, compared * (compared - 1) / 2)));
  REQUIRE(finding.places.size() == 2);
  CHECK(finding.places[1].text == "GPU 300 of algo-1");
  REQUIRE(outcome.details.size() == 2);
  CHECK(outcome.details[1].table.rows() == compared * (compared - 1) / 2);
}

TEST_CASE("findings of a node have a time and a GPU") {
  const auto profile = sampled_profile({{{always(90), always(20)}}});
  const rules::Evaluation evaluation = rules_evaluated(*profile);
  const rules::Outcome& low = outcome_of(evaluation, "LowGPUUtilization");
  REQUIRE(low.findings.size() == 1);
  REQUIRE(low.findings.front().places.size() == 1);
  const rules::Place& place = low.findings.front().places.front();
  CHECK(place.text.starts_with("GPU 1 of algo-1: "));
  CHECK_FALSE(place.rank);
  CHECK(place.time.end <= profile->extent.end);
  REQUIRE(place.metric);
  CHECK(place.metric->node == 0);
  CHECK(place.metric->metric == trace::Metric::gpu_utilisation);
  CHECK(place.metric->instance == 1);
  const auto tables = rules::tables(evaluation, *profile);
  const auto node = tables.front().find_role(ColumnRole::node);
  REQUIRE(node);
  CHECK(tables.front().at(0, *node).text() == "algo-1");
}
