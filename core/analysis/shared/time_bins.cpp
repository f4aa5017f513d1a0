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

Result<TimeBins> time_bins(Interval extent, const ParameterValues& values, Ns sampled) {
  TimeBins bins{extent, kUsualBin, values.automatic("bin"), sampled};
  if (!bins.chosen) {
    bins.width = values.duration("bin");
  } else if (extent.length() < 100 * kUsualBin) {
    bins.width = round_width(std::max<Ns>(1, extent.length() / 100));
  } else if (static_cast<std::uint64_t>(extent.length() / kUsualBin) >= kMostTimeBins) {
    bins.width = extent.length() / static_cast<Ns>(kMostTimeBins) + 1;
  }
  if (bins.chosen) bins.width = std::max(bins.width, sampled);
  if (bins.size() > kMostTimeBins)
    return Error{"bin", fmt::format("{} would produce {} points", format_duration(bins.width), bins.size()),
                 "choose " + format_duration(extent.length() / static_cast<Ns>(kMostTimeBins) + 1) + " or more"};
  return bins;
}

}  // namespace warpscope::analysis
