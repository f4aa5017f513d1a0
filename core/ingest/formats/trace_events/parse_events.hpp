#pragma once
// Reads a trace in the Trace Event Format, as Kineto and PyTorch have written it in all their versions and as killed
// processes, editors and other exporters leave it: events and metadata go to a sink in the order of the file, what had
// to be repaired or left out to the diagnostics. The document is never in memory as a whole.
#include <cstdint>
#include <optional>
#include <string>

#include "core/base/diagnostics.hpp"
#include "core/base/progress.hpp"
#include "core/ingest/bytes/byte_stream.hpp"
#include "core/ingest/events/raw_event.hpp"
#include "core/ingest/format/read_options.hpp"

namespace warpscope::ingest {

struct ParseOutcome {
  enum class Shape : std::uint8_t {
    trace,      ///< events could be looked for, though there may be none
    empty,      ///< no text
    foreign,    ///< not JSON: neither an object nor an array
    no_events,  ///< JSON without traceEvents, or an array of things that are no events
  };

  Shape shape = Shape::empty;
  std::uint64_t events = 0;      ///< given to the sink
  std::uint64_t text_bytes = 0;  ///< length of the decompressed text, as far as it was read
  bool truncated = false;        ///< the text ends before the document does
  bool cancelled = false;
  std::optional<Error> failure;  ///< the input could not be read to its end
  std::string detail;            ///< of a foreign document: how it begins, or what it is

  /// Why there is nothing to show, as an error about `file`; nothing if there is a trace.
  [[nodiscard]] std::optional<Error> why_no_trace(const std::string& file) const;
};

/// `file` names the source in diagnostics. `progress` (may be null) gains the compressed bytes as they are used.
/// A cancelled `cancel` (may be null) ends the work within a block. Throws nothing but what the sink throws and
/// std::bad_alloc.
[[nodiscard]] ParseOutcome parse_trace_events(ByteStream& stream, EventSink& sink, Diagnostics& diagnostics,
                                              const std::string& file, Progress* progress = nullptr,
                                              const CancelToken* cancel = nullptr, const ParseLimits& limits = {});

}  // namespace warpscope::ingest
