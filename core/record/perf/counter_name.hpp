#pragma once
// Names of performance counters, as `perf list` has them, and what the kernel calls them.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpscope::record {

/// A counter of the kernel (type and configuration as in perf_event_attr).
struct CounterKind {
  std::uint32_t type = 0;
  std::uint64_t config = 0;

  friend bool operator==(const CounterKind&, const CounterKind&) = default;
};

/// Returns the counter of a name: those of `perf list` for hardware, caches and software; "r1a8" for a code of the
/// processor in hexadecimal; and those that SageMaker Profiler shows. `intel`: whether the processor is from Intel: some
/// names mean codes of Intel processors. nullopt for other names.
[[nodiscard]] std::optional<CounterKind> counter_kind(std::string_view name, bool intel);

/// Names of counters for messages, separated by commas.
[[nodiscard]] std::string known_counters();

/// True if /proc/cpuinfo (its text) is that of an Intel processor.
[[nodiscard]] bool is_intel(std::string_view cpuinfo);

}  // namespace warpscope::record
