// The Dashboard, its summary and jumps from diagnostics do not depend on column names.
#include <bit>

#include "app/ui/analysis/row_target.hpp"
#include "app/ui/dashboard/histogram_maker.hpp"
#include "app/ui/dashboard/panel_data.hpp"
#include "app/ui/dashboard/slice_picker.hpp"
#include "app/ui/widgets/timeline_link.hpp"
#include "core/base/diagnostics_table.hpp"
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

/// A panel's chart as text, with renamed columns shown under their original names.
std::string picture_of(const std::vector<Table>& originals, const PanelState& state, const PanelData& data) {
  std::string text = std::to_string(data.table) + '\n';
  for (const std::uint32_t row : data.rows) text += std::to_string(row) + ' ';
  text += '\n' + data.note + '\n';
  if (const auto* pie = std::get_if<charts::PieChart>(&data.chart)) {
    text += pie->total + ' ' + pie->total_of + '\n';
    for (const std::string& heading : pie->headings) text += heading + ' ';
    for (const charts::PiePart& part : pie->parts) {
      text += part.label + ' ' + std::to_string(std::bit_cast<std::uint64_t>(part.value)) + ' ' +
              std::to_string(part.color) + (part.rest ? " rest" : "");
      for (const std::string& figure : part.figures) text += ' ' + figure;
      text += '\n';
    }
  } else if (const auto* bars = std::get_if<charts::StackedBars>(&data.chart)) {
    for (const charts::BarPart& part : bars->parts) text += part.name + ' ' + std::to_string(part.color) + '\n';
    for (const charts::BarRow& row : bars->rows) text += row.name + ' ' + row.figure + '\n';
  } else if (const auto* lines = std::get_if<charts::LineChart>(&data.chart)) {
    for (const charts::LineSeries& series : lines->series)
      text += series.name + ' ' + std::to_string(series.points.size()) + '\n';
  } else if (const auto* heat = std::get_if<charts::HeatMap>(&data.chart)) {
    for (const std::string& row : heat->rows) text += row + '\n';
    for (const double value : heat->values) text += std::to_string(std::bit_cast<std::uint64_t>(value)) + ' ';
  } else if (const auto* histogram = std::get_if<charts::HistogramChart>(&data.chart)) {
    for (const charts::HistogramBin& bin : histogram->bins) text += std::to_string(bin.count) + ' ';
  }
  return with_names_of(originals, title_of(state) + '\n' + text);
}

TEST_CASE("renaming all columns changes no Dashboard panels", "[dashboard]") {
  const AllTables all = all_tables();
  std::size_t drawn = 0;
  for (const PanelSpec& spec : panel_specs()) {
    const std::vector<Table>& tables = tables_of_analysis(all, spec.analysis);
    const std::vector<Table> others = renamed(tables);
    for (std::size_t choice = 0; choice < std::max<std::size_t>(1, spec.choices.size()); ++choice) {
      PanelState state{.id = std::string(spec.id)};
      state.choice = choice;
      INFO(spec.id << " " << choice);
      const PanelData before = make_panel_data(state, tables, scene::Theme::dark);
      const PanelData after = make_panel_data(state, others, scene::Theme::dark);
      CHECK(picture_of(tables, state, after) == picture_of(tables, state, before));
      for (std::size_t row = 0; row < tables[before.table].rows(); ++row)
        CHECK(can_pick(state, others[before.table], row) == can_pick(state, tables[before.table], row));
      if (!before.empty()) ++drawn;
    }
  }
  CHECK(drawn > 12);
}

TEST_CASE("the histogram dialog finds families in renamed columns", "[dashboard]") {
  const AllTables all = all_tables();
  const Table& families = tables_of_analysis(all, "annotations").front();
  const Table other = renamed(families, 0);
  const auto family = families.find_role(ColumnRole::annotation_group);
  REQUIRE(family);
  REQUIRE(families.rows() > 0);
  const std::string_view name = families.at(0, *family).text();
  std::size_t found = 0;
  for (const bool gpu : {false, true}) {
    const TypedFamily before = typed_family(families, name, gpu);
    const TypedFamily after = typed_family(other, name, gpu);
    CHECK(after.name == before.name);
    CHECK(after.containing == before.containing);
    found += before.containing;
  }
  CHECK(found > 0);
}

TEST_CASE("critical path rows link to the path with renamed columns", "[analysis][path]") {
  const AllTables all = all_tables();
  const std::vector<Table>& tables = tables_of_analysis(all, "critical_path");
  const std::vector<Table> others = renamed(tables);
  std::size_t paths = 0;
  for (std::size_t t = 0; t < tables.size(); ++t)
    for (std::size_t row = 0; row < std::min<std::size_t>(tables[t].rows(), 20); ++row) {
      const auto before = path_of_row(*all.profile, tables, tables[t], row, {});
      const auto after = path_of_row(*all.profile, others, others[t], row, {});
      REQUIRE(after.has_value() == before.has_value());
      if (!before) continue;
      ++paths;
      CHECK(after->rank == before->rank);
      CHECK(after->window == before->window);
      CHECK(after->of == before->of);
      CHECK(after->edge == before->edge);
    }
  CHECK(paths > 20);
}

TEST_CASE("a diagnostic's row links to it with renamed columns", "[diagnostics]") {
  trace::Profile profile = *all_tables().profile;
  profile.diagnostics = {};
  for (const char* file : {"rank0.json", "rank1.json"})
    profile.diagnostics.add("truncated", Severity::warning, file, 12, "example");
  const Table table = diagnostics_table(profile.diagnostics, profile.path);
  REQUIRE(table.rows() == 2);
  for (std::size_t row = 0; row < 2; ++row) {
    const Diagnostic* found = diagnostic_of_row(profile, table, row);
    REQUIRE(found != nullptr);
    CHECK(diagnostic_of_row(profile, renamed(table, 0), row) == found);
  }
}

}  // namespace
}  // namespace warpscope::ui
