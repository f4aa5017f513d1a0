#pragma once
// Bandwidths as the field writes them: bytes a second in decimal units, up to GB/s, as traces, vendors and HTA have
// them. Bytes themselves are in binary ones (format.hpp). Figures that are compared share a unit, that of the greatest.
#include <cstdint>
#include <string>

namespace warpscope {

struct RateUnit {
  std::int64_t size = 1;  ///< bytes a second
  const char* name = "B/s";
};

/// The largest unit in which `greatest` is 0.1 or more.
[[nodiscard]] RateUnit rate_unit(double greatest);

/// "14.5 GB/s": three significant figures in `unit`, but no more than four decimals.
[[nodiscard]] std::string format_byte_rate(double rate, RateUnit unit);
/// The same in the unit that it has by itself.
[[nodiscard]] std::string format_byte_rate(double rate);

}  // namespace warpscope
