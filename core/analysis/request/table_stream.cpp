#include "core/analysis/request/table_stream.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace warpscope::analysis {

namespace {

template <class Stream, class AnyColumn>
void transfer(Stream& stream, AnyColumn& column) {
  stream.fields(column.name, column.label, column.unit, column.kind, column.role, column.csv_name, column.csv_divisor,
                column.csv_zero, column.reference, column.compared);
}

}  // namespace

void write_table(store::StreamWriter& stream, const Table& table) {
  stream.fields(table.id, table.title, table.note, table.text_layout, std::string(table.csv_first()));
  stream.each(table.columns(), [&](const Column& column) { transfer(stream, column); });
  stream.number(table.rows());
  // Each text once; a new one has the next number.
  std::unordered_map<std::string_view, std::size_t> texts;
  for (std::size_t row = 0; row < table.rows(); ++row)
    for (std::size_t column = 0; column < table.columns().size(); ++column) {
      const Cell cell = table.at(row, column);
      stream.fields(cell.type());
      if (cell.type() == CellType::integer) stream.signed_number(cell.integer());
      if (cell.type() == CellType::real) stream.real(cell.number());
      if (cell.type() != CellType::text) continue;
      const auto [known, fresh] = texts.try_emplace(cell.text(), texts.size());
      stream.number(known->second);
      if (fresh) stream.text(cell.text());
      stream.number(cell.reference() ? std::uint64_t{*cell.reference()} + 1 : 0);
    }
}

Table read_table(store::StreamReader& stream) {
  std::string id, title, note, text_layout, csv_first;
  stream.fields(id, title, note, text_layout, csv_first);
  std::vector<Column> columns;
  stream.each(columns, [&](Column& column) { transfer(stream, column); });
  Table table(std::move(id), std::move(title), std::move(columns), csv_first);
  table.note = std::move(note);
  table.text_layout = std::move(text_layout);
  const std::uint64_t rows = table.columns().empty() ? 0 : stream.number();
  std::vector<std::string_view> texts;
  std::vector<Cell> cells(table.columns().size());
  for (std::uint64_t row = 0; row < rows && stream.ok(); ++row) {
    for (Cell& cell : cells) {
      const auto type = static_cast<CellType>(stream.number_to(static_cast<std::uint64_t>(CellType::real)));
      if (type == CellType::integer) {
        cell = stream.signed_number();
      } else if (type == CellType::real) {
        cell = stream.real();
      } else if (type == CellType::text) {
        const std::uint64_t number = stream.number_to(texts.size());
        if (number == texts.size()) texts.push_back(stream.text());
        const std::uint64_t reference = stream.number_to(std::uint64_t{0xFFFFFFFFu} + 1);
        cell = reference == 0 ? Cell(texts[number]) : Cell(texts[number], static_cast<std::uint32_t>(reference - 1));
      } else {
        cell = {};
      }
    }
    if (stream.ok()) table.add_row(cells);
  }
  return table;
}

void write_tables(store::StreamWriter& stream, const std::vector<Table>& tables) {
  stream.each(tables, [&](const Table& table) { write_table(stream, table); });
}

std::vector<Table> read_tables(store::StreamReader& stream) {
  std::vector<Table> tables;
  stream.each(tables, [&](Table& table) { table = read_table(stream); });
  return tables;
}

}  // namespace warpscope::analysis
