#pragma once
// Samples the processor's performance counters through perf_event_open: events per second, per CPU and in total. If the
// processor has fewer counters than requested, the kernel multiplexes them, and values are scaled to the full interval.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/record/host/host_samplers.hpp"
#include "core/record/perf/counter_name.hpp"
#include "core/record/sampler.hpp"

namespace warpscope::record {

/// The result of reading a counter.
struct CounterReading {
  std::uint64_t value = 0;
  std::uint64_t enabled = 0;  ///< ns since it was opened
  std::uint64_t running = 0;  ///< part of `enabled` during which it counted, in ns
};

/// Opens a counter on one CPU; returns a file descriptor, or a negative error number.
using OpenCounter = std::function<int(const CounterKind& kind, int cpu)>;
[[nodiscard]] int open_counter(const CounterKind& kind, int cpu);

/// Returns the number of events between two readings; nullopt if the counter never ran during that time.
[[nodiscard]] std::optional<double> events_between(const CounterReading& before, const CounterReading& now);

/// Returns the numbers in a kernel list such as "0-3,8".
[[nodiscard]] std::vector<int> numbers_in_list(std::string_view text);

/// Opens the counters with these names, which counter_kind() must recognize, on every CPU. Skips counters rejected by
/// the kernel and reports the reason. Returns null if no counters remain. Raises this process's open-file limit.
[[nodiscard]] std::unique_ptr<Sampler> perf_sampler(const std::vector<std::string>& names, const Say& say,
                                                    const KernelFolders& folders = {},
                                                    const OpenCounter& open = open_counter);

}  // namespace warpscope::record
