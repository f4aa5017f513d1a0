#pragma once
// Checks whether a time is plausible as a recording date. Other times are relative to a base stored elsewhere, or to an
// unknown origin.
#include <charconv>
#include <optional>
#include <string_view>

#include "core/base/time.hpp"

namespace warpscope::ingest {

inline constexpr Ns kEarliestRecording = Ns{978'307'200} * 1'000'000'000;  // 2001
inline constexpr Ns kLatestRecording = Ns{4'102'444'800} * 1'000'000'000;  // 2100

/// `time`: ns since the Unix epoch.
[[nodiscard]] constexpr bool plausible_time(Ns time) { return time >= kEarliestRecording && time <= kLatestRecording; }

/// Parses 10 digits as seconds, 13 as milliseconds, 16 as microseconds or 19 as nanoseconds since the Unix epoch;
/// nullopt for any other number of digits, or if the time is outside the range above.
[[nodiscard]] inline std::optional<Ns> time_of_digits(std::string_view digits) {
  Ns value = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc{}) return std::nullopt;
  const Ns unit = digits.size() == 10   ? 1'000'000'000
                  : digits.size() == 13 ? 1'000'000
                  : digits.size() == 16 ? 1'000
                  : digits.size() == 19 ? 1
                                        : 0;
  if (unit == 0 || value > kLatestRecording / unit) return std::nullopt;
  return plausible_time(value * unit) ? std::optional(value * unit) : std::nullopt;
}

}  // namespace warpscope::ingest
