// The Dashboard, its summary and jumps from diagnostics do not depend on column names.
#include "app/ui/analysis/row_target.hpp"
#include "app/ui/dashboard/panel_data.hpp"
#include "tests/catch.hpp"
#include "tests/core/analysis/renamed_columns.hpp"

namespace warpscope::ui {
namespace {

using namespace warpscope::tests;

const std::vector<Table>& tables_of_analysis(const AllTables& all, std::string_view name) {
  const auto found = std::ranges::find(all.analyses, name, &AllTables::Of::analysis);
  REQUIRE(found != all.analyses.end());
  return found->tables;
}

TEST_CASE("renaming all columns changes no Dashboard panels", "[dashboard]") {
  const AllTables all = all_tables();
  std::size_t drawn = 0;
  for (const PanelSpec& spec : panel_specs()) {
    const std::vector<Table>& tables = tables_of_analysis(all, spec.analysis);
    const std::vector<Table> others = renamed(tables);
    const PanelState state{.id = std::string(spec.id)};
    INFO(spec.id);
    const PanelData before = make_panel_data(state, tables, scene::Theme::dark);
    const PanelData after = make_panel_data(state, others, scene::Theme::dark);
    CHECK(after.drawing.chart.index() == before.drawing.chart.index());
    CHECK(after.drawing.rows == before.drawing.rows);
    CHECK(after.drawing.table == before.drawing.table);
    if (!before.empty()) ++drawn;
  }
  CHECK(drawn > 9);
}

}  // namespace
}  // namespace warpscope::ui
