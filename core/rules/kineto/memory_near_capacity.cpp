// MemoryNearCapacity: PyTorch's allocator reserves almost all of a GPU's memory.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "core/analysis/operators/host_events.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/base/format.hpp"
#include "core/base/threads/parallel_for.hpp"
#include "core/rules/kineto/device_properties.hpp"
#include "core/rules/kineto/profile_rule.hpp"

namespace warpscope::rules::registered::memory_near_capacity {

namespace {

constexpr std::array kParameters{analysis::real_parameter(
    kShare, "report an issue if at least this fraction of a GPU's memory is reserved", "0.9", 0, 1)};

struct Peak {
  std::int64_t bytes = 0;
  trace::SliceOrdinal slice = 0;
};

using Peaks = std::map<std::int64_t, Peak>;

/// Finds the allocator's peak reserved memory, by device number. Errors: those of EventLookup::read_each.
Failure find_peaks(Facts& facts, std::uint32_t rank, Peaks& peaks) {
  const auto changes = analysis::memory_changes(facts.input(), rank);
  if (!changes) return changes.error();
  for (const analysis::MemoryChange& change : *changes) {
    if (change.device < 0 || change.reserved < 0) continue;
    Peak& peak = peaks[change.device];
    if (change.reserved > peak.bytes) peak = {change.reserved, change.slice};
  }
  return {};
}

Outcome evaluate(const RuleInput& input) {
  Facts& facts = input.facts;
  double worst = 0;
  std::string sentence;
  std::vector<Place> places;
  std::vector<Evidence::Bar> bars;
  bool known = false;
  const std::size_t ranks = facts.profile().ranks.size();
  std::vector<Peaks> peaks_of(ranks);
  std::vector<Failure> failures(ranks);
  parallel_for(ranks, analysis::analysis_threads(), [&](std::size_t r) {
    if (!facts.cancelled()) failures[r] = find_peaks(facts, static_cast<std::uint32_t>(r), peaks_of[r]);
  });
  for (std::uint32_t r = 0; r < ranks; ++r) {
    const trace::Rank& rank = *facts.profile().ranks[r];
    if (failures[r]) return {Verdict::not_evaluable, "Cannot read memory events: " + failures[r]->message() + ".", {}};
    for (const auto& [device, peak] : peaks_of[r]) {
      const auto capacity = device_property(rank, device, "totalGlobalMem");
      if (!capacity || *capacity <= 0) continue;
      known = true;
      const double share = static_cast<double>(peak.bytes) / static_cast<double>(*capacity);
      bars.push_back({fmt::format("rank {}, GPU {}", rank.number, device), share});
      if (share <= worst) continue;
      worst = share;
      sentence = fmt::format("PyTorch reserves {} of {} on GPU {} of rank {} ({}).", format_bytes(peak.bytes),
                             format_bytes(*capacity), device, rank.number, format_share(share));
      places = {at_slice(facts, r, peak.slice, "most memory reserved")};
    }
  }
  if (!known)
    return {Verdict::not_evaluable,
            facts.of_pytorch() ? "The traces do not record memory; to record it, use profile(profile_memory=True)."
                               : "The traces do not record memory.",
            {}};
  if (facts.workload() == Workload::server)
    return {Verdict::no_issues, sentence + " Inference servers reserve memory for their caches by design.", {}};
  // High memory use itself costs no time. Allocating through the driver does; AllocatorChurn reports it.
  return judged(worst >= input.values.real(kShare),
                {sentence, "", 0, 0, false, std::move(places),
                 largest_bars("Peak share of memory reserved, by GPU", ColumnKind::share, std::move(bars))},
                sentence);
}

}  // namespace

extern const Rule kRule{"MemoryNearCapacity",
                        "GPU memory almost full",
                        "PyTorch's allocator reserves at least 90 % of a GPU's memory.",
                        kParameters,
                        evaluate,
                        "A larger batch or a longer sequence may run out of memory. Use a smaller batch or activation "
                        "checkpointing, or shard the optimizer state.",
                        {},
                        "A larger batch or a longer sequence may run out of memory. Use a smaller batch, or shard or "
                        "quantize the model."};

}  // namespace warpscope::rules::registered::memory_near_capacity
