// Save as a trace: the marked range becomes files that load again.
#include <filesystem>

#include "app/ui/model/directory_loader.hpp"
#include "app/ui/timeline/timeline_page.hpp"
#include "tests/app/ui/offscreen.hpp"
#include "tests/load_profile.hpp"
#include "tests/small_job.hpp"

namespace warpscope::ui {
namespace {

using namespace warpscope::tests;
namespace fs = std::filesystem;

TEST_CASE("the marked range is saved as one trace per rank, and nothing is replaced", "[timeline][window]") {
  const TestFolder folder;
  (void)tracegen::generate(small_job(), folder.path() / "job");
  const auto app = offscreen_app(app_options(directory_loader({}), {make_page<TimelinePage>}), 1280, 800);
  if (!app) return;
  const fs::path out = folder.path() / "part";
  const std::string save = "run:range.save;wait:3;key:Ctrl+A;type:" + out.string() + ";key:Enter;settle";
  play(*app, "open:" + (folder.path() / "job").string() + ";settle;run:page.timeline;run:range.save;settle");
  CHECK_FALSE(fs::exists(out));  // no range yet
  play(*app, "run:range.of-view;settle;" + save);
  CHECK(std::distance(fs::directory_iterator(out), fs::directory_iterator()) == 2);
  const auto whole = load_profile((folder.path() / "job").string());
  const auto part = load_profile(out.string());
  REQUIRE(whole);
  REQUIRE(part);
  CHECK((*part)->ranks.size() == 2);
  CHECK((*part)->ranks[1]->counts.runs == (*whole)->ranks[1]->counts.runs);
  CHECK((*part)->ranks[1]->launches.size() == (*whole)->ranks[1]->launches.size());
  play(*app, save);
  CHECK(state_has(*app, "already exists"));
}

}  // namespace
}  // namespace warpscope::ui
