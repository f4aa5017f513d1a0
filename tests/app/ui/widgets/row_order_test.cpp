// Which table rows are listed, and in what order.
#include "app/ui/widgets/row_order.hpp"

#include "tests/catch.hpp"

namespace warpscope::ui {
namespace {

using Rows = std::vector<std::uint32_t>;

/// main (5) calls a (1), which calls deep (9), and b (3); other (7) is separate.
Table tree() {
  Table table("t", "",
              {{"name", "", ColumnRole::name}, {"depth", "", ColumnRole::depth}, {"total", "", ColumnRole::total}});
  table.add_row({"main", 0, 5});
  table.add_row({"a", 1, 1});
  table.add_row({"deep", 2, 9});
  table.add_row({"b", 1, 3});
  table.add_row({"other", 0, 7});
  return table;
}

TEST_CASE("a filter keeps rows with all of its words, ignoring case", "[row_order]") {
  Table table("t", "", {{"name", "", ColumnRole::name}, {"kind", "", ColumnRole::kind}, {"n", "", ColumnRole::count}});
  table.add_row({"aten::mm", "CPU", 12});
  table.add_row({"aten::mul", "CPU", 3});
  table.add_row({"aten::mm", "GPU", 4});
  RowOrder order;
  order.set_table(table);
  CHECK(order.matches() == 3);
  order.filter(table, "MM cpu");
  CHECK(order.rows() == Rows{0});
  order.filter(table, "mm");
  CHECK(order.rows() == Rows{0, 2});
  CHECK(order.matches() == 2);
  order.sort(table, std::pair(std::size_t{2}, SortOrder::ascending));
  CHECK(order.rows() == Rows{2, 0});
  order.filter(table, "12");  // numbers are not searched
  CHECK(order.rows().empty());
  order.filter(table, "");
  CHECK(order.rows() == Rows{1, 2, 0});
}

TEST_CASE("sorting a tree sorts the children of each row", "[row_order]") {
  const Table table = tree();
  RowOrder order;
  order.set_table(table);
  REQUIRE(order.is_tree());
  CHECK(order.rows() == Rows{0, 1, 2, 3, 4});
  order.sort(table, std::pair(std::size_t{2}, SortOrder::descending));
  CHECK(order.rows() == Rows{4, 0, 3, 1, 2});
  order.sort(table, std::pair(std::size_t{2}, SortOrder::ascending));
  CHECK(order.rows() == Rows{0, 1, 2, 3, 4});
}

TEST_CASE("rows below a collapsed row are not listed", "[row_order]") {
  const Table table = tree();
  RowOrder order;
  order.set_table(table);
  CHECK((order.has_children(0) && order.has_children(1) && !order.has_children(2) && !order.has_children(4)));
  order.expand(table, 1, false);
  CHECK(order.rows() == Rows{0, 1, 3, 4});
  CHECK_FALSE(order.expanded(1));
  order.expand_all(table, false);
  CHECK(order.rows() == Rows{0, 4});
  order.reveal(table, 2);
  CHECK(order.rows() == Rows{0, 1, 2, 3, 4});
  order.expand_all(table, false);
  order.expand_all(table, true);
  CHECK(order.rows() == Rows{0, 1, 2, 3, 4});
}

TEST_CASE("a filtered tree keeps the callers of matching rows, even if collapsed", "[row_order]") {
  const Table table = tree();
  RowOrder order;
  order.set_table(table);
  order.expand_all(table, false);
  order.filter(table, "deep");
  CHECK(order.rows() == Rows{0, 1, 2});
  CHECK(order.matches() == 1);
  CHECK((order.matches(2) && !order.matches(0)));
  order.filter(table, "");
  CHECK(order.rows() == Rows{0, 4});
}

TEST_CASE("a large tree initially shows two levels or one page", "[row_order]") {
  Table table("t", "", {{"name", "", ColumnRole::name}, {"depth", "", ColumnRole::depth}});
  for (int top = 0; top < 50; ++top) {
    table.add_row({"top", 0});
    table.add_row({"middle", 1});
    table.add_row({"leaf", 2});
  }
  RowOrder order;
  order.set_table(table);
  CHECK(order.rows().size() == 100);
}

TEST_CASE("rows whose depths skip a level do not form a tree", "[row_order]") {
  Table table("t", "", {{"name", "", ColumnRole::name}, {"depth", "", ColumnRole::depth}});
  table.add_row({"a", 0});
  table.add_row({"b", 2});
  RowOrder order;
  order.set_table(table);
  CHECK_FALSE(order.is_tree());
  CHECK(order.rows() == Rows{0, 1});
}

}  // namespace
}  // namespace warpscope::ui
