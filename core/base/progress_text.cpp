#include "core/base/progress_text.hpp"

#include <cmath>

#include "core/base/format.hpp"

namespace warpscope {

std::string progress_text(std::uint64_t done, std::uint64_t total, double bytes_per_second,
                          std::optional<double> seconds_left) {
  if (total > 0 && done >= total) return format_bytes(static_cast<std::int64_t>(total)) + " read, building tracks";
  std::string text =
      format_bytes(static_cast<std::int64_t>(done)) + " of " + format_bytes(static_cast<std::int64_t>(total));
  if (bytes_per_second > 0) text += " · " + format_bytes(std::llround(bytes_per_second)) + "/s";
  if (seconds_left) {
    // Rounds up to whole seconds, so it never shows "0 s left".
    const auto seconds = static_cast<std::int64_t>(std::ceil(*seconds_left));
    const std::string time = seconds < 60     ? std::to_string(seconds) + " s"
                             : seconds < 3600 ? std::to_string((seconds + 30) / 60) + " min"
                                              : format_duration(seconds * 1'000'000'000);
    text += " · " + time + " left";
  }
  return text;
}

}  // namespace warpscope
