// Grids of ranks and steps.
#include "render/plots/grid_plot.hpp"

#include <cmath>

#include "tests/catch.hpp"

namespace warpscope::plots {
namespace {

constexpr analysis::ChartSpec kSpec{.table = "t", .x = ColumnRole::step, .y = ColumnRole::wait_caused};

Table waits() {
  Table table("t", "", {{"a", "", ColumnRole::step}, {"b", "", ColumnRole::rank}, {"c", "", ColumnRole::wait_caused}});
  table.add_row({"ProfilerStep#8", 10, 5});
  table.add_row({"ProfilerStep#8", 2, 7});
  table.add_row({"ProfilerStep#12", 2, 30});
  return table;
}

TEST_CASE("a grid has one row per rank, one column per step, and each cell's table row", "[grid]") {
  const auto grid = grid_of(kSpec, waits());
  REQUIRE(grid);
  CHECK(grid->map.rows == std::vector<std::string>{"rank 2", "rank 10"});
  CHECK(grid->map.column_names == std::vector<std::string>{"8", "12"});
  REQUIRE(grid->map.values.size() == 4);
  CHECK(grid->map.values[0] == 7);
  CHECK(grid->map.values[1] == 30);
  CHECK(grid->map.values[2] == 5);
  CHECK(std::isnan(grid->map.values[3]));
  CHECK(grid->map.high == 30);
  CHECK(grid->cells == std::vector<std::uint32_t>{1, 2, 0, kNoCell});
}

TEST_CASE("a grid requires its columns and a value above zero", "[grid]") {
  Table zeros("t", "", {{"a", "", ColumnRole::step}, {"b", "", ColumnRole::rank}, {"c", "", ColumnRole::wait_caused}});
  zeros.add_row({"s", 1, 0});
  CHECK_FALSE(grid_of(kSpec, zeros));
  const Table other("t", "", {{"a", "", ColumnRole::step}, {"b", "", ColumnRole::rank}});
  CHECK_FALSE(grid_of(kSpec, other));
}

}  // namespace
}  // namespace warpscope::plots
