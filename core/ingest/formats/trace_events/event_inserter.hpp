#pragma once
// The text of a trace with further events in it, made while it is copied: nothing is parsed into memory, whatever the
// trace's size, and all that stands in the file stands in the copy, byte by byte, also what this program does not know.
// What is not JSON is mended (json_mender.hpp).
//
// Idea: one pass that knows strings from brackets finds where the list of events opens; there the further ones are
// written. From then on text is passed on as far as the last event that is whole, so that a trace that was cut off in
// the middle of one is ended after the one before.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/result.hpp"
#include "core/ingest/bytes/byte_stream.hpp"

namespace warpscope::ingest {

/// Appends some more events, as JSON objects separated by commas; false if there are no more.
using MoreEvents = std::function<bool(std::string& out)>;
/// Takes the text piece by piece.
using TakeText = std::function<Failure(std::string_view piece)>;

struct Insertion {
  bool cut_short = false;  ///< the trace was; the copy ends with its last whole event
  bool mended = false;     ///< not all of it was JSON; the copy is
};

/// Copies `in`, which is at its begin, to `out`, with `more` as the first of its events. `progress` (may be null) gains
/// the bytes of the file as they are used. Errors: `out` fails; `in` cannot be read and nothing of its events is there;
/// it holds no list of events; an event of more than 64 MiB, as where a quote is missing; text that is no JSON and
/// cannot be mended: then what `out` has is none.
[[nodiscard]] Result<Insertion> copy_with_events(ByteStream& in, const std::string& name, const MoreEvents& more,
                                                 const TakeText& out, Progress* progress = nullptr);

}  // namespace warpscope::ingest
