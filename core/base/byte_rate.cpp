#include "core/base/byte_rate.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/format.hpp"

namespace warpscope {
namespace {

constexpr std::array kRateUnits{RateUnit{1, "B/s"}, RateUnit{1'000, "kB/s"}, RateUnit{1'000'000, "MB/s"},
                                RateUnit{1'000'000'000, "GB/s"}};
constexpr int kRateDigits = 3;
constexpr int kMostRateDecimals = 4;
constexpr double kMostInteger = 9e18;  // fits in int64

}  // namespace

RateUnit rate_unit(double greatest) {
  RateUnit chosen = kRateUnits.front();
  for (const RateUnit& unit : kRateUnits)
    if (std::abs(greatest) >= 0.1 * static_cast<double>(unit.size)) chosen = unit;
  return chosen;
}

std::string format_byte_rate(double rate, RateUnit unit) {
  if (!std::isfinite(rate)) return std::string(kNoFigure);
  const double shown = rate / static_cast<double>(unit.size);
  const std::string name = std::string(" ") + unit.name;
  if (shown == 0) return "0" + name;
  const int before = static_cast<int>(std::floor(std::log10(std::abs(shown)))) + 1;
  const int decimals = unit.size == 1 ? 0 : std::clamp(kRateDigits - before, 0, kMostRateDecimals);
  const double scaled = std::clamp(shown * std::pow(10.0, decimals), -kMostInteger, kMostInteger);
  return format_decimal(std::llround(scaled), decimals) + name;
}

std::string format_byte_rate(double rate) { return format_byte_rate(rate, rate_unit(rate)); }

}  // namespace warpscope
