// LaunchBound: kernels finish faster than the host launches them.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/analysis/shared/graph_nodes.hpp"
#include "core/base/format.hpp"
#include "core/rules/kineto/fault_rule.hpp"
#include "core/rules/kineto/idle_code.hpp"
#include "core/rules/kineto/profile_rule.hpp"

namespace warpscope::rules::registered::launch_bound {

namespace {

using analysis::TimeLabel;

constexpr std::array kParameters{share_parameter("0.1")};

/// True if CUDA graphs launch most of the GPU activity.
bool uses_graphs(Facts& facts) {
  std::size_t launched = 0;
  std::size_t in_graphs = 0;
  for (const GpuWindow& gpu : facts.gpus())
    for (const analysis::GpuRow& row : facts.rows(gpu)) {
      if (!row.launch || !touches(gpu.parts, row.time)) continue;
      const trace::Rank& rank = *facts.profile().ranks[gpu.rank];
      ++launched;
      in_graphs += analysis::is_graph_launch(facts.profile().names().view(rank.name(*row.launch)));
    }
  return 2 * in_graphs > launched;
}

/// True if most of the idle time before launches is in few, long gaps.
bool works_elsewhere(Facts& facts) {
  Ns more = 0;
  for (std::size_t g = 0; g < facts.gpus().size(); ++g)
    more += facts.account(g).time(TimeLabel::host) - facts.account(g).time(TimeLabel::launch);
  return more > 0;
}

/// Adds the launches that end idle periods of the GPU.
void add_late_launches(Facts& facts, const GpuWindow& gpu, const std::vector<Interval>& idle,
                       std::vector<Place>& places) {
  const auto rows = facts.rows(gpu);
  for (const Interval& time : idle) {
    const auto row =
        std::ranges::lower_bound(rows, time.end, {}, [](const analysis::GpuRow& each) { return each.time.begin; });
    if (row == rows.end() || !row->launch) continue;
    places.push_back(at_slice(facts, gpu.rank, *row->launch));
    places.back().weight = time.length();
  }
  keep_longest(places);
}

std::string advice_of(Facts& facts, const analysis::Fault&) {
  if (facts.workload() == Workload::compiled)
    return "Give the GPU more work per launch: compile the whole step with one jax.jit, use a larger batch, and let "
           "XLA record launches in command buffers (--xla_gpu_enable_command_buffer). Do not read results back "
           "between steps.";
  if (works_elsewhere(facts))
    return fmt::format(
        "Most of it is in gaps longer than 1 ms, in which the host does other work{}: find it in the Timeline, and "
        "move it to another thread, overlap it with GPU work, or do it less often.{}",
        is_inference(facts.workload()) ? ", such as scheduling and sampling between iterations" : "",
        facts.of_pytorch() ? " If no call is recorded there, record with_stack=True." : "");
  if (!uses_graphs(facts)) return "";
  return "CUDA graphs already launch most of the work. Put more work into each graph, or let the host prepare the next "
         "replay while the GPU runs this one: no synchronization between replays, no Python work before each.";
}

Outcome evaluate(const RuleInput& input) {
  Facts& facts = input.facts;
  Outcome outcome = outcome_of_faults(
      input,
      {.kinds = {analysis::FaultKind::launches}, .advice = advice_of, .none = "The GPU rarely waits for launches."});
  if (outcome.findings.empty()) return outcome;
  Finding& finding = outcome.findings.front();
  std::vector<std::vector<Interval>> times;
  std::uint64_t launches = 0;
  std::uint64_t late = 0;
  for (std::size_t g = 0; g < facts.gpus().size(); ++g) {
    times.push_back(facts.launch_delays(g));
    launches += facts.account(g).launches;
    late += facts.account(g).late_launches;
    add_late_launches(facts, facts.gpus()[g], times.back(), finding.places);
  }
  const auto times_of_gpu = [&](std::size_t g) -> const auto& { return times[g]; };
  const IdleCode code = idle_code(facts, times_of_gpu);
  if (launches > 0)
    finding.evidence_lines.push_back(fmt::format(
        "{} of launches find the GPU idle{}.", format_share(static_cast<double>(late) / static_cast<double>(launches)),
        code.clause("of the delays are in")));
  finding.evidence = code.evidence(facts, fmt::format("Launch delays{}, by code", facts.by_steps() ? " per step" : ""));
  if (finding.evidence.bars.empty()) finding.evidence = idle_by_step(facts, "Idle time before launches", times_of_gpu);
  return outcome;
}

}  // namespace

extern const Rule kRule{
    "LaunchBound",
    "Launch-bound GPU",
    "Time that a replay gains if ordinary host work between launches takes no time.",
    kParameters,
    evaluate,
    "Give the GPU more work per launch: torch.compile(mode=\"reduce-overhead\") or CUDA graphs, a larger batch, "
    "fused=True for the optimizer, zero_grad(set_to_none=True). The profiler itself slows the host by a few "
    "microseconds per operator, so the loss is smaller without profiling.",
    {},
    "Give the GPU more work per launch: CUDA graphs (servers: do not disable them), "
    "torch.compile(mode=\"reduce-overhead\") or larger batches; let the host schedule and sample while the GPU runs. "
    "The profiler itself slows the host by a "
    "few microseconds per operator, so the loss is smaller without profiling."};

}  // namespace warpscope::rules::registered::launch_bound
