#include "tests/core/analysis/table_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tests/catch.hpp"

namespace warpscope::tests {

std::string row_text(const Table& table, std::size_t row) {
  std::string text;
  for (std::size_t column = 0; column < table.columns().size(); ++column) {
    const Cell cell = table.at(row, column);
    if (column > 0) text += ' ';
    if (cell.missing())
      text += '-';
    else if (cell.type() == Cell::Type::text)
      text += cell.text();
    else if (cell.type() == Cell::Type::integer)
      text += std::to_string(cell.integer());
    else
      text += fmt::format("{:.6g}", cell.number());
  }
  return text;
}

std::vector<std::string> row_texts(const Table& table) {
  std::vector<std::string> rows;
  for (std::size_t row = 0; row < table.rows(); ++row) rows.push_back(row_text(table, row));
  return rows;
}

std::vector<Table> tables_of(const trace::Profile& profile, std::string_view name,
                             std::vector<analysis::Setting> settings, const analysis::Scope& scope) {
  const analysis::Analysis* found = analysis::find_analysis(name);
  REQUIRE(found != nullptr);
  auto tables = analysis::run_analysis(*found, profile, scope, settings);
  INFO((tables ? std::string() : tables.error().message()));
  REQUIRE(tables);
  return std::move(*tables);
}

Table table_of(std::vector<Table> tables, std::string_view id) {
  const auto found = std::ranges::find(tables, id, &Table::id);
  REQUIRE(found != tables.end());
  return std::move(*found);
}

}  // namespace warpscope::tests
