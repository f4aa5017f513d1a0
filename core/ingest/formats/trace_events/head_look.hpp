#pragma once
// What the first events of a file of the Trace Event Format say about it: enough to tell whose it is and to list it.
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/time.hpp"
#include "core/ingest/formats/trace_events/parse_events.hpp"

namespace warpscope::ingest {

struct HeadLook {
  ParseOutcome::Shape shape = ParseOutcome::Shape::empty;
  std::size_t events = 0;       ///< that have a phase
  std::size_t categorized = 0;  ///< of a category that PyTorch's profiler writes
  std::optional<Ns> first;      ///< the earliest time that is not 0, which exporters write for one they do not know
  std::set<std::string, std::less<>> processes;                   ///< "pid" as text; the first few
  std::map<std::string, std::string, std::less<>> process_names;  ///< by "pid"
  std::vector<std::pair<std::string, std::string>> keys;          ///< beside the events, with their raw JSON

  /// Whether this key stands beside the events.
  [[nodiscard]] bool has_key(std::string_view key) const;
};

/// `text`: the beginning of a file, cut off anywhere. O(bytes).
[[nodiscard]] HeadLook look_at_head(std::string_view text);

}  // namespace warpscope::ingest
