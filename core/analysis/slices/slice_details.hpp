#pragma once
// Everything around one slice: what encloses it, what it launched or was launched by, its step, its self time. The
// Current selection tab, the Connections tab and tooltips show this.
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/slices/launch_latency.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// One launch → run pair of a rank.
struct LaunchRun {
  trace::SliceRef launch;
  trace::SliceRef run;
  LaunchLatency latency;
};

struct SliceDetails {
  std::string node;   ///< "algo-1"
  std::string track;  ///< "GPU-3 device / stream 7", "GPU-3 host / thread 123"
  std::int64_t rank = 0;
  Ns begin = 0;                            ///< since the profile's begin
  Ns duration = 0;                         ///< as recorded
  Ns self = 0;                             ///< duration less what its children cover
  bool impossible = false;                 ///< kept apart: negative or absurd
  std::vector<trace::SliceRef> enclosing;  ///< on its track, outermost first
  std::vector<trace::SliceRef>
      launched_by;  ///< of a run: its launch's enclosing slices, outermost first, and the launch
  std::vector<trace::SliceRef> annotations;  ///< among both of the above, and annotations of the device around a run
  std::optional<trace::SliceRef> step;       ///< of the rank: the one its host side lies in
  std::vector<LaunchRun> connections;        ///< of a launch: all its runs; of a run: the one pair
};

/// O(lanes of the track · log n + children of the slice).
[[nodiscard]] SliceDetails slice_details(const trace::Profile& profile, trace::SliceRef slice);

/// The pairs that a slice is part of, ordered by the run's begin. O(log n + k).
[[nodiscard]] std::vector<LaunchRun> launch_runs(const trace::Profile& profile, trace::SliceRef slice);

/// The step of its rank that a slice lies in (a run: that its launch lies in), if any. O(log steps).
[[nodiscard]] std::optional<trace::SliceRef> step_of(const trace::Profile& profile, trace::SliceRef slice);

/// Label of the track a slice stands on, with its group: "GPU-3 device / stream 7".
[[nodiscard]] std::string track_name(const trace::Profile& profile, trace::SliceRef slice);

}  // namespace warpscope::analysis
