#pragma once
// Determines which kernels on different ranks belong to the same collective. All multi-rank analyses use this.
//
// Within a process group, kernels are matched by the sequence numbers that PyTorch records. Without them, ranks must
// first be aligned. If they have steps with equally many runs, the offset is the median difference between the end
// times of the k-th runs in these steps; otherwise, it comes from a Hough transform of end times (end_offsets.hpp).
// End times are then merged in order. Each collective has one run per rank; signatures are equal, and end times agree
// because all ranks leave together. If recordings start at different times, matching by order alone would assign up to
// three quarters of the runs to the wrong collectives. Traces without process groups are matched by end times within
// each stream. Their offset comes from the signature that most runs agree on, such as all-reduces across the whole job.
//
// A rank that does not match is rejected with a reason; matches are never guessed. O(n log n + 256 n).
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/ranks/job_events.hpp"

namespace warpscope::analysis {

enum class MatchedBy : std::uint8_t {
  sequence,  ///< sequence numbers
  order,     ///< steps of equal contents on all ranks
  ends,      ///< end times within the process group
  streams,   ///< end times within a stream: no process groups are recorded
};
inline constexpr std::size_t kMatchedBy = 4;

/// A collective with runs on at least two ranks.
struct JobCollective {
  std::uint32_t first = 0;  ///< in JobCollectives::members
  std::uint32_t count = 0;
  std::uint32_t group = 0;
  std::uint32_t signature = 0;
  MatchedBy by = MatchedBy::sequence;
};

struct RankMatch {
  std::uint64_t events = 0;   ///< communication kernels
  std::uint64_t alone = 0;    ///< of these, kernels whose group has no kernels on any other loaded rank
  std::uint64_t matched = 0;  ///< of these, kernels in a collective of several ranks
  std::string refused;        ///< why the rank is not compared; "" if it is
};

struct JobCollectives {
  JobEvents job;
  std::vector<JobCollective> collectives;      ///< by latest start, as recorded
  std::vector<std::uint32_t> members;          ///< indices of events, by rank within a collective
  std::vector<std::uint32_t> collective_of;    ///< by event; kNoIndex if unmatched
  std::vector<RankMatch> ranks;                ///< by rank index
  std::vector<std::uint32_t> compared;         ///< indices of the requested ranks
  std::array<std::uint64_t, kMatchedBy> by{};  ///< number of collectives by matching method

  [[nodiscard]] std::span<const std::uint32_t> members_of(const JobCollective& collective) const {
    return std::span(members).subspan(collective.first, collective.count);
  }
  [[nodiscard]] const CommunicationEvent& event(std::uint32_t index) const { return job.events[index]; }
  [[nodiscard]] const CollectiveSignature& signature(const JobCollective& collective) const {
    return job.signatures[collective.signature];
  }
  [[nodiscard]] const CollectiveGroup& group(const JobCollective& collective) const {
    return job.groups[collective.group];
  }
  [[nodiscard]] std::size_t bytes() const;

  /// Removes ranks whose RankMatch::refused is set from all collectives; drops collectives left with one rank.
  /// O(members).
  void drop_refused();
};

/// Matches communication across the ranks in `rows`, which must not have a range.
[[nodiscard]] JobCollectives match_job(const AnalysisInput& input, const GpuRows& rows);

}  // namespace warpscope::analysis
