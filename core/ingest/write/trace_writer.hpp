#pragma once
// Writes a part of a rank as a PyTorch profiler trace (Kineto JSON) that any viewer reads: the slices that overlap a
// range, in full, with all arguments, and the launches of GPU activity in it. The arguments are read from the source.
//
// Slices become X events (marks i, ranges of async tracks b and e) with the processes and threads of their tracks, so
// traces of other formats become Kineto traces, too. Counters and forward-backward arrows are written as C, s and f.
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/base/time.hpp"
#include "core/ingest/bytes/text_writer.hpp"
#include "core/ingest/load/event_lookup.hpp"
#include "core/ingest/write/anonymizer.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ingest {

struct TracePart {
  std::uint32_t rank = 0;  ///< index
  Interval range{std::numeric_limits<Ns>::min(),
                 std::numeric_limits<Ns>::max()};  ///< absolute, on the profile's clocks
  Anonymizer* anonymizer = nullptr;                ///< null: names stay
};

/// Writes the part and returns its number of slices. The caller finishes `writer`. Errors: those of the writer and of
/// EventLookup; cancelled.
[[nodiscard]] Result<std::uint64_t> write_trace(const trace::Profile& profile, const TracePart& part,
                                                const EventLookup& events, TextWriter& writer,
                                                const CancelToken& cancel);

/// Appends a time in ns as µs, such as "12.345", exactly.
void append_us(std::string& out, Ns time);

}  // namespace warpscope::ingest
