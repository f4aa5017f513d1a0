// Order, visibility and settings of panels, and saving the layout.
#include "app/ui/dashboard/dashboard_layout.hpp"

#include <set>

#include "app/ui/dashboard/panel_spec.hpp"
#include "core/analysis/request/registry.hpp"
#include "tests/catch.hpp"

namespace warpscope::ui {
namespace {

std::vector<std::string> ids_of(const DashboardLayout& layout) {
  std::vector<std::string> ids;
  for (const PanelState& panel : layout.panels()) ids.push_back(panel.id);
  return ids;
}

TEST_CASE("every panel has an existing analysis", "[dashboard]") {
  std::set<std::string_view> ids;
  for (const PanelSpec& spec : panel_specs()) {
    INFO(spec.id);
    const analysis::Analysis* analysis = analysis::find_analysis(spec.analysis);
    REQUIRE(analysis != nullptr);
    CHECK(ids.insert(spec.id).second);
    CHECK_FALSE(missing_of(spec.need).empty());
    const auto takes = [&](std::string_view name, std::string_view value) {
      const std::vector<analysis::Setting> settings{{std::string(name), std::string(value)}};
      return analysis::ParameterValues::parse(analysis->parameters, settings).ok();
    };
    for (const PanelChoice& choice : spec.choices)
      if (!choice.parameter.empty()) CHECK(takes(choice.parameter, choice.value));
    if (offers(spec, "width")) CHECK(takes("log", "true"));
  }
}

TEST_CASE("a new dashboard has all panels in default order", "[dashboard]") {
  const DashboardLayout layout;
  REQUIRE(layout.panels().size() == panel_specs().size());
  CHECK(layout.panels().front().id == "where_time_goes");
  CHECK(layout.panels().back().id == "cpu_active_time");
  CHECK(layout.shown().size() == layout.panels().size());
}

TEST_CASE("a layout survives writing and reading", "[dashboard]") {
  DashboardLayout layout;
  layout.at(0).hidden = true;
  layout.at(4).k = 7;
  layout.at(8).log_y = true;
  layout.at(8).bin_width = 500'000;
  layout.at(10).choice = 1;
  layout.place(2, 9);
  const std::size_t made = layout.add_histogram("odd; name, with = signs % and\nlines", true, "0,3-5");
  layout.at(made).log_x = true;
  layout.add_histogram("step", false, "");
  const std::string line = layout.print();
  CHECK(line.find('\n') == std::string::npos);
  CHECK(line.find(' ') == std::string::npos);
  CHECK(DashboardLayout::parse(line) == layout);
}

TEST_CASE("lines from other versions are read as far as possible", "[dashboard]") {
  const DashboardLayout all;
  CHECK(DashboardLayout::parse("") == all);
  CHECK(DashboardLayout::parse("no_such_panel;;,;-;histogram;kernel_time,k=many,choice=9") == all);
  // Unnamed panels follow their predecessor in the default order.
  const DashboardLayout moved = DashboardLayout::parse("cpu_active_time;where_time_goes;where_time_goes");
  std::vector<std::string> expected{"cpu_active_time"};
  for (const std::string& id : ids_of(all))
    if (id != "cpu_active_time") expected.push_back(id);
  CHECK(ids_of(moved) == expected);
}

TEST_CASE("panels move among visible panels", "[dashboard]") {
  DashboardLayout layout;
  layout.at(1).hidden = true;
  CHECK_FALSE(layout.move(0, -1, layout.shown()));
  CHECK(layout.move(0, 1, layout.shown()));  // past the hidden panel
  CHECK(ids_of(layout)[2] == "where_time_goes");
  CHECK(layout.move(2, -1, layout.shown()));
  CHECK(layout.panels()[layout.shown().front()].id == "where_time_goes");
  CHECK_FALSE(layout.move(*layout.find("step_time"), 1, layout.shown()));  // it is hidden
  CHECK_FALSE(layout.move(layout.panels().size() - 1, 1, layout.shown()));
}

TEST_CASE("only custom histograms can be removed, and each can be added only once", "[dashboard]") {
  DashboardLayout layout;
  const std::size_t count = layout.panels().size();
  layout.remove(0);
  CHECK(layout.panels().size() == count);
  const std::size_t first = layout.add_histogram("step", false, "");
  CHECK(first == count);
  layout.at(first).hidden = true;
  CHECK(layout.add_histogram("step", false, "") == first);
  CHECK_FALSE(layout.panels()[first].hidden);
  CHECK(layout.add_histogram("step", true, "") == first + 1);
  layout.remove(first);
  CHECK(layout.panels().size() == count + 1);
  CHECK(layout.panels().back().gpu);
}

TEST_CASE("layouts are stored by path, most recent first, and default layouts are not stored", "[dashboard]") {
  RememberedLayouts layouts;
  DashboardLayout other;
  other.at(3).hidden = true;
  remember_layout(layouts, "/a b", other);
  remember_layout(layouts, "/c", other);
  CHECK(layouts.front().first == "/c");
  CHECK(remembered_layout(layouts, "/a b") == other);
  CHECK(remembered_layout(layouts, "/d") == DashboardLayout());
  remember_layout(layouts, "/c", DashboardLayout());
  CHECK(layouts.size() == 1);
  for (std::size_t i = 0; i < 2 * kMaxDashboards; ++i) remember_layout(layouts, "/" + std::to_string(i), other);
  CHECK(layouts.size() == kMaxDashboards);

  Settings settings;
  settings.dashboards = {{"/a b\nc", other.print()}, {"/d", other.print()}};
  settings.default_k = 20;
  const auto read = parse_settings(print_settings(settings));
  REQUIRE(read.ok());
  CHECK(*read == settings);
}

}  // namespace
}  // namespace warpscope::ui
