#pragma once
// Adds queue depth and memory bandwidth tracks to a profile: the curves of queue_length_time_series and
// memory_bw_time_series over the full length of each rank.
#include <memory>

#include "core/base/progress.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ingest {
class EventLookup;
}

namespace warpscope::analysis {

/// Returns a copy of the profile with Profile::curves and their tree entries added; everything else is shared. Ranks
/// without launches or memcpys have no curves. After cancellation, curves of some ranks may be missing. `events`: as in
/// AnalysisInput. O(n log n).
[[nodiscard]] std::shared_ptr<const trace::Profile> with_curve_tracks(const trace::Profile& profile,
                                                                      const CancelToken* cancel = nullptr,
                                                                      const ingest::EventLookup* events = nullptr);

}  // namespace warpscope::analysis
