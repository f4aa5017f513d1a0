#include "core/ingest/formats/trace_events/parse_events.hpp"

#include <algorithm>

#include "core/ingest/bytes/text_stream.hpp"
#include "core/ingest/formats/trace_events/document.hpp"
#include "core/ingest/json/text.hpp"

namespace warpscope::ingest {

std::optional<Error> ParseOutcome::why_no_trace(const std::string& file) const {
  const std::string advice = "open a trace exported by torch.profiler (export_chrome_trace)";
  switch (shape) {
    case Shape::trace:
      return std::nullopt;
    case Shape::empty:
      if (failure) return failure;
      return Error{file, "contains no text", "the program writing it was probably killed; record the trace again"};
    case Shape::foreign:
      return Error{file, "is not JSON; it " + detail, advice};
    case Shape::no_events:
      break;
  }
  if (!detail.empty()) return Error{file, detail, advice};
  if (failure) return failure;
  if (truncated) return Error{file, "ends before its traceEvents", "copy the file or record the trace again"};
  return Error{file, "has no traceEvents", advice};
}

ParseOutcome parse_trace_events(ByteStream& stream, EventSink& sink, Diagnostics& diagnostics, const std::string& file,
                                Progress* progress, const CancelToken* cancel, const ParseLimits& limits,
                                ArgumentCheck check) {
  json::StreamSource source(stream, progress);
  ParseOutcome outcome = json::DocumentReader(source, sink, diagnostics, file, nullptr, cancel, limits, check).run();
  if (!outcome.cancelled) report_damage(stream, outcome.failure, outcome.text_bytes, diagnostics, file);
  return outcome;
}

ParseOutcome look_at_events(std::string_view text, EventSink& sink) {
  TextStream stream(text);
  Diagnostics ignored;
  return parse_trace_events(stream, sink, ignored, "");
}

void record_outcome(const ParseOutcome& outcome, const std::string& path, FileContents& contents) {
  contents.text_bytes = outcome.text_bytes;
  contents.cancelled = outcome.cancelled;
  contents.no_trace = outcome.why_no_trace(path);
}

void report_damage(const ByteStream& stream, const Failure& failure, std::uint64_t text, Diagnostics& diagnostics,
                   const std::string& file) {
  for (const InputDamage& damage : stream.damage())
    diagnostics.add("input-damaged", Severity::error, file, damage.text_end,
                    damage.error.what + (damage.cut_off ? "" : "; do not rely on this file's numbers"));
  if (stream.damage().empty() && failure)
    diagnostics.add("input-damaged", Severity::error, file, text, json::excerpt(failure->what, json::kExampleLength));
}

}  // namespace warpscope::ingest
