#pragma once
// Tables as text. All writers append to `out`; CSV and JSON carry exact figures in base units, text and markdown what
// people read. Shares are fractions of one in JSON, where a column says of what kind it is, and percent in CSV, where
// only its name can.
//
// JSON, "schema": 1:
//   {"schema": 1, "tables": [{
//      "id": "kernel-breakdown", "title": "Kernels", "note": "",
//      "columns": [{"name": "kernel", "unit": "", "kind": "text"}, {"name": "total", "unit": "ns", "kind":
//      "duration"}], "rows": [["gemm", 1204000000], ["softmax", null]]}]}
// A row has one value per column; missing is null. Kinds are those of ColumnKind. What is added later does not change
// the meaning of what is there; anything else raises the schema's number.
#include <span>
#include <string>

#include "core/base/table.hpp"

namespace warpscope {

class JsonWriter;

struct TextOptions {
  std::size_t max_text_width = 80;  ///< columns of a text cell; longer ones lose their middle; 0: no limit
  bool title = true;                ///< a line with the table's title, and its note, above it
};

/// Aligned columns, two spaces apart, under a header and a rule. Widths are those of a terminal.
void write_text(std::string& out, const Table& table, const TextOptions& options = {});

/// What a column is called in CSV: its name and the unit of its exact figures as one word of a-z, 0-9 and _, such as
/// "total_ns", "share_pct", "bytes", "read_bytes_per_s".
[[nodiscard]] std::string csv_name(const Column& column);

/// RFC 4180: CRLF line ends, a header row of csv_name(), quotes where needed, missing is empty. Text is unchanged but
/// for control characters other than tabs and line ends, and invalid UTF-8, which become U+FFFD.
void write_csv(std::string& out, const Table& table);

/// A table in GitHub's markdown, with a heading; figures aligned right.
void write_markdown(std::string& out, const Table& table);

/// The whole document of `tables`.
void write_json(std::string& out, std::span<const Table> tables);
/// One table as an object, as part of another document.
void write_json(JsonWriter& json, const Table& table);

}  // namespace warpscope
