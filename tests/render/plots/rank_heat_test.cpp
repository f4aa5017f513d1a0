// Charts with many ranks.
#include "render/plots/rank_heat.hpp"

#include <array>
#include <cmath>

#include "render/charts/heat_map.hpp"
#include "render/plots/analysis_plot.hpp"
#include "tests/catch.hpp"

namespace warpscope::plots {
namespace {

Table table_of_ranks(std::int64_t ranks) {
  Table table("t", "", {{"rank", "", ColumnRole::rank}, {"GPU time", "", ColumnKind::duration}});
  for (std::int64_t rank = 0; rank < ranks; ++rank) table.add_row({rank, rank == 37 ? 5000 : 1000});
  return table;
}

AnalysisDrawing plotted(const Table& table) { return plot_of(analysis::ChartSpec{}, {table}, 0, scene::Theme::dark); }

TEST_CASE("bars of 100 ranks become a grid with every rank, and the title names the outlier", "[rank_heat]") {
  const AnalysisDrawing drawing = plotted(table_of_ranks(100));
  const auto* map = std::get_if<charts::HeatMap>(&drawing.chart);
  REQUIRE(map != nullptr);
  CHECK(map->columns == 32);
  CHECK(map->rows.size() == 4);
  CHECK(map->values[37] == 5000);
  CHECK(std::isnan(map->values[100]));
  CHECK(drawing.row_of(37) == 37u);
  CHECK_FALSE(drawing.row_of(100));
  CHECK(map->title.find("37 (") != std::string::npos);
  CHECK(map->low == 1000);
  CHECK(map->high == 5000);
}

TEST_CASE("a grid of ranks is in rank order, regardless of the table's order", "[rank_heat]") {
  Table table("t", "", {{"rank", "", ColumnRole::rank}, {"GPU time", "", ColumnKind::duration}});
  for (std::int64_t rank = 63; rank >= 0; --rank) table.add_row({rank, rank == 40 ? 5000 : 1000 + rank});
  const AnalysisDrawing drawing = plotted(table);
  const auto* map = std::get_if<charts::HeatMap>(&drawing.chart);
  REQUIRE(map != nullptr);
  CHECK(map->values[40] == 5000);
  CHECK(map->values[5] == 1005);
  CHECK(drawing.row_of(40) == 23u);
  CHECK(map->title.find("largest first") == std::string::npos);
}

TEST_CASE("bars show time, not the first column without a role, unless the chart specifies a column", "[rank_heat]") {
  Table table("t", "",
              {{"group", "", ColumnKind::text},
               {"kind", "", ColumnRole::kind},
               {"time", "", ColumnRole::total},
               {"transfer", "", ColumnRole::transfer},
               {"waiting", "", ColumnRole::waiting}});
  table.add_row({"0", "allreduce", 5});
  table.add_row({"0", "broadcast", 3});
  const auto first_value = [&](const analysis::ChartSpec& spec) {
    const auto drawing = plot_of(spec, {table}, 0, scene::Theme::dark);
    const auto* bars = std::get_if<charts::StackedBars>(&drawing.chart);
    return bars != nullptr ? bars->rows.at(0).values.at(0) : -1;
  };
  CHECK(first_value({}) == 5);
  // All parts have unknown values.
  constexpr std::array kParts{analysis::ChartSeries{ColumnRole::transfer}, analysis::ChartSeries{ColumnRole::waiting}};
  CHECK(first_value({.table = "t", .kind = analysis::ChartKind::columns, .series = kParts}) == 5);
  table.add_row({"1", "allgather", 1, 2, 4});
  CHECK(first_value({.table = "t", .y = ColumnRole::waiting}) == 4);
}

TEST_CASE("bars of 32 ranks stay bars", "[rank_heat]") {
  CHECK(std::holds_alternative<charts::StackedBars>(plotted(table_of_ranks(32)).chart));
}

TEST_CASE("tables with several rows per rank are not treated as one bar per rank", "[rank_heat]") {
  Table table("t", "",
              {{"rank", "", ColumnRole::rank}, {"name", "", ColumnRole::kernel}, {"time", "", ColumnKind::duration}});
  for (std::int64_t rank = 0; rank < 40; ++rank)
    for (const char* kernel : {"a", "b"}) table.add_row({rank, kernel, 1 + rank});
  CHECK_FALSE(is_of_many_ranks(table));
  CHECK(std::holds_alternative<charts::StackedBars>(plotted(table).chart));
}

TEST_CASE("stacked bars of many ranks have one column per part", "[rank_heat]") {
  PlottedBars made;
  made.bars.parts = {{"busy", 0}, {"idle", 0}};
  for (std::uint32_t rank = 0; rank < 64; ++rank) {
    made.bars.rows.push_back({"rank " + std::to_string(rank), {1.0 * rank, 2}, "", {}});
    made.rows.insert(made.rows.end(), {rank, rank});
  }
  const auto grid = heat_of_bars(made);
  REQUIRE(grid);
  CHECK(grid->map.columns == 2);
  CHECK(grid->map.rows.size() == 64);
  CHECK(grid->map.values[2 * 63] == 63);
  CHECK(grid->cells[2 * 63 + 1] == 63);
  CHECK(grid->map.column_names == std::vector<std::string>{"busy", "idle"});
  made.bars.rows[50].values[1] = 1000;
  CHECK(heat_of_bars(made)->map.title.starts_with("farthest from the median: rank 50 (idle "));
}

charts::LineChart curves(std::size_t count) {
  charts::LineChart lines;
  lines.title = "Queue depth";
  for (std::size_t s = 0; s < count; ++s)
    lines.series.push_back(
        {"rank " + std::to_string(s), 0, {{0, 1}, {50, s == 7 ? 9.0 : 1}, {100, std::nan("")}}, true});
  return lines;
}

TEST_CASE("many curves become a heat map that keeps their peaks", "[rank_heat]") {
  const auto map = heat_of_curves(curves(40));
  REQUIRE(map);
  CHECK(map->rows.size() == 40);
  CHECK(map->high == 9);
  const double* const row = map->values.data() + 7 * map->columns;
  CHECK(row[0] == 1);
  CHECK(row[map->columns / 2 - 1] == 1);
  CHECK(row[map->columns / 2] == 9);
  CHECK(row[map->columns - 1] == 9);
  CHECK(map->title.starts_with("Queue depth · highest: rank 7 ("));
  CHECK_FALSE(heat_of_curves(curves(32)));
}

constexpr analysis::ChartSpec kGrid{.table = "t", .x = ColumnRole::step, .y = ColumnRole::wait_caused};

Table waits() {
  Table table("t", "", {{"a", "", ColumnRole::step}, {"b", "", ColumnRole::rank}, {"c", "", ColumnRole::wait_caused}});
  table.add_row({"ProfilerStep#8", 10, 5});
  table.add_row({"ProfilerStep#8", 2, 7});
  table.add_row({"ProfilerStep#12", 2, 30});
  return table;
}

TEST_CASE("a grid has one row per rank, one column per step, and each cell's table row", "[grid]") {
  const auto grid = grid_of(kGrid, waits());
  REQUIRE(grid);
  CHECK(grid->map.rows == std::vector<std::string>{"rank 2", "rank 10"});
  CHECK(grid->map.column_names == std::vector<std::string>{"8", "12"});
  REQUIRE(grid->map.values.size() == 4);
  CHECK(grid->map.values[0] == 7);
  CHECK(grid->map.values[1] == 30);
  CHECK(grid->map.values[2] == 5);
  CHECK(std::isnan(grid->map.values[3]));
  CHECK(grid->map.high == 30);
  CHECK(grid->cells == std::vector<std::uint32_t>{1, 2, 0, kNoRow});
}

TEST_CASE("a grid requires its columns and a value above zero", "[grid]") {
  Table zeros("t", "", {{"a", "", ColumnRole::step}, {"b", "", ColumnRole::rank}, {"c", "", ColumnRole::wait_caused}});
  zeros.add_row({"s", 1, 0});
  CHECK_FALSE(grid_of(kGrid, zeros));
  const Table other("t", "", {{"a", "", ColumnRole::step}, {"b", "", ColumnRole::rank}});
  CHECK_FALSE(grid_of(kGrid, other));
}

}  // namespace
}  // namespace warpscope::plots
