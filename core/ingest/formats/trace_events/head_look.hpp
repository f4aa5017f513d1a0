#pragma once
// Reads the first events of a Trace Event Format file, enough to identify its writer.
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ingest/formats/trace_events/parse_events.hpp"

namespace warpscope::ingest {

struct HeadLook final : EventSink {
  ParseOutcome::Shape shape = ParseOutcome::Shape::empty;
  std::size_t events = 0;                                 ///< events with a phase
  std::size_t categorized = 0;                            ///< events in PyTorch profiler categories
  std::vector<std::pair<std::string, std::string>> keys;  ///< top-level keys next to the events, with their raw JSON

  void event(const RawEvent& event) override;
  void metadata(std::string_view key, std::string_view json) override { keys.emplace_back(key, json); }
  /// Returns true if this key is at the top level, next to the events.
  [[nodiscard]] bool has_key(std::string_view key) const;
};

/// Parses the beginning of a file; the text may be truncated anywhere. O(bytes).
[[nodiscard]] HeadLook look_at_head(std::string_view text);

}  // namespace warpscope::ingest
