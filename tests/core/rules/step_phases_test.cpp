// Framework timelines with several phases of steps: all of them count, not only training.
#include "core/analysis/job/all_steps.hpp"
#include "tests/core/ingest/formats/pevents/timeline_files.hpp"
#include "tests/core/rules/framework_timeline.hpp"
#include "tests/core/rules/training_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using rules::Verdict;

TEST_CASE("evaluation between training steps is time inside steps") {
  FrameworkTimeline timeline;
  for (int s = 0; s < 10; ++s) timeline.step("TRAIN", s, 100 * s, 100);
  for (int s = 0; s < 14; ++s) timeline.step("EVAL", s, 1'000 + 100 * s, 100);
  for (int s = 0; s < 10; ++s) timeline.step("TRAIN", 10 + s, 2'400 + 100 * s, 100);
  const auto profile = timeline.load();
  CHECK(profile->ranks.front()->steps.size() == 20);
  CHECK(analysis::all_steps(*profile, *profile->ranks.front()).size() == 34);
  const rules::Outcome outcome = outcome_of(rules_evaluated(*profile), "OverallFrameworkMetrics");
  CHECK(outcome.verdict == Verdict::no_issues);
  CHECK(outcome.why.starts_with("0.0 %"));
}

TEST_CASE("StepOutlier finds outliers among evaluation steps") {
  FrameworkTimeline timeline;
  for (int s = 0; s < 10; ++s) timeline.step("TRAIN", s, 100 * s, 90);
  for (int s = 0; s < 10; ++s) timeline.step("EVAL", s, 1'000 + 100 * s, s == 6 ? 80 : 40);
  const auto at = [&](std::vector<analysis::Setting> settings = {}) {
    return outcome_of(rules_evaluated(*timeline.load(), std::move(settings)), "StepOutlier");
  };
  const rules::Outcome found = at();
  REQUIRE(found.verdict == Verdict::issues_found);
  CHECK(found.findings.front().headline == "Step:ModeKeys.EVAL#6 takes 40.0 ms longer than the median of 40.0 ms.");
  CHECK(found.findings.front().evidence.bars.at(5).label == "Step:ModeKeys.EVAL#6");
  CHECK(at({{"StepOutlier_mode", "EVAL"}}).verdict == Verdict::issues_found);
  CHECK(at({{"StepOutlier_mode", "TRAIN"}}).verdict == Verdict::no_issues);
  CHECK(at({{"StepOutlier_mode", "PREDICT"}}).verdict == Verdict::not_evaluable);
  // The default in AWS's documentation, which does not specify a mode.
  CHECK(at({{"StepOutlier_mode", "5"}}).verdict == Verdict::issues_found);
}

TEST_CASE("StepOutlier reports the duration of the excluded first step") {
  FrameworkTimeline timeline;
  timeline.step("TRAIN", 0, 0, 9'000);
  for (int s = 1; s < 10; ++s) timeline.step("TRAIN", s, 9'000 + 100 * s, 90);
  const rules::Outcome outcome = outcome_of(rules_evaluated(*timeline.load()), "StepOutlier");
  CHECK(outcome.verdict == Verdict::no_issues);
  CHECK(outcome.why ==
        "All steps take about as long as their rank's median step. The first step of each phase is excluded as "
        "warm-up: Step:ModeKeys.TRAIN#0 takes 9.000 s; the median is 90.0 ms.");
}

TEST_CASE("MaxInitializationTime ends with the first step of any phase") {
  FrameworkTimeline timeline;
  timeline.step("EVAL", 0, 21 * 60'000, 100);
  for (int s = 0; s < 3; ++s) timeline.step("TRAIN", s, 30 * 60'000 + 100 * s, 90);
  timeline.sample(0);
  const auto profile = timeline.load();
  CHECK(outcome_of(rules_evaluated(*profile), "MaxInitializationTime").why ==
        "The first step starts 21 m 00 s after the job starts.");
}

TEST_CASE("the sample with 30 training and 10 evaluation steps has both phases") {
  const auto samples = debugger_samples();
  if (!samples) return;
  const auto profile = load(*samples / "merge_traces");
  const auto why = [&](const char* mode) {
    return outcome_of(rules_evaluated(*profile, {{"StepOutlier_mode", mode}}), "StepOutlier").why;
  };
  CHECK(why("EVAL").ends_with("Step:ModeKeys.EVAL#0 takes 2.842 s; the median is 162 ms."));
  CHECK(why("TRAIN").ends_with("Step:ModeKeys.TRAIN#0 takes 9.021 s; the median is 84.2 ms."));
  CHECK(analysis::all_steps(*profile, *profile->ranks.front()).size() == 40);
}
