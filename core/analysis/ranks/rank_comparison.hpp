#pragma once
// Collectives matched across ranks, and the clocks used to compare their arrivals. All multi-rank analyses in a request
// share one RankComparison, so their results agree.
//
// Collectives are compared in one of three ways: by recorded times (`recorded`), on a common clock estimated from the
// collectives themselves (`aligned`; see clock_fit.hpp), or by kernel duration (`durations`). Ranks leave a collective
// together, so the longest kernel started first. Comparing durations does not depend on clocks and is the fallback when
// alignment is unsafe.
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/ranks/clock_fit.hpp"
#include "core/analysis/ranks/job_matching.hpp"
#include "core/analysis/request/parameters.hpp"

namespace warpscope::analysis {

enum class ClockChoice : std::uint8_t { aligned, recorded, durations };

inline constexpr std::array<std::string_view, 3> kClockChoices{"aligned", "recorded", "durations"};
inline constexpr std::array<std::string_view, 2> kClockDisplays{"aligned", "recorded"};
/// Parameter shared by analyses that compare ranks.
inline constexpr Parameter kClocksParameter = choice_parameter(
    "clocks",
    "clocks for comparing ranks: aligned by collective end times, as recorded, or none (kernel durations only)",
    kClockChoices);
[[nodiscard]] ClockChoice clock_choice(const ParameterValues& values);

/// When each rank arrives at a collective, on the chosen clock.
struct CollectiveTiming {
  ClockChoice clock = ClockChoice::recorded;  ///< basis of the times
  std::vector<Interval> times;                ///< by member
  std::vector<std::uint32_t> order;           ///< members by start; the last one arrived last
  Ns last_start = 0;
  Ns skew = 0;        ///< first to last start
  Ns waited = 0;      ///< sum of the members' times from their start to the last start
  Ns marginal = 0;    ///< second to last to last start
  Ns transfer = 0;    ///< from the last start to the first end
  Ns end_spread = 0;  ///< first to last end
  bool waits = true;  ///< false: the ranks do not leave together and clocks are not safe, so waits are unknown

  [[nodiscard]] Ns wait_of(std::uint32_t member) const { return last_start - times[member].begin; }
  [[nodiscard]] std::uint32_t last() const { return order.back(); }
  /// Returns the member with the median arrival, used as the reference for the last one.
  [[nodiscard]] std::uint32_t reference() const { return order[(order.size() - 1) / 2]; }
};

class RankComparison {
 public:
  RankComparison(const AnalysisInput& input, const GpuRows& rows);

  [[nodiscard]] const JobCollectives& matches() const { return matches_; }
  [[nodiscard]] const ClockFit& clocks() const { return clocks_; }
  /// Returns the step name of a collective's first member; "" outside steps.
  [[nodiscard]] std::string_view step_of(const JobCollective& collective) const;
  /// True if all members of the collective have the same role: they run the same kinds and sizes of collectives, so
  /// they should arrive together. False for sends and receives, and across pipeline stages.
  [[nodiscard]] bool symmetric(const JobCollective& collective) const;
  /// Returns a number that identifies a rank's role.
  [[nodiscard]] std::uint32_t role_of(std::uint32_t rank) const { return roles_[rank]; }
  /// Returns a rank's pipeline stage; 0 without a pipeline.
  [[nodiscard]] std::uint32_t stage_of(std::uint32_t rank) const { return stages_[rank]; }

  /// Converts a time on a rank (index) to the chosen clock; with `durations`, to the best estimate of the common clock.
  [[nodiscard]] Ns time_on(ClockChoice choice, std::uint32_t rank, Ns time) const {
    return choice == ClockChoice::recorded ? saturating_difference(time, profile_.ranks[rank]->clock_shift)
                                           : clocks_.aligned(rank, time);
  }
  /// Returns how far ahead a rank's clock was during recording, in ns. The profile's clocks may have been aligned
  /// since.
  [[nodiscard]] double recorded_offset(std::uint32_t rank) const {
    return clocks_.ranks[rank].offset - static_cast<double>(profile_.ranks[rank]->clock_shift);
  }
  [[nodiscard]] CollectiveTiming timing(const JobCollective& collective, ClockChoice choice) const;
  /// True if the collective's step (or the collective itself, if outside steps) is in the scope's range.
  [[nodiscard]] bool in_scope(const JobCollective& collective, const Scope& scope) const;
  [[nodiscard]] bool in_scope(const CommunicationEvent& event, const Scope& scope) const;

  /// Describes the clocks used.
  [[nodiscard]] std::string clock_note(ClockChoice choice) const;
  /// Describes how collectives were matched and why some were not.
  [[nodiscard]] std::string match_note() const;
  [[nodiscard]] std::size_t bytes() const { return matches_.bytes() + clocks_.ranks.size() * sizeof(RankClock); }

 private:
  void find_roles();

  const trace::Profile& profile_;
  JobCollectives matches_;
  ClockFit clocks_;
  std::vector<std::uint32_t> roles_;   // by rank index
  std::vector<std::uint32_t> stages_;  // same
};

/// Returns the comparison of the scope's ranks, shared within a request.
[[nodiscard]] std::shared_ptr<const RankComparison> compare_ranks(const AnalysisInput& input);

/// Returns why too few ranks can be compared: "Comparing clocks requires at least two ranks; only 1 of 8 ranks has a
/// trace."; omits the second part unless the traces record the number of ranks.
[[nodiscard]] std::string too_few_ranks(const trace::Profile& profile, std::string_view doing);

/// Returns rank numbers, ascending: "0 1 2 3", "0-31".
[[nodiscard]] std::string rank_list(const trace::Profile& profile, const JobCollectives& matches,
                                    const JobCollective& collective);

}  // namespace warpscope::analysis
