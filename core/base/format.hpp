#pragma once
// Figures as people read them, the same way on every page and in every command. Exact figures (CSV, JSON) do not come
// through here.
//
//   format_duration  812 ns · 3.41 µs · 12.3 ms · 1.204 s · 41.2 s · 2 m 03 s · 1 h 02 m · 3 d 04 h
//   format_time_at   12.310 s · 12.310 450 s · 2 m 03.310 s: as many digits as `resolution` asks for
//   format_bytes     812 B · 3.41 KiB · 12.3 MiB
//   format_count     1 234 567 (thin spaces)
//   format_share     81.3 %
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.hpp"
#include "core/base/time.hpp"

namespace warpscope {

/// U+2009, between groups of three digits.
inline constexpr std::string_view kThinSpace = "\u2009";
/// What stands for a figure that there is none of.
inline constexpr std::string_view kNoFigure = "–";

/// Three significant figures and the unit; four from 1 s to 10 s (most steps of training last that long, and their
/// differences are milliseconds); two units from a minute on. Rounds half away from zero. Any value; `-` if negative.
[[nodiscard]] std::string format_duration(Ns duration);

/// A point in time, for a ruler whose marks stand `resolution` ns apart: neighbours differ, and all marks of one ruler
/// have the same number of digits behind their point as long as they have the same unit. Digits come in groups of
/// three, parted by thin spaces.
[[nodiscard]] std::string format_time_at(Ns t, Ns resolution);

/// Three significant figures (four from 1000 up to 1023) in binary units.
[[nodiscard]] std::string format_bytes(std::int64_t bytes);

[[nodiscard]] std::string format_count(std::int64_t count);

/// `fraction` of one, in percent with one decimal. NaN and infinities: kNoFigure.
[[nodiscard]] std::string format_share(double fraction);

/// `value` / 10^`decimals` with all its decimals and thin spaces between groups of three digits before the point.
[[nodiscard]] std::string format_decimal(std::int64_t value, int decimals);

/// Reads a time or duration as people write it, exactly: "12.3ms", "1.5 s", "100us", "100 µs", "2 m 03 s", "-5ms"; a
/// bare whole number is ns. Everything that format_duration and format_time_at write is read back. Errors: no number,
/// unknown unit, finer than 1 ns, beyond the range of Ns.
[[nodiscard]] Result<Ns> parse_time(std::string_view text);

/// Reads a number of bytes as people write it: "8G", "512M", "1.5 GiB", "20 GB", "4096". K, M, G, T and KiB … are
/// powers of 1024, KB … of 1000; capitals do not matter. Fractions of a byte are dropped. Everything that format_bytes
/// writes of 0 and more is read back. Errors: no number, a sign, unknown unit, 2^63 and more.
[[nodiscard]] Result<std::uint64_t> parse_bytes(std::string_view text);

/// True if `word` is a unit that parse_time knows ("ns", "us", "µs", "ms", "s", "m", "min", "h", "d").
[[nodiscard]] bool is_time_unit(std::string_view word);

}  // namespace warpscope
