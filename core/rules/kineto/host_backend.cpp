// HostBackend: GPUs are idle while the host communicates for them through Gloo or MPI.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/base/format.hpp"
#include "core/rules/kineto/named_calls.hpp"
#include "core/rules/kineto/profile_rule.hpp"

namespace warpscope::rules::registered::host_backend {

namespace {

constexpr std::array kParameters{share_parameter()};
/// Earlier rules that may report the same idle time.
constexpr std::array<std::string_view, 4> kRivals{"HostSync", "HostStall", "LaunchBound", "IdleGpu"};
constexpr double kSame = 0.5;  // fraction of a rival's cost above which this rule explains it better

/// True for calls of host backends, such as "gloo:all_reduce".
bool is_host_backend(std::string_view name) { return name.starts_with("gloo:") || name.starts_with("mpi:"); }

/// Returns the costliest rival whose cost is mostly `idle`; "" if there is none.
std::string_view replaced_by(std::span<const Evaluated> before, Ns idle) {
  std::string_view replaced;
  Ns most = 0;
  for (const Evaluated& each : before) {
    if (std::ranges::find(kRivals, each.rule->name) == kRivals.end() || each.outcome.findings.empty()) continue;
    const Ns cost = each.outcome.findings.front().cost;
    if (static_cast<double>(idle) < kSame * static_cast<double>(cost) || cost < most) continue;
    most = cost;
    replaced = each.rule->name;
  }
  return replaced;
}

bool communicates(Facts& facts, const GpuWindow& gpu) {
  return std::ranges::any_of(facts.rows(gpu), [&](const analysis::GpuRow& row) {
    return row.kind == analysis::KernelClass::communication && touches(gpu.parts, row.time);
  });
}

Outcome evaluate(const RuleInput& input) {
  Facts& facts = input.facts;
  if (auto outcome = too_little(facts)) return *outcome;
  std::map<NameId, Ns> by_name;
  std::vector<Place> places;
  Ns idle = 0;
  bool any = false;
  for (const GpuWindow& gpu : facts.gpus()) {
    if (facts.cancelled()) break;
    std::vector<NamedCall> calls = named_calls(facts, gpu.rank, is_host_backend);
    std::erase_if(calls, [&](const NamedCall& call) { return !touches({gpu.host}, call.time); });
    // Jobs whose GPUs communicate directly use the host backend only for data on the host.
    if (calls.empty() || communicates(facts, gpu)) continue;
    any = true;
    idle = saturating_add(idle, analysis::common_length(times_of(calls), gpu.idle));
    for (const NamedCall& call : calls) {
      const Ns time = analysis::common_length(call.time, gpu.idle);
      if (time <= 0) continue;
      by_name[call.name] = saturating_add(by_name[call.name], time);
      places.push_back(at_slice(facts, gpu.rank, call.slice));
    }
    keep_longest(places);
  }
  if (!any) return {Verdict::not_evaluable, "No GPU communicates exclusively through Gloo or MPI.", {}};
  const auto most = std::ranges::max_element(by_name, {}, [](const auto& each) { return each.second; });
  const std::string call = most == by_name.end() ? "" : std::string(facts.profile().names().view(most->first));
  Outcome outcome =
      judged(facts.matters(idle, input.values.real(kShare)),
             {fmt::format("{} idle for {} while the host communicates, mostly in {}; no communication kernels run.",
                          by_gpus(facts, "The GPU is", "GPUs are"), facts.of_step(idle), call),
              "", idle, idle, false, std::move(places),
              bars_by_name(facts, "GPU idle time during backend calls, by call", by_name)},
             fmt::format("{} idle for {} ({}) during Gloo or MPI calls.", by_gpus(facts, "The GPU is", "GPUs are"),
                         facts.a_step(idle), format_share(facts.share(idle))));
  if (!outcome.findings.empty()) outcome.replaces = replaced_by(input.before, idle);
  return outcome;
}

}  // namespace

extern const Rule kRule{
    "HostBackend",
    "Communication through the host",
    "GPUs are idle during Gloo or MPI calls for at least 5 % of the evaluated time, and no communication kernels run.",
    kParameters,
    evaluate,
    "To communicate directly between GPUs, use init_process_group(backend=\"nccl\"), which also works on AMD GPUs. To "
    "keep Gloo for tensors on the host, use backend=\"cpu:gloo,cuda:nccl\"."};

}  // namespace warpscope::rules::registered::host_backend
