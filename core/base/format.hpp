#pragma once
// Formats numbers for display, consistently across all pages and commands. CSV and JSON use exact values instead.
//
//   format_duration  812 ns · 3.41 µs · 12.3 ms · 1.204 s · 41.2 s · 2 m 03 s · 1 h 02 m · 3 d 04 h
//   format_time_at   12.310 s · 12.310 450 s · 2 m 03.310 s: as many digits as `resolution` requires
//   format_bytes     812 B · 3.41 KiB · 12.3 MiB
//   format_count     1 234 567 (thin spaces)
//   format_share     81.3 %
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.hpp"
#include "core/base/time.hpp"

namespace warpscope {

/// U+2009, the digit group separator.
inline constexpr std::string_view kThinSpace = "\u2009";
/// Placeholder for a missing value.
inline constexpr std::string_view kNoFigure = "–";

/// Formats a duration with three significant digits and a unit. Uses four digits from 1 s to 10 s, because most
/// training steps take that long and differ by milliseconds. Uses two units for durations of a minute or more. Rounds
/// half away from zero. Accepts any value; negative ones start with `-`.
[[nodiscard]] std::string format_duration(Ns duration);

/// Formats a tick label for a ruler with a tick every `resolution` ns. Adjacent ticks get different labels, and ticks
/// with the same unit have the same number of decimal places. Thin spaces separate digit groups.
[[nodiscard]] std::string format_time_at(Ns t, Ns resolution);

/// Formats a size with three significant digits (four from 1000 to 1023) in binary units.
[[nodiscard]] std::string format_bytes(std::int64_t bytes);

[[nodiscard]] std::string format_count(std::int64_t count);

/// Formats `fraction` as a percentage with one decimal place; kNoFigure for NaN and infinities.
[[nodiscard]] std::string format_share(double fraction);

/// Formats `value` / 10^`decimals` with all decimal places and with thin spaces between digit groups before the decimal
/// point.
[[nodiscard]] std::string format_decimal(std::int64_t value, int decimals);

/// Parses a time or duration exactly: "12.3ms", "1.5 s", "100us", "100 µs", "2 m 03 s", "-5ms"; an integer without a
/// unit is in ns. Accepts any output of format_duration and format_time_at. Errors: no number, unknown unit, finer than
/// 1 ns, outside the range of Ns.
[[nodiscard]] Result<Ns> parse_time(std::string_view text);

/// Parses a number of bytes: "8G", "512M", "1.5 GiB", "20 GB", "4096". K, M, G, T and KiB … are powers of 1024, KB …
/// powers of 1000; case-insensitive. Discards fractions of a byte. Accepts any non-negative output of format_bytes.
/// Errors: no number, a sign, unknown unit, 2^63 or more.
[[nodiscard]] Result<std::uint64_t> parse_bytes(std::string_view text);

/// True if parse_time accepts `word` as a unit ("ns", "us", "µs", "ms", "s", "m", "min", "h", "d").
[[nodiscard]] bool is_time_unit(std::string_view word);

}  // namespace warpscope
