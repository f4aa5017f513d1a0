#pragma once
// Finds nodes of a SageMaker job without system metrics. Its nodes are algo-1 to algo-N; if some are missing, rules and
// averages cover only part of the job.

namespace warpscope::trace {

class Profile;

/// Adds the diagnostic "nodes-missing" if nodes are missing up to the largest number, or up to the number of instances
/// in a saved description of the job. Does nothing without system metrics, or if their nodes have other names. Only for
/// complete profiles.
void note_missing_nodes(Profile& profile);

}  // namespace warpscope::trace
