// Each rule finds the one defect in an otherwise healthy job and lists it first.
#include "tests/core/rules/training_job.hpp"
#include "tests/load_profile.hpp"
#include "tests/small_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using rules::Verdict;

namespace {

/// The rule fires just below the share that it found, and no longer just above it.
void check_threshold(const trace::Profile& profile, const rules::Ranked& found) {
  const auto& parameters = found.rule->parameters;
  if (std::ranges::find(parameters, rules::kShare, &analysis::Parameter::name) == parameters.end()) return;
  // These rules compare idle time, which limits their saving.
  const bool idle = found.rule->name == "HostStall" || found.rule->name == "AllocatorChurn";
  // A fifth of the limit is enough for AllocatorChurn if steps both free and allocate.
  const double share = (idle ? found.bound_share : found.cost_share) * (found.rule->name == "AllocatorChurn" ? 5 : 1);
  const auto fires = [&](double least) {
    const rules::Evaluation evaluation = rules_evaluated(
        profile, {{fmt::format("{}_share", found.rule->name), fmt::format("{:.9f}", std::min(1.0, least))}});
    return !outcome_of(evaluation, found.rule->name).findings.empty();
  };
  CHECK(fires(share * 0.999));
  if (share < 0.99) CHECK_FALSE(fires(share * 1.001));
}

/// The defect's rule comes first, with this cost per step in µs.
void check_first(const trace::Profile& profile, std::string_view rule, std::optional<double> cost = std::nullopt) {
  const rules::Evaluation evaluation = rules_evaluated(profile);
  INFO(rule << " of " << fmt::format("{}", evaluation.findings.size()));
  REQUIRE_FALSE(evaluation.findings.empty());
  const rules::Ranked& first = evaluation.findings.front();
  INFO(first.finding.sentence);
  CHECK(first.rule->name == rule);
  CHECK_FALSE(first.finding.advice.empty());
  check_threshold(profile, first);
  if (cost) CHECK(within_percent(static_cast<double>(first.cost) / 1000, *cost, 0.2));
}

}  // namespace

TEST_CASE("a healthy job has no findings") {
  const rules::Evaluation evaluation = rules_evaluated(*training_profile());
  for (const rules::Ranked& each : evaluation.findings) UNSCOPED_INFO(each.rule->name << ": " << each.finding.sentence);
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
  // Ten waits per step; each leaves the GPU without work for 100 µs.
  const auto profile = [] {
    TinyEvents events;
    int correlation = 1;
    for (int s = 0; s < 8; ++s) {
      const double begin = 1'000 + s * 10'000;
      events.step(s + 1, begin, 10'000);
      for (double at = 0; at < 10'000; at += 1'000) {
        events.launch(begin + at + 60, correlation);
        events.run(
            {.name = "fp16_s16816gemm", .begin = begin + at + 100, .length = 899.5, .correlation = correlation++});
        events.op("aten::item", begin + at + 70, 932);
        events.launch(begin + at + 80, 0, "cudaStreamSynchronize", 920);
        for (int k = 0; k < 20; ++k) events.op("aten::add", begin + at + 1 + k, 0.5);
      }
    }
    return load_events(events.text());
  };
  const auto loaded = profile();
  const rules::Evaluation evaluation = rules_evaluated(*loaded);
  // 80 kernels are too few.
  CHECK(outcome_of(evaluation, "HostSync").verdict == Verdict::insufficient_data);
  const TrainingShape shape{.hole_begin = 4'000, .hole_end = 6'000};
  check_first(*training_profile(
                  shape,
                  [](TinyEvents& events, int, double begin, int correlation) {
                    events.op("aten::item", begin + 3'900, 120);
                    events.launch(begin + 3'910, 0, "cudaStreamSynchronize", 100);
                    events.launch(begin + 5'900, correlation);
                    events.run({.name = "fp16_gemm", .begin = begin + 5'950, .length = 50, .correlation = correlation});
                  }),
              "HostSync", 1'940);
}

TEST_CASE("LaunchBound: kernels end before the next one is launched") {
  check_first(*training_profile({.kernel = 20, .gap = 15, .lead = 4}), "LaunchBound", 10'000 * 15.0 / 35);
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

TEST_CASE("LaunchBound excludes launches before the first step") {
  const auto why = [](const InjectDefect& before) {
    return outcome_of(rules_evaluated(*training_profile({}, before)), "LaunchBound").why;
  };
  const std::string warm = why([](TinyEvents& events, int step, double, int correlation) {
    if (step > 0) return;
    for (int k = 0; k < 10; ++k) {
      events.launch(96 + k * 50, correlation + k);
      events.run({.name = "warm_up", .begin = 100.0 + k * 50, .length = 20, .correlation = correlation + k});
    }
  });
  CHECK(warm == why({}));
  CHECK(warm.find("; 0.0 % of launches occur while the GPU is idle.") != std::string::npos);
}

TEST_CASE("HostStall: a few calls take a thousand times as long as others with the same name") {
  const TrainingShape shape{.hole_begin = 5'000, .hole_end = 8'000};
  const auto loaded = training_profile(shape, [](TinyEvents& events, int, double begin, int) {
    for (int i = 0; i < 50; ++i) events.op("aten::view", begin + 100 + i * 10, 2);
    events.op("aten::view", begin + 4'900, 3'050);
  });
  check_first(*loaded, "HostStall", 3'001);
  CHECK(rules_evaluated(*loaded).findings.front().finding.sentence.starts_with(
      "6 calls to aten::view have an average self time of 3.05 ms"));
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

TEST_CASE("ExposedCommunication: all-reduces that nothing overlaps") {
  const TrainingShape shape{.hole_begin = 8'000, .hole_end = 10'000};
  const auto with = [&](int stream, double at) {
    return training_profile(shape, [=](TinyEvents& events, int, double begin, int correlation) {
      events.launch(begin + at - 100, correlation);
      events.run({.name = "ncclDevKernel_AllReduce_Sum_f16_RING_SIMPLE",
                  .begin = begin + at,
                  .length = 1'999,
                  .correlation = correlation,
                  .stream = stream});
    });
  };
  check_first(*with(20, 8'000), "ExposedCommunication", 1'999);
  SECTION("overlapped communication does not count") {
    CHECK(outcome_of(rules_evaluated(*with(20, 3'000)), "ExposedCommunication").verdict == Verdict::no_issues);
  }
}

TEST_CASE("ExposedCommunication recommends fp16 for GPUs without bf16") {
  const auto advice = [](int major) {
    const std::string events = training_events({.hole_begin = 8'000, .hole_end = 10'000},
                                               [](TinyEvents& into, int, double begin, int correlation) {
                                                 into.launch(begin + 7'900, correlation);
                                                 into.run({.name = "ncclDevKernel_AllReduce_Sum_f16_RING_SIMPLE",
                                                           .begin = begin + 8'000,
                                                           .length = 1'999,
                                                           .correlation = correlation,
                                                           .stream = 20});
                                               });
    const auto profile =
        load_events(events, fmt::format(R"("deviceProperties": [{{"id": 0, "computeMajor": {}}}])", major));
    return outcome_of(rules_evaluated(*profile), "ExposedCommunication").findings.front().advice;
  };
  CHECK(advice(7).find("The fp16_compress_hook") != std::string::npos);
  CHECK(advice(8).find("The bf16_compress_hook") != std::string::npos);
}

TEST_CASE("ExposedCommunication recommends larger buckets only for many small all-reduces") {
  const auto advice = [](int count, double length) {
    const auto profile = training_profile({.hole_begin = 6'000, .hole_end = 10'000},
                                          [=](TinyEvents& events, int, double begin, int correlation) {
                                            for (int i = 0; i < count; ++i) {
                                              const double at = begin + 6'000 + i * (length + 1);
                                              events.launch(at - 200, correlation + i);
                                              events.run({.name = "ncclDevKernel_AllReduce_Sum_f16_RING_SIMPLE",
                                                          .begin = at,
                                                          .length = length,
                                                          .correlation = correlation + i,
                                                          .stream = 20});
                                            }
                                          });
    const rules::Evaluation evaluation = rules_evaluated(*profile, {{"ExposedCommunication_share", "0.05"}});
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

TEST_CASE("SlowCollective: some all-reduces run at a quarter of the rate of others") {
  const TestFolder folder;  // the arguments are read again
  const auto text = training_events({}, [](TinyEvents& events, int step, double begin, int correlation) {
    const double length = step % 2 == 0 ? 1'000 : 4'000;
    events.launch(begin + 1'000, correlation);
    events.run({.name = "ncclDevKernel_AllReduce_Sum_f16_RING_SIMPLE",
                .begin = begin + 2'000,
                .length = length,
                .correlation = correlation,
                .stream = 20,
                .arguments = R"("Collective name": "allreduce", "In msg nelems": 50000000, "Out msg nelems": 50000000,)"
                             R"("Group size": 8, "dtype": "BFloat16", "Process Group Name": "0")"});
  });
  const auto loaded = load(folder.write("trace.json", trace_of(text, training_metadata({}))));
  // Half of the collectives take 3 ms longer.
  check_first(*loaded, "SlowCollective", 1'500);
}

TEST_CASE("SlowCollective: all-reduces achieve less than half of a given bus bandwidth") {
  const TestFolder folder;  // the arguments are read again
  const auto text = training_events({}, [](TinyEvents& events, int, double begin, int correlation) {
    events.launch(begin + 1'000, correlation);
    events.run({.name = "ncclDevKernel_AllReduce_Sum_f16_RING_SIMPLE",
                .begin = begin + 2'000,
                .length = 2'000,
                .correlation = correlation,
                .stream = 20,
                .arguments = R"("Collective name": "allreduce", "In msg nelems": 50000000, "Out msg nelems": 50000000,)"
                             R"("Group size": 8, "dtype": "BFloat16", "Process Group Name": "0")"});
  });
  const auto loaded = load(folder.write("trace.json", trace_of(text, training_metadata({}))));
  // 100 MB in 2 ms; each link carries 2 · 7 / 8 of it: 87.5 GB/s.
  const auto at = [&](const char* peak) {
    return outcome_of(rules_evaluated(*loaded, {{"SlowCollective_peak", peak}}), "SlowCollective");
  };
  CHECK(at("0").verdict == Verdict::no_issues);
  CHECK(at("174").verdict == Verdict::no_issues);
  const rules::Outcome slow = at("176");
  REQUIRE(slow.verdict == Verdict::issues_found);
  CHECK(
      slow.findings.front().sentence.starts_with("6 of 6 all-reduce collectives of process group 0 achieve less than "
                                                 "half of the 176 GB/s bus bandwidth, which costs "));
}

TEST_CASE("SlowCollective: the low-latency protocol counts only from 4 MiB on, by recorded size") {
  const auto verdict = [](std::string_view annotation) {
    const TestFolder folder;  // the arguments are read again
    const auto text = training_events({.hole_begin = 8'000, .hole_end = 10'000},
                                      [&](TinyEvents& events, int, double begin, int correlation) {
                                        events.host_range(annotation, begin + 7'800, 300);
                                        events.launch(begin + 7'900, correlation);
                                        events.run({.name = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)",
                                                    .begin = begin + 8'000,
                                                    .length = 1'999,
                                                    .correlation = correlation,
                                                    .stream = 20});
                                      });
    return outcome_of(rules_evaluated(*load(folder.write("trace.json", trace_of(text, training_metadata({}))))),
                      "SlowCollective")
        .verdict;
  };
  const std::string sized = R"("cat": "user_annotation", "name": "nccl:all_reduce", "args": {"Input Dims": [[N]], )"
                            R"("Input type": ["float"]})";
  const auto with = [&](std::string_view elements) {
    return std::string(sized).replace(sized.find("[[N]]") + 2, 1, elements);
  };
  CHECK(verdict(with("1048576")) == Verdict::issues_found);
  CHECK(verdict(with("1024, 1024")) == Verdict::issues_found);
  CHECK(verdict(with("1048575")) == Verdict::no_issues);
  CHECK(verdict(R"("cat": "user_annotation", "name": "nccl:all_reduce", "args": {})") == Verdict::no_issues);
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
  CHECK(rules_evaluated(*profile).findings.front().finding.sentence.starts_with(
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
  CHECK(found_rules(with("72000000000")) == std::vector<std::string>{"MemoryNearCapacity"});
  CHECK(found_rules(with("71999999999")).empty());
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
  CHECK(cut.findings.front().finding.sentence.find("truncated") != std::string::npos);
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
