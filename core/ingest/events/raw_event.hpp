#pragma once
// One event as written in the source, with fields separated but not interpreted. Parsers pass it to the builder. Views
// point into the parser's buffer and are valid until the next event.
#include <cstdint>
#include <string_view>

#include "core/base/time.hpp"

namespace warpscope::ingest {

struct RawEvent {
  char phase = 0;             ///< "ph"; 0 if missing
  bool has_time = false;      ///< "ts" is present and a number
  bool has_duration = false;  ///< "dur" is present and a number
  bool has_correlation = false;
  bool repaired = false;  ///< strict JSON would reject it
  Ns time = 0;      ///< "ts", decimal µs converted exactly to ns (from text, not double); relative to the file's base
  Ns duration = 0;  ///< "dur", same
  std::int64_t correlation = 0;  ///< args.correlation; only for runtime/driver calls and GPU activity
  std::string_view name;         ///< unescaped, valid UTF-8
  std::string_view category;     ///< "cat"
  std::string_view process;      ///< "pid" as text, without quotes
  std::string_view thread;       ///< "tid" as text, without quotes
  std::string_view id;           ///< flow and async id as text, without quotes
  std::string_view arguments;    ///< raw text of "args", braces included; empty if missing
  std::uint64_t offset = 0;      ///< of its '{' in the decompressed text

  // Hints from the parser about similar events. Equal nonzero numbers from one parser mean equal strings, so results
  // per string can be cached in an array; different numbers and 0 imply nothing. All are below kLikenesses.
  std::uint32_t shape = 0;     ///< same phase and category, and the same members in the same order
  std::uint32_t place = 0;     ///< same process and same thread
  std::uint32_t name_key = 0;  ///< same name

  static constexpr std::uint32_t kLikenesses = 1U << 16;
};

/// Receives the parser's output in file order.
class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void event(const RawEvent& event) = 0;
  /// Receives a top-level key other than traceEvents with its raw JSON text, including long arrays.
  virtual void metadata(std::string_view /*key*/, std::string_view /*json*/) {}
};

}  // namespace warpscope::ingest
