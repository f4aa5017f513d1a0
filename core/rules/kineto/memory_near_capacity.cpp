// MemoryNearCapacity: PyTorch's allocator reserves almost all of a GPU's memory.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "core/base/format.hpp"
#include "core/ingest/events/memory_event.hpp"
#include "core/rules/kineto/device_properties.hpp"
#include "core/rules/kineto/profile_rule.hpp"

namespace warpscope::rules::registered::memory_near_capacity {

namespace {

constexpr std::array kParameters{analysis::real_parameter(
    kShare, "report an issue if at least this fraction of a GPU's memory is reserved", "0.9", 0, 1)};

/// Returns the sample with the most memory that PyTorch's allocator reserved on a device; nullopt if not recorded.
std::optional<std::pair<Ns, float>> peak_reserved(const trace::Rank& rank, std::int64_t device) {
  const std::string name = ingest::reserved_memory_counter(device);
  const auto counter = std::ranges::find(rank.counters, name, &trace::Counter::name);
  if (counter == rank.counters.end()) return std::nullopt;
  std::optional<std::pair<Ns, float>> peak;
  for (std::size_t i = 0; i < counter->size(); ++i)
    if (counter->value(i) > (peak ? peak->second : 0)) peak = {counter->time(i), counter->value(i)};
  return peak;
}

Outcome evaluate(const RuleInput& input) {
  Facts& facts = input.facts;
  double worst = 0;
  std::string sentence;
  std::vector<Place> places;
  std::vector<Evidence::Bar> bars;
  bool known = false;
  for (std::uint32_t r = 0; r < facts.profile().ranks.size(); ++r) {
    const trace::Rank& rank = *facts.profile().ranks[r];
    for (const auto& [device, capacity] : device_properties(rank, "totalGlobalMem")) {
      const auto peak = peak_reserved(rank, device);
      if (!peak || capacity <= 0) continue;
      known = true;
      const auto [time, bytes] = *peak;
      const double share = static_cast<double>(bytes) / static_cast<double>(capacity);
      bars.push_back({fmt::format("rank {}, GPU {}", rank.number, device), share});
      if (share <= worst) continue;
      worst = share;
      sentence = fmt::format("PyTorch reserves {} of {} on GPU {} of rank {} ({}).",
                             format_bytes(static_cast<std::int64_t>(bytes)), format_bytes(capacity), device,
                             rank.number, format_share(share));
      places = {{"most memory reserved", r, std::nullopt, {time, time}}};
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
