// Rules for traces just below and just above their limits.
#include "tests/core/rules/framework_timeline.hpp"
#include "tests/core/rules/training_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using rules::Verdict;

namespace {

/// Calls of aten::view that usually take `usual` µs; one in each step takes `stall` µs, while the GPU idles for 2 ms.
Verdict stall_verdict(double stall, double usual, int calls = 8) {
  const auto profile =
      training_profile({.hole_begin = 6'000, .hole_end = 8'000}, [&](TinyEvents& events, int, double begin, int) {
        for (int i = 0; i < calls; ++i) events.op("aten::view", begin + 10 + i * (usual + 10), usual);
        events.op("aten::view", begin + 5'950, stall);
      });
  return outcome_of(rules_evaluated(*profile), "HostStall").verdict;
}

/// The host copies `bytes` from pageable memory in each step, during which the GPU does nothing else.
Verdict copy_verdict(std::string_view name, int bytes) {
  const auto profile = training_profile({.hole_begin = 1'000, .hole_end = 2'000},
                                        [&](TinyEvents& events, int, double begin, int correlation) {
                                          events.launch(begin + 900, correlation, "cudaMemcpyAsync", 1'050);
                                          events.run({.name = name,
                                                      .begin = begin + 1'000,
                                                      .length = 999,
                                                      .correlation = correlation,
                                                      .category = "gpu_memcpy",
                                                      .arguments = fmt::format(R"("bytes": {})", bytes)});
                                        });
  return outcome_of(rules_evaluated(*profile), "PageableCopies").verdict;
}

/// Two ranks with `collectives` all-reduces in one step; rank 1 is last in the first `late` of them, rank 0 in others.
std::shared_ptr<const trace::Profile> two_ranks(const TestFolder& folder, int collectives, int late) {
  for (int rank = 0; rank < 2; ++rank) {
    TinyEvents events;
    int correlation = 1;
    const double begin = 1'000;
    events.step(1, begin, collectives * 1'000);
    for (int c = 0; c < collectives; ++c) {
      const double at = begin + c * 1'000;
      for (int k = 0; k < 30; ++k) {
        events.launch(at + k * 10 - 200, correlation);
        events.run({.name = "fp16_s16816gemm", .begin = at + k * 10, .length = 9.9, .correlation = correlation++});
      }
      const bool last = (rank == 1) == (c < late);
      events.launch(at + 100, correlation);
      events.run({.name = "ncclDevKernel_AllReduce_Sum_f16_RING_SIMPLE",
                  .begin = at + (last ? 900 : 300),
                  .length = last ? 99.0 : 699.0,
                  .correlation = correlation++,
                  .stream = 20,
                  .arguments = fmt::format(R"("Collective name": "allreduce", "In msg nelems": 1000, "Group size": 2,)"
                                           R"("dtype": "Float", "Process Group Name": "0",)"
                                           R"("Process Group Ranks": "[0, 1]", "Seq": {})",
                                           c)});
    }
    folder.write(fmt::format("rank{}.json", rank),
                 trace_of(events.text(), fmt::format(R"("distributedInfo": {{"backend": "nccl", "rank": {},)"
                                                     R"("world_size": 2}})",
                                                     rank)));
  }
  return load(folder.path());
}

rules::Outcome late_outcome(int collectives, int late) {
  const TestFolder folder;
  return outcome_of(rules_evaluated(*two_ranks(folder, collectives, late)), "LateRank");
}

/// A step of which `unlinked` of 800 kernels have no launch.
rules::Outcome quality(int unlinked, int steps = 8) {
  TinyEvents events;
  for (int s = 0; s < steps; ++s) {
    events.step(s + 1, 1'000 + s * 10'000, 10'000);
    for (int k = 0; k < 100; ++k) {
      const int id = s * 100 + k + 1;
      if (id > unlinked) events.launch(800 + s * 10'000 + k * 100, id);
      events.run({.name = "fp16_s16816gemm", .begin = 1'000.0 + s * 10'000 + k * 100, .length = 99, .correlation = id});
    }
  }
  return outcome_of(rules_evaluated(*load_events(events.text())), "TraceQuality");
}

}  // namespace

TEST_CASE("HostStall counts calls above 1 ms and ten deviations above the usual duration") {
  CHECK(stall_verdict(1'001, 2) == Verdict::issues_found);
  CHECK(stall_verdict(999, 2) == Verdict::no_issues);
  // A median of 597 µs, without the launches inside: 597 + 10 · 1.4826 · 29.85 = 1,039.6 µs.
  CHECK(stall_verdict(1'050, 600) == Verdict::issues_found);
  CHECK(stall_verdict(1'035, 600) == Verdict::no_issues);
}

TEST_CASE("HostStall reports the suspected cause") {
  const auto found = [](std::string_view name, const InjectDefect& more = {}) {
    const auto profile = training_profile({.hole_begin = 6'000, .hole_end = 8'000},
                                          [&](TinyEvents& events, int step, double begin, int id) {
                                            for (int i = 0; i < 10; ++i) events.op(name, begin + 10 + i * 10, 2);
                                            events.op(name, begin + 5'950, 2'000);
                                            if (more) more(events, step, begin, id);
                                          });
    const rules::Outcome outcome = outcome_of(rules_evaluated(*profile), "HostStall");
    REQUIRE(outcome.findings.size() == 1);
    REQUIRE(outcome.details.size() == 1);
    return outcome.findings.front();
  };
  CHECK(found("aten::view")
            .sentence.ends_with(" Likely cause: too few CPU cores to run the thread (100.0 % of "
                                "this time)."));
  CHECK(found("aten::view").advice.find("OMP_NUM_THREADS") != std::string::npos);
  CHECK(found("aten::empty").sentence.find("page faults in host memory") != std::string::npos);
  CHECK(found("cudaFuncSetAttribute").advice.find("CUDA_MODULE_LOADING=EAGER") != std::string::npos);
  CHECK(found("aten::mm").sentence.find("Likely") == std::string::npos);
  const auto python = [](std::string_view name) {
    return [=](TinyEvents& events, int, double begin, int) {
      events.host_range(fmt::format(R"("cat": "python_function", "name": "{}")", name), begin + 6'000, 1'900, 200);
    };
  };
  CHECK(found("aten::view", python("metrics.py(12): log")).sentence.find("holding the GIL") != std::string::npos);
  CHECK(found("aten::view", python("<built-in method wait>")).sentence.find("too few CPU cores") != std::string::npos);
}

TEST_CASE("HostSync reports the user's code that waits") {
  const auto sentence = [](bool frames) {
    const auto profile =
        training_profile({.hole_begin = 4'000, .hole_end = 6'000}, [&](TinyEvents& events, int, double begin, int id) {
          if (frames) {
            events.host_range(R"("cat": "python_function", "name": "train.py(42): train_step")", begin + 3'700, 500);
            events.host_range(R"("cat": "python_function", "name": "nn.Module: Loss_0")", begin + 3'750, 400);
            events.host_range(R"("cat": "python_function", "name": "torch/_tensor.py(7): item")", begin + 3'800, 300);
          } else {
            events.annotation("check_loss", begin + 3'850, 200);
          }
          events.op("aten::item", begin + 3'900, 120);
          events.launch(begin + 3'910, 0, "cudaStreamSynchronize", 100);
          events.launch(begin + 5'900, id);
          events.run({.name = "fp16_gemm", .begin = begin + 5'950, .length = 50, .correlation = id});
        });
    const rules::Outcome outcome = outcome_of(rules_evaluated(*profile), "HostSync");
    REQUIRE(outcome.findings.size() == 1);
    return outcome.findings.front().sentence;
  };
  CHECK(sentence(true).find("mostly from aten::item in train.py(42): train_step (nn.Module: Loss_0) (") !=
        std::string::npos);
  CHECK(sentence(false).find("mostly from aten::item in check_loss (") != std::string::npos);
}

TEST_CASE("AllocatorChurn fires at a fifth of its limit if steps both free and allocate") {
  // The GPU idles for 200 µs of 10 ms.
  const auto verdict = [](std::string_view first, std::string_view second, const char* share) {
    const auto profile =
        training_profile({.hole_begin = 2'001, .hole_end = 2'199}, [&](TinyEvents& events, int, double begin, int) {
          events.launch(begin + 2'000, 0, first, 100);
          events.launch(begin + 2'100, 0, second, 99);
        });
    return outcome_of(rules_evaluated(*profile, {{"AllocatorChurn_share", share}}), "AllocatorChurn").verdict;
  };
  CHECK(verdict("cudaFree", "cudaMalloc", "0.05") == Verdict::issues_found);
  CHECK(verdict("cudaMalloc", "cudaMalloc", "0.05") == Verdict::no_issues);
  CHECK(verdict("cudaFree", "cudaMalloc", "0.5") == Verdict::no_issues);
}

TEST_CASE("PageableCopies counts memcpys to the GPU of at least 64 kB, and all memcpys from it") {
  CHECK(copy_verdict("Memcpy HtoD (Pageable -> Device)", 64'000) == Verdict::issues_found);
  CHECK(copy_verdict("Memcpy HtoD (Pageable -> Device)", 63'999) == Verdict::no_issues);
  CHECK(copy_verdict("Memcpy DtoH (Device -> Pageable)", 8) == Verdict::issues_found);
}

TEST_CASE("LateRank requires five collectives and a rank that is last in half of them") {
  CHECK(late_outcome(4, 4).verdict == Verdict::insufficient_data);
  CHECK(late_outcome(5, 5).verdict == Verdict::issues_found);
  const rules::Outcome half = late_outcome(6, 3);
  REQUIRE(half.verdict == Verdict::issues_found);
  CHECK(half.why.find("arrives last in 3 of 6 collectives") != std::string::npos);
  // The other rank waits 600 µs in each of three collectives, in a step of 6 ms on two GPUs: 15 %.
  const auto at = [](const char* share) {
    const TestFolder folder;
    return outcome_of(rules_evaluated(*two_ranks(folder, 6, 6), {{"LateRank_share", share}}), "LateRank").verdict;
  };
  // Six times 600 µs of 12 ms.
  CHECK(at("0.2999") == Verdict::issues_found);
  CHECK(at("0.3001") == Verdict::no_issues);
}

TEST_CASE("ExposedCommunication saves no waits if LateRank finds late ranks") {
  const TestFolder folder;
  const rules::Evaluation evaluation = rules_evaluated(*two_ranks(folder, 6, 3));
  const rules::Finding& exposed = outcome_of(evaluation, "ExposedCommunication").findings.front();
  CHECK(exposed.cost == 6 * (699'000 + 99'000));
  // Each of two ranks waits 600 µs in three collectives; LateRank reports only one of them.
  CHECK(outcome_of(evaluation, "LateRank").findings.front().cost == 3 * 600'000);
  CHECK(exposed.bound == exposed.cost - 6 * 600'000);
  CHECK(exposed.advice.find("The bf16_compress_hook") != std::string::npos);
  const TestFolder another;
  const rules::Evaluation none = rules_evaluated(*two_ranks(another, 6, 3), {{"LateRank_share", "1"}});
  const rules::Finding& all = outcome_of(none, "ExposedCommunication").findings.front();
  CHECK(all.bound == all.cost);
}

TEST_CASE("TraceQuality reports at least one percent of GPU activity without launches, and fewer than two steps") {
  CHECK(quality(8).verdict == Verdict::no_issues);
  CHECK(quality(9).verdict == Verdict::issues_found);
  CHECK(quality(0, 2).verdict == Verdict::no_issues);
  CHECK(quality(0, 1).verdict == Verdict::issues_found);
}

TEST_CASE("TraceQuality suggests code only for PyTorch") {
  const rules::Finding pytorch = quality(0, 1).findings.front();
  CHECK(pytorch.advice.find("prof.step()") != std::string::npos);
  CHECK(pytorch.code.find("schedule(wait=1, warmup=2, active=5)") != std::string::npos);
  FrameworkTimeline timeline;
  timeline.step("TRAIN", 0, 0, 100);
  timeline.slice("gpu_functions-dev:0", 10, 20);
  const rules::Outcome debugger = outcome_of(rules_evaluated(*timeline.load()), "TraceQuality");
  REQUIRE(debugger.verdict == Verdict::issues_found);
  CHECK(debugger.findings.front().code.empty());
  CHECK(debugger.findings.front().advice.find("prof.step()") == std::string::npos);
  CHECK(debugger.findings.front().sentence == "The traces have only one step, which may not be typical.");
}
