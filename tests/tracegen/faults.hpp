#pragma once
// Faults of single ranks, which make them late, and flaws in the recordings of several ranks, which make this hard to
// see. All are off by default and then have no effect.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpscope::tracegen {

enum class FaultKind : std::uint8_t {
  slow_kernels,  ///< value: factor
  slow_kernel,   ///< value: factor; name: part of the kernel's name
  slow_host,     ///< value: factor
  data_loader,   ///< value: ms
  gc_pause,      ///< value: ms
  slow_copies,   ///< value: factor
  slow_link,     ///< value: factor; name: kind of group ("tensor", "data", "pipeline", "world", "node")
};

struct FaultInfo {
  FaultKind kind;
  std::string_view name;   ///< as on the command line
  std::string_view cause;  ///< class of the cause: "kernel", "host", "mem", "transfer"
  std::string_view what;   ///< for help
};
[[nodiscard]] std::span<const FaultInfo> all_faults();

struct Fault {
  static constexpr int kEveryStep = -1;
  FaultKind kind{};
  int rank = 0;
  double value = 1;
  int step = kEveryStep;  ///< 0-based
  std::string name{};
};

/// Parses "KIND@RANK=VALUE[,step=S][,name=N]"; nullopt for anything else.
[[nodiscard]] std::optional<Fault> parse_fault(std::string_view text);

/// Factor of the rank's faults of a kind in a step, in percent; 100 if there are none. Only faults whose name is part
/// of `name` count.
[[nodiscard]] std::int64_t fault_percent(std::span<const Fault> faults, FaultKind kind, int rank, int step,
                                         std::string_view name = {});
/// Sum of the values (ms) of the rank's faults of a kind in a step, in ns.
[[nodiscard]] std::int64_t fault_ns(std::span<const Fault> faults, FaultKind kind, int rank, int step);

/// The clock of a node.
struct NodeClock {
  int node = 0;
  std::int64_t ahead_ns = 0;
  std::int64_t gains_ppb = 0;  ///< ns per second
};
/// Parses "NODE:US" or "NODE:US:PPM"; both may be negative.
[[nodiscard]] std::optional<NodeClock> parse_clock(std::string_view text);

/// A rank whose recording starts later, or lacks part of its GPU activity.
struct Recorded {
  int rank = 0;
  std::int64_t value = 0;  ///< ns, or percent
};
/// Parses "RANK:MS", as ns.
[[nodiscard]] std::optional<Recorded> parse_late_start(std::string_view text);
/// Parses "RANK:PERCENT".
[[nodiscard]] std::optional<Recorded> parse_missing_runs(std::string_view text);

}  // namespace warpscope::tracegen
