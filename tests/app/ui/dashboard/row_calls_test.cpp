// The slices of a chart part match the chart's table in number and duration.
#include <algorithm>
#include <chrono>
#include <thread>

#include "app/ui/analysis/row_target.hpp"
#include "app/ui/dashboard/panel_data.hpp"
#include "app/ui/model/analysis_results.hpp"
#include "app/ui/model/directory_loader.hpp"
#include "core/analysis/operators/call_tables.hpp"
#include "core/analysis/request/samples.hpp"
#include "core/analysis/shared/row_words.hpp"
#include "render/plots/name_labels.hpp"
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

/// The query for a row of a panel's table, as a click on its chart item makes it.
analysis::CallQuery query_of(const trace::Profile& profile, const PanelState& state, const Table& table,
                             std::uint32_t row) {
  if (!state.histogram()) return calls_of_row(profile, table, row).value_or(analysis::CallQuery{});
  return {.name = state.annotation,
          .of = state.made() ? ColumnRole::annotation_group : ColumnRole::step,
          .on_device = state.gpu,
          .durations = Interval{table.at(row, 0).integer(), table.at(row, 1).integer()}};
}

/// Finds the slices of every part of a panel and compares them with the panel's table.
void check_panel(const trace::Profile& profile, const PanelState& state, const analysis::Scope& scope,
                 const std::string& kernel_rules = {}) {
  AnalysisRequest request = request_of(state, scope, kernel_rules);
  if (state.id.starts_with("kernel_time") || state.id == "kernel_launches") request.settings.emplace_back("k", "5");
  const auto tables =
      analysis::run_analysis(*analysis::find_analysis(request.analysis), profile, scope, request.settings);
  REQUIRE(tables.ok());
  // Few steps are drawn as bars of another table.
  const bool bins = state.histogram();
  const Table& table = (*tables)[bins ? 0 : make_panel_data(state, *tables, scene::Theme::dark).drawing.table];
  const auto count = find_column(table, "count");
  const auto total = find_column(table, "total");
  std::size_t compared = 0;
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    analysis::CallQuery query = query_of(profile, state, table, row);
    INFO(state.id << ": " << query.name);
    if (query == analysis::CallQuery{}) continue;
    query.scope = scope;
    query.kernel_rules = kernel_rules;
    const analysis::CallTables found = analysis::call_tables(profile, query, nullptr);
    CHECK(plots::holds_kernels(found.list, 0));
    if (count) CHECK(std::ssize(found.slices) == table.at(row, *count).integer());
    if (total && !query.durations) CHECK(found.total == table.at(row, *total).integer());
    for (std::size_t i = 1; i < found.list.rows(); ++i)
      CHECK(found.list.at(i - 1, 2).integer() >= found.list.at(i, 2).integer());
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
  check_panel(*profile, {.id = "kernel_precision"}, {}, "communication=gemm");
  PanelState made{.id = "histogram"};
  made.annotation = "step";
  for (const bool gpu : {false, true}) {
    made.gpu = gpu;
    check_panel(*profile, made, {});
  }
}

TEST_CASE("a bar in the step time chart selects the steps", "[dashboard]") {
  const auto profile = generated_job();
  REQUIRE(profile != nullptr);
  const auto found = analysis::call_tables(*profile, {.of = ColumnRole::step}, nullptr).slices;
  for (const analysis::StepSample& sample : analysis::step_samples(*profile, {}))
    CHECK(std::ranges::count(found, sample.slice) == 1);
}

TEST_CASE("idle time, samples and threads have no slices", "[dashboard]") {
  const auto profile = job_profile(1);
  Table states("", "", {{"state", "", ColumnRole::state}, {"total", "", ColumnRole::total}});
  for (const auto state : {analysis::WorkState::active, analysis::WorkState::idle, analysis::WorkState::busy})
    states.add_row({analysis::state_cell(state), 3});
  CHECK(calls_of_row(*profile, states, 0));
  CHECK_FALSE(calls_of_row(*profile, states, 1));
  CHECK_FALSE(calls_of_row(*profile, states, 2));
  Table sampled("", "", {{"state", "", ColumnRole::state}, {"samples", "", ColumnRole::samples}});
  sampled.add_row({analysis::state_cell(analysis::WorkState::active), 3});
  CHECK_FALSE(calls_of_row(*profile, sampled, 0));
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
