// Each rule finds the one defect in an otherwise healthy job and lists it first.
#include "tests/core/rules/training_job.hpp"
#include "tests/load_profile.hpp"
#include "tests/small_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using rules::Verdict;

namespace {

/// The rule fires just below the share that it found, and no longer just above it.
void check_threshold(const trace::Profile& profile, const rules::Ranked& found, Ns evaluation_step) {
  const auto& parameters = found.rule->parameters;
  if (std::ranges::find(parameters, rules::kShare, &analysis::Parameter::name) == parameters.end()) return;
  const bool replayed = !found.finding.cause.empty();
  if (replayed && evaluation_step <= 0) return;
  const double share =
      replayed ? static_cast<double>(found.saving) / static_cast<double>(evaluation_step) : found.cost_share;
  const auto fires = [&](double least) {
    const rules::Evaluation evaluation = rules_evaluated(
        profile, {{fmt::format("{}_share", found.rule->name), fmt::format("{:.9f}", std::min(1.0, least))}});
    return !outcome_of(evaluation, found.rule->name).findings.empty();
  };
  CHECK(fires(share * 0.999));
  if (share < 0.99) CHECK_FALSE(fires(share * 1.001));
}

/// The defect's rule comes first, with this cost or replayed saving per step in µs.
void check_first(const trace::Profile& profile, std::string_view rule, std::optional<double> cost = std::nullopt) {
  const rules::Evaluation evaluation = rules_evaluated(profile);
  INFO(rule << " of " << fmt::format("{}", evaluation.findings.size()));
  REQUIRE_FALSE(evaluation.findings.empty());
  const rules::Ranked& first = evaluation.findings.front();
  INFO(first.finding.headline);
  CHECK(first.rule->name == rule);
  CHECK_FALSE(first.finding.advice.empty());
  check_threshold(profile, first, evaluation.step_time);
  if (cost)
    CHECK(
        within_percent(static_cast<double>(first.finding.cause.empty() ? first.cost : first.saving) / 1000, *cost, 5));
}

}  // namespace

TEST_CASE("a healthy job has no findings") {
  const rules::Evaluation evaluation = rules_evaluated(*training_profile());
  for (const rules::Ranked& each : evaluation.findings) UNSCOPED_INFO(each.rule->name << ": " << each.finding.headline);
  CHECK(evaluation.findings.empty());
  CHECK(rules::summary(evaluation).starts_with("No issue found. "));
  CHECK(evaluation.window ==
        "Evaluated: 6 steps on 1 GPU, excluding the first and last, which include profiler startup and shutdown.");
}

TEST_CASE("the first and last of four steps are excluded; all of three steps count") {
  CHECK(rules_evaluated(*training_profile({.steps = 4})).window ==
        "Evaluated: 2 steps on 1 GPU, excluding the first and last, which include profiler startup and shutdown.");
  CHECK(rules_evaluated(*training_profile({.steps = 3})).window == "Evaluated: 3 steps on 1 GPU.");
}

TEST_CASE("the evaluated time is followed by a note if the rank numbers are assumed") {
  tracegen::Options options = small_job();
  for (const bool assumed : {false, true}) {
    if (assumed) options.writer = tracegen::Writer::generic;
    const TestFolder folder;
    (void)tracegen::generate(options, folder.path());
    const auto profile = load_profile(folder.path().string());
    REQUIRE(profile.ok());
    CHECK(rules_evaluated(**profile).window.ends_with(
              " Ranks are numbered in file order: the traces do not contain them.") == assumed);
  }
}

TEST_CASE("DataLoader: the GPU is idle while the host waits for a batch") {
  const TrainingShape shape{.hole_begin = 1'000, .hole_end = 3'000};
  check_first(*training_profile(shape,
                                [](TinyEvents& events, int, double begin, int) {
                                  events.annotation("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
                                                    begin + 900, 2'000);
                                }),
              "DataLoader", 1'900);
}

TEST_CASE("HostSync: the GPU runs dry after the host waited for it") {
  check_first(*waiting_profile({}), "HostSync", 2'000);
}

TEST_CASE("LaunchBound: kernels end before the next one is launched") {
  check_first(*training_profile({.kernel = 20, .gap = 15, .lead = 4}), "LaunchBound", 10'000 * 14.0 / 35);
  SECTION("kernels launched in time do not count") {
    const rules::Evaluation evaluation = rules_evaluated(*training_profile({.kernel = 20, .gap = 15, .lead = 40}));
    CHECK(outcome_of(evaluation, "LaunchBound").verdict == Verdict::no_issues);
  }
}

TEST_CASE("LaunchBound fires just above its threshold") {
  // Gaps take 10 µs of each 110 or 90 µs.
  CHECK(outcome_of(rules_evaluated(*training_profile({.kernel = 80, .gap = 10, .lead = 4})), "LaunchBound").verdict ==
        Verdict::issues_found);
  CHECK(outcome_of(rules_evaluated(*training_profile({.kernel = 100, .gap = 10, .lead = 4})), "LaunchBound").verdict ==
        Verdict::no_issues);
  CHECK(outcome_of(
            rules_evaluated(*training_profile({.kernel = 100, .gap = 10, .lead = 4}), {{"launchbound_SHARE", "0.05"}}),
            "LaunchBound")
            .verdict == Verdict::issues_found);
}

TEST_CASE("HostStall: a few calls take a thousand times as long as others with the same name") {
  const TrainingShape shape{.hole_begin = 5'000, .hole_end = 8'000};
  const auto loaded = training_profile(shape, [](TinyEvents& events, int, double begin, int) {
    for (int i = 0; i < 50; ++i) events.op("aten::view", begin + 100 + i * 10, 2);
    events.op("aten::view", begin + 4'900, 3'050);
  });
  check_first(*loaded, "HostStall", 3'001);
  CHECK(rules_evaluated(*loaded).findings.front().finding.headline.starts_with("Host pauses in aten::view, "));
}

TEST_CASE("AllocatorChurn: memory is allocated through the driver in every step") {
  const TrainingShape shape{.hole_begin = 2'000, .hole_end = 4'000};
  check_first(*training_profile(shape,
                                [](TinyEvents& events, int, double begin, int) {
                                  events.launch(begin + 2'000, 0, "cudaFree", 1'000);
                                  events.launch(begin + 3'000, 0, "cudaMalloc", 990);
                                }),
              "AllocatorChurn", 2'000);
}

TEST_CASE("Recompilation: a measured step compiles") {
  TinyEvents unused;
  const auto loaded =
      training_profile({.hole_begin = 1'000, .hole_end = 2'000}, [](TinyEvents& events, int, double begin, int) {
        events.annotation("_compile.compile_inner (dynamo_timed)", begin + 1'000, 990);
      });
  check_first(*loaded, "Recompilation", 1'000);
}

namespace {

/// `count` all-reduces in each step after the computation; the host waits for them.
std::shared_ptr<const trace::Profile> exposed_profile(int count, double length, const std::string& metadata = {}) {
  return waiting_profile(
      [=](TinyEvents& events, int, double begin, int correlation) {
        for (int i = 0; i < count; ++i) {
          events.launch(begin + 411 + 0.5 * i, correlation + i);
          events.run({.name = "ncclDevKernel_AllReduce_Sum_f16_RING_SIMPLE",
                      .begin = begin + 6'015 + i * (length + 1),
                      .length = length,
                      .correlation = correlation + i,
                      .stream = 20});
        }
        events.launch(begin + 411 + 0.5 * count, correlation + count);
        events.run({.name = "optimizer",
                    .begin = begin + 6'015 + count * (length + 1),
                    .length = 20,
                    .correlation = correlation + count});
      },
      {.kernels = 60, .waits_until = 9'990}, metadata);
}

}  // namespace

TEST_CASE("ExposedCommunication: all-reduces that nothing overlaps") {
  check_first(*exposed_profile(1, 3'900), "ExposedCommunication", 3'900);
  SECTION("overlapped communication does not count") {
    const auto overlapped = training_profile({}, [=](TinyEvents& events, int, double begin, int correlation) {
      events.launch(begin + 2'900, correlation);
      events.run({.name = "ncclDevKernel_AllReduce_Sum_f16_RING_SIMPLE",
                  .begin = begin + 3'000,
                  .length = 1'999,
                  .correlation = correlation,
                  .stream = 20});
    });
    CHECK(outcome_of(rules_evaluated(*overlapped), "ExposedCommunication").verdict == Verdict::no_issues);
  }
}

TEST_CASE("ExposedCommunication recommends fp16 for GPUs without bf16") {
  const auto advice = [](int major) {
    const auto profile =
        exposed_profile(1, 3'900, fmt::format(R"("deviceProperties": [{{"id": 0, "computeMajor": {}}}])", major));
    return outcome_of(rules_evaluated(*profile), "ExposedCommunication").findings.front().advice;
  };
  CHECK(advice(7).find("The fp16_compress_hook") != std::string::npos);
  CHECK(advice(8).find("The bf16_compress_hook") != std::string::npos);
}

TEST_CASE("ExposedCommunication recommends larger buckets only for many small all-reduces") {
  const auto advice = [](int count, double length) {
    const rules::Evaluation evaluation =
        rules_evaluated(*exposed_profile(count, length), {{"ExposedCommunication_share", "0.05"}});
    return outcome_of(evaluation, "ExposedCommunication").findings.front().advice;
  };
  const auto larger = [](const std::string& text) { return text.find("a larger bucket_cap_mb") != std::string::npos; };
  const auto smaller = [](const std::string& text) {
    return text.find("a smaller bucket_cap_mb") != std::string::npos;
  };
  CHECK(larger(advice(39, 99)));
  CHECK(smaller(advice(38, 101)));
  CHECK(larger(advice(11, 99.9)));
  CHECK(smaller(advice(10, 99.9)));
}

TEST_CASE("SlowCollective: some all-reduces take four times as long as others") {
  const TestFolder folder;  // the arguments are read again
  for (int rank = 0; rank < 2; ++rank) {
    TinyEvents events;
    int correlation = 1;
    for (int s = 0; s < 8; ++s) {
      const double begin = 1'000 + s * 10'000;
      const double length = s % 2 == 0 ? 1'000 : 4'000;
      events.step(s + 1, begin, 10'000);
      for (int k = 0; k < 50; ++k, ++correlation) {
        events.launch(begin + 5 + k * 5, correlation);
        events.run(
            {.name = "fp16_s16816gemm", .begin = begin + 15 + k * 100, .length = 99, .correlation = correlation});
      }
      events.launch(begin + 300, correlation);
      events.run(
          {.name = "ncclDevKernel_AllReduce_Sum_f16_RING_SIMPLE",
           .begin = begin + 5'015,
           .length = length,
           .correlation = correlation++,
           .stream = 20,
           .arguments = fmt::format(R"("Collective name": "allreduce", "In msg nelems": 5000000, "Group size": 2,)"
                                    R"("dtype": "BFloat16", "Process Group Name": "0",)"
                                    R"("Process Group Ranks": "[0, 1]", "Seq": {})",
                                    s)});
      events.launch(begin + 310, 0, "cudaDeviceSynchronize", 4'710 + length);
    }
    folder.write(fmt::format("rank{}.json", rank),
                 trace_of(events.text(), fmt::format(R"("distributedInfo": {{"rank": {}, "world_size": 2}})", rank)));
  }
  const rules::Evaluation evaluation = rules_evaluated(*load(folder.path()));
  const rules::Outcome& outcome = outcome_of(evaluation, "SlowCollective");
  REQUIRE(outcome.findings.size() == 1);
  INFO(outcome.findings.front().headline);
  CHECK(outcome.findings.front().cause == "slow_transfers");
  // Half of the collectives take 3 ms longer.
  const auto found = std::ranges::find(evaluation.findings, std::string_view("SlowCollective"),
                                       [](const rules::Ranked& each) { return each.rule->name; });
  CHECK(within_percent(static_cast<double>(found->saving), 1'500'000, 5));
}

TEST_CASE("IdleGpu: idle time that no other rule explains") {
  check_first(*training_profile({.lead = 5'000, .hole_begin = 2'000, .hole_end = 4'000}), "IdleGpu");
}

TEST_CASE("StepOutlier: one step takes longer than the others") {
  TinyEvents events;
  int correlation = 1;
  double begin = 1'000;
  for (int s = 0; s < 9; ++s) {
    const double length = s == 4 ? 16'000 : 10'000;
    events.step(s + 1, begin, length);
    events.op("aten::sort", begin + 100, s == 4 ? 6'050 : 50);
    for (double at = 0; at < length; at += 100) {
      events.launch(begin + at - 200, correlation);
      events.run({.name = "fp16_s16816gemm", .begin = begin + at, .length = 99, .correlation = correlation++});
    }
    begin += length;
  }
  const auto profile = load_events(events.text());
  check_first(*profile, "StepOutlier");
  CHECK(rules_evaluated(*profile).findings.front().finding.headline.starts_with(
      "ProfilerStep#5 takes 6.00 ms longer than the median of 10.0 ms; on rank 0, "));
  CHECK(outcome_of(rules_evaluated(*profile, {{"StepOutlier_excess", "0.61"}}), "StepOutlier").verdict ==
        Verdict::no_issues);
  CHECK(outcome_of(rules_evaluated(*profile, {{"StepOutlier_excess", "0.59"}}), "StepOutlier").verdict ==
        Verdict::issues_found);
}

TEST_CASE("SmallKernels: most time goes to kernels of a few microseconds") {
  check_first(*training_profile({.kernel = 8, .gap = 0.1, .lead = 100}), "SmallKernels");
  CHECK(
      outcome_of(rules_evaluated(*training_profile({.kernel = 10, .gap = 0.1, .lead = 100})), "SmallKernels").verdict ==
      Verdict::no_issues);
}

TEST_CASE("PageableCopies: memcpys from pageable memory keep the GPU from computing") {
  const auto with = [](std::string_view name) {
    return training_profile({.hole_begin = 1'000, .hole_end = 2'000},
                            [=](TinyEvents& events, int, double begin, int correlation) {
                              events.launch(begin + 900, correlation, "cudaMemcpyAsync", 1'050);
                              events.run({.name = name,
                                          .begin = begin + 1'000,
                                          .length = 999,
                                          .correlation = correlation,
                                          .category = "gpu_memcpy",
                                          .arguments = R"("bytes": 4000000)"});
                            });
  };
  check_first(*with("Memcpy HtoD (Pageable -> Device)"), "PageableCopies", 999);
  CHECK(outcome_of(rules_evaluated(*with("Memcpy HtoD (Pinned -> Device)")), "PageableCopies").verdict ==
        Verdict::no_issues);
}

TEST_CASE("TensorCoresUnused: matrix multiplications in FP32") {
  check_first(*training_profile({.kernel_name = "ampere_sgemm_128x64_nn"}), "TensorCoresUnused");
}

TEST_CASE("UnfusedAttention: softmax runs as a separate kernel") {
  const auto with = [](std::string_view kernel, double length) {
    return training_profile(
        {.hole_begin = 1'000, .hole_end = 2'000}, [&](TinyEvents& events, int, double begin, int correlation) {
          events.launch(begin + 800, correlation)
              .run({.name = kernel, .begin = begin + 1'000, .length = length, .correlation = correlation})
              .launch(begin + 801, correlation + 1)
              .run({.name = "ampere_fp16_s16816gemm_fp16_128x128",
                    .begin = begin + 1'001 + length,
                    .length = 990 - length,
                    .correlation = correlation + 1});
        });
  };
  check_first(*with("cunn_SoftMaxForward<4, float>", 501), "UnfusedAttention");
  for (const auto& [kernel, length] : {std::pair("cunn_SoftMaxForward<4, float>", 499.0),
                                       std::pair("cunn_SoftMaxForward<4, float, LogSoftMaxForwardEpilogue>", 900.0),
                                       std::pair("triton_per_fused_softmax_3", 900.0)})
    CHECK(found_rules(rules_evaluated(*with(kernel, length))).empty());
  // Softmax without a following matrix multiplication, as in sampling.
  const auto sampling = training_profile(
      {.hole_begin = 1'000, .hole_end = 2'000}, [](TinyEvents& events, int, double begin, int correlation) {
        for (int i = 0; i < 5; ++i)
          events.launch(begin + 800 + i, correlation + i)
              .run({.name = i == 0 ? "cunn_SoftMaxForward<4, float>" : "elementwise_kernel",
                    .begin = begin + 1'000 + (i == 0 ? 0 : 599 + 100 * (i - 1)),
                    .length = i == 0 ? 598.0 : 99.0,
                    .correlation = correlation + i});
      });
  CHECK(found_rules(rules_evaluated(*sampling)).empty());
}

TEST_CASE("MemoryNearCapacity: PyTorch holds almost all memory") {
  const auto with = [](std::string_view reserved) {
    std::string events = training_events({}, {});
    events += fmt::format(R"(,{{"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 100,)"
                          R"("tid": 100, "ts": 20000, "args": {{"Device Type": 1, "Device Id": 0, "Bytes": 512,)"
                          R"("Addr": 1, "Total Allocated": 1, "Total Reserved": {}}}}})",
                          reserved);
    const TestFolder folder;
    const auto path = folder.write("trace.json", trace_of(events, training_metadata({})));
    const auto profile = load(path);
    return rules_evaluated(*profile);
  };
  CHECK(found_rules(with("72100000000")) == std::vector<std::string>{"MemoryNearCapacity"});
  CHECK(found_rules(with("71900000000")).empty());
}

TEST_CASE("missing GPU activity of a truncated trace does not look idle") {
  // As PyTorch writes it: host events first. The text ends in the middle of the GPU activity.
  std::string host;
  std::string gpu;
  for (int s = 0; s < 8; ++s) {
    TinyEvents events;
    events.step(s + 1, 1'000 + s * 10'000, 10'000);
    for (int k = 0; k < 100; ++k) events.launch(800 + s * 10'000 + k * 100, s * 100 + k + 1);
    host += events.text() + ",\n";
    TinyEvents activity;
    for (int k = 0; k < 100; ++k)
      activity.run({.name = "fp16_s16816gemm",
                    .begin = 1'000.0 + s * 10'000 + k * 100,
                    .length = 99,
                    .correlation = s * 100 + k + 1});
    gpu += (gpu.empty() ? "" : ",\n") + activity.text();
  }
  const TestFolder folder;
  const std::string text = trace_of(host + gpu, training_metadata({}));
  const std::string half = text.substr(0, text.size() - gpu.size() / 2);
  const rules::Evaluation whole = rules_evaluated(*load(folder.write("whole.json", text)));
  CHECK(found_rules(whole).empty());
  const rules::Evaluation cut = rules_evaluated(*load(folder.write("cut.json", half)));
  CHECK(found_rules(cut) == std::vector<std::string>{"TraceQuality"});
  INFO(cut.window);
  CHECK(cut.window.find(" 1 step on") == std::string::npos);
  CHECK(cut.findings.front().finding.headline.find("truncated") != std::string::npos);
}

TEST_CASE("a truncated step is incomplete, but the trace has steps") {
  TinyEvents events;
  events.step(1, 1'000, 20'000);
  for (int k = 0; k < 200; ++k)
    events.run({.name = "fp16_s16816gemm", .begin = 1'000.0 + k * 100, .length = 99, .correlation = k + 1});
  const TestFolder folder;
  const std::string text = trace_of(events.text());
  const rules::Evaluation cut = rules_evaluated(*load(folder.write("cut.json", text.substr(0, text.size() * 3 / 4))));
  CHECK(cut.window == "Evaluated: 1 GPU from first to last activity, because no step is complete.");
  CHECK(outcome_of(cut, "StepOutlier").why ==
        "The evaluated time is not divided into steps, because no step is complete.");
}

TEST_CASE("TraceQuality: a single step is a hint, not an issue") {
  const rules::Evaluation evaluation = rules_evaluated(*training_profile({.steps = 1, .kernel = 49}));
  CHECK(found_rules(evaluation) == std::vector<std::string>{"TraceQuality"});
  CHECK(evaluation.findings.front().finding.hint);
  CHECK(rules::summary(evaluation).starts_with("No issue found. "));
}
