#pragma once
// One event as it stands in the source, fields cut out but not yet understood: what the parsers hand to the builder.
// Views point into the parser's buffer and are good until the next event.
#include <cstdint>
#include <string_view>

#include "core/base/time.hpp"

namespace warpscope::ingest {

struct RawEvent {
  char phase = 0;             ///< "ph"; 0 if missing
  bool has_time = false;      ///< "ts" was there and a number
  bool has_duration = false;  ///< "dur" was there and a number
  bool has_correlation = false;
  bool repaired = false;         ///< strict JSON would have rejected it
  Ns time = 0;                   ///< "ts", decimal µs read exactly as ns (text, not double); without the file's base
  Ns duration = 0;               ///< "dur", same
  std::int64_t correlation = 0;  ///< args.correlation; runtime/driver calls and device slices only
  std::string_view name;         ///< unescaped, valid UTF-8
  std::string_view category;     ///< "cat"
  std::string_view process;      ///< "pid" as text, without quotes
  std::string_view thread;       ///< "tid" as text, without quotes
  std::string_view id;           ///< flow and async id as text, without quotes
  std::string_view arguments;    ///< raw text of "args", braces included; empty if missing
  std::uint64_t offset = 0;      ///< of its '{' in the decompressed text

  // What the parser knows about this event's likeness to others. Equal numbers of one parser say that the texts are
  // equal, so that what was found out about a text can be kept in an array; different numbers say nothing, nor does 0.
  // All are below kLikenesses.
  std::uint32_t shape = 0;     ///< same phase and category, and the same members in the same order
  std::uint32_t place = 0;     ///< same process and same thread
  std::uint32_t name_key = 0;  ///< same name

  static constexpr std::uint32_t kLikenesses = 1U << 16;
};

/// Takes what a parser finds, in the order of the file.
class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void event(const RawEvent& event) = 0;
  /// A top-level key other than traceEvents: its raw JSON text (long arrays included).
  virtual void metadata(std::string_view key, std::string_view json) = 0;
  /// Something odd stands at `offset` of the text: what the diagnostics count as `code`.
  virtual void oddity(std::string_view /*code*/, std::uint64_t /*offset*/) {}
};

}  // namespace warpscope::ingest
