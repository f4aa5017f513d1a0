// Late-rank marks in a job with many ranks.
#include "app/ui/model/directory_loader.hpp"
#include "app/ui/timeline/timeline_page.hpp"
#include "tests/app/ui/offscreen.hpp"
#include "tests/small_job.hpp"

namespace warpscope::ui {
namespace {

using namespace warpscope::tests;

TEST_CASE("the Timeline marks the late rank among 64, or its node while collapsed", "[timeline][window]") {
  const TestFolder folder;
  tracegen::Options job = small_job(8, 8);
  job.steps = 3;
  job.stragglers = {{37, 150}};
  (void)tracegen::generate(job, folder.path());
  TimelinePage* timeline = nullptr;
  const auto app = offscreen_app(app_options(directory_loader({}), {page_at(timeline)}), 1280, 800);
  if (!app) return;
  play(*app, "open:" + folder.path().string() + ";settle;run:page.timeline;settle");
  REQUIRE(timeline != nullptr);
  REQUIRE(timeline->state().profile());
  const trace::Profile& profile = *timeline->state().profile();
  REQUIRE(profile.ranks.size() == 64);
  const auto late = [&](const trace::TreeEntry& entry, bool open) {
    return late_reason(timeline->matcher().ranks(), profile, entry, open);
  };
  std::size_t marked = 0;
  for (const trace::TreeEntry& entry : profile.tree.entries) {
    if (entry.kind == trace::TreeKind::process && entry.rank == 37) CHECK(late(entry, false).starts_with("Rank 37:"));
    if (entry.kind == trace::TreeKind::node && entry.node == 37 / 8) CHECK(late(entry, false).starts_with("Rank 37:"));
    if (entry.kind == trace::TreeKind::node) CHECK(late(entry, true).empty());
    if (entry.kind == trace::TreeKind::process) marked += late(entry, false).empty() ? 0 : 1;
  }
  CHECK(marked < 4);
}

}  // namespace
}  // namespace warpscope::ui
