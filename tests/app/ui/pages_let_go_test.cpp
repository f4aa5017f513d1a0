// Unloading a profile frees its memory only if nothing references it. No page keeps any part of a profile, whatever the
// page showed and whichever page is visible.
#include "app/ui/analysis/analysis_page.hpp"
#include "app/ui/dashboard/dashboard_page.hpp"
#include "app/ui/findings/findings_page.hpp"
#include "app/ui/information/information_page.hpp"
#include "app/ui/model/commands.hpp"
#include "app/ui/model/directory_loader.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/query/query_page.hpp"
#include "app/ui/timeline/timeline_page.hpp"
#include "tests/app/ui/conflicts.hpp"
#include "tests/app/ui/offscreen.hpp"
#include "tests/app/ui/staged_loader.hpp"
#include "tests/app/ui/timeline_fixture.hpp"
#include "tests/test_folder.hpp"
#include "tests/tracegen/tracegen.hpp"

namespace warpscope::ui {
namespace {

using namespace warpscope::tests;

constexpr const char* kPages[] = {"timeline", "findings",    "dashboard", "analysis",
                                  "query",    "information", "load",      "settings"};
constexpr const char* kTabs[] = {"selection", "connections", "range"};

/// Weak references to a profile and its parts.
class Traces {
 public:
  explicit Traces(const std::shared_ptr<const trace::Profile>& profile)
      : profile_(profile), names_(profile->dictionary), ranks_(profile->ranks.begin(), profile->ranks.end()) {}
  /// Names of the parts still in memory; "" if there are none.
  [[nodiscard]] std::string kept() const {
    std::string what = profile_.expired() ? "" : "the profile ";
    if (!names_.expired()) what += "its names ";
    for (std::size_t i = 0; i < ranks_.size(); ++i)
      if (!ranks_[i].expired()) what += "rank " + std::to_string(i) + " ";
    return what;
  }

 private:
  std::weak_ptr<const trace::Profile> profile_;
  std::weak_ptr<const trace::Dictionary> names_;
  std::vector<std::weak_ptr<const trace::Rank>> ranks_;
};

/// The application with all of its pages.
class PagesBench {
 public:
  explicit PagesBench(LoaderFactory loader) {
    app_ = offscreen_app(
        app_options(std::move(loader), {make_page<FindingsPage>, make_page<DashboardPage>, page_at(timeline_),
                                        make_page<AnalysisPage>, make_page<QueryPage>, make_page<InformationPage>}),
        960, 640);
  }

  [[nodiscard]] bool works() const { return app_ != nullptr; }
  [[nodiscard]] AppContext& context() { return app_->app().context(); }
  [[nodiscard]] Session& session() { return app_->app().context().session; }
  [[nodiscard]] Traces traces() { return Traces(session().profile()); }
  void run(const std::string& script) { play(*app_, script + ";settle"); }
  void open(const std::string& path) {
    run("open:" + path);
    REQUIRE(session().profile());
  }

  /// Uses everything that caches parts of a profile; searches for `query` and selects a match.
  void look_at_everything(const std::string& query) {
    run("run:page.timeline;settle;key:n");  // selects a step
    REQUIRE(timeline_->state().selected_range() != nullptr);
    run("key:/;type:" + query + ";settle;key:Enter;settle;key:Esc");
    REQUIRE(timeline_->state().highlight() != nullptr);
    REQUIRE(session().selection());
    for (const char* tab : kTabs) run("run:panel." + std::string(tab));
    CHECK(state_has(*app_, "\"Connections 2\""));
    CHECK(state_has(*app_, "\"arrows\": 1"));
    const auto box = scene::box_of_slice(timeline_->state().input(), *session().selection());
    REQUIRE(box);
    const auto [x, y] = timeline_->geometry().canvas;
    run("click:" + std::to_string(static_cast<int>(x + (box->x0 + box->x1) / 2)) + "," +
        std::to_string(static_cast<int>(y + (box->y0 + box->y1) / 2)) + ",right");  // the slice's context menu
    run("key:Esc");
    for (const char* page : kPages) run("run:page." + std::string(page));
    run("run:page.dashboard;settle;key:Right;key:Right;key:Right;key:Right;key:Right;type:]];key:Enter");
    REQUIRE(session().picked() != nullptr);  // a kernel's slices
    run("run:page.information;settle;run:information.next;settle;run:page.timeline");
  }

 private:
  TimelinePage* timeline_ = nullptr;
  std::unique_ptr<OffscreenApp> app_;
};

/// A job that produces a diagnostic.
std::string generated_job(const TestFolder& folder) {
  tracegen::Options options = *tracegen::preset("small");
  options.defects = {*tracegen::parse_defect("negative-duration")};
  (void)tracegen::generate(options, folder.path());
  return folder.path().string();
}

TEST_CASE("no two commands on any page have the same key", "[window]") {
  Stages stages;
  PagesBench bench(staged(stages));
  if (!bench.works()) return;
  for (const auto& conflict : tests::conflicts_in(bench.context().commands))
    FAIL_CHECK(conflict.first << " and " << conflict.second << " both use " << to_string(conflict.chord));
}

TEST_CASE("unloading a profile frees all of its memory on every page", "[window]") {
  const TestFolder folder;
  const std::string path = generated_job(folder);
  PagesBench bench(directory_loader({.threads = 1}));
  if (!bench.works()) return;
  for (const char* page : kPages) {
    INFO(page);
    bench.open(path);
    bench.look_at_everything("cat:kernel");
    const Traces traces = bench.traces();
    bench.run("run:page." + std::string(page));
    bench.session().close();
    bench.run("wait:1");
    CHECK_FALSE(bench.session().is_open());
    CHECK(traces.kept() == "");
  }
}

TEST_CASE("reloading a profile, or unloading it while another is shown, frees all of its memory", "[window]") {
  const TestFolder first;
  const TestFolder second;
  PagesBench bench(directory_loader({.threads = 1}));
  if (!bench.works()) return;
  bench.open(generated_job(first));
  bench.look_at_everything("cat:kernel");
  const Traces before = bench.traces();
  bench.run("run:page.settings");
  bench.session().reload();
  bench.run("wait:1");
  REQUIRE(bench.session().profile());
  CHECK(before.kept() == "");  // even though the new profile was not shown

  bench.look_at_everything("cat:kernel");
  const Traces traces = bench.traces();
  const std::uint64_t id = bench.session().current_id();
  bench.run("run:page.settings");
  bench.open(generated_job(second));
  REQUIRE(bench.session().current_id() != id);
  bench.session().unload(id);
  bench.run("wait:1");
  CHECK(bench.session().all().size() == 1);
  CHECK(traces.kept() == "");
  CHECK(bench.session().profile() != nullptr);
}

TEST_CASE("a complete load frees the partial profiles shown before it", "[window]") {
  for (const bool completed : {false, true}) {
    INFO(completed);
    Stage stage;
    stage.profile = test::job_profile(1, false);
    PagesBench bench(staged(stage));
    if (!bench.works()) return;
    bench.open("job");
    bench.look_at_everything("name~gemm");
    const Traces part = bench.traces();
    bench.run("run:page.load");
    if (completed) stage.profile = test::job_profile(2);
    bench.run("wait:1");
    CHECK(bench.session().profile()->complete == completed);
    const Traces whole = bench.traces();
    bench.session().close();
    stage.profile.reset();
    bench.run("wait:1");
    CHECK(stage.alive == 0);
    CHECK(part.kept() == "");
    CHECK(whole.kept() == "");
  }
}

}  // namespace
}  // namespace warpscope::ui
