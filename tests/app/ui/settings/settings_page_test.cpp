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

TEST_CASE("settings are not truncated in a narrow window") {
  const auto app = app_with_pages({}, 640, 800);
  if (!app) return;
  app->app().show_page("settings");
  REQUIRE(app->settle());
  CHECK(state_has(*app, "\"cut\": false"));
}

TEST_CASE("a corrupt settings file is reported") {
  const TestFolder folder;
  std::ofstream(folder.path() / "settings", std::ios::binary) << "\x7f"
                                                                 "ELF\0 no settings";
  AppOptions options;
  options.settings_path = folder.path() / "settings";
  const auto app = app_with_pages(std::move(options));
  if (!app) return;
  REQUIRE(app->settle());
  CHECK(state_has(*app, "the settings file is corrupt"));
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
  CHECK(std::string(ImGui::GetClipboardText()).starts_with("name,value,file\r\nTrainingJobName,llama-70b-ft"));
  play(*app, "run:information.previous;run:information.previous;settle");
  CHECK(state_has(*app, "\"section\": \"diagnostics\""));

  play(*app, "run:find.focus;wait:2;type:testing;settle");
  CHECK(state_has(*app, "\"devices\": 1"));
  CHECK(state_has(*app, "\"software\": 0"));
  play(*app, "key:F3;settle");
  CHECK(state_has(*app, "Testing GPU"));
}
