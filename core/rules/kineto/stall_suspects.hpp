#pragma once
// Likely reasons why a host call took much longer than usual. The trace does not record page faults or scheduling, so
// these are only suspects, inferred from the kind of call and from what other threads do at the time.
#include <array>
#include <cstdint>
#include <string_view>

#include "core/rules/facts.hpp"

namespace warpscope::rules {

enum class StallSuspect : std::uint8_t {
  garbage_collection,  ///< Python's garbage collector ran at the same time
  gil,                 ///< another thread ran Python for most of the time
  driver_memory,       ///< the call allocates or frees through the driver
  module_loading,      ///< the call sets up a kernel or loads a module
  compilation,         ///< the call compiles
  page_faults,         ///< the call allocates or fills host memory
  descheduled,         ///< the call itself does next to nothing, so its thread did not run
  unknown,
};
inline constexpr std::size_t kStallSuspects = 8;

/// "page faults"; "unknown" has no words.
[[nodiscard]] std::string_view to_string(StallSuspect suspect);
/// Returns what to do about it.
[[nodiscard]] std::string_view advice_for(StallSuspect suspect);

/// Judges the stalls of one rank. Not thread-safe.
class StallJudge {
 public:
  StallJudge(Facts& facts, std::uint32_t rank);

  [[nodiscard]] StallSuspect suspect_of(const HostStall& stall) const;

 private:
  /// True if slices of `times` on other tracks cover most of the stall.
  [[nodiscard]] bool is_covered(const HostStall& stall,
                                const std::vector<std::pair<std::uint32_t, std::vector<Interval>>>& times) const;

  Facts& facts_;
  std::vector<Interval> collections_;                                    ///< of Python's garbage
  std::vector<std::pair<std::uint32_t, std::vector<Interval>>> python_;  ///< by track
};

}  // namespace warpscope::rules
