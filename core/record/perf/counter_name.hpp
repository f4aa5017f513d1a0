#pragma once
// Maps names of performance counters, as in `perf list`, to the kernel's counters.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpscope::record {

/// A kernel counter (type and configuration as in perf_event_attr).
struct CounterKind {
  std::uint32_t type = 0;
  std::uint64_t config = 0;

  friend bool operator==(const CounterKind&, const CounterKind&) = default;
};

/// Returns the counter with this name: a hardware, cache or software name from `perf list`; a processor event code in
/// hexadecimal such as "r1a8"; or a name that SageMaker Profiler shows. `intel`: whether the processor is from Intel;
/// some names are aliases of Intel event codes and exist only there. nullopt for unknown names.
[[nodiscard]] std::optional<CounterKind> counter_kind(std::string_view name, bool intel);

/// Returns the counter names for messages, separated by commas.
[[nodiscard]] std::string known_counters();

/// True if `cpuinfo`, the text of /proc/cpuinfo, describes an Intel processor.
[[nodiscard]] bool is_intel(std::string_view cpuinfo);

}  // namespace warpscope::record
