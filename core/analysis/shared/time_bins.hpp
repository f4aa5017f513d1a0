#pragma once
// A stretch of time in equal bins, for series that are computed from slices. Bins begin where the stretch does; the
// last one may be cut short by its end.
#include <cstdint>
#include <optional>
#include <string>

#include "core/analysis/request/parameters.hpp"
#include "core/base/result.hpp"
#include "core/base/time.hpp"

namespace warpscope::analysis {

/// What a bin lasts that is chosen for a profile of 50 s or more: the interval at which SageMaker samples.
inline constexpr Ns kUsualBin = 500'000'000;
inline constexpr std::uint64_t kMostTimeBins = 100'000;

struct TimeBins {
  Interval extent;
  Ns width = kUsualBin;
  bool chosen = false;  ///< by us, not by the user
  Ns sampled = 0;       ///< what the series is told from was sampled so far apart; 0: it was not sampled

  [[nodiscard]] std::uint64_t size() const;
  /// ns, absolute.
  [[nodiscard]] Interval operator[](std::uint64_t bin) const;
  /// "Bins of 500 ms.", and why if we chose.
  [[nodiscard]] std::string note() const;
};

/// The parameter "bin": a duration, or auto.
[[nodiscard]] constexpr Parameter bin_parameter() {
  return {.name = "bin",
          .about = "width of a time bin; auto is 500 ms, or less if that gives only a few bins",
          .kind = ParameterKind::duration,
          .preset = Parameter::kAutomatic,
          .least = 1};
}

/// Bins that we choose are never finer than what was `sampled`. Errors: more than kMostTimeBins bins.
[[nodiscard]] Result<TimeBins> time_bins(Interval extent, const ParameterValues& values, Ns sampled = 0);

}  // namespace warpscope::analysis
