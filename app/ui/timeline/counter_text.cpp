#include "app/ui/timeline/counter_text.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/byte_rate.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {
namespace {

std::string plain_text(double value) {
  if (std::abs(value) < 1e9 && value == std::round(value)) return format_count(static_cast<std::int64_t>(value));
  const double size = std::abs(value);
  const int decimals = size >= 100 ? 1 : size >= 1 ? 2 : 4;
  const double scale = std::pow(10.0, decimals);
  if (size * scale > 9e15) return format_count(static_cast<std::int64_t>(std::clamp(value, -9e18, 9e18)));
  return format_decimal(std::llround(value * scale), decimals);
}

}  // namespace

std::string counter_text(double value, std::string_view unit) {
  if (unit == "B") return format_bytes(std::llround(std::clamp(value, -9e18, 9e18)));
  if (unit == "B/s") return format_byte_rate(value);
  return unit.empty() ? plain_text(value) : plain_text(value) + " " + std::string(unit);
}

}  // namespace warpscope::ui
