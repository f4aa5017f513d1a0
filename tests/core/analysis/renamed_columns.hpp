#pragma once
// The tables of all analyses of a generated job, and the same tables with renamed columns.
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/base/table.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::tests {

/// The name that renamed() gives a column. It occurs nowhere else in a table.
std::string other_name(std::size_t table, std::size_t column);

/// Returns a copy with renamed columns; CSV names stay the same.
Table renamed(const Table& table, std::size_t index);

std::vector<Table> renamed(const std::vector<Table>& tables);

/// Returns a text about renamed tables with the original names, in lowercase.
std::string with_names_of(const std::vector<Table>& tables, std::string text);

struct AllTables {
  struct Of {
    std::string analysis;
    std::vector<Table> tables;
  };
  std::shared_ptr<const trace::Profile> profile;
  std::vector<Of> analyses;
};

/// The tables of all analyses of a small job. Analyses that compare two profiles get the job twice.
AllTables all_tables();

}  // namespace warpscope::tests
