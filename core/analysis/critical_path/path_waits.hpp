#pragma once
// Finds waits during the events of a critical path: recorded waits, or else the host's blocking calls.
#include <vector>

#include "core/analysis/critical_path/path_events.hpp"
#include "core/analysis/critical_path/path_words.hpp"

namespace warpscope::analysis {

struct PathWaitChoice {
  Interval until;  ///< half-open; analyzed time range of the rank
  const KernelClasses::Choice& classes;
  const PathWords& words;
};

/// Adds waits to `found`, and whether the rank has recorded ones. `waiting`: calls that may wait, by thread and start.
/// O(rows + calls · log).
void collect_path_waits(const trace::Profile& profile, const trace::Rank& rank, const PathWaitChoice& choice,
                        const PathGraph& graph, const std::vector<PathGraph::Event>& waiting, PathEvents& found);

}  // namespace warpscope::analysis
