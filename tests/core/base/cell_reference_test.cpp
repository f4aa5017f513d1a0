// Cells whose text refers to an enumerator or a slice.
#include <optional>

#include "core/base/table.hpp"
#include "tests/catch.hpp"

using namespace warpscope;

TEST_CASE("text keeps its reference when rows are packed and sorted") {
  Table table("many", "Many", {{"name", "", ColumnKind::text}, {"n", "", ColumnKind::integer}});
  constexpr std::uint32_t kRows = 5000;
  for (std::uint32_t row = 0; row < kRows; ++row)
    table.add_row({row % 2 == 0 ? Cell("slice", row) : Cell("none"), kRows - row});
  sort_rows(table, 1, SortOrder::ascending);
  for (std::uint32_t row = 0; row < kRows; ++row) {
    const std::uint32_t before = kRows - 1 - row;
    const Cell cell = table.at(row, 0);
    REQUIRE(cell.text() == (before % 2 == 0 ? "slice" : "none"));
    REQUIRE(cell.reference() == (before % 2 == 0 ? std::optional(before) : std::nullopt));
  }
}
