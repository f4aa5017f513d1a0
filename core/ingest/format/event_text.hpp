#pragma once
// One event as the source has it, in lines to be shown.
#include <string>
#include <string_view>
#include <vector>

namespace warpscope::ingest {

/// One line to be shown. `path` is a top-level field's name, or "args." and a name below it; `value` is text as it
/// stands in the source, strings without quotes and escapes, nested arrays and objects as compact JSON.
struct EventRow {
  std::string path;
  std::string value;

  friend bool operator==(const EventRow&, const EventRow&) = default;
};

/// An event in full, in the order of the source.
struct EventText {
  std::vector<EventRow> rows;
  bool repaired = false;  ///< the text is damaged; rows are the best that can be made of it

  /// Value of the row with `path`, or null.
  [[nodiscard]] const std::string* find(std::string_view path) const;
};

}  // namespace warpscope::ingest
