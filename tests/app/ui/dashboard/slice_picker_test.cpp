// The slices of a chart part match the chart's table in number and duration.
#include "app/ui/dashboard/slice_picker.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "app/ui/dashboard/panel_data.hpp"
#include "app/ui/model/analysis_results.hpp"
#include "app/ui/model/directory_loader.hpp"
#include "core/analysis/request/samples.hpp"
#include "render/plots/name_labels.hpp"
#include "render/plots/table_chart.hpp"
#include "tests/app/ui/timeline_fixture.hpp"
#include "tests/catch.hpp"
#include "tests/find_column.hpp"
#include "tests/test_folder.hpp"
#include "tests/tracegen/tracegen.hpp"

namespace warpscope::ui {
namespace {

using namespace warpscope::test;

std::shared_ptr<const trace::Profile> generated_job() {
  const warpscope::tests::TestFolder folder;
  (void)tracegen::generate(*tracegen::preset("small"), folder.path());
  const auto loader = directory_loader(ingest::LoadOptions{})(folder.path(), LoadChoices{}, [] {});
  while (loader->progress().running) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  return loader->profile();
}

std::vector<Table> tables_of(const trace::Profile& profile, const PanelState& panel, const analysis::Scope& scope) {
  const AnalysisRequest request = request_of(panel, scope, 5);
  auto tables = analysis::run_analysis(*analysis::find_analysis(request.analysis), profile, scope, request.settings);
  REQUIRE(tables.ok());
  return std::move(*tables);
}

/// Picks every part of a panel and compares the slices with the panel's table.
void check_panel(const trace::Profile& profile, const PanelState& state, const analysis::Scope& scope) {
  const std::vector<Table> tables = tables_of(profile, state, scope);
  const PanelData data = make_panel_data(state, tables, scene::Theme::dark);
  const Table& table = tables[data.table];
  const auto count = find_column(table, "count");
  const auto total = find_column(table, "total");
  const CancelToken never;
  std::size_t compared = 0;
  for (const std::uint32_t row : data.rows) {
    PickRequest request;
    request.panel = state;
    request.scope = scope;
    request.row = plots::row_name(table, row);
    INFO(state.id << ": " << request.row);
    if (!can_pick(state, table, row)) continue;
    for (std::size_t r = 0; r < table.rows(); ++r) request.named.emplace_back(plots::row_name(table, r));
    if (spec_of(state).chart == ChartKind::histogram)
      request.bin = Interval{table.at(row, 0).integer(), table.at(row, 1).integer()};
    const PickResult picked = pick_slices(profile, request, never);
    REQUIRE(picked.slices != nullptr);
    CHECK(plots::holds_kernels(picked.table, 0));
    if (count) CHECK(static_cast<std::int64_t>(picked.slices->slices.size()) == table.at(row, *count).integer());
    if (total && !request.bin) CHECK(picked.total == table.at(row, *total).integer());
    for (std::size_t i = 1; i < picked.table.rows(); ++i)
      CHECK(picked.table.at(i - 1, 2).integer() >= picked.table.at(i, 2).integer());
    ++compared;
  }
  CHECK(compared > 0);
}

TEST_CASE("clicking selects the slices that the table counts", "[dashboard]") {
  const auto profile = generated_job();
  REQUIRE(profile != nullptr);
  REQUIRE(profile->steps.size() > 2);
  analysis::Scope part;
  part.ranks = {1};
  part.range = analysis::range_of_steps(*profile, part, 1, 1);
  REQUIRE(part.range.has_value());
  for (const char* id : {"kernel_time", "kernel_time_top", "kernel_launches", "kernel_precision", "gpu_activity",
                         "memory_operations", "step_time"})
    for (const analysis::Scope& scope : {analysis::Scope{}, part}) check_panel(*profile, {.id = id}, scope);
  PanelState made{.id = "histogram"};
  made.annotation = "step";
  for (const bool gpu : {false, true}) {
    made.gpu = gpu;
    check_panel(*profile, made, {});
  }
}

TEST_CASE("clicking a precision applies the kernel class rules", "[dashboard]") {
  const auto profile = generated_job();
  REQUIRE(profile != nullptr);
  PickRequest request;
  request.panel = {.id = "kernel_precision"};
  request.kernel_rules = "communication=gemm";
  const AnalysisRequest asked = request_of(request.panel, {}, 15, {}, request.kernel_rules);
  const auto tables = analysis::run_analysis(*analysis::find_analysis(asked.analysis), *profile, {}, asked.settings);
  REQUIRE(tables.ok());
  const Table& table = tables->front();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    request.row = table.at(row, 0).text();
    INFO(request.row);
    const PickResult picked = pick_slices(*profile, request, CancelToken());
    CHECK(picked.total == table.at(row, 1).integer());
    CHECK(static_cast<std::int64_t>(picked.slices->slices.size()) == table.at(row, 2).integer());
  }
}

TEST_CASE("a bar in the step time chart selects the steps", "[dashboard]") {
  const auto profile = generated_job();
  REQUIRE(profile != nullptr);
  PickRequest request;
  request.panel = {.id = "step_time"};
  const PickResult picked = pick_slices(*profile, request, CancelToken());
  REQUIRE(picked.slices != nullptr);
  for (const analysis::StepSample& sample : analysis::step_samples(*profile, {}))
    CHECK(std::ranges::count(picked.slices->slices, sample.slice) == 1);
}

TEST_CASE("idle time, samples and curves have no slices", "[dashboard]") {
  Table states("", "", {{"state", "", ColumnRole::state}, {"total", "", ColumnRole::total}});
  states.add_row({"active", 3});
  states.add_row({"idle", 1});
  CHECK(can_pick({.id = "gpu_active_time"}, states, 0));
  CHECK_FALSE(can_pick({.id = "gpu_active_time"}, states, 1));
  CHECK_FALSE(can_pick({.id = "cpu_active_time"}, states, 0));
  CHECK_FALSE(can_pick({.id = "gpu_utilization"}, states, 0));
  Table sampled("", "", {{"state", "", ColumnRole::state}, {"samples", "", ColumnRole::samples}});
  sampled.add_row({"active", 3});
  CHECK_FALSE(can_pick({.id = "gpu_active_time"}, sampled, 0));
}

/// Repeats the request until the answer is from this generation.
std::shared_ptr<const AnalysisAnswer> wait_for(AnalysisResults& results, const AnalysisRequest& request,
                                               std::uint64_t generation) {
  while (true) {
    const auto answer = results.get(request);
    results.end_frame();
    if (answer && answer->generation == generation) return answer;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST_CASE("results are cached per profile", "[dashboard]") {
  AnalysisResults results({});
  const AnalysisRequest kernels{"kernel_time", {{"k", "2"}}, {}};
  CHECK(results.get(kernels) == nullptr);
  CHECK_FALSE(results.busy());  // no profile is open
  results.set_profile(job_profile(1), 1, true);
  const auto first = wait_for(results, kernels, 1);
  REQUIRE(first->tables.ok());
  CHECK(first->tables->front().rows() == 3);
  CHECK(results.get(kernels) == first);
  CHECK(results.answered() == 1);

  results.set_profile(job_profile(2), 2, false);
  CHECK(results.get(kernels) == first);  // shown until the new one arrives
  const auto second = wait_for(results, kernels, 2);
  CHECK(second->serial != first->serial);
  CHECK(second->tables->front().at(0, 3).integer() == 2 * first->tables->front().at(0, 3).integer());

  results.set_profile(job_profile(1), 3, true);
  CHECK(results.get(kernels) == nullptr);  // a different path, so previous results are not reused
}

TEST_CASE("unused requests are cancelled, and errors are returned as results", "[dashboard]") {
  AnalysisResults results({});
  results.set_profile(job_profile(2), 1, true);
  static_cast<void>(results.get({"step_time", {}, {}}));
  results.end_frame();
  results.end_frame();  // a frame without a request for it
  CHECK_FALSE(results.busy());
  const auto wrong = wait_for(results, {"kernel_time", {{"k", "many"}}, {}}, 1);
  CHECK_FALSE(wrong->tables.ok());
}

}  // namespace
}  // namespace warpscope::ui
