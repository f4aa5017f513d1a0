// Findings on real traces, compared with values recomputed from the JSON text.
#include <fmt/format.h>

#include <limits>
#include <map>

#include "core/base/format.hpp"
#include "core/rules/facts.hpp"
#include "tests/core/analysis/brute_force.hpp"
#include "tests/core/rules/training_job.hpp"
#include "tests/shared_dir.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using rules::Verdict;

namespace {

/// The evaluated time of a file's GPU: of all steps if there are fewer than four, otherwise of all but the first and
/// last. From the end of the activity launched before these steps to the end of that launched in them.
std::vector<Span> measured_time(const NaiveFile& file) {
  std::vector<Span> steps;
  std::map<std::int64_t, std::int64_t> launches;
  for (const NaiveSlice& slice : file.slices) {
    if (slice.name.starts_with("ProfilerStep#") && !slice.run() && slice.category != "gpu_user_annotation")
      steps.emplace_back(slice.begin, slice.end());
    if (slice.call() && slice.correlation > 0) launches[slice.correlation] = slice.begin;
  }
  std::ranges::sort(steps);
  if (steps.size() >= 4) steps = {steps.begin() + 1, steps.end() - 1};
  constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  std::int64_t before = 0;
  std::int64_t first_launch = kNever;
  std::int64_t first_begin = kNever;
  std::int64_t first_of_all = kNever;
  std::int64_t end = 0;
  for (const NaiveSlice& slice : file.slices) {
    if (!slice.run()) continue;
    first_of_all = std::min(first_of_all, slice.begin);
    const auto launch = launches.find(slice.correlation);
    if (launch == launches.end() || launch->second >= steps.back().second) continue;
    if (launch->second < steps.front().first) {
      before = std::max(before, slice.end());
      continue;
    }
    first_launch = std::min(first_launch, launch->second);
    first_begin = std::min(first_begin, slice.begin);
    end = std::max(end, slice.end());
  }
  if (before > 0) return {{before, end}};
  if (first_of_all < first_launch) return {{first_begin, end}};
  return {{steps.front().first, std::max(end, steps.back().second)}};
}

std::vector<Span> clipped(const std::vector<Span>& spans, const std::vector<Span>& parts) {
  std::vector<Span> inside;
  for (const Span& part : parts)
    for (const Span& span : spans)
      if (span.first < part.second && span.second > part.first)
        inside.emplace_back(std::max(span.first, part.first), std::min(span.second, part.second));
  return inside;
}

struct BruteIdle {
  std::int64_t window = 0;
  std::int64_t idle = 0;
  std::int64_t exposed = 0;
  std::int64_t in_loader = 0;
  std::int64_t in_all_reduce = 0;  ///< idle time in c10d::allreduce_
  std::int64_t in_zero_grad = 0;   ///< idle time in Optimizer.zero_grad
  std::int64_t exposed_brief = 0;  ///< of collectives below 20 µs
};

/// Sums over the files of a folder: measured steps, GPU idle time, communication without computation, idle time inside
/// host calls.
BruteIdle brute_idle(const std::filesystem::path& folder) {
  BruteIdle sum;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const NaiveFile file = naive_read(plain_text_of(entry.path()));
    const std::vector<Span> parts = measured_time(file);
    std::vector<Span> busy;
    std::vector<Span> compute;
    std::vector<Span> busy_or_loader;
    std::vector<Span> busy_or_all_reduce;
    std::vector<Span> busy_or_zero_grad;
    std::vector<Span> brief_or_compute;
    std::vector<Span> no_communication;
    for (const NaiveSlice& slice : file.slices) {
      const Span span{slice.begin, slice.end()};
      const bool communication = slice.name.starts_with("nccl");
      if (slice.run()) busy.push_back(span);
      if (slice.run() && communication) no_communication.push_back(span);
      if (slice.run() && !communication && is_kernel(slice)) compute.push_back(span);
      if (slice.category == "overhead") busy.push_back(span);
      if (slice.name.starts_with("enumerate(DataLoader)") && slice.category != "python_function")
        busy_or_loader.push_back(span);
      if (slice.name == "c10d::allreduce_") busy_or_all_reduce.push_back(span);
      if (slice.run() && communication && slice.end() - slice.begin < 20'000) brief_or_compute.push_back(span);
      if (slice.name == "Optimizer.zero_grad#SGD.zero_grad") busy_or_zero_grad.push_back(span);
    }
    busy_or_zero_grad.insert(busy_or_zero_grad.end(), busy.begin(), busy.end());
    busy_or_all_reduce.insert(busy_or_all_reduce.end(), busy.begin(), busy.end());
    brief_or_compute.insert(brief_or_compute.end(), compute.begin(), compute.end());
    busy_or_loader.insert(busy_or_loader.end(), busy.begin(), busy.end());
    no_communication.insert(no_communication.end(), compute.begin(), compute.end());
    std::int64_t window = 0;
    for (const Span& part : parts) window += part.second - part.first;
    sum.window += window;
    sum.idle += window - union_of(clipped(busy, parts));
    sum.in_loader += union_of(clipped(busy_or_loader, parts)) - union_of(clipped(busy, parts));
    sum.in_all_reduce += union_of(clipped(busy_or_all_reduce, parts)) - union_of(clipped(busy, parts));
    sum.in_zero_grad += union_of(clipped(busy_or_zero_grad, parts)) - union_of(clipped(busy, parts));
    sum.exposed_brief += union_of(clipped(brief_or_compute, parts)) - union_of(clipped(compute, parts));
    sum.exposed += union_of(clipped(no_communication, parts)) - union_of(clipped(compute, parts));
  }
  return sum;
}

struct RealTrace {
  std::shared_ptr<const trace::Profile> profile;
  BruteIdle brute;
  rules::Evaluation evaluation;

  explicit RealTrace(const std::filesystem::path& folder)
      : profile(load(folder)), brute(brute_idle(folder)), evaluation(rules_evaluated(*profile)) {}

  [[nodiscard]] const rules::Finding* finding(std::string_view rule) const {
    const rules::Outcome& outcome = outcome_of(evaluation, rule);
    return outcome.findings.empty() ? nullptr : &outcome.findings.front();
  }
};

std::optional<std::filesystem::path> trace_folder(std::string_view name) {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("no shared traces");
    return std::nullopt;
  }
  return *shared / "traces" / name;
}

}  // namespace

TEST_CASE("eight ranks of DLRM are launch-bound") {
  const auto folder = trace_folder("dlrm8");
  if (!folder) return;
  const RealTrace trace(*folder);
  CHECK(trace.evaluation.step_time == trace.brute.window / 8);
  const auto idle = static_cast<double>(trace.brute.idle) / static_cast<double>(trace.brute.window);
  // LaunchBound explains the idle time.
  CHECK(trace.finding("IdleGpu") == nullptr);
  CHECK(trace.finding("LaunchBound")
            ->evidence_lines.back()
            .starts_with(fmt::format("GPUs are idle for {} of the evaluated time", format_share(idle))));
  CHECK(trace.evaluation.findings.front().rule->name == "LaunchBound");
  // Listed first, but replayed last.
  CHECK(trace.finding("LaunchBound")->step_time == trace.evaluation.fixed_step_time);
  // A replay cannot save more than the GPU is idle, on the rank that is idle longest.
  CHECK(trace.finding("LaunchBound")->culprit.kind == rules::CulpritKind::all_ranks);
  for (const std::string_view quiet : {"HostStall", "PageableCopies", "RankImbalance", "SlowCollective", "SmallKernels",
                                       "TensorCoresUnused", "LateRank"})
    CHECK(trace.finding(quiet) == nullptr);
}

TEST_CASE("a recommender on V100 is launch-bound, starts many small all-reduces, and leaves Tensor Cores unused") {
  const auto folder = trace_folder("v100_5steps");
  if (!folder) return;
  const RealTrace trace(*folder);
  CHECK(trace.evaluation.step_time == trace.brute.window / 3);
  Ns idle = 0;
  for (const rules::AccountPart& part : trace.evaluation.account)
    if (analysis::is_idle(part.label)) idle += part.time;
  CHECK(idle == trace.brute.idle);
  CHECK(rules::summary(trace.evaluation).starts_with("4 findings and 1 note. Without findings 1 and 2, a step takes "));
  CHECK(rules::numbered_title(trace.evaluation, 3) == "4. Slow collectives");
  CHECK(rules::numbered_title(trace.evaluation, 4) == "Note: Completeness of the traces");
  CHECK(trace.finding("ExposedCommunication")->cost >= trace.finding("ExposedCommunication")->saving_high);
  CHECK(within_percent(static_cast<double>(trace.finding("TensorCoresUnused")->cost), 240'513'000, 0.2));
  CHECK(trace.evaluation.findings.front().rule->name == "LaunchBound");
  CHECK(trace.finding("LaunchBound")->saving <= trace.brute.idle);
  // One of eight ranks: its communication may be waiting.
  REQUIRE(trace.finding("ExposedCommunication") != nullptr);
  CHECK(trace.finding("ExposedCommunication")->saving_low == 0);
  CHECK(trace.finding("ExposedCommunication")->saving <= trace.brute.exposed);
  CHECK(trace.finding("ExposedCommunication")->advice.find("a larger bucket_cap_mb") != std::string::npos);
  CHECK(trace.finding("ExposedCommunication")->advice.find("bf16") == std::string::npos);
  CHECK(outcome_of(trace.evaluation, "SlowCollective").why.find("no message sizes") != std::string::npos);
  CHECK(outcome_of(trace.evaluation, "MemoryNearCapacity").why.find("37.5 %") != std::string::npos);
  CHECK(outcome_of(trace.evaluation, "LateRank").verdict == Verdict::not_evaluable);
  CHECK(trace.finding("LaunchBound")
            ->evidence_lines.back()
            .ends_with("; 59.2 % of the idle time is in CompiledFunctionBackward."));
  REQUIRE(trace.finding("SlowCollective") != nullptr);
  CHECK(trace.finding("SlowCollective")->headline == "404 all-reduces per step, with a median of 8.00 µs.");
  CHECK(trace.finding("SlowCollective")->evidence_lines ==
        std::vector<std::string>{"The GPU is idle for 18.1 ms of each 352 ms step while the host starts them.",
                                 "Kernels shorter than 20.0 µs add 1.69 ms per step of exposed communication."});
  CHECK(trace.brute.in_all_reduce == 54'199'000);
  CHECK(trace.finding("SlowCollective")->cost == trace.brute.in_all_reduce + trace.brute.exposed_brief);
  CHECK(trace.finding("SlowCollective")->places.front().text == "c10d::allreduce_");
  for (const std::string_view quiet : {"SmallKernels", "HostStall", "MemoryNearCapacity"})
    CHECK(trace.finding(quiet) == nullptr);
}

TEST_CASE("ResNet-50 on V100 leaves Tensor Cores unused") {
  const auto folder = trace_folder("resnet50_torch1.9");
  if (!folder) return;
  const RealTrace trace(*folder);
  CHECK(trace.evaluation.step_time == trace.brute.window / 4);
  // LaunchBound explains the idle time.
  CHECK(trace.finding("IdleGpu") == nullptr);
  CHECK(trace.evaluation.findings.front().rule->name == "TensorCoresUnused");
  CHECK(within_percent(static_cast<double>(trace.finding("TensorCoresUnused")->cost), 266'000'000, 2));
  CHECK(trace.finding("LaunchBound")->saving <= trace.brute.idle);
  CHECK(trace.brute.in_zero_grad == 25'027'000);
  CHECK(trace.finding("LaunchBound")
            ->evidence_lines.back()
            .ends_with("; 32.8 % of the idle time is in Optimizer.zero_grad#SGD.zero_grad."));
  CHECK(trace.finding("LaunchBound")->places.front().text == "cudaLaunchKernel");
  for (const std::string_view quiet : {"DataLoader", "PageableCopies"}) CHECK(trace.finding(quiet) == nullptr);
}

TEST_CASE("a GPU that runs far behind the host is evaluated over what its steps launched") {
  const auto folder = trace_folder("mi300_resnet_ddp");
  if (!folder) return;
  const RealTrace trace(*folder);
  CHECK(trace.evaluation.window == "Evaluated: 3 steps on 1 GPU.");
  CHECK(found_rules(trace.evaluation) == std::vector<std::string>{"ExposedCommunication", "TraceQuality"});
  const rules::Finding& exposed = *trace.finding("ExposedCommunication");
  CHECK(exposed.saving <= 35'283'000);
  CHECK(exposed.saving_low == 0);
  CHECK(exposed.advice.find("a smaller bucket_cap_mb") != std::string::npos);
  // Three steps, without the 30 ms of work launched before the recording.
  CHECK(within_percent(static_cast<double>(trace.evaluation.step_time), 18'839'000, 0.1));
  CHECK(trace.finding("TraceQuality")->evidence_lines[1].find("968 of") != std::string::npos);
}

TEST_CASE("an inference job on H100 waits for its data loader") {
  const auto folder = trace_folder("h100_inference");
  if (!folder) return;
  const RealTrace trace(*folder);
  CHECK(trace.evaluation.findings.front().rule->name == "DataLoader");
  CHECK(within_percent(static_cast<double>(trace.finding("DataLoader")->saving), 619'045'000, 0.1));
  for (const std::string_view quiet : {"HostSync", "PageableCopies", "TensorCoresUnused"})
    CHECK(trace.finding(quiet) == nullptr);
  // The durations of all kernels with "softmax" in their name add up to 262.4 ms.
  CHECK(within_percent(static_cast<double>(trace.finding("UnfusedAttention")->cost), 262'538'000, 0.01));
}

TEST_CASE("a single kernel is insufficient data") {
  const auto folder = trace_folder("triton");
  if (!folder) return;
  const auto profile = load(*folder);
  const rules::Evaluation evaluation = rules_evaluated(*profile);
  CHECK(found_rules(evaluation) == std::vector<std::string>{"TraceQuality"});
  CHECK(outcome_of(evaluation, "LaunchBound").verdict == Verdict::insufficient_data);
}

TEST_CASE("the parts of the account add up to the evaluated time") {
  for (const std::string_view name :
       {"dlrm8", "mi300_resnet_ddp", "h100_inference", "v100_5steps", "resnet50_torch1.9"}) {
    const auto folder = trace_folder(name);
    if (!folder) return;
    const auto profile = load(*folder);
    rules::Facts facts({*profile, {}, {}});
    Ns sum = 0;
    for (const rules::AccountPart& part : rules::account_of(facts)) sum += part.time;
    INFO(name);
    CHECK(sum == facts.total());
  }
}
