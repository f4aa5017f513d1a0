#pragma once
// Inserts events into the text of a trace while copying it. Parses nothing into memory, regardless of the size of the
// trace. Copies everything in the file byte by byte, including what this program does not know. Repairs invalid JSON
// (json_mender.hpp).
//
// Idea: one pass that distinguishes strings from brackets finds the start of the list of events and writes the new ones
// there. After that it passes text on only up to the last complete event. So a trace truncated within an event ends
// after the previous one.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/result.hpp"
#include "core/ingest/bytes/byte_stream.hpp"

namespace warpscope::ingest {

/// Appends some more events, as JSON objects separated by commas; returns false if there are no more.
using MoreEvents = std::function<bool(std::string& out)>;
/// Receives the text piece by piece.
using TakeText = std::function<Failure(std::string_view piece)>;

struct Insertion {
  bool cut_short = false;  ///< the trace is truncated; the copy ends with its last complete event
  bool mended = false;     ///< the trace is partly invalid JSON; the copy is valid
};

/// Copies `in`, positioned at its start, to `out`, with `more` as the first of its events. `progress` (may be null) is
/// advanced by the bytes of the file used. Copies at most the first `most_text` bytes of text. Errors: `out` fails;
/// `in` cannot be read and no event was copied; it has no list of events; an event of more than 64 MiB, as when a quote
/// is missing; text that is not JSON and cannot be repaired (then the output is not JSON either).
[[nodiscard]] Result<Insertion> copy_with_events(ByteStream& in, const std::string& name, const MoreEvents& more,
                                                 const TakeText& out, Progress* progress = nullptr,
                                                 std::uint64_t most_text = ~std::uint64_t{0});

}  // namespace warpscope::ingest
