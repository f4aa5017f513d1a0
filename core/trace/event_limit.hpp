#pragma once
// Maximum text length of one event, shared by all code that handles individual events: the readers, code that rereads
// an event, and the event archive.
#include <cstddef>

namespace warpscope::trace {

/// Number of bytes after which a reader stops looking for the end of an event.
inline constexpr std::size_t kLongestEvent = std::size_t{64} << 20;

/// Upper bound on the length of any accepted event. Readers read ahead by up to half of their buffered text, so whether
/// an event longer than kLongestEvent is accepted depends on block boundaries. Code that rereads an event must not be
/// stricter than the reader that accepted it.
inline constexpr std::size_t kMostEventText = 2 * kLongestEvent;

}  // namespace warpscope::trace
