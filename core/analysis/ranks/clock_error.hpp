#pragma once
// The error bound of aligned clocks as text; used by notes of analyses and by the top bar.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/base/format.hpp"
#include "core/base/time.hpp"

namespace warpscope::analysis {

/// Formats the error bound of aligned clocks (ns), rounded up to whole µs because most recorded times are no more
/// precise: "±2 µs".
[[nodiscard]] inline std::string clock_error_text(Ns error) {
  constexpr Ns kMicrosecond = 1'000;
  if (error >= 1'000 * kMicrosecond) return "±" + format_duration(error);
  return fmt::format("±{} µs", std::max<Ns>(1, (error + kMicrosecond - 1) / kMicrosecond));
}

}  // namespace warpscope::analysis
