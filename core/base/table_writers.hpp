#pragma once
// Writes tables as text. All writers append to `out`. CSV and JSON contain exact values, with the same column names,
// which include the unit; text and Markdown contain formatted values.
//
// JSON, "schema": 2, is records: {"schema": 2, "notes": {"kernels": "…"}, "kernels": [{"kernel": "gemm", "total_ns":
// 1204000000, "share_pct": 81.3}, …]}. Missing values are null. Adding fields does not change the schema number; any
// other change increments it.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/table.hpp"

namespace warpscope {

class JsonWriter;

struct TextOptions {
  std::size_t max_text_width = 80;  ///< in terminal columns; elides the middle of longer text cells; 0: no limit
  bool title = true;                ///< write the table's title and note above it
};

/// Wraps text at spaces, after making it printable(). The first line starts with `first`, the others with `indent`;
/// these do not count toward the width of 96. Each line ends with a line break.
[[nodiscard]] std::string wrapped(std::string_view text, std::string_view first, std::string_view indent);

/// Writes aligned columns, two spaces apart, under a header and a rule. Widths are in terminal columns. Sentences
/// (ColumnRole::answer) are never elided: if one exceeds the maximum width, its column's sentences are written below
/// their rows, wrapped.
void write_text(std::string& out, const Table& table, const TextOptions& options = {});

/// Returns the CSV name of a column: its name and the unit of its exact values, using only a-z, 0-9 and _, such as
/// "total_ns", "share_pct", "bytes", "read_bytes_per_s".
[[nodiscard]] std::string csv_name(const Column& column);

/// A column of the CSV output: its name there, and its index in the table.
struct CsvColumn {
  std::string name;
  std::size_t column = 0;
};
/// Returns the columns in the order of the CSV output, in which a column may occur twice.
[[nodiscard]] std::vector<CsvColumn> csv_columns(const Table& table);
/// Returns a value as CSV contains it: in the unit of the CSV column, shares in percent. Text stays as it is.
[[nodiscard]] Cell csv_value(const Column& column, const Cell& cell);

/// Writes RFC 4180: CRLF line endings, a header row of csv_name(), quotes where necessary; missing cells are empty.
/// Names are data and stay as they are, except for what without_controls() replaces.
void write_csv(std::string& out, const Table& table);

/// Makes `text` safe within a paragraph or table cell of GitHub Markdown: printable(), and with all characters escaped
/// that could start HTML, a link, code or other markup.
[[nodiscard]] std::string escape_markdown(std::string_view text);

/// Writes a GitHub Markdown table with a heading; numbers are right-aligned.
void write_markdown(std::string& out, const Table& table);

/// A table and its name in JSON and SQL.
struct NamedTable {
  std::string name;
  const Table* table = nullptr;
};
/// Returns the tables of an analysis with their names: the first has that of the analysis, the others also their id.
[[nodiscard]] std::vector<NamedTable> named_tables(std::string_view analysis, std::span<const Table> tables);
/// Returns an id as part of a name: "late-by-step" as "late_by_step".
[[nodiscard]] std::string as_identifier(std::string_view id);

/// Writes a whole document.
void write_json(std::string& out, std::span<const NamedTable> tables);
/// Writes the member "notes" with the tables' notes, if there are any.
void write_notes(JsonWriter& json, std::span<const NamedTable> tables);
/// Writes the rows as an array within another document.
void write_records(JsonWriter& json, const Table& table);

}  // namespace warpscope
