// TraceQuality: reports what the traces lack and how to record it next time. Options that are off by default are only
// listed.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/analysis/job/framework_time.hpp"
#include "core/analysis/shared/graph_nodes.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "core/rules/kineto/profile_rule.hpp"
#include "core/trace/clock_check.hpp"
#include "core/trace/missing_ranks.hpp"
#include "core/trace/partial_ranks.hpp"

namespace warpscope::rules::registered::trace_quality {

namespace {

constexpr double kMostUnlinked = 0.01;
constexpr double kMostApart = 0.05;  // of a step
// Records everything that the rules need.
constexpr std::string_view kRecord =
    R"(from torch.profiler import ProfilerActivity, profile, schedule, tensorboard_trace_handler

with profile(
    activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA],
    schedule=schedule(wait=1, warmup=2, active=5),
    on_trace_ready=tensorboard_trace_handler("traces", worker_name=f"rank{rank}"),
    record_shapes=True,
    profile_memory=True,
    with_stack=True,
) as prof:
    for batch in loader:
        train_step(batch)
        prof.step()
)";

std::string ranks_without_traces(const trace::Profile& profile) {
  const trace::MissingRanks missing = trace::missing_ranks(profile);
  if (missing.count == 0) return "";
  const std::size_t of = missing.text.rfind(" of ");
  return fmt::format(
      "There is no trace for {} {}{}.", missing.count == 1 ? "rank" : "ranks", missing.text.substr(0, of),
      of == std::string::npos ? "" : fmt::format(" (the job has ranks {})", missing.text.substr(of + 4)));
}

/// Reports GPU activity without a launch record. Skips framework timelines, which never record launches.
std::string unlinked(const trace::Profile& profile) {
  std::uint64_t activity = 0;
  std::uint64_t linked = 0;
  for (const auto& rank : profile.ranks) {
    if (analysis::is_framework_timeline(*rank)) continue;
    activity += rank->counts.runs;
    linked += analysis::linked_activity(profile, *rank);
  }
  const std::uint64_t without = activity - std::min(activity, linked);
  if (static_cast<double>(without) <= kMostUnlinked * static_cast<double>(activity)) return "";
  return fmt::format(
      "{} of {} have no launch record: they were launched before the recording started or by an unrecorded source.",
      format_count(static_cast<std::int64_t>(without)), counted(activity, "GPU activity", "GPU activities"));
}

/// Returns " Recorded without input shapes (record_shapes)."; "" if the traces do not contain the options.
std::string options_off(const trace::Profile& profile) {
  std::string off;
  for (const auto& [key, label] : {std::pair{"record_shapes", "input shapes"}, {"with_stack", "Python stacks"}}) {
    const auto is_off = [&](const auto& rank) {
      const auto found = rank->properties.find(key);
      return found != rank->properties.end() && (found->second == "0" || found->second == "false");
    };
    if (std::ranges::any_of(profile.ranks, is_off))
      off += fmt::format("{}{} ({})", off.empty() ? "" : " and ", label, key);
  }
  return off.empty() ? "" : fmt::format(" Recorded without {}.", off);
}

bool aligned(Facts& facts) {
  if (facts.profile().ranks.size() < 2) return false;
  const analysis::ClockFit& fit = facts.comparison().clocks();
  return fit.components > 0 && fit.safe();
}

/// Returns how far apart the ranks start their first step.
Ns starts_apart(Facts& facts) {
  Interval starts = kEmptySpan;
  for (const GpuWindow& gpu : facts.gpus()) {
    const std::vector<trace::Step>& steps = facts.profile().ranks[gpu.rank]->steps;
    if (steps.empty()) continue;
    const Ns start = facts.comparison().time_on(analysis::ClockChoice::aligned, gpu.rank, steps.front().time.begin);
    starts = cover(starts, {start, start});
  }
  return starts.empty() ? 0 : starts.length();
}

Outcome evaluate(const RuleInput& input) {
  Facts& facts = input.facts;
  const trace::Profile& profile = facts.profile();
  if (profile.ranks.empty()) return {Verdict::not_evaluable, "The profile has no traces.", {}};
  std::size_t steps = 0;
  for (const auto& rank : profile.ranks) steps = std::max(steps, rank->steps.size());
  Outcome outcome{Verdict::no_issues, "All ranks have complete traces with several steps." + options_off(profile), {}};
  const auto add = [&](std::string sentence, std::string advice) {
    if (sentence.empty()) return;
    outcome.verdict = Verdict::issues_found;
    outcome.why = "See the finding." + options_off(profile);
    outcome.findings.push_back({std::move(sentence), std::move(advice), 0, 0, true, {}});
  };
  const bool pytorch = facts.of_pytorch();
  add(trace::partial_note(profile),
      "Results cover only the recorded part. Let the profiler finish writing, then copy the files again.");
  add(ranks_without_traces(profile), "Collect the traces of all ranks: a late rank may be among the missing ones.");
  // Clock offsets that are missing from the file do not matter if collectives determine them.
  if (!aligned(facts))
    add(trace::unverified_clocks_note(profile),
        "Compare times across ranks only within a few steps of a collective they share, or open each rank's own "
        "trace.");
  add(trace::clocks_apart_note(profile),
      "Synchronize the hosts' clocks (NTP or PTP) before the next recording. Open traces from different jobs "
      "separately.");
  for (NameId id = 0; id < profile.names().size(); ++id)
    if (const std::string_view name = profile.names().view(id); captures_graphs(name)) {
      add(fmt::format(
              "The traces record the capture of CUDA graphs ({}), during which the captured kernels do not run.", name),
          "Record iterations after the warm-up.");
      break;
    }
  if (profile.diagnostics.count("unsupported-device") > 0)
    add("The traces record an Ascend NPU, which is not supported: its tasks are not shown.",
        "Open the trace in MindStudio Insight for the device; the host's operators are shown here.");
  const auto contradicts = [&] {
    for (std::size_t g = 0; g < facts.gpus().size(); ++g)
      if (facts.account(g).clocks_contradict)
        return fmt::format("Rank {}", profile.ranks[facts.gpus()[g].rank]->number);
    return std::string();
  };
  if (const std::string who = contradicts(); !who.empty())
    add(fmt::format("{}: most GPU activity starts before its launch, so the clocks of host and GPU contradict each "
                    "other. Delays by the host are not reported.",
                    who),
        "Update the GPU's driver and PyTorch, and record again.");
  if (profile.diagnostics.count("launches-of-several-processes") > 0)
    add("A file contains several unlabeled ranks, so their steps are mixed, and GPU activity is not connected to "
        "launches.",
        "Open the original files, or merge them with a tool that labels the ranks.");
  else if (pytorch)
    add(unlinked(profile),
        "Launch delays and idle time by cause are incomplete. Record CPU and GPU activities together, and warm up the "
        "profiler for a step.");
  // Later steps start together.
  if (const Ns apart = steps == 1 && aligned(facts) ? starts_apart(facts) : 0;
      static_cast<double>(apart) > kMostApart * static_cast<double>(facts.mean(facts.total())))
    add(fmt::format("The ranks start the step up to {} apart, because their recordings do: part of the time in which "
                    "they wait for each other is due to that.",
                    format_duration(apart)),
        "");
  if (steps < 2)
    add(steps == 0 ? "The traces have no steps." : "The traces have only one step, which may not be typical.",
        pytorch ? "Record several steps after a warm-up, and call prof.step() after each."
                : "Record several steps. In TensorFlow, mark them with tf.profiler.experimental.Trace(\"train\", "
                  "step_num=step). SageMaker Debugger's hook records the steps selected by FrameworkProfile.");
  if (pytorch && !outcome.findings.empty()) outcome.findings.front().code = kRecord;
  if (outcome.findings.size() < 2) return outcome;
  // Merges all findings into one.
  Finding all{.headline = "The traces limit the results.", .advice = {}, .hint = true};
  for (const Finding& each : outcome.findings) {
    if (all.evidence_lines.size() < kMostEvidenceLines)
      all.evidence_lines.push_back(each.headline);
    else
      all.evidence_lines.back() += " " + each.headline;
    all.advice += (all.advice.empty() || each.advice.empty() ? "" : " ") + each.advice;
  }
  all.code = outcome.findings.front().code;
  outcome.findings = {std::move(all)};
  return outcome;
}

}  // namespace

extern const Rule kRule{"TraceQuality",
                        "Completeness of the traces",
                        "Truncated files, missing ranks, unsynchronized or unverified clocks, GPU activity without "
                        "launches, fewer than two steps.",
                        {},
                        evaluate,
                        "Record all ranks for several steps after a warm-up."};

}  // namespace warpscope::rules::registered::trace_quality
