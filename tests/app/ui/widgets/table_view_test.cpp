// Table view behavior that depends only on the table.
#include "app/ui/widgets/table_view.hpp"

#include "tests/catch.hpp"

namespace warpscope::ui {
namespace {

TEST_CASE("the column with the longest text gets the spare width", "[table_view]") {
  Table table("t", "",
              {{"node", "", ColumnRole::node},
               {"total", "", ColumnRole::total},
               {"name", "", ColumnRole::name},
               {"remark", "", ColumnRole::remark}});
  TableView view;
  view.set_table(table);
  CHECK(view.stretching() == 0);
  table.add_row({"algo-1", 1'234'567'890'123'456'789, "a name that is longer", "short"});
  view.set_table(table);
  CHECK(view.stretching() == 2);
  table.add_row({"algo-1", 5, "short", "a remark that is longer than all of the names"});
  view.set_table(table);
  CHECK(view.stretching() == 3);
  const Table figures("f", "", {{"rank", "", ColumnRole::rank}});
  view.set_table(figures);
  CHECK(view.stretching() == 1);
}

TEST_CASE("column widths are based on kernel labels, not full names", "[table_view]") {
  Table table("t", "", {{"kernel", "", ColumnRole::kernel}, {"operator", "", ColumnRole::op}});
  table.add_row(
      {"void first_kernel_of_all<float, float, float, float, float>(float*)", "aten::native_layer_norm_backward"});
  TableView view;
  view.set_table(table);
  CHECK(view.stretching() == 1);
}

TEST_CASE("rows keep their order until the user sorts a column", "[table_view]") {
  Table table("t", "", {{"name", "", ColumnRole::name}});
  for (const char* name : {"a", "b", "c"}) table.add_row({name});
  TableView view;
  view.set_table(table);
  CHECK(view.order() == std::vector<std::uint32_t>{0, 1, 2});
  view.set_table(table, {2, 0, 1});
  CHECK(view.order() == std::vector<std::uint32_t>{2, 0, 1});
  CHECK_FALSE(view.sorted());
}

}  // namespace
}  // namespace warpscope::ui
