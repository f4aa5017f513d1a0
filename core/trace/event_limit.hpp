#pragma once
// Maximum text length of one event, shared by all code that handles single events: the readers, code that reads an
// event again, and the event archive.
#include <cstddef>

namespace warpscope::trace {

/// Bytes. A reader gives up on an event after this much text without its end.
inline constexpr std::size_t kLongestEvent = std::size_t{64} << 20;

/// Upper bound of the length of any accepted event. Readers read ahead by up to half of what they have, so whether an
/// event beyond kLongestEvent is accepted depends on block boundaries. Code that reads an event again must not be
/// stricter than the reader that accepted it.
inline constexpr std::size_t kMostEventText = 2 * kLongestEvent;

}  // namespace warpscope::trace
