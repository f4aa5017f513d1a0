#pragma once
// Attributes each idle moment of a GPU to exactly one cause, so the causes add up to the idle time. More specific
// causes take precedence: time the host spends waiting for the data loader is not also counted as a late launch.
#include <array>
#include <string_view>
#include <vector>

#include "core/base/time.hpp"

namespace warpscope::rules {

class Facts;
struct GpuWindow;

enum class IdleCause : std::uint8_t {
  host_callback,  ///< a CUDA graph runs a function on the host
  data_loader,    ///< the host waits for the next batch
  compilation,
  allocation,  ///< the driver allocates or frees memory
  wait,        ///< from the return of a call that waits for the GPU to the next GPU activity
  stall,       ///< a host call takes unusually long
  launch,      ///< gaps shorter than 1 ms whose next activity was launched after the gap started
  host,        ///< longer gaps of the same kind
  unlinked,    ///< the launch of the next activity is not recorded
  other,       ///< the next activity was launched before the gap started: the GPU waited for something else
};
inline constexpr std::array<std::string_view, 10> kIdleCauseWords{"host callbacks in CUDA graphs",
                                                                  "waiting for the data loader",
                                                                  "compiling",
                                                                  "allocating memory",
                                                                  "the host resuming after a sync",
                                                                  "stalled host calls",
                                                                  "short launch delays",
                                                                  "other host work",
                                                                  "work without a launch record",
                                                                  "launched work waiting for other streams or GPUs"};

struct IdleCauses {
  std::array<std::vector<Interval>, kIdleCauseWords.size()> of_cause;  ///< disjoint, by start
  std::uint64_t launches = 0;       ///< GPU activity in the evaluated time with a known launch
  std::uint64_t late_launches = 0;  ///< launched while the GPU was idle

  [[nodiscard]] const std::vector<Interval>& of(IdleCause cause) const {
    return of_cause[static_cast<std::size_t>(cause)];
  }
};

/// Splits a GPU's idle time by cause. O(R + H) for R rows and H host slices of the GPU's rank.
[[nodiscard]] IdleCauses idle_causes(Facts& facts, const GpuWindow& gpu);

}  // namespace warpscope::rules
