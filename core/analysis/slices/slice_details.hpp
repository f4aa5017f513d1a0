#pragma once
// Details of one slice: enclosing slices, launch connections, step, self time. Shown in the Current selection tab, the
// Connections tab and tooltips.
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/slices/launch_latency.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// A launch and one of the GPU activities that it launched.
struct LaunchRun {
  trace::SliceRef launch;
  trace::SliceRef run;
  LaunchLatency latency;
};

struct SliceDetails {
  std::string node;   ///< "algo-1"
  std::string track;  ///< "GPU-3 device / stream 7", "GPU-3 host / thread 123"
  std::int64_t rank = 0;
  Ns begin = 0;                            ///< ns since the start of the profile
  Ns duration = 0;                         ///< ns, as recorded
  Ns self = 0;                             ///< ns; part of the duration not covered by children
  bool impossible = false;                 ///< in a lane of impossible slices: negative or implausible times
  std::vector<trace::SliceRef> enclosing;  ///< on its track, outermost first
  std::vector<trace::SliceRef>
      launched_by;  ///< GPU activity: the slices enclosing its launch, outermost first, then the launch
  std::vector<trace::SliceRef>
      annotations;  ///< annotations in the two lists above, and device annotations around GPU activity
  std::optional<trace::SliceRef> step;  ///< step of the rank that contains the slice or its launch
  std::vector<LaunchRun> connections;   ///< of a launch: all its pairs; of GPU activity: its only pair
};

/// O(L log n + C) for L lanes on the track and C children of the slice.
[[nodiscard]] SliceDetails slice_details(const trace::Profile& profile, trace::SliceRef slice);

/// Returns the slices of the same track that enclose the slice, outermost first. O(L log n).
[[nodiscard]] std::vector<trace::SliceRef> enclosing_slices(const trace::Profile& profile, trace::SliceRef slice);

/// Returns the pairs that contain the slice, sorted by start of the GPU activity. O(log n + k).
[[nodiscard]] std::vector<LaunchRun> launch_runs(const trace::Profile& profile, trace::SliceRef slice);

/// Returns the step of the rank that contains the slice (for GPU activity: its launch), or nullopt. O(log steps).
[[nodiscard]] std::optional<trace::SliceRef> step_of(const trace::Profile& profile, trace::SliceRef slice);

/// Returns the label of the slice's track with its group: "GPU-3 device / stream 7".
[[nodiscard]] std::string track_name(const trace::Profile& profile, trace::SliceRef slice);

}  // namespace warpscope::analysis
