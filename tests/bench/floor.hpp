#pragma once
// The floor for load times: the cost of a bare simdjson On-Demand pass over the same text, in pieces that stay in the
// cache, on one thread. It reads phase, category, name, process, thread, time and duration of every event as raw text
// and stores nothing. No product can do less and still identify events.
//
// Pieces are cut at the last `}` `,` `{` `"key"` (ignoring white space) whose key can be the first key of an event. In
// valid JSON this text cannot be inside a string, since the quote before the key would end the string and the key would
// follow without a comma. A wrong cut is therefore possible only at an object nested in an array, and simdjson detects
// that.
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
  double cpu_seconds = 0;   ///< of the thread; includes reading of plain files, excludes inflating compressed ones
  double wall_seconds = 0;  ///< same
};

/// Measures a file, or every file below a directory. Fails if a file cannot be read or cut (corrupt, or not a Kineto
/// document).
[[nodiscard]] Result<FloorFigures> measure_floor(const std::string& path, std::size_t piece = kFloorPiece);

/// Returns where to cut [text, text + size): the comma between two events, or npos.
[[nodiscard]] std::size_t last_event_comma(std::string_view text);

}  // namespace warpscope::bench
