// Rules for traces just below and just above their limits.
#include "tests/core/rules/framework_timeline.hpp"
#include "tests/core/rules/training_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using rules::Verdict;

namespace {

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
  const auto likely = [](const rules::Finding& finding) {
    for (const std::string& line : finding.evidence_lines)
      if (line.starts_with("Likely cause: ")) return line;
    return std::string();
  };
  // A cause needs evidence: what a call usually waits for is none.
  for (const std::string_view name : {"aten::view", "aten::empty", "aten::mm"}) {
    CHECK(likely(found(name)).empty());
    CHECK(std::ranges::any_of(found(name).evidence_lines,
                              [](const std::string& line) { return line.starts_with("The recording does not show"); }));
  }
  CHECK(found("aten::view").advice.find("OMP_NUM_THREADS") != std::string::npos);
  CHECK(found("cudaFuncSetAttribute").advice.find("CUDA_MODULE_LOADING=EAGER") != std::string::npos);
  const auto python = [](std::string_view name) {
    return [=](TinyEvents& events, int, double begin, int) {
      events.host_range(fmt::format(R"("cat": "python_function", "name": "{}")", name), begin + 6'000, 1'900, 200);
    };
  };
  CHECK(likely(found("aten::view", python("metrics.py(12): log"))).find("holding the GIL") != std::string::npos);
  CHECK(likely(found("aten::view", python("<built-in method wait>"))).empty());
}

TEST_CASE("HostSync reports the user's code that waits") {
  const auto sentence = [](bool frames) {
    const auto profile = waiting_profile([&](TinyEvents& events, int, double begin, int) {
      if (frames) {
        events.host_range(R"("cat": "python_function", "name": "train.py(42): train_step")", begin + 410, 7'700);
        events.host_range(R"("cat": "python_function", "name": "nn.Module: Loss_0")", begin + 420, 7'680);
        events.host_range(R"("cat": "python_function", "name": "torch/_tensor.py(7): item")", begin + 430, 7'640);
      } else {
        events.annotation("check_loss", begin + 440, 7'620);
      }
    });
    const rules::Outcome outcome = outcome_of(rules_evaluated(*profile), "HostSync");
    REQUIRE(outcome.findings.size() == 1);
    std::string lines;
    for (const std::string& line : outcome.findings.front().evidence_lines) lines += line;
    return lines;
  };
  CHECK(sentence(true).find("from aten::item in train.py(42): train_step (nn.Module: Loss_0).") != std::string::npos);
  CHECK(sentence(false).find("from aten::item in check_loss.") != std::string::npos);
}

TEST_CASE("PageableCopies counts memcpys of at least 64 kB") {
  CHECK(copy_verdict("Memcpy HtoD (Pageable -> Device)", 64'000) == Verdict::issues_found);
  CHECK(copy_verdict("Memcpy HtoD (Pageable -> Device)", 63'999) == Verdict::no_issues);
  CHECK(copy_verdict("Memcpy DtoH (Device -> Pageable)", 64'000) == Verdict::issues_found);
  CHECK(copy_verdict("Memcpy DtoH (Device -> Pageable)", 8) == Verdict::no_issues);  // the host's wait is HostSync's
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
  CHECK(debugger.findings.front().headline == "The traces have only one step, which may not be typical.");
}
