#pragma once
// Which communication kernels of several ranks belong to one collective.
//
// Where the arguments of the kernels give the process group, kernels match within the group: by sequence number if all
// have one, else the k-th with the k-th, if every rank ran equally many in the step. Without process groups, as before
// PyTorch 2.3, ranks match only if all ran equally many kernels of each name, and the ends of these agree: all ranks
// leave a collective together. What cannot be told is not matched, and counted.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/shared/gpu_rows.hpp"

namespace warpscope::analysis {

/// The k-th step of a name; {0, 0}: outside steps.
using StepKey = std::pair<NameId, std::uint32_t>;

/// The keys of a rank's steps.
[[nodiscard]] std::vector<StepKey> step_keys(const trace::Rank& rank);

struct CollectiveMember {
  std::uint32_t rank = 0;  ///< index
  Interval time;
};

/// At least two members, one a rank.
struct MatchedCollective {
  std::uint32_t recording = 0;
  StepKey step;
  std::vector<CollectiveMember> members;
};

/// Kernels that were not matched.
struct UnmatchedKernels {
  std::uint64_t alone = 0;           ///< no other rank here has a counterpart
  std::uint64_t unequal = 0;         ///< ranks of the group ran different numbers of them
  std::uint64_t unknown_group = 0;   ///< other kernels have a process group, these have none
  std::uint64_t point_to_point = 0;  ///< sends and receives: who waits is not late
  std::uint64_t outside_steps = 0;   ///< without process groups, where there are steps

  [[nodiscard]] std::uint64_t count() const { return alone + unequal + unknown_group + point_to_point + outside_steps; }
};

struct CollectiveMatches {
  std::vector<MatchedCollective> collectives;  ///< by recording and step
  UnmatchedKernels unmatched;
  std::string refused;     ///< why ranks cannot be compared by kernel names; "" if they can
  std::string unreadable;  ///< the first error reading arguments: nothing is matched; "" without errors
  bool by_name = false;    ///< there are no process groups
};

/// Matches the communication kernels that `rows` finds. With a range, those of steps within it. O(n log n), and a pass
/// over the text of each rank.
[[nodiscard]] CollectiveMatches match_collectives(const AnalysisInput& input, const GpuRows& rows);

/// What was not matched and why, as a sentence; "" if everything was.
[[nodiscard]] std::string unmatched_note(const CollectiveMatches& matches);

}  // namespace warpscope::analysis
