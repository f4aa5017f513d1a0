#pragma once
// Maximum text length of one event, shared by all code that handles individual events: the readers, code that rereads
// an event, and the event archive.
#include <cstddef>

namespace warpscope::trace {

/// Bytes of text after which a reader gives up on an event whose end it has not found.
inline constexpr std::size_t kLongestEvent = std::size_t{64} << 20;

/// Upper bound of the length of any accepted event. Readers read ahead by up to half the text they have, so whether an
/// event beyond kLongestEvent is accepted depends on block boundaries. Code that rereads an event must not be stricter
/// than the reader that accepted it.
inline constexpr std::size_t kMostEventText = 2 * kLongestEvent;

}  // namespace warpscope::trace
