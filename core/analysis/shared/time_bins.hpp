#pragma once
// Divides a time range into equal bins, for series computed from slices. The first bin starts where the range does; the
// last one may be shorter.
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

struct TimeBins {
  Interval extent;
  Ns width = kUsualBin;
  bool chosen = false;  ///< chosen automatically
  Ns sampled = 0;       ///< sampling interval of the series; 0: not sampled

  [[nodiscard]] std::uint64_t size() const;
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

/// Automatic bins are never narrower than `sampled`. Fails if there would be more than kMostTimeBins bins.
[[nodiscard]] Result<TimeBins> time_bins(Interval extent, const ParameterValues& values, Ns sampled = 0);

}  // namespace warpscope::analysis
