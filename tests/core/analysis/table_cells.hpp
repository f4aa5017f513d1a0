#pragma once
// Returns cells of a table by column name; the test fails if there is no such column.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/table.hpp"
#include "tests/catch.hpp"
#include "tests/find_column.hpp"

namespace warpscope::tests {

inline Cell cell(const Table& table, std::size_t row, std::string_view column) {
  const auto at = find_column(table, column);
  INFO("column " << column);
  REQUIRE(at);
  return table.at(row, *at);
}
inline double figure(const Table& table, std::size_t row, std::string_view column) {
  return cell(table, row, column).number();
}
inline std::int64_t integer(const Table& table, std::size_t row, std::string_view column) {
  return cell(table, row, column).integer();
}
inline std::string text(const Table& table, std::size_t row, std::string_view column) {
  return std::string(cell(table, row, column).text());
}

}  // namespace warpscope::tests
