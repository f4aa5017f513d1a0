#pragma once
// The floor that a load is measured against: what a bare simdjson On-Demand pass over the same text costs, in pieces
// that stay in the cache, on one thread. It reads phase, category, name, process, thread, time and duration of every
// event as raw text and keeps nothing: no product can do less and still know what an event is.
//
// Pieces are cut at the last `}` `,` `{` `"key"` in them, white space aside, whose key is one that events begin with.
// In valid JSON such text stands outside of strings, since the quote before the key would end one and the key would
// follow a string without a comma; so a wrong cut can only be at an object nested in an array, and that simdjson
// notices.
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.hpp"

namespace warpscope::bench {

/// Bytes of text handed to simdjson at a time.
inline constexpr std::size_t kFloorPiece = std::size_t{256} << 10;

struct FloorFigures {
  std::uint64_t text_bytes = 0;
  std::uint64_t events = 0;
  double cpu_seconds = 0;   ///< of the thread; with reading for a plain file, without inflating for a compressed one
  double wall_seconds = 0;  ///< likewise
};

/// Passes over a file, or over every file below a directory. Errors: a file cannot be read, or is not the trace that
/// the pass can cut (damaged, or no Kineto document).
[[nodiscard]] Result<FloorFigures> measure_floor(const std::string& path, std::size_t piece = kFloorPiece);

/// Where to cut [text, text + size): at the comma between two events, or npos where there is none.
[[nodiscard]] std::size_t last_event_comma(std::string_view text);

}  // namespace warpscope::bench
