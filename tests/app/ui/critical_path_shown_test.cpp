// The critical path in the Timeline: showing it with arrows, expanding, stepping and clearing.
#include <algorithm>

#include "app/ui/model/directory_loader.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/timeline/hover_card.hpp"
#include "app/ui/timeline/overlays/critical_path.hpp"
#include "app/ui/timeline/overlays/path_legend.hpp"
#include "app/ui/timeline/path_choice.hpp"
#include "app/ui/timeline/timeline_page.hpp"
#include "tests/app/ui/offscreen.hpp"
#include "tests/small_job.hpp"
#include "tests/text.hpp"

namespace warpscope::ui {
namespace {

using namespace warpscope::tests;

/// A generated job with two ranks and two steps, shown in the Timeline.
class PathBench {
 public:
  PathBench() {
    (void)tracegen::generate(small_job(), folder_.path());
    app_ = offscreen_app(app_options(directory_loader({}), {page_at(timeline_)}), 1280, 900);
    if (!app_) return;
    play(*app_, "open:" + folder_.path().string() + ";settle;run:page.timeline;settle");
    REQUIRE(profile());
  }
  [[nodiscard]] bool works() const { return app_ != nullptr; }
  void run(const std::string& script) { play(*app_, script + ";settle"); }
  [[nodiscard]] Session& session() { return app_->app().context().session; }
  [[nodiscard]] const std::shared_ptr<const trace::Profile>& profile() { return session().profile(); }
  [[nodiscard]] const TimelineState& state() const { return timeline_->state(); }
  [[nodiscard]] const ShownPath* shown() const { return timeline_->shown_path(); }
  [[nodiscard]] const scene::PathInView& in_view() const {
    return timeline_->canvas().overlays().find<CriticalPathOverlay>()->in_view();
  }
  [[nodiscard]] bool has(std::string_view words) { return state_has(*app_, words); }
  /// Number of lanes on the path that do not have their own row.
  [[nodiscard]] std::size_t folded_lanes() {
    return static_cast<std::size_t>(std::ranges::count_if(shown()->chain->lanes(), [&](const scene::PathLane& lane) {
      const std::uint32_t row = state().layout()->row_of_lane(*state().profile(), lane.rank, lane.lane);
      return row == scene::Row::kNone || state().layout()->rows()[row].kind != scene::RowKind::lane ||
             state().layout()->rows()[row].item != lane.lane;
    }));
  }

 private:
  TestFolder folder_;
  TimelinePage* timeline_ = nullptr;
  std::unique_ptr<OffscreenApp> app_;
};

TEST_CASE("C shows the critical path of the step in view and expands its rows; C again hides it", "[timeline][path]") {
  PathBench bench;
  if (!bench.works()) return;
  bench.run("key:n;key:Ctrl+Up");
  CHECK(bench.shown() == nullptr);
  CHECK(bench.has("\"path\": null"));
  const int height = bench.state().height();
  bench.run("key:c");
  REQUIRE(bench.shown() != nullptr);
  CHECK(bench.state().height() < height);  // the legend is below the tracks
  const scene::PathChain& chain = *bench.shown()->chain;
  CHECK(bench.folded_lanes() == 0);
  CHECK_FALSE(bench.in_view().arrows.empty());
  CHECK(bench.in_view().arrows.size() <= scene::kPathArrowLimit);
  CHECK(bench.state().highlight() != nullptr);
  CHECK(bench.state().view().visible().contains(chain.time().begin));
  const std::vector<PathShare> shares = path_shares(chain);
  REQUIRE_FALSE(shares.empty());
  double sum = 0;
  for (const PathShare& each : shares) sum += each.share;
  CHECK(sum == Approx(1).margin(1e-9));
  CHECK(std::ranges::is_sorted(shares, std::greater(), &PathShare::share));

  bench.run("key:c");
  CHECK(bench.shown() == nullptr);
  CHECK(bench.state().height() == height);
  CHECK(bench.in_view().arrows.empty());
  CHECK_FALSE(bench.session().picked());
}

TEST_CASE("labels of arrows near the edge of the canvas are not cut", "[timeline][path]") {
  const WordBox room{{0, 20}, {200, 120}};
  const auto left = [&](ImVec2 centre) { return place_in(centre, {60, 10}, room).value().from.x; };
  CHECK(left({100, 50}) == 70);
  CHECK(left({5, 50}) == 0);
  CHECK(left({198, 50}) == 140);
  CHECK(place_in({100, 21}, {60, 10}, room).value().from.y == 20);
  CHECK_FALSE(place_in({-5, 50}, {60, 10}, room));
  CHECK_FALSE(place_in({100, 50}, {201, 10}, room));
}

TEST_CASE("C moves the view to the path if many steps are in view, otherwise keeps the view", "[timeline][path]") {
  PathBench bench;
  if (!bench.works()) return;
  bench.run("key:n;key:w*8");
  const Interval close = bench.state().view().visible();
  bench.run("key:c");
  REQUIRE(bench.shown() != nullptr);
  CHECK(bench.state().view().visible() == close);
  bench.run("key:Shift+C");
  const Interval time = bench.shown()->chain->time();
  CHECK(bench.state().view().visible().begin <= time.begin);
  CHECK(bench.state().view().visible().end >= time.end);
  CHECK(bench.state().view().visible().length() < 2 * time.length());
  bench.run("key:Backspace");
  CHECK(bench.state().view().visible() == close);
}

TEST_CASE("Shift+N and Shift+P step through the segments of the critical path", "[timeline][path]") {
  PathBench bench;
  if (!bench.works()) return;
  bench.run("key:n;key:c");
  REQUIRE(bench.shown() != nullptr);
  const auto segments = bench.shown()->chain->segments();
  REQUIRE(segments.size() > 4);
  CHECK_FALSE(bench.shown()->segment);
  CHECK(contains(segment_words(*bench.shown(), "Shift+N"), "Shift+N steps through them"));
  bench.run("key:Shift+N");
  REQUIRE(bench.shown()->segment);
  const std::size_t first = *bench.shown()->segment;
  bench.run("key:Shift+N");
  CHECK(bench.shown()->segment == first + 1);
  const scene::PathSegment& segment = segments[first + 1];
  CHECK(bench.session().selection() == trace::SliceRef{segment.rank, segment.slice});
  CHECK(bench.state().view().visible().contains(segment.time.begin + segment.time.length() / 2));
  CHECK(contains(segment_words(*bench.shown(), ""), analysis::words_of(segment.what).words));
  bench.run("key:Shift+P;key:Shift+P");
  CHECK(bench.shown()->segment == (first == 0 ? 0 : first - 1));
}

TEST_CASE("hovering describes a critical path arrow and shows the time that the path spends on a slice",
          "[timeline][path][hover]") {
  PathBench bench;
  if (!bench.works()) return;
  bench.run("key:n;key:c");
  REQUIRE(bench.shown() != nullptr);
  const auto links = bench.shown()->chain->links();
  const auto launch =
      std::ranges::find_if(links, [](const auto& link) { return link.kind == scene::PathLinkKind::launch; });
  REQUIRE(launch != links.end());
  const HoverCard card =
      path_card(*bench.profile(), *bench.shown(), static_cast<std::uint32_t>(launch - links.begin()));
  CHECK(card.title == "Critical path: launch latency (API start → kernel start)");
  REQUIRE(card.facts.size() == 3);
  CHECK(contains(card.facts[0].figure, "of the path"));

  const std::uint32_t rank = bench.shown()->request.rank;
  HoverCard slice;
  add_path_fact(*bench.shown(), {rank, launch->to}, slice);
  REQUIRE(slice.facts.size() == 1);
  CHECK(slice.facts[0].what == "Critical path");
  add_path_fact(*bench.shown(), {rank + 1, launch->to}, slice);
  CHECK(slice.facts.size() == 1);
}

TEST_CASE("Alt+C shows the critical path across ranks on the rows of collapsed ranks; C shows a single rank's path",
          "[timeline][path]") {
  PathBench bench;
  if (!bench.works()) return;
  bench.run("key:n;key:Ctrl+Up;key:Alt+C");
  REQUIRE(bench.shown() != nullptr);
  CHECK(bench.shown()->request.all_ranks);
  const scene::PathChain& chain = *bench.shown()->chain;
  REQUIRE(chain.ranks().size() == 2);
  CHECK(bench.folded_lanes() > 0);
  const auto links = chain.links();
  const auto change = std::ranges::find_if(links, [](const auto& link) { return link.changes_rank(); });
  REQUIRE(change != links.end());
  const auto index = static_cast<std::uint32_t>(change - links.begin());
  CHECK(std::ranges::count(bench.in_view().arrows, index, &scene::PathArrow::link) == 1);
  CHECK_FALSE(bench.in_view().bars.empty());
  const HoverCard card = path_card(*bench.profile(), *bench.shown(), index);
  CHECK(card.title == "Critical path: last rank arrives at a collective");
  CHECK(card.facts.at(0).figure == std::to_string(bench.profile()->ranks[change->from_rank]->number));
  CHECK(words_of(*bench.profile(), *change) == "rank " + card.facts.at(0).figure + " → " + card.facts.at(1).figure);
  Ns time = 0;
  for (const scene::PathRank& each : chain.ranks()) time += each.time;
  CHECK(time == chain.length());
  CHECK(bench.session().picked()->label.starts_with("critical path of the marked range on all ranks, "));

  // Stepping expands the rows of a segment.
  bench.run("key:Shift+N");
  REQUIRE(bench.shown()->segment);
  const scene::PathSegment& segment = chain.segments()[*bench.shown()->segment];
  CHECK(bench.session().selection() == trace::SliceRef{segment.rank, segment.slice});

  bench.run("key:c");
  REQUIRE(bench.shown() != nullptr);
  CHECK_FALSE(bench.shown()->request.all_ranks);
  bench.run("key:Alt+C;settle;key:Alt+C");
  CHECK(bench.shown() == nullptr);
  CHECK_FALSE(bench.session().picked());
}

}  // namespace
}  // namespace warpscope::ui
