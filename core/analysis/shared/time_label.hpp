#pragma once
// The one vocabulary of where GPU time goes. Every ns of every evaluated GPU has exactly one label, so labels add up to
// the evaluated time. Computation comes first; communication counts where no computation runs, split into transfers and
// waits for other ranks; then memory operations; then idle time by cause (causes/time_account.hpp).
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/time.hpp"

namespace warpscope::analysis {

enum class TimeLabel : std::uint8_t {
  computation,
  transfer,  ///< communication without computation, except waits
  waiting,   ///< in communication, for ranks that have not arrived
  memory,
  // idle
  host_callback,  ///< a CUDA graph runs a function on the host
  data_loader,
  compilation,
  allocation,
  collection,
  checkpoint,
  sync,       ///< the host is in a call that waits for the GPU, or late because of earlier ones
  stall,      ///< a host call takes unusually long
  launch,     ///< ordinary host work before a launch, in gaps shorter than 1 ms
  host,       ///< the same in longer gaps
  latency,    ///< from the end of the launch call, or of the activity before, to the start
  stream,     ///< waiting for activity on another stream
  no_launch,  ///< the launch of the next activity is not recorded
  unknown,    ///< launched work waits for something that is not recorded
  profiler,   ///< the profiler's own work
};
inline constexpr std::size_t kTimeLabels = 19;
inline constexpr std::size_t kFirstIdle = static_cast<std::size_t>(TimeLabel::host_callback);

struct TimeLabelWords {
  std::string_view name;   ///< in CSV and JSON
  std::string_view words;  ///< for users
};
inline constexpr std::array<TimeLabelWords, kTimeLabels> kTimeLabelWords{{
    {"computation", "computation"},
    {"transfer", "communication"},
    {"waiting_for_ranks", "waiting for other ranks"},
    {"memory", "memory operations"},
    {"idle_host_callback", "host callbacks of CUDA graphs"},
    {"idle_data_loader", "waiting for the data loader"},
    {"idle_compilation", "compiling"},
    {"idle_allocation", "allocating memory"},
    {"idle_collection", "Python's garbage collection"},
    {"idle_checkpoint", "saving a checkpoint"},
    {"idle_sync", "host syncs"},
    {"idle_stall", "stalled host calls"},
    {"idle_launch", "short launch delays"},
    {"idle_host", "other host work"},
    {"idle_latency", "launch latency"},
    {"idle_stream", "waiting for another stream"},
    {"idle_no_launch", "work without a launch record"},
    {"idle_unknown", "launched work waiting for unknown reasons"},
    {"profiler", "the profiler itself"},
}};

[[nodiscard]] constexpr const TimeLabelWords& words_of(TimeLabel label) {
  return kTimeLabelWords[static_cast<std::size_t>(label)];
}
[[nodiscard]] constexpr bool is_idle(TimeLabel label) { return static_cast<std::size_t>(label) >= kFirstIdle; }
/// True for idle time in which the GPU waits for the host to launch work.
[[nodiscard]] constexpr bool is_host_delay(TimeLabel label) {
  return label > TimeLabel::host_callback && label < TimeLabel::latency;
}

/// Maximum device delay between activities that were launched in time: 1 to 4 µs on GPUs from V100 to H100. A longer
/// one has another cause than latency.
inline constexpr Ns kOwnDelay = 10'000;

/// Time by label.
using LabelTimes = std::array<Ns, kTimeLabels>;

[[nodiscard]] constexpr Ns idle_of(const LabelTimes& times) {
  Ns sum = 0;
  for (std::size_t l = kFirstIdle; l < kTimeLabels; ++l) sum = saturating_add(sum, times[l]);
  return sum;
}
[[nodiscard]] constexpr Ns total_of(const LabelTimes& times) {
  Ns sum = 0;
  for (const Ns time : times) sum = saturating_add(sum, time);
  return sum;
}
constexpr void add(LabelTimes& sum, const LabelTimes& more) {
  for (std::size_t l = 0; l < kTimeLabels; ++l) sum[l] = saturating_add(sum[l], more[l]);
}

}  // namespace warpscope::analysis
