#pragma once
// Who waited for what while the events of a critical path happened: from the trace's rows of waits, else from the
// host's waiting calls.
#include <vector>

#include "core/analysis/critical_path/path_events.hpp"
#include "core/analysis/critical_path/path_words.hpp"

namespace warpscope::analysis {

struct PathWaitChoice {
  Interval until;  ///< half-open; what of the rank is looked at
  const KernelClasses::Choice& classes;
  const PathWords& words;
};

/// Adds to `found` its waits, and whether the rank has rows of them. `waiting`: calls in which somebody may wait, by
/// thread and begin. O(rows + calls · log).
void collect_path_waits(const trace::Profile& profile, const trace::Rank& rank, const PathWaitChoice& choice,
                        const PathGraph& graph, const std::vector<PathGraph::Event>& waiting, PathEvents& found);

}  // namespace warpscope::analysis
