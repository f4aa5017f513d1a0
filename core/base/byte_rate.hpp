#pragma once
// Formats bandwidths in bytes per second with decimal units up to GB/s, as traces, vendors and HTA do. Byte counts use
// binary units (format.hpp). Values displayed together use the largest value's unit.
#include <cstdint>
#include <string>

namespace warpscope {

struct RateUnit {
  std::int64_t size = 1;  ///< bytes per second
  const char* name = "B/s";
};

/// Returns the largest unit in which `greatest` is at least 0.1.
[[nodiscard]] RateUnit rate_unit(double greatest);

/// Formats `rate` in `unit`, such as "14.5 GB/s": three significant digits, at most four decimal places.
[[nodiscard]] std::string format_byte_rate(double rate, RateUnit unit);
/// Same, in the unit that rate_unit() returns for `rate`.
[[nodiscard]] std::string format_byte_rate(double rate);

}  // namespace warpscope
