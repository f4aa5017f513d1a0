// The Timeline of a profile whose columns are on disk: frames read nothing, and columns that arrive later complete the
// image.
#include <algorithm>

#include "app/ui/model/session.hpp"
#include "app/ui/timeline/timeline_page.hpp"
#include "tests/app/ui/offscreen.hpp"
#include "tests/app/ui/staged_loader.hpp"
#include "tests/app/ui/timeline_fixture.hpp"
#include "tests/stored_profile.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using namespace warpscope::ui;

namespace {

TimelineOptions close_up() {
  TimelineOptions options;
  options.from = 3'000'000;
  options.to = 3'010'000;
  return options;
}

class Bench {
 public:
  Bench(std::shared_ptr<const trace::Profile> profile, const TimelineOptions& options) : job_{.profile = profile} {
    AppOptions app = app_options(staged(job_), {page_at(page_)});
    app.timeline = options;
    window_ = offscreen_app(std::move(app), 1000, 600);
    if (!window_) return;
    window_->open("job");
    window_->app().show_page("timeline");
  }
  [[nodiscard]] bool works() const { return window_ != nullptr; }
  [[nodiscard]] const TimelinePage& page() const { return *page_; }
  [[nodiscard]] OffscreenApp& window() { return *window_; }
  [[nodiscard]] Session& session() { return window_->app().context().session; }
  void play(const std::string& text) { tests::play(*window_, text); }
  /// Screen position "X,Y" of a time in the stream's row.
  [[nodiscard]] std::string place(Ns time) const {
    const TimelineState& state = page_->state();
    const double x = page_->geometry().canvas.x + state.view().to_px(time);
    const double y = page_->geometry().canvas.y + test::row_middle(state, 0, {0, 0, 0});
    return std::to_string(static_cast<int>(x)) + "," + std::to_string(static_cast<int>(y));
  }

 private:
  Stage job_;
  TimelinePage* page_ = nullptr;
  std::unique_ptr<OffscreenApp> window_;
};

}  // namespace

TEST_CASE("frames of a stored profile read no files and produce the same image", "[timeline][window]") {
  const auto whole = test::make_profile({dense_rank()});
  const StoredProfile lazy = stored(*whole, false);
  const StoredProfile opened = stored(*whole);  // has a curve in the overview, too
  Bench expected(opened.profile, close_up());
  Bench bench(lazy.profile, close_up());
  if (!bench.works()) return;
  expected.play("settle");
  bench.play("settle");
  const std::string kernel = expected.place(3'004'900);
  const std::string steps[] = {
      "settle",
      "move:" + kernel + ";settle",               // hover card
      "click:" + kernel + ";settle",              // selection, arrow, details
      "run:panel.connections;settle",             // the Connections tab
      "key:];settle",                             // to its launch
      "key:f;settle",                             // zoom to it
      "key:.*3;settle",                           // to later slices
      "key:r;settle",                             // mark it
      "key:/;type:nccl;settle;key:Enter;settle",  // a search match
      "key:Esc;key:Esc;key:Esc;settle;key:0;settle",
      "double:" + kernel + ";settle",
  };
  for (const std::string& step : steps) {
    INFO(step);
    expected.play(step);
    bench.play(step);
    CHECK((bench.window().image().rgb == expected.window().image().rgb));
    CHECK(bench.session().selection() == expected.session().selection());
    CHECK(bench.page().state().view() == expected.page().state().view());
    CHECK_FALSE(bench.page().canvas().loading());
    CHECK(lazy.bytes->own() == 0);
  }
  CHECK(lazy.bytes->others() > 0);
}

TEST_CASE("slices that are not in memory are drawn from sums and are not hit", "[timeline][window]") {
  const StoredProfile lazy = stored(*test::make_profile({dense_rank()}));
  Bench bench(lazy.profile, close_up());
  if (!bench.works()) return;
  OffscreenApp& window = bench.window();
  for (int frames = 0; frames < 100 && !bench.page().canvas().loading(); ++frames) window.frame();
  REQUIRE(bench.page().canvas().loading());
  CHECK(window.app().busy());
  CHECK(bench.page().canvas().rects() > 0);
  CHECK(bench.page().canvas().labels() == 0);
  CHECK(window.settle());
  CHECK_FALSE(window.app().busy());
  CHECK_FALSE(bench.page().canvas().loading());
  CHECK(bench.page().canvas().labels() > 0);
  CHECK(lazy.bytes->own() == 0);
}

TEST_CASE("a slice to jump to is centered once its time is in memory", "[timeline][window]") {
  const auto whole = test::make_profile({dense_rank()});
  const StoredProfile lazy = stored(*whole);
  Bench bench(lazy.profile, {});
  if (!bench.works()) return;
  CHECK(bench.window().settle());
  REQUIRE(lazy.bytes->others() == 0);  // showing the whole timeline needs no columns
  const trace::SliceRef slice{0, 3000};
  bench.session().go_to(slice);
  bench.play("settle");
  const Interval visible = bench.page().state().view().visible();
  CHECK(visible.contains(whole->begin(slice)));
  CHECK(visible.length() < 1'000'000);
}

TEST_CASE("a newer request from another page replaces an action that waits for columns", "[timeline][window]") {
  const auto whole = test::make_profile({dense_rank()});
  Bench bench(whole, {});
  if (!bench.works()) return;
  CHECK(bench.window().settle());
  WhenLoaded& waiting = bench.window().app().context().when_loaded;
  waiting.start([] { return false; });
  bench.session().go_to(Interval{3'000'000, 3'010'000});
  bench.play("settle");
  CHECK_FALSE(waiting.waiting());
}
