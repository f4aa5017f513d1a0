#pragma once
// A profile with queue lengths and memory bandwidths as tracks: the curves of queue_length_time_series and
// memory_bw_time_series over the whole of each rank.
#include <memory>

#include "core/base/progress.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ingest {
class EventLookup;
}

namespace warpscope::analysis {

/// The same profile, whose parts it shares, with Profile::curves and their entries in the tree. A rank of which nothing
/// was launched nor copied has none. When cancelled, those of some ranks are missing. `events`: as AnalysisInput's.
/// O(n log n).
[[nodiscard]] std::shared_ptr<const trace::Profile> with_curve_tracks(const trace::Profile& profile,
                                                                      const CancelToken* cancel = nullptr,
                                                                      const ingest::EventLookup* events = nullptr);

}  // namespace warpscope::analysis
