// Rules about steps and nodes: MaxInitializationTime, OverallFrameworkMetrics, OverallSystemUsage, and StepOutlier for
// processes without GPU activity.
#include "core/analysis/job/all_steps.hpp"
#include "core/analysis/request/step_range.hpp"
#include "core/rules/aws_report.hpp"
#include "core/rules/workload.hpp"
#include "core/trace/annotation_family.hpp"
#include "tests/core/rules/sampled_job.hpp"
#include "tests/core/rules/training_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using rules::Verdict;

namespace {

constexpr Ns kMinute = 60'000'000'000;

/// A training job whose system metrics start `before` its first step.
rules::Outcome initialization(Ns before, std::vector<analysis::Setting> settings = {}) {
  const auto steps = training_profile();
  const Ns first = steps->ranks.front()->steps.front().time.begin;
  const auto profile = trace::assemble_profile("/job", steps->dictionary, steps->ranks, {}, true,
                                               sampled_metrics({{{always(50)}}}, 10, first - before - kHalfSecond));
  return outcome_of(rules_evaluated(*profile, std::move(settings)), "MaxInitializationTime");
}

/// Steps of 10 ms, one every `period` µs.
std::shared_ptr<const trace::Profile> steps_every(double period, int steps = 5, int slow = -1) {
  TinyEvents events;
  for (int s = 0; s < steps; ++s) {
    const double begin = 1'000 + s * period;
    events.step(s + 1, begin, s == slow ? 19'000 : 10'000);
    events.op("aten::add", begin + 10, s == slow ? 18'000 : 9'000);
  }
  return load_events(events.text());
}

}  // namespace

TEST_CASE("step names have a phase and a number") {
  CHECK(analysis::phase_of("ProfilerStep#12") == "ProfilerStep");
  CHECK(analysis::phase_of("step_3") == "step");
  CHECK(analysis::phase_of("Step:ModeKeys.TRAIN") == "Step:ModeKeys.TRAIN");
  CHECK(analysis::phase_of("7") == "7");
  CHECK(analysis::step_number("ProfilerStep#12") == 12);
  CHECK_FALSE(analysis::step_number("Step:ModeKeys.TRAIN"));
}

TEST_CASE("iterations of inference servers are steps with a phase") {
  using trace::IterationPhase;
  CHECK(trace::iteration_phase("execute_context_1(512)_generation_0(0)") == IterationPhase::prefill);
  CHECK(trace::iteration_phase("execute_context_0(0)_generation_4(4)") == IterationPhase::decode);
  CHECK(trace::iteration_phase("execute_context_2(64)_generation_4(4)") == IterationPhase::mixed);
  CHECK(trace::iteration_phase("[Executor] _forward_step 12: 0 ctx reqs, 64 gen reqs") == IterationPhase::decode);
  CHECK(trace::iteration_phase("step[EXTEND bs=1 toks=512]") == IterationPhase::prefill);
  CHECK(trace::iteration_phase("execute_context_manager") == IterationPhase::none);
  CHECK(trace::iteration_phase("step_12") == IterationPhase::none);
  CHECK(analysis::phase_of("execute_context_0(0)_generation_4(4)") == "decode");
  CHECK(trace::annotation_family("executeStep: 3 ctx reqs, 4 gen reqs") ==
        trace::annotation_family("execute_context_0(0)_generation_4(4)"));

  TinyEvents events;
  for (int s = 0; s < 6; ++s) {
    const double begin = 1'000 + s * 1'000;
    events.annotation(s == 0 ? "execute_context_1(512)_generation_0(0)" : "execute_context_0(0)_generation_1(1)", begin,
                      900);
    events.op("aten::linear", begin + 10, 50)
        .launch(begin + 20, s + 1)
        .run({.begin = begin + 100, .length = 200, .correlation = s + 1});
  }
  const auto profile = load_events(events.text());
  REQUIRE(profile->ranks[0]->steps.size() == 6);
  CHECK(rules::workload_of(*profile) == rules::Workload::server);
}

TEST_CASE("MaxInitializationTime fires if the first step starts more than 20 minutes after the job") {
  CHECK(initialization(20 * kMinute + kHalfSecond).verdict == Verdict::issues_found);
  CHECK(initialization(20 * kMinute - kHalfSecond).verdict == Verdict::no_issues);
  CHECK(initialization(2 * kMinute, {{"MaxInitializationTime_threshold", "1.9"}}).verdict == Verdict::issues_found);
  SECTION("without a record of the start it is not evaluable") {
    CHECK(outcome_of(rules_evaluated(*training_profile()), "MaxInitializationTime").verdict == Verdict::not_evaluable);
    CHECK(outcome_of(rules_evaluated(*sampled_profile({{{always(50)}}})), "MaxInitializationTime").why ==
          "The profile has no steps.");
  }
}

TEST_CASE("OverallFrameworkMetrics reports time outside steps") {
  const auto at = [](double period) {
    return outcome_of(rules_evaluated(*steps_every(period)), "OverallFrameworkMetrics");
  };
  // Of 4 periods and the last step, 4 gaps: 16.4 of 66.4 ms and 17.2 of 67.2 ms.
  CHECK(at(14'100).verdict == Verdict::no_issues);
  CHECK(at(14'100).why.starts_with("24.7 %"));
  const rules::Outcome found = at(14'300);
  REQUIRE(found.verdict == Verdict::issues_found);
  CHECK(found.why.starts_with("25.6 %"));
  CHECK(found.findings.front().places.front().time.length() == 4'300'000);
}

TEST_CASE("OverallSystemUsage summarizes each node") {
  const auto words = [](const std::vector<SampledNode>& nodes) {
    return outcome_of(rules_evaluated(*sampled_profile(nodes)), "OverallSystemUsage").why;
  };
  CHECK(words({{{always(30), always(50)}, {}, {always(20)}, {}}}) ==
        "algo-1: underused, so a smaller instance would suffice; GPU p95 40 %, CPU p95 20 %.");
  CHECK(words({{{always(30)}, {}, {always(90)}, {}}}).find("the GPUs wait for the CPU") != std::string::npos);
  CHECK(words({{{always(95)}, {}, {always(90)}, {}}}).find("well utilized") != std::string::npos);
  CHECK(outcome_of(rules_evaluated(*training_profile()), "OverallSystemUsage").verdict == Verdict::not_evaluable);
  const auto short_recording = sampled_profile({SampledNode{.gpus = {}, .cores = {always(20)}}}, 50);
  CHECK(rules::summary(rules_evaluated(*short_recording)) == "No rule applies: the profile has no GPU activity.");
}

TEST_CASE("the summary of traces without GPU activity starts with that") {
  CHECK(rules::summary(rules_evaluated(*steps_every(10'000, 8))).starts_with("The profile has no GPU activity. 3 of "));
  CHECK(rules::summary(rules_evaluated(*steps_every(20'000)))
            .starts_with("The profile has no GPU activity. 1 finding. "));
  TinyEvents events;
  for (int s = 0; s < 5; ++s) events.step(s + 1, 1'000 + s * 10'000, 9'000);
  const std::string text = trace_of(events.text());
  const TestFolder folder;
  const auto truncated = load(folder.write("cut.json", text.substr(0, text.size() * 3 / 4)));
  const std::string summary = rules::summary(rules_evaluated(*truncated));
  INFO(summary);
  CHECK(summary.starts_with("The profile has no GPU activity. Rank 0 is truncated after "));
}

TEST_CASE("StepOutlier compares the steps of processes without GPU activity") {
  const auto at = [](int slow, std::vector<analysis::Setting> settings = {}) {
    return outcome_of(rules_evaluated(*steps_every(20'000, 8, slow), std::move(settings)), "StepOutlier");
  };
  CHECK(at(-1).verdict == Verdict::no_issues);
  const rules::Outcome found = at(4);
  REQUIRE(found.verdict == Verdict::issues_found);
  CHECK(found.findings.front().headline ==
        "ProfilerStep#5 takes 9.00 ms longer than the median of 10.0 ms; on rank 0, aten::add takes 9.00 ms longer.");
  CHECK(at(4, {{"StepOutlier_mode", "EVAL"}}).verdict == Verdict::not_evaluable);
}

TEST_CASE("AWS's reports of a job are shown next to Warpscope's results") {
  const TestFolder job;
  job.write(
      "profiler-output/system/incremental/1591160699.algo-1.json",
      R"({"Type":"gpu","Name":"gpu0","Dimension":"GPUUtilization","Value":5,"NodeId":"algo-1","Timestamp":1591160700.0}
{"Type":"cpu","Name":"cpu0","Dimension":"CPUUtilization","Value":95,"NodeId":"algo-1","Timestamp":1591160700.0}
)");
  std::string moments;
  for (int i = 0; i < 6'000; ++i)
    moments += fmt::format(R"({}"15911607{:02}.{:04}": {{"GPUs": 1, "CPUs": 2}})", i == 0 ? "" : ", ", i % 60, i);
  job.write("rule-output/ProfilerReport-1/profiler-output/profiler-reports/CPUBottleneck.json",
            R"({"RuleTriggered": 11, "Violations": 4138, "Details": {"low_gpu_utilization": 5, "bottlenecks": {)" +
                moments + R"(}}, "Datapoints": 37624, "RuleParameters": "threshold:50\npatience:1000"})");
  for (const char* const opened : {"", "profiler-output"}) {
    const auto profile = load(job.path() / opened);
    const auto reports = rules::aws_reports(*profile);
    REQUIRE(reports.size() == 1);
    CHECK(reports.front().rule == "CPUBottleneck");
    CHECK(reports.front().counts.triggered == 11);
    CHECK(reports.front().counts.violations == 4'138);
    CHECK(reports.front().counts.datapoints == 37'624);
    CHECK(reports.front().parameters == "threshold:50, patience:1000");
    const auto tables = rules::tables(rules_evaluated(*profile), *profile);
    const auto table = std::ranges::find(tables, "aws-report", &Table::id);
    REQUIRE(table != tables.end());
    CHECK(table->at(0, 4).text() == "insufficient data");
    CHECK(table->at(0, 7).integer() == 1);  // datapoints here
  }
}

TEST_CASE("framework timelines next to profiler traces do not add GPUs") {
  const TestFolder job;
  const TrainingShape shape;
  job.write("rank0.json", trace_of(training_events(shape, {}), training_metadata(shape)));
  std::string timeline = R"([
{"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": 1594662605425850}},
{"name": "process_sort_index", "ph": "M", "pid": 0, "args": {"sort_index": 0}},
{"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "gpu_functions-dev:0"}})";
  for (int i = 0; i < 200; ++i)
    timeline += fmt::format(
        ",\n"
        R"({{"name": "gemm", "pid": 1, "ph": "X", "ts": {}, "dur": 5, "args": {{"pid": 905}}}})",
        100 * i);
  job.write("framework/pevents/2020071317/1594662624718694_905-algo-1_pythontimeline.json", timeline + "\n]\n");
  const auto profile = load(job.path());
  REQUIRE(profile->ranks.size() == 2);
  CHECK(rules_evaluated(*profile).window.find(" on 1 GPU") != std::string::npos);
}
