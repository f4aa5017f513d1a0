// The Load page without a display, driven by scripts.
#include <imgui.h>

#include <filesystem>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/directory_loader.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/shell/app.hpp"
#include "app/ui/timeline/timeline_page.hpp"
#include "tests/app/ui/conflicts.hpp"
#include "tests/app/ui/offscreen.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::ui;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

struct Jobs {
  TestFolder folder;
  Jobs() {
    const std::string trace = trace_of(kernel_event("first", 1'700'000'000'000'000), R"("schemaVersion": 1)");
    for (const char* job : {"alpha", "beta", "gamma"}) folder.write("runs/" + std::string(job) + "/rank0.json", trace);
    folder.write("single/rank0.json", trace);
  }
  [[nodiscard]] std::string runs() const { return (folder.path() / "runs").string(); }
};

std::unique_ptr<OffscreenApp> make_app(AppOptions options = {}) {
  options.loader = directory_loader({.threads = 1});
  options.pages = with_load_and_settings({make_page<TimelinePage>});
  return offscreen_app(std::move(options), 1400, 900);
}

/// An application that lists the profiles below `root`, for this run only.
std::unique_ptr<OffscreenApp> app_that_lists(const std::string& root) {
  AppOptions options;
  options.roots = {root};
  auto app = make_app(std::move(options));
  if (app) REQUIRE(app->settle());
  return app;
}

}  // namespace

TEST_CASE("a dropped folder of profiles is listed and remembered, and a dropped profile opens") {
  const Jobs jobs;
  const auto app = make_app();
  if (!app) return;
  play(*app, "drop:" + jobs.runs() + ";settle");
  CHECK(state_has(*app, R"("page": "load")"));
  CHECK(state_has(*app, R"("listed": 3)"));
  CHECK(app->app().context().settings.roots == std::vector<std::string>{jobs.runs()});
  CHECK(app->app().context().session.all().empty());
  play(*app, "drop:" + jobs.runs() + ";settle");
  CHECK(app->app().context().settings.roots.size() == 1);
  play(*app, "drop:" + (jobs.folder.path() / "single").string() + ";settle");
  CHECK(state_has(*app, R"("page": "timeline")"));
  CHECK(app->app().context().session.name() == "single");
}

TEST_CASE("keys move through the list and load profiles") {
  const Jobs jobs;
  const auto app = app_that_lists(jobs.runs());
  if (!app) return;
  const Session& session = app->app().context().session;
  CHECK(state_has(*app, R"("listed": 3)"));
  CHECK(app->app().context().settings.roots.empty());  // the folders apply to this run only
  play(*app, "key:S;key:Down;key:Enter;settle");
  REQUIRE(session.all().size() == 1);
  CHECK(session.name() == "alpha");
  CHECK(state_has(*app, R"("page": "timeline")"));
  play(*app, "run:page.load;key:Down;key:Enter;settle");
  REQUIRE(session.all().size() == 2);
  CHECK(session.name() == "beta");

  play(*app, "key:Ctrl+PageDown;settle");
  CHECK(session.name() == "alpha");
  play(*app, "key:Ctrl+PageUp;settle");
  CHECK(session.name() == "beta");
  play(*app, "key:Ctrl+W;settle");
  CHECK(session.all().size() == 1);
  CHECK(session.name() == "alpha");
  CHECK(state_has(*app, R"("page": "load")"));
  play(*app, "run:profile.unload-all;settle");
  CHECK(session.all().empty());
}

TEST_CASE("a failed load is listed as failed") {
  const Jobs jobs;
  jobs.folder.write("nothing/readme.txt", "no trace");
  const auto app = make_app();
  if (!app) return;
  play(*app, "open:" + (jobs.folder.path() / "nothing").string() + ";settle;run:page.load;settle");
  CHECK(state_has(*app, R"("failed": true)"));
  CHECK_FALSE(state_has(*app, R"("failed": false)"));
  play(*app, "open:" + (jobs.folder.path() / "single").string() + ";settle;run:page.load;settle");
  CHECK(state_has(*app, R"("failed": false)"));
}

TEST_CASE("a key rescans the folders") {
  const Jobs jobs;
  const auto app = app_that_lists(jobs.runs());
  if (!app) return;
  CHECK(state_has(*app, R"("listed": 3)"));
  jobs.folder.write("runs/delta/rank0.json", trace_of(kernel_event("first", 1'700'000'000'000'000)));
  play(*app, "key:Ctrl+Shift+R;settle");
  CHECK(state_has(*app, R"("listed": 4)"));
}

TEST_CASE("the find field filters the list") {
  const Jobs jobs;
  const auto app = app_that_lists(jobs.runs());
  if (!app) return;
  play(*app, "key:/;type:ALPHA;settle");
  CHECK(state_has(*app, R"("found": 1)"));
  play(*app, "key:Esc;key:Esc;settle");
  CHECK(state_has(*app, R"("found": 3)"));
  play(*app, "key:/;type:omega;settle");
  CHECK(state_has(*app, R"("found": 0)"));
}

TEST_CASE("Enter in the find field selects the first match; pressing it again loads the match") {
  const Jobs jobs;
  const auto app = app_that_lists(jobs.runs());
  if (!app) return;
  const Session& session = app->app().context().session;
  play(*app, "key:/;type:beta;settle;key:Enter;settle");
  CHECK(state_has(*app, R"("cursor": true)"));
  CHECK(session.all().empty());
  play(*app, "key:Enter;settle");
  REQUIRE(session.all().size() == 1);
  CHECK(session.name() == "beta");
}

TEST_CASE("no two commands on the Load page have the same key") {
  const auto app = make_app();
  if (!app) return;
  for (const auto& conflict : tests::conflicts_in(app->app().context().commands))
    FAIL_CHECK(conflict.first << " and " << conflict.second << ": " << to_string(conflict.chord));
}

TEST_CASE("the start page shows commands for recording a profile") {
  const auto app = make_app();
  if (!app) return;
  REQUIRE(app->settle());
  const auto copied = [&](const std::string& command) {
    play(*app, "run:" + command + ";settle");
    return std::string(ImGui::GetClipboardText());
  };
  CHECK(contains(copied("record.copy-pytorch"), "from torch.profiler import profile"));
  CHECK(copied("record.copy-host") == "warpscope record --out traces -- python3 train.py");
}
