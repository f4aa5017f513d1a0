#pragma once
// Divides a time range into equal bins, for series computed from slices. The first bin starts where the range does; the
// last one may be shorter. A profile may span decades because of a few corrupt times or of clocks that disagree, so
// code that creates values at regular times must take these times from here: the number of bins is bounded.
#include <cstdint>
#include <optional>
#include <string>

#include "core/analysis/request/parameters.hpp"
#include "core/base/result.hpp"
#include "core/base/time.hpp"

namespace warpscope::analysis {

/// Default bin width for a profile of 50 s or more: the interval at which SageMaker takes samples.
inline constexpr Ns kUsualBin = 500'000'000;
inline constexpr std::uint64_t kMostTimeBins = 100'000;
/// Limit for the bins of all series together.
inline constexpr std::uint64_t kMostBinValues = 2'000'000;

/// Returns the maximum number of bins for so many series.
[[nodiscard]] std::uint64_t most_time_bins(std::uint64_t series);

struct TimeBins {
  Interval extent;
  Ns width = kUsualBin;
  bool chosen = false;  ///< chosen automatically
  Ns sampled = 0;       ///< sampling interval of the series; 0: not sampled

  [[nodiscard]] std::uint64_t size() const;
  /// Increases the width if there would be more than most_time_bins(series) bins.
  void widen(std::uint64_t series);
  /// ns, absolute.
  [[nodiscard]] Interval operator[](std::uint64_t bin) const;
  /// Returns "Bins of 500 ms.", with the reason if the width was chosen automatically.
  [[nodiscard]] std::string note() const;
};

/// Parameter "bin": a duration, or auto.
[[nodiscard]] constexpr Parameter bin_parameter() {
  return duration_parameter("bin",
                            "width of a time bin; auto is 500 ms, or less if that would result in only a few bins",
                            Parameter::kAutomatic, 1);
}

/// `series`: number of series that get a value in each bin. Automatic bins are never narrower than `sampled`. Fails if
/// the parameter would result in more than most_time_bins(series) bins.
[[nodiscard]] Result<TimeBins> time_bins(Interval extent, const ParameterValues& values, std::uint64_t series,
                                         Ns sampled = 0);

}  // namespace warpscope::analysis
