// ExposedCommunication: communication that does not overlap computation.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/base/format.hpp"
#include "core/rules/kineto/profile_rule.hpp"
#include "core/trace/kernel_label.hpp"

namespace warpscope::rules::registered::exposed_communication {

namespace {

constexpr std::array kParameters{share_parameter("0.1")};
constexpr double kMentioned = 0.1;  // of the exposed time
constexpr double kMostly = 0.5;     // fraction of wait time above which overlap or fewer bytes help little

/// Returns the kind, such as "all-reduce", or the kernel's name if the kind is unknown.
std::string words_of(Facts& facts, Communication kind, NameId kernel) {
  if (kind != Communication::other) return std::string(to_string(kind));
  return trace::kernel_label(facts.profile().names().view(kernel));
}

std::string advice_for(Communication kind) {
  switch (kind) {
    case Communication::all_reduce:
      return "With DDP, use a larger bucket_cap_mb, gradient_as_bucket_view=True, and no_sync() while accumulating "
             "gradients. The bf16_compress_hook halves the bytes sent for fp32 gradients.";
    case Communication::all_gather:
    case Communication::reduce_scatter:
      return "With FSDP, use backward_prefetch=BACKWARD_PRE and forward_prefetch=True (FSDP2: "
             "set_modules_to_forward_prefetch), limit_all_gathers=True, and bf16 in MixedPrecision, or shard only "
             "within a node (HYBRID_SHARD).";
    case Communication::all_to_all:
      return "Start exchanging embeddings or tokens before work that does not depend on them (TorchRec: "
             "TrainPipelineSparseDist; MoE: overlap the exchange with the shared expert or another micro-batch), and "
             "use fp16 or fp8 to send fewer bytes (TorchRec: qcomms).";
    case Communication::send_receive:
      return "With pipeline parallelism, use more micro-batches or an interleaved schedule, and asynchronous transfers "
             "(isend, irecv). If these kernels implement an all-to-all, start it before work that does not depend on "
             "its result.";
    case Communication::broadcast:
      return "DDP broadcasts buffers in each forward pass. Set broadcast_buffers=False if buffers need not match "
             "across ranks.";
    case Communication::other:
      break;
  }
  return "Start communication earlier so that it overlaps computation (async_op=True, then wait() where the result is "
         "needed), or send fewer bytes.";
}

Outcome evaluate(const RuleInput& input) {
  Facts& facts = input.facts;
  if (auto outcome = too_little(facts)) return *outcome;
  Ns exposed = 0;
  Ns communication = 0;
  Ns waits = 0;
  std::map<NameId, Ns> by_name;
  std::map<Communication, Ns> by_kind;
  std::map<Communication, std::map<NameId, Ns>> names_of_kind;
  std::vector<Place> places;
  for (std::size_t g = 0; g < facts.gpus().size() && !facts.cancelled(); ++g) {
    const GpuWindow& gpu = facts.gpus()[g];
    const auto rows = facts.rows(gpu.rank);
    communication = saturating_add(
        communication, analysis::common_length(gpu.parts, analysis::union_of(*rows, [&](const analysis::GpuRow& row) {
                                                 return row.device == gpu.device &&
                                                        row.kind == analysis::KernelClass::communication;
                                               })));
    const std::vector<Interval> alone = facts.exposed_communication_of(g);
    exposed = saturating_add(exposed, analysis::total_length(alone));
    if (alone.empty()) continue;
    const Messages& messages = facts.messages(gpu.rank);
    std::vector<Interval> waiting;
    for (const analysis::GpuRow& row : *rows) {
      if (row.device != gpu.device || row.kind != analysis::KernelClass::communication) continue;
      const Ns time = analysis::common_length(row.time, alone);
      if (time <= 0) continue;
      const std::string_view name = facts.profile().names().view(row.name);
      const Communication kind = messages.of(row.slice, name).kind;
      by_name[row.name] = saturating_add(by_name[row.name], time);
      by_kind[kind] = saturating_add(by_kind[kind], time);
      names_of_kind[kind][row.name] += time;
      waiting.push_back(facts.waits().wait_of(gpu.rank, row.slice, row.time));
      places.push_back(on_gpu(facts, gpu, row.time, trace::kernel_label(name), row.slice));
    }
    waits = saturating_add(waits, analysis::common_length(joined(std::move(waiting)), alone));
    keep_longest(places);
  }
  if (communication == 0) return {Verdict::not_evaluable, "The GPUs do not communicate.", {}};
  const auto longest = [](const auto& times) {
    return std::ranges::max_element(times, {}, [](const auto& each) { return each.second; });
  };
  const auto most = longest(by_kind);
  const Communication kind = most == by_kind.end() ? Communication::other : most->first;
  const NameId kernel = most == by_kind.end() ? 0 : longest(names_of_kind[kind])->first;
  const std::size_t ranks = facts.profile().ranks.size();
  const std::int64_t world = facts.profile().ranks.front()->world_size;
  std::string waiting;
  if (world > static_cast<std::int64_t>(ranks))
    waiting = fmt::format(" Only {} of {} ranks {} traces, so this may include time spent waiting for the other ranks.",
                          ranks, world, ranks == 1 ? "has" : "have");
  else if (static_cast<double>(waits) > kMentioned * static_cast<double>(exposed))
    waiting = fmt::format(" {} of it is spent waiting for late ranks.", format_duration(facts.mean(waits)));
  const bool mostly_waiting =
      world <= static_cast<std::int64_t>(ranks) && static_cast<double>(waits) > kMostly * static_cast<double>(exposed);
  // Overlapping does not save the time that LateRank reports.
  Ns late = 0;
  for (const Facts::LateRank& each : facts.late) late += each.bound;
  return judged(
      facts.matters(exposed, input.values.real(kShare)),
      {.sentence = fmt::format("{} is exposed communication, mostly {}.{}", facts.of_step(exposed),
                               words_of(facts, kind, kernel), waiting),
       .advice = (mostly_waiting
                      ? "First find out why ranks arrive late; only the remaining time is spent transferring data. "
                      : "") +
                 advice_for(kind),
       .cost = exposed,
       .bound = std::max<Ns>(0, exposed - late),
       .places = std::move(places),
       .evidence = bars_by_name(facts, "Exposed communication, by kernel", by_name, trace::kernel_label),
       .explained_by = "LateRank"},
      fmt::format("{} of communication, {} ({}) of it exposed.", facts.a_step(communication), facts.a_step(exposed),
                  format_share(facts.share(exposed))));
}

}  // namespace

extern const Rule kRule{
    "ExposedCommunication",
    "Exposed communication",
    "Communication time with no compute kernel running. The savings exclude time reported by LateRank.",
    kParameters,
    evaluate,
    "Overlap communication with computation (larger buckets, prefetching, bf16 gradients), or communicate less often."};

}  // namespace warpscope::rules::registered::exposed_communication
