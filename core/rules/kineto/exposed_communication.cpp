// ExposedCommunication: communication that does not overlap computation.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/ranks/medians.hpp"
#include "core/base/format.hpp"
#include "core/rules/kineto/device_properties.hpp"
#include "core/rules/kineto/fault_rule.hpp"
#include "core/rules/kineto/profile_rule.hpp"
#include "core/trace/kernel_label.hpp"

namespace warpscope::rules::registered::exposed_communication {

namespace {

using analysis::CollectiveKind;

constexpr std::array kParameters{share_parameter("0.1")};
constexpr double kMentioned = 0.05;  // of the exposed time
// Starting an all-reduce takes 10 to 20 µs. In all-reduces below this duration, that is more than a tenth of the time,
// so larger buckets help. Otherwise, they only start later and overlap less.
constexpr Ns kSmallAllReduce = 100'000;
constexpr std::size_t kManyAllReduces = 10;  // per step; fewer are a few buckets, of which the last cannot overlap

struct Exposed {
  Ns time = 0;
  Ns waits = 0;  ///< part of `time` spent waiting for late ranks
  std::map<NameId, Ns> by_name;
  std::map<CollectiveKind, Ns> by_kind;
  std::map<CollectiveKind, std::map<NameId, Ns>> names_of_kind;
  std::vector<Ns> all_reduces;  ///< transfer times, overlapped or not
  bool bf16 = true;             ///< false if a GPU has no bf16
  std::vector<Place> places;
};

/// Returns the kind, such as "all-reduce", or the kernel's name if the kind is unknown.
std::string words_of(Facts& facts, CollectiveKind kind, NameId kernel) {
  if (kind != CollectiveKind::other) return std::string(analysis::words_of(kind));
  return trace::kernel_label(facts.profile().names().view(kernel));
}

struct CommunicationAdvice {
  std::string overlap;      ///< how to overlap communication with computation
  std::string fewer_bytes;  ///< how to send fewer bytes
};

/// True if most all-reduces are so small that starting them takes a large part of their time.
bool many_small_all_reduces(Facts& facts, std::vector<Ns> all_reduces) {
  return all_reduces.size() > kManyAllReduces * std::max<std::size_t>(1, facts.steps()) &&
         analysis::upper_median(all_reduces) < kSmallAllReduce;
}

/// For all-reduces of inference servers, which have no backward pass.
const CommunicationAdvice kTensorParallel{
    "With tensor parallelism, use the server's custom or fused all-reduce kernels within a node, and split the model "
    "over fewer GPUs if memory allows.",
    ""};

/// Returns advice for a kind of communication. `small`: there are many small all-reduces. `bf16`: the GPUs support
/// bf16.
CommunicationAdvice advice_for(CollectiveKind kind, bool small, bool bf16) {
  const std::string_view half = bf16 ? "bf16" : "fp16";
  switch (kind) {
    case CollectiveKind::all_reduce:
      return {fmt::format("With DDP, use {}, gradient_as_bucket_view=True, and no_sync() while accumulating gradients.",
                          small ? "a larger bucket_cap_mb"
                                : "a smaller bucket_cap_mb (default: 25 MiB) so that all-reduces start earlier in the "
                                  "backward pass"),
              fmt::format("The {}_compress_hook halves the bytes sent for fp32 gradients.", half)};
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
      return {
          "With FSDP, use backward_prefetch=BACKWARD_PRE and forward_prefetch=True (FSDP2: "
          "set_modules_to_forward_prefetch), and limit_all_gathers=True.",
          fmt::format("Use {} in MixedPrecision, or shard only within a node (HYBRID_SHARD).", half)};
    case CollectiveKind::all_to_all:
      return {
          "Start exchanging embeddings or tokens before work that does not depend on them (TorchRec: "
          "TrainPipelineSparseDist; MoE: overlap the exchange with the shared expert or another micro-batch).",
          "Use fp16 or fp8 to send fewer bytes (TorchRec: qcomms)."};
    case CollectiveKind::send_receive:
      return {
          "With pipeline parallelism, use more micro-batches or an interleaved schedule, and asynchronous transfers "
          "(isend, irecv). If these kernels implement an all-to-all, start it before work that does not depend on "
          "its result.",
          ""};
    case CollectiveKind::broadcast:
      return {
          "",
          "DDP broadcasts buffers in each forward pass. Set broadcast_buffers=False if buffers need not match across "
          "ranks."};
    default:
      break;
  }
  return {
      "Start communication earlier so that it overlaps computation (async_op=True, then wait() where the result is "
      "needed).",
      "Send fewer bytes."};
}

bool communicates(Facts& facts) {
  return std::ranges::any_of(facts.gpus(), [&](const GpuWindow& gpu) {
    return std::ranges::any_of(facts.rows(gpu), [&](const analysis::GpuRow& row) {
      return row.kind == analysis::KernelClass::communication && touches(gpu.parts, row.time);
    });
  });
}

Exposed find_exposed(Facts& facts) {
  Exposed exposed;
  for (std::size_t g = 0; g < facts.gpus().size() && !facts.cancelled(); ++g) {
    const GpuWindow& gpu = facts.gpus()[g];
    const auto rows = facts.rows(gpu);
    const std::vector<Interval> alone = facts.exposed_communication_of(g);
    exposed.time = saturating_add(exposed.time, analysis::total_length(alone));
    if (alone.empty()) continue;
    const trace::Rank& rank = *facts.profile().ranks[gpu.rank];
    exposed.bf16 = exposed.bf16 && has_bf16(rank, rank.devices[gpu.device].id);
    std::vector<Interval> waiting;
    for (const analysis::GpuRow& row : rows) {
      if (row.kind != analysis::KernelClass::communication) continue;
      const CollectiveKind kind = facts.message_of(gpu.rank, row).kind;
      if (kind == CollectiveKind::all_reduce && touches(gpu.parts, row.time))
        exposed.all_reduces.push_back(facts.waits().transfer_of(gpu.rank, row.slice, row.time).length());
      const Ns time = analysis::common_length(row.time, alone);
      if (time <= 0) continue;
      exposed.by_name[row.name] = saturating_add(exposed.by_name[row.name], time);
      exposed.by_kind[kind] = saturating_add(exposed.by_kind[kind], time);
      exposed.names_of_kind[kind][row.name] += time;
      waiting.push_back(facts.waits().wait_of(gpu.rank, row.slice, row.time));
      exposed.places.push_back(on_gpu(facts, gpu, row.time, "", row.slice));
    }
    exposed.waits = saturating_add(exposed.waits, analysis::common_length(joined(std::move(waiting)), alone));
    keep_longest(exposed.places);
  }
  return exposed;
}

Outcome evaluate(const RuleInput& input) {
  Facts& facts = input.facts;
  if (auto outcome = too_little(facts)) return *outcome;
  if (!communicates(facts)) return {Verdict::not_evaluable, "The GPUs do not communicate.", {}};
  Outcome outcome = outcome_of_faults(
      input, {.kinds = {analysis::FaultKind::communication}, .none = "Faster transfers would save little or nothing."});
  if (outcome.findings.empty()) return outcome;
  Exposed exposed = find_exposed(facts);
  const auto longest = [](const auto& times) {
    return std::ranges::max_element(times, {}, [](const auto& each) { return each.second; });
  };
  const auto most = longest(exposed.by_kind);
  const CollectiveKind kind = most == exposed.by_kind.end() ? CollectiveKind::other : most->first;
  const NameId kernel = most == exposed.by_kind.end() ? 0 : longest(exposed.names_of_kind[kind])->first;
  Finding& finding = outcome.findings.front();
  const Ns exposed_time = facts.mean(exposed.time);
  const Ns waits = facts.mean(exposed.waits);
  const Ns replaced = exposed_time - waits - facts.mean(finding.saving_high);
  const auto matters = [&](Ns time) {
    return static_cast<double>(time) > kMentioned * static_cast<double>(exposed_time);
  };
  finding.cost = std::max(finding.cost, exposed.time - exposed.waits);
  finding.evidence_lines.push_back(fmt::format(
      "Communication is exposed for {}, mostly {}.{}{}", facts.a_step(exposed.time), words_of(facts, kind, kernel),
      matters(waits) ? fmt::format(" Of this, {} is waiting for other ranks.", format_duration(waits)) : "",
      matters(replaced) ? fmt::format(" With instant transfers, the GPU would wait for something else during {} of it.",
                                      format_duration(replaced))
                        : ""));
  const bool small = many_small_all_reduces(facts, exposed.all_reduces);
  const CommunicationAdvice advice = facts.workload() == Workload::server && kind == CollectiveKind::all_reduce
                                         ? kTensorParallel
                                         : advice_for(kind, small, exposed.bf16);
  finding.advice = facts.of_pytorch()
                       ? fmt::format("{}{}{}", advice.overlap, advice.overlap.empty() ? "" : " ", advice.fewer_bytes)
                       : "Let the compiler overlap communication: with XLA, "
                         "--xla_gpu_enable_latency_hiding_scheduler=true and larger combine thresholds "
                         "(--xla_gpu_all_reduce_combine_threshold_bytes).";
  finding.places = std::move(exposed.places);
  finding.evidence = bars_by_name(facts, "Exposed communication, by kernel", exposed.by_name, trace::kernel_label);
  return outcome;
}

}  // namespace

extern const Rule kRule{
    "ExposedCommunication",
    "Exposed communication",
    "Time that a replay gains if transfers take no time, after other findings are fixed. Waiting for other ranks does "
    "not count if they have traces.",
    kParameters,
    evaluate,
    "Overlap communication with computation (DDP buckets, prefetching, half-precision gradients), or communicate less "
    "often."};

}  // namespace warpscope::rules::registered::exposed_communication
