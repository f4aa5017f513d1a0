#pragma once
// Matches the events of one process group or stream (see job_matching.hpp).
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/ranks/job_matching.hpp"

namespace warpscope::analysis {

struct GroupMatches {
  std::vector<std::vector<std::uint32_t>> clusters;  ///< events, at most one per rank; some clusters have only one
  MatchedBy by = MatchedBy::sequence;
  std::vector<std::pair<std::uint32_t, std::string>> ambiguous;  ///< ranks that match in several ways, with the reason
};

/// `events`: the group's events from at least two ranks, sorted by rank, then by start. O(n log n + 256 n).
[[nodiscard]] GroupMatches match_group_events(const trace::Profile& profile, const JobEvents& job, std::uint32_t group,
                                              std::vector<std::uint32_t> events);

}  // namespace warpscope::analysis
