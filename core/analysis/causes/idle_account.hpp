#pragma once
// Attributes each idle moment of a GPU to exactly one cause, so the causes add up to the idle time.
//
// A gap is split at the launch of the activity that ends it (idle_gaps.hpp). Until the launch call ends, the GPU waits
// for the host, and each moment counts as what the host did then (host_chain.hpp): a call never gets more than the time
// during which it ran and the GPU waited for it. The rest is launch latency, a wait for another stream, or unknown.
// Ordinary host work counts as launch delays in gaps below 1 ms and as other host work in longer ones. If GPU activity
// regularly starts before its launch, the clocks of host and GPU contradict each other, so causes are refused.
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/causes/host_chain.hpp"

namespace warpscope::analysis {

enum class IdleLabel : std::uint8_t {
  host_callback,  ///< a CUDA graph runs a function on the host
  data_loader,
  compilation,
  allocation,
  collection,
  checkpoint,
  wait,      ///< the host is still in a call that waits for the GPU
  stall,     ///< a host call takes unusually long
  launch,    ///< ordinary host work before a launch, in gaps shorter than 1 ms
  host,      ///< the same in longer gaps
  latency,   ///< from the end of the launch call, or of the activity before, to the start
  stream,    ///< waiting for activity on another stream
  unlinked,  ///< the launch of the next activity is not recorded
  unknown,   ///< launched work waits for something that is not recorded
};
inline constexpr std::array<std::string_view, 14> kIdleLabelWords{"host callbacks of CUDA graphs",
                                                                  "waiting for the data loader",
                                                                  "compiling",
                                                                  "allocating memory",
                                                                  "Python's garbage collection",
                                                                  "saving a checkpoint",
                                                                  "the host resuming after a sync",
                                                                  "stalled host calls",
                                                                  "short launch delays",
                                                                  "other host work",
                                                                  "launch latency",
                                                                  "waiting for another stream",
                                                                  "work without a launch record",
                                                                  "launched work waiting for unknown reasons"};
inline constexpr std::size_t kIdleLabels = kIdleLabelWords.size();

struct IdleAccount {
  std::array<std::vector<Interval>, kIdleLabels> of_label;  ///< disjoint, by start
  std::uint64_t launches = 0;                               ///< known launches of the evaluated time's GPU activity
  std::uint64_t late_launches = 0;                          ///< launched while the GPU was idle
  std::uint64_t early_starts = 0;                           ///< that starts before its launch
  bool clocks_contradict = false;                           ///< causes are refused: all idle time is unknown

  [[nodiscard]] const std::vector<Interval>& of(IdleLabel label) const {
    return of_label[static_cast<std::size_t>(label)];
  }
};

/// Splits `idle`, the idle intervals of a device (disjoint, by start), by cause. `rows`: all activity of the device;
/// `all`: where they come from. `parts`: the evaluated time. O(R log R + H) for R rows and H pieces of the chain.
[[nodiscard]] IdleAccount idle_account(const trace::Profile& profile, std::uint32_t rank, std::uint32_t device,
                                       const GpuRows& all, std::span<const GpuRow> rows, const HostChain& chain,
                                       const std::vector<Interval>& parts, const std::vector<Interval>& idle);

}  // namespace warpscope::analysis
