#pragma once
// How long the text of one event may be. One number for all who handle events one by one: who reads them first, who
// looks at one again, and the format that keeps them.
#include <cstddef>

namespace warpscope::trace {

/// Bytes. A reader gives an event up once so much of it is there and its end is not.
inline constexpr std::size_t kLongestEvent = std::size_t{64} << 20;

/// No event that a reader took is longer: it takes text in ahead, by up to half of what it has, so where its blocks end
/// decides about events beyond kLongestEvent. Who looks at an event again must not be stricter than who took it.
inline constexpr std::size_t kMostEventText = 2 * kLongestEvent;

}  // namespace warpscope::trace
