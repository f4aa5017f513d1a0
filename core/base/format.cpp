#include "core/base/format.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace warpscope {

namespace {

using Magnitude = std::uint64_t;  // of any Ns, including the minimum

constexpr Magnitude kMicrosecond = 1'000;
constexpr Magnitude kMillisecond = 1'000'000;
constexpr Magnitude kSecond = 1'000'000'000;
constexpr Magnitude kMinute = 60 * kSecond;
constexpr Magnitude kHour = 60 * kMinute;
constexpr Magnitude kDay = 24 * kHour;

Magnitude magnitude(std::int64_t value) {
  return value < 0 ? Magnitude{0} - static_cast<Magnitude>(value) : static_cast<Magnitude>(value);
}

Magnitude rounded(Magnitude value, Magnitude quantum) { return (value + quantum / 2) / quantum * quantum; }

std::string digits(Magnitude value, int least = 1) { return fmt::format("{:0{}}", value, least); }

std::string grouped(Magnitude value) {
  const std::string plain = digits(value);
  std::string out;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    if (i > 0 && (plain.size() - i) % 3 == 0) out += kThinSpace;
    out += plain[i];
  }
  return out;
}

// Formats value / unit with decimals down to `quantum`. `value` must be a multiple of `quantum`, and unit / quantum a
// power of ten. Groups decimals in threes.
std::string fixed(Magnitude value, Magnitude unit, Magnitude quantum) {
  std::string out = digits(value / unit);
  Magnitude rest = value % unit;
  int decimal = 0;
  for (Magnitude place = unit / 10; place >= quantum && place > 0; place /= 10, ++decimal) {
    if (decimal == 0) {
      out += '.';
    } else if (decimal % 3 == 0) {
      out += kThinSpace;
    }
    out += static_cast<char>('0' + rest / place);
    rest %= place;
  }
  return out;
}

// Durations that round to less than `below` are shown in `unit`, rounded to `quantum`.
struct Step {
  Magnitude below;
  Magnitude unit;
  Magnitude quantum;
  const char* name;
};

constexpr std::array kSteps{
    Step{kMicrosecond, 1, 1, " ns"},
    Step{10 * kMicrosecond, kMicrosecond, 10, " µs"},
    Step{100 * kMicrosecond, kMicrosecond, 100, " µs"},
    Step{kMillisecond, kMicrosecond, kMicrosecond, " µs"},
    Step{10 * kMillisecond, kMillisecond, 10 * kMicrosecond, " ms"},
    Step{100 * kMillisecond, kMillisecond, 100 * kMicrosecond, " ms"},
    Step{kSecond, kMillisecond, kMillisecond, " ms"},
    Step{10 * kSecond, kSecond, kMillisecond, " s"},
    Step{kMinute, kSecond, 100 * kMillisecond, " s"},
};

// Formats durations of a minute or more in two units.
std::string format_long(Magnitude value) {
  if (const Magnitude v = rounded(value, kSecond); v < kHour)
    return digits(v / kMinute) + " m " + digits(v % kMinute / kSecond, 2) + " s";
  if (const Magnitude v = rounded(value, kMinute); v < kDay)
    return digits(v / kHour) + " h " + digits(v % kHour / kMinute, 2) + " m";
  if (const Magnitude v = rounded(value, kHour); v < 100 * kDay)
    return digits(v / kDay) + " d " + digits(v % kDay / kHour, 2) + " h";
  return grouped(rounded(value, kDay) / kDay) + " d";
}

}  // namespace

std::string format_duration(Ns duration) {
  const std::string sign = duration < 0 ? "-" : "";
  const Magnitude value = magnitude(duration);
  for (const Step& step : kSteps)
    if (const Magnitude v = rounded(value, step.quantum); v < step.below)
      return sign + fixed(v, step.unit, step.quantum) + step.name;
  return sign + format_long(value);
}

std::string format_time_at(Ns t, Ns resolution) {
  Magnitude quantum = 1;
  while (quantum < kSecond && resolution >= static_cast<Ns>(1000 * quantum)) quantum *= 1000;
  const Magnitude value = rounded(magnitude(t), quantum);
  std::string out = t < 0 && value > 0 ? "-" : "";
  if (value >= kMinute) {
    const bool hours = value >= kHour;
    if (hours) out += grouped(value / kHour) + " h ";
    out += digits(value % kHour / kMinute, hours ? 2 : 1) + " m ";
    const Magnitude rest = value % kMinute;
    return out + (rest < 10 * kSecond ? "0" : "") + fixed(rest, kSecond, quantum) + " s";
  }
  const Magnitude scale = value == 0 ? quantum : value;
  if (scale >= kSecond) return out + fixed(value, kSecond, quantum) + " s";
  if (scale >= kMillisecond) return out + fixed(value, kMillisecond, quantum) + " ms";
  if (scale >= kMicrosecond) return out + fixed(value, kMicrosecond, quantum) + " µs";
  return out + digits(value) + " ns";
}

std::string format_bytes(std::int64_t bytes) {
  static constexpr std::array kUnits{" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
  const Magnitude value = magnitude(bytes);
  std::string out = bytes < 0 ? "-" : "";
  if (value < 1024) return out + digits(value) + kUnits[0];
  auto scaled = static_cast<double>(value);
  std::size_t unit = 0;
  // 1023.5 and above would round to 1024 of this unit.
  while (unit + 1 < kUnits.size() && scaled >= 1023.5) {
    scaled /= 1024;
    ++unit;
  }
  const int decimals = scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0;
  return out + fmt::format("{:.{}f}", scaled, decimals) + kUnits[unit];
}

std::string format_count(std::int64_t count) { return (count < 0 ? "-" : "") + grouped(magnitude(count)); }

std::string format_share(double fraction) {
  if (!std::isfinite(fraction)) return std::string(kNoFigure);
  const std::string out = fmt::format("{:.1f}", fraction * 100);
  return (out == "-0.0" ? "0.0" : out) + " %";
}

std::string format_decimal(std::int64_t value, int decimals) {
  Magnitude unit = 1;
  for (int i = 0; i < decimals; ++i) unit *= 10;
  const Magnitude whole = magnitude(value);
  std::string out = (value < 0 ? "-" : "") + grouped(whole / unit);
  return decimals > 0 ? out + "." + digits(whole % unit, decimals) : out;
}

}  // namespace warpscope
