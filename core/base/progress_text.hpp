#pragma once
// Formats progress for the window and the command line.
#include <cstdint>
#include <optional>
#include <string>

namespace warpscope {

/// "1.20 GiB of 4.80 GiB · 812 MiB/s · 5 s left". Omits the rate while it is 0 and the remaining time while it is
/// unknown. Returns "4.80 GiB read, building tracks" once everything has been read. `bytes_per_second` ≥ 0,
/// `seconds_left` ≥ 0.
[[nodiscard]] std::string progress_text(std::uint64_t done, std::uint64_t total, double bytes_per_second,
                                        std::optional<double> seconds_left);

}  // namespace warpscope
