// Links from rows to the timeline do not depend on column names.
#include "app/ui/analysis/row_target.hpp"
#include "tests/catch.hpp"
#include "tests/core/analysis/renamed_columns.hpp"

namespace warpscope::ui {
namespace {

using namespace warpscope::tests;

TEST_CASE("links to the timeline do not depend on column names", "[analysis][follow]") {
  const AllTables all = all_tables();
  std::size_t links = 0;
  for (const AllTables::Of& each : all.analyses)
    for (const Table& table : each.tables) {
      INFO(each.analysis << " " << table.id);
      const Table other = renamed(table, 0);
      bool same = true;
      for (std::size_t row = 0; row < std::min<std::size_t>(table.rows(), 200); ++row) {
        const auto before = target_of(*all.profile, table, row);
        same = same && target_of(*all.profile, other, row) == before;
        if (before) ++links;
      }
      CHECK(same);
    }
  CHECK(links > 100);
}

}  // namespace
}  // namespace warpscope::ui
