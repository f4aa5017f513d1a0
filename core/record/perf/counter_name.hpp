#pragma once
// Maps performance counter names, as in `perf list`, to kernel counters.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpscope::record {

/// A Linux perf counter (`type` and `config` as in perf_event_attr).
struct CounterKind {
  std::uint32_t type = 0;
  std::uint64_t config = 0;

  friend bool operator==(const CounterKind&, const CounterKind&) = default;
};

/// Returns the counter with the given name; nullopt for unknown names. A name is a hardware, cache or software name
/// from `perf list`, a hexadecimal processor event code such as "r1a8", or a name used by SageMaker Profiler. `intel`:
/// true for Intel processors; some names are aliases for Intel event codes and are recognized only there.
[[nodiscard]] std::optional<CounterKind> counter_kind(std::string_view name, bool intel);

/// Returns a comma-separated list of the counter names, for messages.
[[nodiscard]] std::string known_counters();

/// True if `cpuinfo`, the text of /proc/cpuinfo, describes an Intel processor.
[[nodiscard]] bool is_intel(std::string_view cpuinfo);

}  // namespace warpscope::record
