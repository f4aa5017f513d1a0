// Rules about how a job uses several GPUs: through the host's backend, or with DataParallel.
#include "tests/core/rules/training_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using rules::Verdict;

namespace {

/// The host communicates through `call` while the GPU idles for `hole` µs in each step, after it waited for the GPU.
std::shared_ptr<const trace::Profile> host_job(double hole, std::string_view call, bool kernel_too = false) {
  return training_profile({.hole_begin = 2'000, .hole_end = 2'000 + hole},
                          [&](TinyEvents& events, int, double begin, int correlation) {
                            const double start = begin + 1'990;
                            events.launch(start - 500, correlation, "cudaStreamSynchronize", 505);
                            events.annotation(call, start + 10, hole - 20);
                            if (kernel_too)
                              events.launch(begin + 100, correlation + 1)
                                  .run({.name = "ncclDevKernel_AllReduce_Sum_f16_RING_LL",
                                        .begin = begin + 300,
                                        .length = 20,
                                        .correlation = correlation + 1,
                                        .stream = 20});
                          });
}

/// A process with `gpus` GPUs, as with DataParallel: the second GPU does the same computation as the first.
std::shared_ptr<const trace::Profile> process_job(std::string_view annotation, int gpus) {
  const auto second = [&](TinyEvents& events, int, double begin, int correlation) {
    events.annotation(annotation, begin + 10, 5'000);
    for (int k = 0; k < 100 && gpus > 1; ++k)
      events.launch(begin + k * 100 - 150, correlation + k)
          .run({.name = "ampere_fp16_s16816gemm_fp16_128x128",
                .begin = begin + k * 100,
                .length = 99,
                .correlation = correlation + k,
                .device = 1});
  };
  return training_profile({}, second);
}

}  // namespace

TEST_CASE("HostBackend: GPUs wait for Gloo, which explains what other rules find") {
  const rules::Evaluation slow = rules_evaluated(*host_job(1'000, "gloo:all_reduce"));
  CHECK(found_rules(slow) == std::vector<std::string>{"HostBackend"});
  const rules::Ranked& found = slow.findings.front();
  CHECK(within_percent(static_cast<double>(found.cost), 980'000, 1));
  CHECK(found.finding.headline.find("mostly in gloo:all_reduce; no communication kernels run") != std::string::npos);
  CHECK_FALSE(found.finding.places.empty());
  CHECK_FALSE(found_rules(rules_evaluated(*host_job(1'000, "backoff"))) == found_rules(slow));
  // Below the limit, and in addition to communication kernels.
  CHECK(outcome_of(rules_evaluated(*host_job(480, "gloo:all_reduce")), "HostBackend").verdict == Verdict::no_issues);
  CHECK(outcome_of(rules_evaluated(*host_job(1'000, "gloo:all_reduce", true)), "HostBackend").verdict ==
        Verdict::not_evaluable);
  CHECK(outcome_of(rules_evaluated(*training_profile()), "HostBackend").verdict == Verdict::not_evaluable);
}

TEST_CASE("DataParallel: one process uses several GPUs") {
  const rules::Evaluation used = rules_evaluated(*process_job("DataParallel.forward", 2));
  CHECK(found_rules(used) == std::vector<std::string>{"DataParallel"});
  CHECK(used.findings.front().finding.headline.starts_with("One process uses 2 GPUs through DataParallel"));
  CHECK(used.findings.front().finding.places.size() == 6);
  CHECK(outcome_of(rules_evaluated(*process_job("DistributedDataParallel.forward", 2)), "DataParallel").verdict ==
        Verdict::no_issues);
  CHECK(outcome_of(rules_evaluated(*process_job("DataParallel.forward", 1)), "DataParallel").verdict ==
        Verdict::not_evaluable);
}
