#pragma once
// One event from the source, as display rows.
#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpscope::ingest {

/// One display row. `path` is a top-level field name, or "args." followed by an argument name; `value` is the source
/// text: strings without quotes and escapes, nested arrays and objects as compact JSON.
struct EventRow {
  std::string path;
  std::string value;
  bool quoted = false;  ///< a string in the source

  friend bool operator==(const EventRow& a, const EventRow& b) { return a.path == b.path && a.value == b.value; }
};

/// Paths of the rows a caller needs. Other rows are not decoded, because decoding accounts for most of the cost of
/// reading an event. Empty: all rows. The strings must outlive the call.
using WantedRows = std::span<const std::string_view>;

/// An event, with its rows in source order.
struct EventText {
  std::vector<EventRow> rows;
  bool repaired = false;  ///< the text is corrupt; rows are a best effort

  /// Returns the value of the row at `path`, or null.
  [[nodiscard]] const std::string* find(std::string_view path) const {
    const auto row = std::ranges::find(rows, path, &EventRow::path);
    return row == rows.end() ? nullptr : &row->value;
  }
};

}  // namespace warpscope::ingest
