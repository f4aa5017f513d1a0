// The Settings and Information pages in the whole application without a display.
#include <imgui.h>

#include <filesystem>
#include <fstream>

#include "app/ui/information/information_page.hpp"
#include "app/ui/model/commands.hpp"
#include "app/ui/model/directory_loader.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/shell/app.hpp"
#include "app/ui/timeline/timeline_page.hpp"
#include "tests/app/ui/offscreen.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::ui;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

/// A job with its metadata and a kernel with an impossible duration.
std::string write_profile(const TestFolder& folder) {
  folder.write("job/job.json", R"({"TrainingJobName": "llama-70b-ft"})");
  const std::string metadata = R"("record_shapes": 1, "cuda_runtime_version": 12040,
      "deviceProperties": [{"id": 0, "name": "Testing GPU", "totalGlobalMem": 34079899648}])";
  const std::string events = kernel_event("first") + "," + kernel_event("second", 200, -5);
  return folder.write("job/rank0.json", trace_of(events, metadata)).parent_path().string();
}

std::unique_ptr<OffscreenApp> app_with_pages(AppOptions options = {}, int width = 1280, int height = 800) {
  options.loader = directory_loader({.threads = 1});
  if (options.pages.empty())
    options.pages = with_load_and_settings({make_page<TimelinePage>, make_page<InformationPage>});
  return offscreen_app(std::move(options), width, height);
}

}  // namespace

TEST_CASE("settings are not truncated in a narrow window at any text size") {
  for (const float size : {12.0f, 15.0f, 19.0f}) {
    const auto app = app_with_pages({}, 640, 800);
    if (!app) return;
    app->app().context().settings.font_size = size;
    app->app().show_page("settings");
    REQUIRE(app->settle());
    INFO(size << ": " << app->app().state_text());
    CHECK(state_has(*app, "\"cut\": false"));
  }
}

TEST_CASE("a corrupt settings file is set aside with a message") {
  const TestFolder folder;
  std::ofstream(folder.path() / "settings", std::ios::binary) << "\x7f"
                                                                 "ELF\0 no settings";
  AppOptions options;
  options.settings_path = folder.path() / "settings";
  const auto app = app_with_pages(std::move(options));
  if (!app) return;
  REQUIRE(app->settle());
  CHECK(state_has(*app, "the settings file is corrupt"));
  CHECK(fs::exists(folder.path() / "settings.damaged"));
}

TEST_CASE("pressing a chord binds it, bindings are saved, and reset restores the default") {
  const TestFolder folder;
  AppOptions options;
  options.settings_path = folder.path() / "settings";
  {
    const auto app = app_with_pages(options);
    if (!app) return;
    const CommandTable& commands = app->app().context().commands;
    const Settings& settings = app->app().context().settings;
    Palette& keys = app->app().palette();
    play(*app, "run:app.help;settle");
    keys.record("app.fold-rail");
    play(*app, "wait:2;key:Ctrl+K;settle");
    CHECK(commands.keys_text("app.fold-rail") == "Ctrl+B, Ctrl+K");
    CHECK_FALSE(keys.recording());
    CHECK_FALSE(settings.rail_folded);
    play(*app, "key:Esc;key:Ctrl+K;settle");
    CHECK(settings.rail_folded);

    play(*app, "run:app.help;settle");
    keys.record("app.help");
    play(*app, "wait:2;key:Esc;settle");
    CHECK(commands.keys_text("app.help") == "?, F1");
    CHECK(state_has(*app, "\"dialog\": \"palette\""));
    keys.record("app.help");
    play(*app, "wait:2;key:Ctrl+K;settle");
    CHECK(state_has(*app, "Ctrl+K is already used by: "));
  }
  const auto again = app_with_pages(options);
  const CommandTable& commands = again->app().context().commands;
  REQUIRE(again->settle());
  CHECK(commands.keys_text("app.fold-rail") == "Ctrl+B, Ctrl+K");
  play(*again, "run:settings.reset-keys;settle;key:Ctrl+K;settle");
  CHECK(again->app().context().settings.rail_folded);
  CHECK(commands.keys_text("app.help") == "?, F1");
  play(*again, "run:app.help;settle");
  CHECK(state_has(*again, "\"conflict\": \"\""));
}

TEST_CASE("recording a key does not run commands") {
  const auto app = app_with_pages();
  if (!app) return;
  Palette& keys = app->app().palette();
  play(*app, "run:app.help;settle");
  keys.record("find.next");
  play(*app, "wait:2;key:Ctrl+B;settle");
  CHECK_FALSE(app->app().context().settings.rail_folded);
  CHECK(state_has(*app, "Ctrl+B is already used by: "));
  keys.record("view.larger");
  play(*app, "wait:2;click:600,600;key:Ctrl+Shift+Alt+F7;settle");
  CHECK(app->app().context().commands.keys_text("view.larger") == "Ctrl+=");
}

TEST_CASE("the window warns before closing because of inactivity") {
  auto now = std::make_shared<std::chrono::steady_clock::time_point>(std::chrono::hours(1000));
  AppOptions options;
  options.clock = [now] { return *now; };
  const auto app = app_with_pages(std::move(options));
  if (!app) return;
  REQUIRE(app->settle());
  *now += std::chrono::hours(100);
  app->frame();
  CHECK_FALSE(app->app().quit_asked());  // off by default
  app->app().context().settings.close_when_idle = true;
  play(*app, "move:200,200;move:300,300");
  *now += std::chrono::minutes(119) + std::chrono::seconds(30);
  app->frame();
  CHECK_FALSE(app->app().quit_asked());
  CHECK(state_has(*app, "Closing in one minute"));
  CHECK(app->app().next_frame_in().value_or(1000) <= 30);
  play(*app, "move:400,300");
  *now += std::chrono::minutes(60);
  app->frame();
  CHECK_FALSE(app->app().quit_asked());
  *now += std::chrono::minutes(61);
  app->frame();
  CHECK(app->app().quit_asked());
}

TEST_CASE("the system theme follows the desktop") {
  for (const bool dark : {false, true}) {
    AppOptions options;
    options.desktop_is_dark = [dark] { return dark; };
    const auto app = app_with_pages(std::move(options));
    if (!app) return;
    REQUIRE(app->settle());
    CHECK(state_has(*app, dark ? "\"theme\": \"dark\"" : "\"theme\": \"light\""));
  }
}

TEST_CASE("the Information page shows, filters and copies tables") {
  const TestFolder folder;
  const auto app = app_with_pages();
  if (!app) return;
  app->open(write_profile(folder));
  play(*app, "settle;run:page.information;settle");
  CHECK(state_has(*app, "\"section\": \"overview\""));
  CHECK(state_has(*app, "\"job\": 1"));
  play(*app, "run:information.next;settle");
  CHECK(state_has(*app, "\"section\": \"job\""));
  play(*app, "run:information.copy;settle");
  CHECK(std::string(ImGui::GetClipboardText()).starts_with("part,name,value,file\r\nJob,TrainingJobName,llama-70b-ft"));
  play(*app, "run:information.previous;run:information.previous;settle");
  CHECK(state_has(*app, "\"section\": \"diagnostics\""));

  play(*app, "run:find.focus;wait:2;type:testing;settle");
  CHECK(state_has(*app, "\"devices\": 1"));
  CHECK(state_has(*app, "\"software\": 0"));
  play(*app, "key:F3;settle");
  CHECK(state_has(*app, "Testing GPU"));
}
