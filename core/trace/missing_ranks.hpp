#pragma once
// Finds ranks of a job that have no trace, and nodes of a SageMaker job that have no system metrics. Every trace of a
// distributed job records the number of ranks. If ranks are missing, job-wide sums are incomplete, and the late rank
// may be among the missing ones. SageMaker's nodes are named algo-1 to algo-N; if nodes are missing, rules and averages
// cover only part of the job.
#include <cstdint>
#include <set>
#include <string>

namespace warpscope::trace {

class Profile;

struct MissingRanks {
  std::uint64_t count = 0;
  std::string text;  ///< "2, 5–7 of 8"; "" if none is missing
  std::int64_t world = 0;
};

/// Returns the ranks 0 … world - 1 that are not in `present`. The text lists only the first six ranges; the count
/// includes all. Empty if `world` is 0 (unknown), or if `present` contains a rank outside 0 … world - 1, which must
/// belong to another job. O(present).
[[nodiscard]] MissingRanks missing_ranks(const std::set<std::int64_t>& present, std::int64_t world);

/// Returns the ranks of the profile's largest job without a trace; none if the traces do not contain rank numbers.
[[nodiscard]] MissingRanks missing_ranks(const Profile& profile);

/// Adds the diagnostic "ranks-missing" if ranks are missing, with severity info if the user opened a single file,
/// otherwise warning. Does nothing if any file does not record its rank. Only for complete profiles.
void note_missing_ranks(Profile& profile);

/// Adds the diagnostic "nodes-missing" if nodes are missing. The expected number of nodes is the largest node number or
/// the instance count in a saved job description, whichever is larger. Does nothing if there are no system metrics or
/// the nodes are named differently. Only for complete profiles.
void note_missing_nodes(Profile& profile);

}  // namespace warpscope::trace
