#include "core/analysis/shared/time_bins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/format.hpp"

namespace warpscope::analysis {

namespace {

/// Returns the smallest of 1, 2 or 5 times a power of ten that is at least `least`.
Ns round_width(Ns least) {
  for (Ns power = 1;; power *= 10)
    for (const Ns factor : std::array<Ns, 3>{1, 2, 5})
      if (factor * power >= least) return factor * power;
}

}  // namespace

std::uint64_t most_time_bins(std::uint64_t series) {
  return std::clamp<std::uint64_t>(kMostBinValues / std::max<std::uint64_t>(1, series), 1, kMostTimeBins);
}

void TimeBins::widen(std::uint64_t series) {
  const std::uint64_t most = most_time_bins(series);
  if (size() > most) width = extent.length() / static_cast<Ns>(most) + 1;
}

std::uint64_t TimeBins::size() const {
  if (extent.empty()) return 0;
  return static_cast<std::uint64_t>((extent.length() - 1) / width) + 1;
}

Interval TimeBins::operator[](std::uint64_t bin) const {
  const Ns begin = extent.begin + static_cast<Ns>(bin) * width;
  return {begin, std::min(saturating_add(begin, width), extent.end)};
}

std::string TimeBins::note() const {
  const std::string what = "Bins of " + format_duration(width);
  if (width < sampled) return what + ", finer than the sampling interval: each sample lasts until the next.";
  if (chosen && width == sampled) return what + ", the sampling interval.";
  return what + (chosen && width < kUsualBin ? ", chosen to fit the range." : ".");
}

Result<TimeBins> time_bins(Interval extent, const ParameterValues& values, std::uint64_t series, Ns sampled) {
  TimeBins bins{extent, kUsualBin, values.automatic("bin"), sampled};
  if (!bins.chosen) {
    bins.width = values.duration("bin");
    if (bins.size() > most_time_bins(series)) {
      const std::uint64_t would = bins.size();
      const Ns width = bins.width;
      bins.widen(series);
      return Error{"bin", fmt::format("{} would produce {} points", format_duration(width), would),
                   "choose " + format_duration(bins.width) + " or more"};
    }
    return bins;
  }
  if (extent.length() < 100 * kUsualBin) bins.width = round_width(std::max<Ns>(1, extent.length() / 100));
  bins.width = std::max(bins.width, sampled);
  bins.widen(series);
  return bins;
}

}  // namespace warpscope::analysis
