// Findings on real traces, compared with values recomputed from the JSON text.
#include "tests/core/analysis/brute_force.hpp"
#include "tests/core/rules/training_job.hpp"
#include "tests/shared_dir.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using rules::Verdict;

namespace {

/// The evaluated steps of a file: all if there are fewer than four, otherwise all but the first and last.
std::vector<Span> measured_steps(const NaiveFile& file) {
  std::vector<Span> steps;
  for (const NaiveSlice& slice : file.slices)
    if (slice.name.starts_with("ProfilerStep#") && !slice.run() && slice.category != "gpu_user_annotation")
      steps.emplace_back(slice.begin, slice.end());
  std::ranges::sort(steps);
  if (steps.size() < 4) return steps;
  return {steps.begin() + 1, steps.end() - 1};
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
    const std::vector<Span> parts = measured_steps(file);
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

struct BruteLaunches {
  std::int64_t launches = 0;    ///< of GPU activity that starts in measured steps
  std::int64_t late = 0;        ///< submitted when all earlier activity of the GPU had ended
  std::int64_t short_gaps = 0;  ///< idle time in measured steps, in gaps below 1 ms that end with a late launch
};

BruteLaunches brute_launches(const std::filesystem::path& folder) {
  BruteLaunches sum;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const NaiveFile file = naive_read(plain_text_of(entry.path()));
    const std::vector<Span> parts = measured_steps(file);
    std::map<std::int64_t, std::int64_t> call_of;  // correlation → start of the call
    std::vector<const NaiveSlice*> runs;
    for (const NaiveSlice& slice : file.slices) {
      if (slice.call() && slice.correlation > 0) call_of[slice.correlation] = slice.begin;
      if (slice.run()) runs.push_back(&slice);
    }
    std::ranges::stable_sort(runs, {}, &NaiveSlice::begin);
    std::optional<std::int64_t> reached;
    for (const NaiveSlice* const run : runs) {
      const auto call = call_of.find(run->correlation);
      const bool launched = call != call_of.end();
      const bool late = launched && reached && call->second >= *reached;
      const auto holds = [&](const Span& part) { return part.first <= run->begin && run->begin < part.second; };
      if (launched && std::ranges::any_of(parts, holds)) {
        ++sum.launches;
        sum.late += late ? 1 : 0;
      }
      if (late && run->begin > *reached && run->begin - *reached < 1'000'000)
        sum.short_gaps += union_of(clipped({{*reached, run->begin}}, parts));
      reached = reached ? std::max(*reached, run->end()) : run->end();
    }
  }
  return sum;
}

/// Time that the other ranks wait in collectives where only `last` arrives last. All ranks leave together, so the rank
/// with the shortest kernel arrived last, and the others waited for the time by which their kernels are longer. The nth
/// collectives of all ranks match.
std::int64_t brute_waits(const std::filesystem::path& folder, std::int64_t last) {
  std::map<std::int64_t, std::vector<std::pair<std::int64_t, std::int64_t>>> ranks;  // start and duration
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const NaiveFile file = naive_read(plain_text_of(entry.path()));
    for (const NaiveSlice& slice : file.slices)
      if (slice.run() && slice.name.starts_with("nccl")) ranks[file.rank].emplace_back(slice.begin, slice.duration);
    std::ranges::sort(ranks[file.rank]);
  }
  std::int64_t waits = 0;
  for (std::size_t k = 0; k < ranks.begin()->second.size(); ++k) {
    std::vector<std::int64_t> durations;
    for (const auto& [rank, kernels] : ranks) durations.push_back(kernels.at(k).second);
    const std::int64_t shortest = *std::ranges::min_element(durations);
    if (ranks.at(last)[k].second != shortest || std::ranges::count(durations, shortest) > 1) continue;
    for (const std::int64_t duration : durations) waits += duration - shortest;
  }
  return waits;
}

std::string share_text(std::int64_t part, std::int64_t whole) {
  return fmt::format("{:.1f} % of launches occur while the GPU is idle",
                     100 * static_cast<double>(part) / static_cast<double>(whole));
}

/// The finding reports the share of late launches. Its cost is the idle time of short gaps before them, minus the part
/// that other findings explain better.
void check_launch_bound(const rules::Finding* finding, const std::filesystem::path& folder, double least) {
  REQUIRE(finding != nullptr);
  const BruteLaunches brute = brute_launches(folder);
  CAPTURE(finding->sentence, share_text(brute.late, brute.launches));
  CHECK(finding->sentence.find(share_text(brute.late, brute.launches)) != std::string::npos);
  CHECK(finding->cost <= brute.short_gaps);
  CHECK(static_cast<double>(finding->cost) >= least * static_cast<double>(brute.short_gaps));
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

TEST_CASE("eight ranks of DLRM are launch-bound, wait for rank 7, and expose communication") {
  const auto folder = trace_folder("dlrm8");
  if (!folder) return;
  const RealTrace trace(*folder);
  CHECK(trace.brute.window == 128'062'000);
  REQUIRE(trace.finding("IdleGpu") != nullptr);
  CHECK(trace.finding("IdleGpu")->cost == trace.brute.idle);
  REQUIRE(trace.finding("DataLoader") != nullptr);
  CHECK(trace.finding("DataLoader")->cost == trace.brute.in_loader);
  CHECK(trace.finding("DataLoader")->sentence.starts_with("GPUs wait "));
  REQUIRE(trace.finding("ExposedCommunication") != nullptr);
  CHECK(trace.finding("ExposedCommunication")->cost == trace.brute.exposed);
  CHECK(trace.finding("LateRank")->sentence.starts_with("Rank 7 arrives last in 5 of 8 collectives; "));
  // Hardly any time remains without waits, so LateRank's estimate does not leave the rest to ExposedCommunication.
  CHECK(trace.finding("LateRank")->bound > 0);
  CHECK(trace.finding("LateRank")->places.front().text == "DistributedDataParallel.forward");
  CHECK(trace.finding("LateRank")
            ->advice.starts_with("To see why the step starts late, record the steps before it, "
                                 "too. Look at the slow call on the rank's launching thread"));
  CHECK(within_percent(static_cast<double>(trace.finding("ExposedCommunication")->bound), 8 * 201'000, 0.5));
  CHECK(trace.evaluation.findings.front().rule->name == "LaunchBound");
  check_launch_bound(trace.finding("LaunchBound"), *folder, 0.8);
  CHECK(brute_waits(*folder, 7) == 35'543'000);
  CHECK(trace.finding("LateRank")->cost == brute_waits(*folder, 7));
  for (const std::string_view quiet : {"HostSync", "HostStall", "PageableCopies", "RankImbalance", "SlowCollective",
                                       "SmallKernels", "TensorCoresUnused"})
    CHECK(trace.finding(quiet) == nullptr);
}

TEST_CASE("a recommender on V100 is launch-bound, starts many small all-reduces, and leaves Tensor Cores unused") {
  const auto folder = trace_folder("v100_5steps");
  if (!folder) return;
  const RealTrace trace(*folder);
  CHECK(trace.brute.window == 1'055'622'000);
  CHECK(trace.finding("LaunchBound")->sentence.starts_with("The GPU waits "));
  CHECK(trace.finding("IdleGpu")->cost == trace.brute.idle);
  CHECK(trace.finding("ExposedCommunication")->cost == trace.brute.exposed);
  CHECK(within_percent(static_cast<double>(trace.finding("TensorCoresUnused")->cost), 240'513'000, 0.2));
  CHECK(trace.evaluation.findings.front().rule->name == "LaunchBound");
  check_launch_bound(trace.finding("LaunchBound"), *folder, 0.8);
  CHECK(trace.finding("ExposedCommunication")->advice.find("a larger bucket_cap_mb") != std::string::npos);
  CHECK(trace.finding("ExposedCommunication")->advice.find("bf16") == std::string::npos);
  CHECK(outcome_of(trace.evaluation, "SlowCollective").why.find("no message sizes") != std::string::npos);
  CHECK(outcome_of(trace.evaluation, "MemoryNearCapacity").why.find("37.5 %") != std::string::npos);
  CHECK(outcome_of(trace.evaluation, "LateRank").verdict == Verdict::not_evaluable);
  CHECK(trace.finding("IdleGpu")->sentence.find("; 59.3 % of it in CompiledFunctionBackward.") != std::string::npos);
  REQUIRE(trace.finding("SlowCollective") != nullptr);
  CHECK(trace.finding("SlowCollective")->sentence ==
        "404 all-reduces per step, median 8.00 µs: the GPU is idle for 18.1 ms of each 352 ms step while the host "
        "starts them; kernels shorter than 20.0 µs add 1.69 ms per step of exposed communication.");
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
  CHECK(trace.brute.window == 489'934'000);
  CHECK(trace.finding("IdleGpu")->cost == trace.brute.idle);
  CHECK(trace.evaluation.findings.front().rule->name == "TensorCoresUnused");
  CHECK(within_percent(static_cast<double>(trace.finding("TensorCoresUnused")->cost), 266'000'000, 2));
  check_launch_bound(trace.finding("LaunchBound"), *folder, 0.8);
  CHECK(trace.brute.in_zero_grad == 25'027'000);
  CHECK(trace.finding("IdleGpu")->sentence.find("; 32.8 % of it in Optimizer.zero_grad#SGD.zero_grad.") !=
        std::string::npos);
  CHECK(std::ranges::count(trace.finding("LaunchBound")->places, "Optimizer.zero_grad#SGD.zero_grad",
                           &rules::Place::text) == 3);
  for (const std::string_view quiet : {"DataLoader", "PageableCopies"}) CHECK(trace.finding(quiet) == nullptr);
}

TEST_CASE("a GPU that runs far behind the host is evaluated over what its steps launched") {
  const auto folder = trace_folder("mi300_resnet_ddp");
  if (!folder) return;
  const RealTrace trace(*folder);
  CHECK(trace.evaluation.window.find("lags its launches by more than 10 % of a step") != std::string::npos);
  CHECK(outcome_of(trace.evaluation, "StepOutlier").why.find("lags its launches by more than 10 % of a step") !=
        std::string::npos);
  CHECK(found_rules(trace.evaluation) == std::vector<std::string>{"ExposedCommunication", "TraceQuality"});
  CHECK(within_percent(static_cast<double>(trace.finding("ExposedCommunication")->cost), 35'283'000, 0.1));
  CHECK(trace.finding("ExposedCommunication")->advice.find("a smaller bucket_cap_mb") != std::string::npos);
  // Three steps, without the 30 ms of work launched before the recording.
  CHECK(trace.finding("ExposedCommunication")->sentence.find(" of each 18.8 ms step") != std::string::npos);
  CHECK(trace.finding("TraceQuality")->sentence.find("968 of") != std::string::npos);
}

TEST_CASE("an inference job on H100 waits for its data loader") {
  const auto folder = trace_folder("h100_inference");
  if (!folder) return;
  const RealTrace trace(*folder);
  CHECK(trace.evaluation.findings.front().rule->name == "DataLoader");
  CHECK(within_percent(static_cast<double>(trace.finding("DataLoader")->cost), 619'045'000, 0.1));
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
