#pragma once
// The lower bound for load times: the cost of a bare simdjson On-Demand pass over the same text, on one thread, in
// pieces that fit into the cache. It reads phase, category, name, process, thread, time and duration of every event as
// raw text and stores nothing. No real loader can do less and still identify events.
//
// Pieces are cut at the last `}` `,` `{` `"key"` (ignoring white space) whose key can be the first key of an event. In
// valid JSON, this text cannot occur inside a string, because the quote before the key would end the string and the key
// would then follow without a comma. A wrong cut is therefore possible only at an object nested in an array, and
// simdjson detects it.
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.hpp"

namespace warpscope::bench {

/// Bytes of text passed to simdjson at a time.
inline constexpr std::size_t kFloorPiece = std::size_t{256} << 10;

struct FloorFigures {
  std::uint64_t text_bytes = 0;
  std::uint64_t events = 0;
  double cpu_seconds = 0;   ///< of the thread; includes reading plain files, excludes inflating compressed files
  double wall_seconds = 0;  ///< same
};

/// Measures a file, or every file below a directory. Fails if a file cannot be read or cut (corrupt, or not a Kineto
/// document).
[[nodiscard]] Result<FloorFigures> measure_floor(const std::string& path, std::size_t piece = kFloorPiece);

/// Returns where to cut [text, text + size): the comma between two events, or npos.
[[nodiscard]] std::size_t last_event_comma(std::string_view text);

}  // namespace warpscope::bench
