#pragma once
// The GPU activities (runs) of all compared ranks, with conversions to a common clock.
#include <cstdint>
#include <vector>

#include "core/analysis/ranks/rank_runs.hpp"

namespace warpscope::analysis {

/// Whether several ranks include those without matched collectives.
enum class Unmatched : std::uint8_t { never, if_all };

class JobRuns {
 public:
  /// `choice` selects the common clock. The comparison must outlive this object.
  JobRuns(const AnalysisInput& input, const RankComparison& comparison, ClockChoice choice,
          HostRule rule = HostRule::thread, Unmatched unmatched = Unmatched::never);

  [[nodiscard]] const RankComparison& comparison() const { return comparison_; }
  [[nodiscard]] ClockChoice choice() const { return choice_; }
  [[nodiscard]] std::size_t ranks() const { return ranks_.size(); }
  /// Empty for ranks that are not compared.
  [[nodiscard]] const RankRuns& of(std::uint32_t rank) const { return ranks_[rank]; }
  /// Converts a rank's recorded time to the common clock.
  [[nodiscard]] Ns common(std::uint32_t rank, Ns recorded) const {
    return comparison_.time_on(choice_, rank, recorded);
  }
  /// Converts a time on the common clock to the rank's recorded time.
  [[nodiscard]] Ns recorded(std::uint32_t rank, Ns on_common) const {
    return on_common + (on_common - common(rank, on_common));
  }

 private:
  const RankComparison& comparison_;
  ClockChoice choice_;
  std::vector<RankRuns> ranks_;  // by rank index
};

}  // namespace warpscope::analysis
