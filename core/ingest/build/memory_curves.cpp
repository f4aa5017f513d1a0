#include "core/ingest/build/memory_curves.hpp"

#include <fmt/format.h>

#include <limits>
#include <memory>
#include <tuple>

namespace warpscope::ingest {

void add_memory_curves(trace::Rank& rank, std::vector<MemorySample> samples) {
  // The host comes last.
  const auto order = [](const MemorySample& sample) {
    return std::tuple(sample.device == MemorySample::kHost, sample.device, sample.time);
  };
  std::ranges::stable_sort(samples, {}, order);
  for (std::size_t first = 0; first < samples.size();) {
    const std::int64_t device = samples[first].device;
    auto times = std::make_shared<std::vector<Ns>>();
    std::vector<float> allocated;
    std::vector<float> reserved;
    std::int64_t used = 0;
    bool any_reserved = false;
    for (; first < samples.size() && samples[first].device == device; ++first) {
      const MemorySample& sample = samples[first];
      used = sample.allocated >= 0 ? sample.allocated : saturating_add(used, sample.bytes);
      any_reserved = any_reserved || sample.reserved >= 0;
      times->push_back(sample.time);
      allocated.push_back(static_cast<float>(used));
      reserved.push_back(sample.reserved >= 0 ? static_cast<float>(sample.reserved)
                                              : std::numeric_limits<float>::quiet_NaN());
    }
    const bool host = device == MemorySample::kHost;
    const std::string owner = host ? "Host" : fmt::format("GPU-{}", device);
    rank.counters.emplace_back(owner + " memory allocated", "B", trace::Counter::Times(times), std::move(allocated));
    if (any_reserved && !host)
      rank.counters.emplace_back(owner + " memory reserved", "B", trace::Counter::Times(times), std::move(reserved));
  }
}

}  // namespace warpscope::ingest
