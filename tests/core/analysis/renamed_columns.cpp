#include "tests/core/analysis/renamed_columns.hpp"

#include <utility>

#include "core/analysis/request/registry.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/small_job.hpp"
#include "tests/test_folder.hpp"

namespace warpscope::tests {

std::string other_name(std::size_t table, std::size_t column) {
  return "<t" + std::to_string(table) + "c" + std::to_string(column) + ">";
}

Table renamed(const Table& table, std::size_t index) {
  std::vector<Column> columns = table.columns();
  for (std::size_t c = 0; c < columns.size(); ++c) columns[c].name = other_name(index, c);
  Table copy(table.id, table.title, std::move(columns));
  copy.note = table.note;
  std::vector<Cell> cells;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    cells.clear();
    for (std::size_t c = 0; c < table.columns().size(); ++c) cells.push_back(table.at(row, c));
    copy.add_row(cells);
  }
  return copy;
}

std::vector<Table> renamed(const std::vector<Table>& tables) {
  std::vector<Table> copies;
  for (std::size_t t = 0; t < tables.size(); ++t) copies.push_back(renamed(tables[t], t));
  return copies;
}

std::string with_names_of(const std::vector<Table>& tables, std::string text) {
  for (std::size_t t = 0; t < tables.size(); ++t)
    for (std::size_t c = 0; c < tables[t].columns().size(); ++c)
      for (std::size_t at = 0; (at = text.find(other_name(t, c), at)) != std::string::npos;)
        text.replace(at, other_name(t, c).size(), tables[t].columns()[c].name);
  for (char& letter : text)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return text;
}

AllTables all_tables() {
  const TestFolder folder;
  write_set(folder, tracegen::generate_in_memory(small_job(2)));
  AllTables all{load(folder.path()), {}};
  for (const analysis::Analysis& each : analysis::analyses()) {
    auto tables = analysis::run_analysis(each, *all.profile, {}, {}, nullptr, all.profile.get());
    if (tables) all.analyses.push_back({std::string(each.name), std::move(*tables)});
  }
  return all;
}

}  // namespace warpscope::tests
