// The Findings page in the application without a display.
#include "app/ui/findings/findings_page.hpp"

#include <imgui.h>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/directory_loader.hpp"
#include "app/ui/model/session.hpp"
#include "core/trace/system_metrics.hpp"
#include "tests/app/cli/debugger_job.hpp"
#include "tests/app/ui/conflicts.hpp"
#include "tests/app/ui/offscreen.hpp"
#include "tests/core/rules/training_job.hpp"

namespace warpscope::ui {
namespace {

using namespace warpscope::tests;

/// A job that waits for its data loader.
std::string loader_job(const TestFolder& folder) {
  const TrainingShape shape{.hole_begin = 1'000, .hole_end = 3'000};
  const std::string events = training_events(shape, [](TinyEvents& into, int, double begin, int) {
    into.annotation("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", begin + 900, 2'000);
  });
  return folder.write("trace.json", trace_of(events, training_metadata(shape))).string();
}

class FindingsBench {
 public:
  explicit FindingsBench(const std::string& path, const std::filesystem::path& user_folder = {}) {
    AppOptions options = app_options(directory_loader({}), {});
    options.pages.clear();  // show all pages
    if (!user_folder.empty()) options.settings_path = user_folder / "settings";
    app_ = offscreen_app(std::move(options), 1280, 800);
    if (app_) play(*app_, "open:" + path + ";settle");
  }
  [[nodiscard]] bool works() const { return app_ != nullptr; }
  void run(const std::string& script) { play(*app_, script + ";settle"); }
  [[nodiscard]] bool has(std::string_view words) { return state_has(*app_, words); }
  [[nodiscard]] AppContext& context() { return app_->app().context(); }

 private:
  std::unique_ptr<OffscreenApp> app_;
};

TEST_CASE("the Findings page opens after a load and shows the job's defect", "[findings][window]") {
  const TestFolder folder;
  FindingsBench bench(loader_job(folder));
  if (!bench.works()) return;
  CHECK(bench.has(R"("page": "findings")"));
  CHECK(bench.has(R"("evaluated": true)"));
  CHECK(bench.has("\"DataLoader\""));
  CHECK(tests::conflicts_in(bench.context().commands).empty());
}

TEST_CASE("findings can be shown in the Timeline by key or mouse", "[findings][window]") {
  const TestFolder folder;
  FindingsBench bench(loader_job(folder));
  if (!bench.works()) return;
  Session& session = bench.context().session;
  const auto show_page = std::exchange(bench.context().show_page, [](std::string_view) {});
  bench.run("key:Enter");  // the first finding is selected
  // The longest call of the data loader.
  REQUIRE(session.request());
  CHECK_FALSE(std::holds_alternative<RankRequest>(*session.request()));
  (void)session.take_request();
  bench.context().show_page = show_page;
  bench.run("key:Enter");
  CHECK(bench.has(R"("page": "timeline")"));
  CHECK(bench.has("enumerate(DataLoader)"));

  bench.run("key:Esc;run:page.findings;key:Space");
  CHECK(bench.has(R"("page": "findings")"));
  bench.run("click:220,345");  // a listed occurrence
  CHECK(bench.has(R"("page": "timeline")"));
}

TEST_CASE("the Findings page shows AWS's reports without traces and metrics", "[findings][window]") {
  const TestFolder folder;
  folder.write("profiler-reports/CPUBottleneck.json",
               R"({"RuleTriggered": 3, "Violations": 7, "Details": {}, "Datapoints": 50, "RuleParameters": "a:1"})");
  FindingsBench bench((folder.path() / "profiler-reports").string());
  if (!bench.works()) return;
  CHECK(bench.has(R"("page": "findings")"));
  CHECK(bench.has(R"("evaluated": true)"));
}

TEST_CASE("a healthy job has no findings, and all rules have a verdict", "[findings][window]") {
  const TestFolder folder;
  const TrainingShape shape;
  FindingsBench bench(
      folder.write("trace.json", trace_of(training_events(shape, {}), training_metadata(shape))).string());
  if (!bench.works()) return;
  CHECK(bench.has(R"("summary": "No issue found.)"));
  CHECK(bench.has(R"("findings": [])"));
}

TEST_CASE("the user's rules and parameters apply on the page", "[findings][window]") {
  const TestFolder folder;
  const TestFolder user;
  user.write("rules.json", R"([{"name": "Slow", "metric": "step_time.duration", "threshold": 1, "advice": "Hurry."}])");
  user.write("rule-settings.json", R"({"DataLoader_share": 0.5})");
  FindingsBench bench(loader_job(folder), user.path());
  if (!bench.works()) return;
  CHECK(bench.has("\"Slow\""));
  CHECK_FALSE(bench.has("\"DataLoader\""));
}

TEST_CASE("a rule shows its details", "[findings][window]") {
  const TestFolder folder;
  FindingsBench bench(loader_job(folder));
  if (!bench.works()) return;
  CHECK(bench.has(R"("details": 0)"));
  bench.run("run:findings.rule");
  // Time in the data loader: statistics and a histogram.
  CHECK(bench.has(R"("rule": "DataLoader")"));
  CHECK(bench.has(R"("details": 2)"));
}

TEST_CASE("a finding about system metrics is shown on its Timeline row", "[findings][window]") {
  const TestFolder folder;
  FindingsBench bench(debugger_job(folder));
  if (!bench.works()) return;
  // Keeps the Timeline from taking the request.
  bench.context().show_page = [](std::string_view) {};
  bench.run("key:Down;key:Enter");
  const auto& pending = bench.context().session.request();
  REQUIRE(pending);
  const auto* const request = std::get_if<RankRequest>(&*pending);
  REQUIRE((request != nullptr && request->metrics));
  REQUIRE(request->metrics->items.size() == 1);
  const trace::Profile& profile = *bench.context().session.profile();
  const trace::Node& node = profile.nodes[request->metrics->node];
  CHECK(node.label == "algo-2");
  const trace::MetricSeries& series = profile.metrics[node.metrics]->series()[request->metrics->items.front()];
  CHECK(series.metric == trace::Metric::gpu_utilisation);
  CHECK(series.instance == 3);
}

TEST_CASE("findings can be copied as text", "[findings][window]") {
  const TestFolder folder;
  FindingsBench bench(loader_job(folder));
  if (!bench.works()) return;
  bench.run("key:Ctrl+Shift+C");
  const std::string text = ImGui::GetClipboardText();
  CHECK(text.find("1. Data loader\n   Waiting for the data loader, ") != std::string::npos);
}

}  // namespace
}  // namespace warpscope::ui
