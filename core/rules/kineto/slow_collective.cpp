// SlowCollective: collectives that transfer data much more slowly than others of the same kind, size and process group;
// and many brief collectives, which cost more on the host than on the GPU. The protocol is unknown: NCCL's kernels are
// named _LL whatever their protocol.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "core/analysis/ranks/medians.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/shared/intervals.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "core/rules/kineto/fault_rule.hpp"
#include "core/rules/kineto/profile_rule.hpp"

namespace warpscope::rules::registered::slow_collective {

namespace {

constexpr std::array kParameters{share_parameter("0.03")};
constexpr double kLeastBytes = 1 << 20;
constexpr std::uint64_t kMany = 50;  // collectives per step
constexpr Ns kBrief = 20'000;        // maximum duration of a brief collective

/// Cost of brief collectives. Starting a collective costs the same even if its kernel then waits for other ranks, so
/// the host side includes all collectives that are not known to be large.
struct Brief {
  Ns exposed = 0;                              ///< kernel time not overlapped by computation
  Ns idle = 0;                                 ///< GPU idle time during the host calls
  std::vector<Place> places{};                 ///< host calls
  std::set<analysis::CollectiveKind> kinds{};  ///< of all collectives

  /// Returns "all-reduces", or "collectives" if there are several kinds.
  [[nodiscard]] std::string noun() const {
    const std::string_view kind = kinds.size() == 1 ? analysis::words_of(*kinds.begin()) : "";
    if (kind.empty()) return "collectives";
    return kind == "broadcast" || kind == "send/receive" ? fmt::format("{} collectives", kind)
                                                         : fmt::format("{}s", kind);
  }
};

/// Adds the idle time of a GPU during the outermost calls around `launches`.
void add_host_side(Facts& facts, const GpuWindow& gpu, const std::vector<trace::SliceOrdinal>& launches, Brief& brief) {
  const trace::Rank& rank = *facts.profile().ranks[gpu.rank];
  const StringTable& names = facts.profile().names();
  const auto tree = facts.tree(gpu.rank);
  std::set<trace::SliceOrdinal> calls;
  for (const trace::SliceOrdinal launch : launches) {
    auto call = analysis::CallTree::kNone;
    for (auto at = launch; at != analysis::CallTree::kNone && tree->is_call(at); at = tree->parent(at))
      if (const std::string_view name = names.view(rank.name(at));
          analysis::is_collective_call(name) || name.starts_with("_c10d_functional::"))
        call = at;
    if (call != analysis::CallTree::kNone) calls.insert(call);
  }
  std::vector<Interval> times;
  for (const trace::SliceOrdinal call : calls) {
    Place place = at_slice(facts, gpu.rank, call);
    place.weight = analysis::common_length(place.time, gpu.idle);
    times.push_back(place.time);
    if (*place.weight > 0) brief.places.push_back(std::move(place));
  }
  keep_longest(brief.places);
  brief.idle = saturating_add(brief.idle, analysis::total_length(common(gpu.idle, joined(std::move(times)))));
}

std::string link_advice(Facts&, const analysis::Fault& fault) {
  if (fault.kind == analysis::FaultKind::slow_group)
    return "Check the links between these ranks: nvidia-smi nvlink -e and -s, the counters of their network adapters, "
           "and the topology that NCCL_DEBUG=INFO prints.";
  return "Check for other traffic on the links at that time: concurrent collectives, memcpys, other jobs. "
         "NCCL_DEBUG=INFO shows the chosen algorithm and ring.";
}

std::vector<std::string> compared_with(Facts& facts, const analysis::Fault& fault) {
  if (fault.kind != analysis::FaultKind::slow_group) return {};
  const auto& [signature, time, usual] = fault.transfer;
  return {fmt::format("Compared with other groups of {} ranks: {} of the same size takes {} here, {} there.",
                      fault.ranks.size(),
                      analysis::words_of(facts.comparison().matches().job.signatures[signature].kind),
                      format_duration(time), format_duration(usual))};
}

Outcome evaluate(const RuleInput& input) {
  Facts& facts = input.facts;
  if (auto outcome = too_little(facts)) return *outcome;
  std::vector<Ns> lengths;
  Brief brief;
  std::vector<std::pair<const GpuWindow*, std::vector<trace::SliceOrdinal>>> small;  // launches
  bool sized = false;
  for (const GpuWindow& gpu : facts.gpus()) {
    if (facts.cancelled()) break;
    const auto rows = facts.rows(gpu);
    std::vector<analysis::GpuRow> kernels;
    for (const analysis::GpuRow& row : rows)
      if (row.kind == analysis::KernelClass::communication && touches(gpu.parts, row.time)) kernels.push_back(row);
    if (kernels.empty()) continue;
    const auto compute = analysis::union_of(
        rows, [&](const analysis::GpuRow& row) { return row.kind == analysis::KernelClass::computation; });
    std::vector<trace::SliceOrdinal>& small_launches =
        small.emplace_back(&gpu, std::vector<trace::SliceOrdinal>()).second;
    for (const analysis::GpuRow& kernel : kernels) {
      const Message message = facts.message_of(gpu.rank, kernel);
      sized = sized || message.bytes > 0;
      lengths.push_back(kernel.time.length());
      if (kernel.time.length() < kBrief) {
        brief.exposed += kernel.time.length() - analysis::common_length(kernel.time, compute);
      }
      brief.kinds.insert(message.kind);
      if (message.bytes < kLeastBytes && kernel.launch) small_launches.push_back(*kernel.launch);
    }
  }
  if (lengths.empty()) return {Verdict::not_evaluable, "The GPUs do not communicate.", {}};
  const double least = input.values.real(kShare);
  Outcome outcome =
      outcome_of_faults(input, {.kinds = {analysis::FaultKind::slow_group, analysis::FaultKind::slow_transfers},
                                .advice = link_advice,
                                .evidence = compared_with});
  if (outcome.verdict == Verdict::insufficient_data) return outcome;
  const auto add = [&](Outcome one) {
    if (one.verdict == Verdict::issues_found) outcome.verdict = one.verdict;
    for (Finding& finding : one.findings) outcome.findings.push_back(std::move(finding));
  };
  const std::uint64_t per_step = lengths.size() / std::max<std::size_t>(1, facts.steps());
  const Ns median = analysis::upper_median(lengths);
  const bool many = facts.by_steps() && per_step > kMany && median < kBrief;
  for (const auto& [gpu, launches] : small)
    if (many) add_host_side(facts, *gpu, launches, brief);
  const Ns cost = saturating_add(brief.idle, brief.exposed);
  add(judged(
      many && facts.matters(cost, least),
      {.headline = fmt::format("{} {} per step, with a median of {}.", per_step, brief.noun(), format_duration(median)),
       .advice = "Send fewer, larger messages: a larger bucket_cap_mb (DDP), larger FSDP units; in your own code, "
                 "all_reduce_coalesced or one flattened tensor instead of one collective per tensor.",
       .cost = cost,
       .saving = saturating_add(brief.idle, brief.exposed / 2),
       .places = std::move(brief.places),
       .evidence_lines = {fmt::format("{} idle for {} while the host starts them.",
                                      by_gpus(facts, "The GPU is", "GPUs are"), facts.of_step(brief.idle)),
                          fmt::format("Kernels shorter than {} add {} of exposed communication.",
                                      format_duration(kBrief), facts.a_step(brief.exposed))}},
      ""));
  std::string why = "No transfer takes much longer than its peers.";
  if (!outcome.findings.empty()) {
    why = outcome.findings.front().headline;
    if (!why.ends_with('.')) why += '.';
  }
  outcome.why = fmt::format("{} {} with a median duration of {}.", why,
                            counted(lengths.size(), "collective", "collectives"), format_duration(median));
  if (const std::string& unreadable = facts.comparison().matches().job.unreadable; !unreadable.empty())
    outcome.why += " Cannot read message sizes: " + unreadable + ".";
  else if (!sized)
    outcome.why += " " + analysis::not_recorded_note(facts.profile(), facts.input().scope,
                                                     "The traces have no message sizes, so rates cannot be compared",
                                                     "to record them, use profile(record_shapes=True)");
  return outcome;
}

}  // namespace

extern const Rule kRule{
    "SlowCollective",
    "Slow collectives",
    "Transfers that take longer than those of equal process groups, or more than twice as long as others of the same "
    "group and size, by the time that a replay gains; more than 50 collectives per step, mostly shorter than 20 us, "
    "that leave the GPU idle while the host starts them.",
    kParameters,
    evaluate,
    "Send fewer, larger messages."};

}  // namespace warpscope::rules::registered::slow_collective
