// Culprits, causes and savings of generated jobs with known faults: one rank, several ranks, a node, a link, a pipeline
// stage, pauses that hop from rank to rank, an expert with more tokens, a fault that other work hides, and pairs of
// faults, with clock differences and jitter. Jobs are data parallel, sharded (FSDP), tensor, pipeline or expert
// parallel, and mixtures. The true saving is what the same job takes without the faults. A few jobs always run; with
// WARPSCOPE_ACCURACY=N, N jobs with new seeds run and are printed by kind.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <random>
#include <set>

#include "core/analysis/causes/fault_text.hpp"
#include "core/analysis/request/registry.hpp"
#include "tests/core/analysis/ranks/golden_values.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using analysis::FaultKind;
using Injected = tracegen::FaultKind;

namespace {

enum class Scenario : std::uint8_t {
  healthy,
  slow_gpu,
  slow_ranks,
  slow_node,
  slow_stage,
  slow_link,
  loader,
  pause,
  hopping_pauses,
  slow_host,
  hot_expert,
  hidden,
  two_faults
};
constexpr std::array<std::string_view, 13> kScenarios{"healthy",    "slow GPU", "slow ranks", "slow node", "slow stage",
                                                      "slow link",  "loader",   "pause",      "hopping",   "slow host",
                                                      "hot expert", "hidden",   "two faults"};

struct JobShape {
  int nodes = 1;
  int gpus = 1;
  int tensor = 1;
  int pipeline = 1;
  bool sharded = false;
  int experts = 1;
};
constexpr std::array<JobShape, 14> kShapes{{{1, 2, 1, 1},
                                            {8, 8, 4, 2},
                                            {1, 4, 1, 1},
                                            {2, 4, 2, 2},
                                            {1, 8, 1, 1},
                                            {2, 8, 2, 2},
                                            {4, 4, 1, 4},
                                            {4, 8, 2, 1},
                                            {1, 8, 1, 1, true},
                                            {4, 8, 1, 1, true},
                                            {2, 4, 1, 1, false, 4},
                                            {4, 4, 1, 1, true, 4},
                                            {1, 8, 1, 1, true, 8},
                                            {8, 8, 1, 1, false, 8}}};

struct ExpectedCulprit {
  std::set<std::int64_t> ranks;  // empty: nobody in particular
  std::set<FaultKind> kinds;
  bool hidden = false;  // may also be missing
};

struct FaultyJob {
  Scenario scenario = Scenario::healthy;
  tracegen::Options options;
  std::vector<ExpectedCulprit> expected{};
};

void inject(FaultyJob& job, Injected kind, const std::set<std::int64_t>& ranks, double value, std::set<FaultKind> kinds,
            int step = tracegen::Fault::kEveryStep, std::string name = "") {
  for (const std::int64_t rank : ranks) job.options.faults.push_back({kind, static_cast<int>(rank), value, step, name});
  job.expected.push_back({ranks, std::move(kinds)});
}

FaultyJob job_of(Scenario scenario, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<int>(random() % n); };
  std::vector<JobShape> shapes;
  for (const JobShape& shape : kShapes) {
    const bool fits = scenario == Scenario::slow_stage   ? shape.pipeline > 1
                      : scenario == Scenario::slow_node  ? shape.nodes > 2 && shape.pipeline == 1
                      : scenario == Scenario::slow_ranks ? shape.nodes * shape.gpus > 2
                      : scenario == Scenario::slow_link
                          ? (shape.tensor > 1 && shape.nodes * shape.gpus >= 8) ||
                                (shape.experts > 1 && shape.nodes * shape.gpus > shape.experts)
                      : scenario == Scenario::hot_expert ? shape.experts > 1
                                                         : true;
    if (fits) shapes.push_back(shape);
  }
  const JobShape shape = shapes[static_cast<std::size_t>(below(shapes.size()))];
  FaultyJob job{.scenario = scenario, .options = *tracegen::preset("small")};
  tracegen::Options& options = job.options;
  options.layout = tracegen::Layout::minified;
  options.nodes = shape.nodes;
  options.gpus = shape.gpus;
  options.tensor = shape.tensor;
  options.pipeline = shape.pipeline;
  options.sharded = shape.sharded;
  options.experts = shape.experts;
  options.steps = 6;
  options.layers = options.parallel() ? 1 : 4;
  options.microbatches = 3;
  options.seed = seed;
  options.jitter_ns = 30'000;
  for (int node = 0; node < shape.nodes; ++node) options.clocks.push_back({node, (below(13) - 6) * 500'000, 0});
  options.sequence_numbers = below(2) == 0;
  const int world = options.world();
  const std::int64_t rank = below(static_cast<std::size_t>(world));
  const std::int64_t other = (rank + 1 + below(static_cast<std::size_t>(world - 1))) % world;
  const int step = 1 + below(4);
  const std::set<FaultKind> gpu{FaultKind::slow_gpu, FaultKind::slow_steps};
  const std::set<FaultKind> pauses{FaultKind::pauses, FaultKind::collection};
  switch (scenario) {
    case Scenario::healthy:
      break;
    case Scenario::slow_gpu:
      inject(job, Injected::slow_kernels, {rank}, 1.5, gpu);
      break;
    case Scenario::slow_ranks:
      inject(job, Injected::slow_kernels, {rank, other}, 1.5, gpu);
      break;
    case Scenario::slow_node: {
      std::set<std::int64_t> ranks;
      for (int r = 0; r < shape.gpus; ++r) ranks.insert(rank / shape.gpus * shape.gpus + r);
      inject(job, Injected::slow_kernels, ranks, 1.4, gpu);
      break;
    }
    case Scenario::slow_stage: {
      std::set<std::int64_t> ranks;
      const auto stage_of = [&](std::int64_t r) { return r / shape.tensor % shape.pipeline; };
      for (int r = 0; r < world; ++r)
        if (stage_of(r) == stage_of(rank)) ranks.insert(r);
      inject(job, Injected::slow_kernels, ranks, 1.6, {FaultKind::heavy_stage, FaultKind::slow_gpu});
      break;
    }
    case Scenario::slow_link: {
      std::set<std::int64_t> ranks;
      const int size = std::max(shape.tensor, shape.experts);
      for (int r = 0; r < size; ++r) ranks.insert(rank / size * size + r);
      inject(job, Injected::slow_link, ranks, 8, {FaultKind::slow_group}, tracegen::Fault::kEveryStep,
             shape.tensor > 1 ? "tensor" : "expert");
      break;
    }
    case Scenario::loader:
      inject(job, Injected::data_loader, {rank}, 14, {FaultKind::data_loader}, step);
      break;
    case Scenario::pause:
      inject(job, Injected::gc_pause, {rank}, 14, pauses, step);
      break;
    case Scenario::hopping_pauses:
      for (int s = 1; s < 5; ++s)
        job.options.faults.push_back({Injected::gc_pause, below(static_cast<std::size_t>(world)), 14, s, ""});
      job.expected.push_back({{}, pauses});
      break;
    case Scenario::slow_host:
      inject(job, Injected::slow_host, {rank}, 8, {FaultKind::slow_host, FaultKind::pauses, FaultKind::data_loader});
      break;
    case Scenario::hot_expert:  // more tokens than the others get
      inject(job, Injected::slow_kernel, {rank}, 2.5, gpu, tracegen::Fault::kEveryStep, "gemm");
      break;
    case Scenario::hidden:
      inject(job, Injected::data_loader, {rank}, 14, {FaultKind::data_loader}, step);
      inject(job, Injected::gc_pause, {other}, 4, pauses, step);
      job.expected.back().hidden = true;
      break;
    case Scenario::two_faults:
      inject(job, Injected::slow_kernels, {rank}, 1.5, gpu);
      inject(job, Injected::gc_pause, {other}, 25, pauses, step);
      break;
  }
  return job;
}

struct Judged {
  bool right = true;
  bool close = true;  // the saving is within 25 % of the true one
  std::string found;
};

analysis::JobFaults faults_of(const trace::Profile& profile) {
  analysis::AnalysisInput input{profile, {}, {}};
  input.values = *analysis::ParameterValues::parse(analysis::find_analysis("what_if")->parameters, {});
  return *shared_faults(input);
}

std::set<std::int64_t> ranks_of(const trace::Profile& profile, const analysis::Fault& fault) {
  std::set<std::int64_t> ranks;
  for (const std::uint32_t r : fault.ranks) ranks.insert(profile.ranks[r]->number);
  return ranks;
}

Judged judge(const FaultyJob& job) {
  const GeneratedSet set(job.options);
  const trace::Profile& profile = set.profile();
  const analysis::JobFaults found = faults_of(profile);
  FaultyJob without = job;
  without.options.faults.clear();
  const GeneratedSet healthy(without.options);
  const analysis::JobFaults usual = faults_of(healthy.profile());
  // Stages of a pipeline are not equal in the generated jobs.
  const auto is_usual = [&](const analysis::Fault& fault) {
    return fault.kind == FaultKind::heavy_stage && std::ranges::any_of(usual.faults, [&](const analysis::Fault& other) {
             return other.kind == fault.kind && ranks_of(healthy.profile(), other) == ranks_of(profile, fault);
           });
  };
  Judged judged;
  Ns saving = 0;
  std::size_t matching = 0;
  std::vector<bool> named;
  for (const ExpectedCulprit& each : job.expected) named.push_back(each.hidden);
  for (const analysis::Fault& fault : found.faults) {
    if (fault.kind >= FaultKind::waits) continue;  // limits of any job
    const std::set<std::int64_t> ranks = ranks_of(profile, fault);
    bool expected = false;
    for (std::size_t e = 0; e < named.size(); ++e) {
      const ExpectedCulprit& each = job.expected[e];
      const bool who = each.ranks.empty() || (!fault.all_ranks && std::ranges::includes(each.ranks, ranks));
      if (!each.kinds.contains(fault.kind) || !who) continue;
      if (each.ranks.empty() || ranks == each.ranks || fault.group) named[e] = true;
      expected = true;
    }
    if (expected) saving = ++matching == 1 && job.expected.size() == 1 ? fault.alone : saving + fault.saving;
    judged.found += fmt::format("{}{} {}: {:.1f} %", judged.found.empty() ? "" : "; ", to_string(fault.kind),
                                fault.all_ranks ? "all" : fmt::format("{}", fmt::join(ranks, ",")),
                                100 * static_cast<double>(fault.saving) / static_cast<double>(found.step_time));
    if (!expected && !fault.all_ranks && !is_usual(fault)) judged.right = false;
  }
  if (job.expected.empty()) return judged;
  const Ns gain = found.step_time - usual.step_time;
  judged.found += fmt::format("; saves {:.2f}, truly {:.2f} of {:.2f} ms", static_cast<double>(saving) / 1e6,
                              static_cast<double>(gain) / 1e6, static_cast<double>(found.step_time) / 1e6);
  // What other work hides may be reported or not.
  if (static_cast<double>(gain) < 0.02 * static_cast<double>(found.step_time)) return judged;
  if (std::ranges::find(named, false) != named.end()) judged.right = false;
  judged.close = std::abs(static_cast<double>(saving - gain)) <= 0.25 * static_cast<double>(gain);
  return judged;
}

}  // namespace

TEST_CASE("faults of generated jobs are found, with culprit, cause and saving") {
  for (const Scenario scenario :
       {Scenario::healthy, Scenario::slow_gpu, Scenario::slow_ranks, Scenario::slow_stage, Scenario::slow_link,
        Scenario::loader, Scenario::hopping_pauses, Scenario::two_faults}) {
    const Judged judged = judge(job_of(scenario, 7));
    INFO(kScenarios[static_cast<std::size_t>(scenario)] << ": " << judged.found);
    CHECK(judged.right);
    CHECK(judged.close);
  }
}

TEST_CASE("chance delays of many ranks are not blamed on the ranks that had them") {
  // Slow steps on four of 32 ranks, and long loads on three of 64.
  const std::array jobs{std::pair(Scenario::healthy, std::uint64_t{1795862233729343254}),
                        std::pair(Scenario::slow_link, std::uint64_t{1795862233729343220})};
  for (const auto& [scenario, seed] : jobs) {
    const Judged judged = judge(job_of(scenario, seed));
    INFO(judged.found);
    CHECK(judged.right);
  }
}

TEST_CASE("faults of many generated jobs", "[accuracy]") {
  const char* const wanted = std::getenv("WARPSCOPE_ACCURACY");
  if (wanted == nullptr) return;
  const auto jobs = std::max<std::size_t>(22, std::strtoull(wanted, nullptr, 10));
  const auto seed = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  fmt::print("first seed {}\n", seed);
  struct JobCount {
    std::size_t jobs = 0, right = 0, close = 0;
  };
  std::array<JobCount, kScenarios.size()> counts{};
  for (std::size_t i = 0; i < jobs; ++i) {
    const std::size_t s = i % kScenarios.size();
    const Judged judged = judge(job_of(static_cast<Scenario>(s), seed + i));
    ++counts[s].jobs;
    counts[s].right += judged.right;
    counts[s].close += judged.close;
    if (!judged.right || !judged.close)
      fmt::print("{:10} {} {}: {}\n", kScenarios[s], seed + i, judged.right ? "saving" : "WRONG", judged.found);
  }
  JobCount all;
  for (std::size_t s = 0; s < counts.size(); ++s) {
    fmt::print("{:10} {:3} jobs, {:3} right, {:3} savings within 25 %\n", kScenarios[s], counts[s].jobs,
               counts[s].right, counts[s].close);
    all = {all.jobs + counts[s].jobs, all.right + counts[s].right, all.close + counts[s].close};
  }
  fmt::print("all        {:3} jobs, {:3} right, {:3} savings within 25 %\n", all.jobs, all.right, all.close);
  CHECK(counts[0].right == counts[0].jobs);
  CHECK(static_cast<double>(all.right) >= 0.97 * static_cast<double>(all.jobs));
  CHECK(static_cast<double>(all.close) >= 0.92 * static_cast<double>(all.jobs));
}
