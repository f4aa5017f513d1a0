#pragma once
// Matches collectives across ranks for code that compares only durations: the rules and potential_stragglers.
//
// If kernel arguments contain the process group, job_matching.hpp does the matching. Without process groups (before
// PyTorch 2.3), ranks match only if all of them ran the same number of kernels with each name and the kernels' end
// times agree, since all ranks leave a collective together. Ambiguous kernels are not matched, only counted.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/shared/gpu_rows.hpp"

namespace warpscope::analysis {

/// A step's name and its index among steps with that name; {0, 0} outside steps.
using StepKey = std::pair<NameId, std::uint32_t>;

/// Returns the keys of a rank's steps.
[[nodiscard]] std::vector<StepKey> step_keys(const trace::Rank& rank);

struct CollectiveMember {
  std::uint32_t rank = 0;  ///< index
  Interval time;
  trace::SliceOrdinal slice = 0;
};

/// A collective with at least two members, one per rank.
struct MatchedCollective {
  std::uint32_t recording = 0;
  StepKey step;
  std::vector<CollectiveMember> members;
};

/// The last rank to arrive. All ranks leave a collective together, so the last one has the shortest kernel.
struct LastArrival {
  const CollectiveMember* member = nullptr;  ///< in the collective
  Ns length = 0;                             ///< of its kernel
  Ns delay = 0;                              ///< after the second to last rank; 0 if several arrive last
  Ns wait = 0;                               ///< of all others
};
[[nodiscard]] LastArrival last_arrival(const MatchedCollective& collective);

/// Unmatched kernel counts by reason.
struct UnmatchedKernels {
  std::uint64_t alone = 0;           ///< no other rank in the profile has a matching kernel
  std::uint64_t unequal = 0;         ///< without process groups, in steps where ranks ran different numbers of kernels
  std::uint64_t refused = 0;         ///< of ranks that do not match the others
  std::uint64_t unknown_group = 0;   ///< without a process group although other kernels have one
  std::uint64_t point_to_point = 0;  ///< sends and receives: waiting there does not mean that a rank is late
  std::uint64_t outside_steps = 0;   ///< outside steps, without process groups

  [[nodiscard]] std::uint64_t count() const {
    return alone + unequal + refused + unknown_group + point_to_point + outside_steps;
  }
};

struct CollectiveMatches {
  std::vector<MatchedCollective> collectives;  ///< by recording and step
  UnmatchedKernels unmatched;
  std::string left_out;    ///< the first rank that does not match the others, and why; "" if all do
  std::string refused;     ///< why ranks cannot be matched by kernel name; "" if they can
  std::string unreadable;  ///< the first error reading arguments, which prevents any match; "" without errors
  bool by_name = false;    ///< no process groups in the traces
};

/// Matches the communication kernels in `rows`. If the scope has a range, matches only kernels in steps within the
/// range. O(n log n), plus a pass over each rank's file.
[[nodiscard]] CollectiveMatches match_collectives(const AnalysisInput& input, const GpuRows& rows);

/// Returns a sentence that counts unmatched kernels by reason; "" if all were matched.
[[nodiscard]] std::string unmatched_note(const CollectiveMatches& matches);

}  // namespace warpscope::analysis
