// The critical path in the Timeline: showing it with arrows, expanding, stepping and clearing; also from Analysis rows.
#include <algorithm>

#include "app/ui/analysis/analysis_page.hpp"
#include "app/ui/analysis/row_target.hpp"
#include "app/ui/model/directory_loader.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/timeline/hover_card.hpp"
#include "app/ui/timeline/overlays/critical_path.hpp"
#include "app/ui/timeline/overlays/path_legend.hpp"
#include "app/ui/timeline/path_choice.hpp"
#include "app/ui/timeline/timeline_page.hpp"
#include "tests/app/ui/offscreen.hpp"
#include "tests/find_column.hpp"
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
    app_ = offscreen_app(app_options(directory_loader({}), {page_at(timeline_), page_at(analysis_)}), 1280, 900);
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
  [[nodiscard]] AnalysisPage& analysis() { return *analysis_; }
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
  AnalysisPage* analysis_ = nullptr;
  std::unique_ptr<OffscreenApp> app_;
};

TEST_CASE("C shows the critical path of the step in view and expands its rows; C again hides it", "[timeline][path]") {
  PathBench bench;
  if (!bench.works()) return;
  bench.run("key:n;key:Ctrl+Up");
  CHECK(bench.shown() == nullptr);
  CHECK(bench.has("\"path\": null"));
  bench.run("key:c");
  REQUIRE(bench.shown() != nullptr);
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
  CHECK(bench.in_view().arrows.empty());
  CHECK_FALSE(bench.session().picked());
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
  CHECK(contains(segment_words(*bench.shown(), ""), scene::words_of(segment.bound)));
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
  const auto launch = std::ranges::find_if(
      links, [](const auto& link) { return link.kind == analysis::EdgeKind::launch_delay && link.weight > 0; });
  REQUIRE(launch != links.end());
  const HoverCard card =
      path_card(*bench.profile(), *bench.shown(), static_cast<std::uint32_t>(launch - links.begin()));
  CHECK(card.title == "Critical path: launch latency (API start → kernel start)");
  REQUIRE(card.facts.size() == 4);
  CHECK(contains(card.facts[0].figure, "of the path"));
  CHECK(std::ranges::count(card.facts, "Bound by", &HoverCard::Fact::what) == 1);

  // Zero-length edges are not bottlenecks: a launch shows what its kernel waited for.
  const trace::Profile& profile = *bench.profile();
  const std::uint32_t rank = bench.shown()->request.rank;
  for (const auto kind : {analysis::EdgeKind::launch_delay, analysis::EdgeKind::run_delay}) {
    analysis::CriticalPath path;
    path.links.push_back({kind, analysis::BoundBy::nothing, 0, launch->from, launch->to, true, true, std::nullopt});
    const ShownPath shown{{}, std::make_shared<const scene::PathChain>(profile, rank, path), std::nullopt};
    const HoverCard free = path_card(profile, shown, 0);
    CHECK(std::ranges::count(free.facts, "Bound by", &HoverCard::Fact::what) == 0);
    CHECK(free.facts.at(0).figure == "none");
    CHECK(std::ranges::count(free.facts, "The kernel", &HoverCard::Fact::what) ==
          (kind == analysis::EdgeKind::launch_delay ? 1 : 0));
  }
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

TEST_CASE("following a critical path row shows that path, and following an edge row shows that edge",
          "[analysis][path]") {
  PathBench bench;
  if (!bench.works()) return;
  bench.run("run:analysis.show.critical_path");
  REQUIRE(bench.analysis().view().tables() != nullptr);
  const std::vector<Table>& tables = *bench.analysis().view().tables();
  const trace::Profile& profile = *bench.profile();
  const std::vector<analysis::Setting> settings{{"scale", "compute=0.5"}};
  const Table& bounds = tables[0];
  const auto whole = path_of_row(profile, tables, bounds, bounds.rows() - 1, settings);
  REQUIRE(whole);
  CHECK(profile.ranks[whole->rank]->number == bounds.at(bounds.rows() - 1, 0).integer());
  CHECK(whole->window == profile.ranks[whole->rank]->steps[0].time);
  CHECK(whole->what_if == "compute=0.5");
  CHECK(whole->choice.what_if.scale[static_cast<std::size_t>(analysis::BoundBy::computation)] == 0.5);
  CHECK_FALSE(whole->edge);
  CHECK_FALSE(path_of_row(profile, {bounds}, bounds, 0, settings));  // the column with its name is missing

  // Without a selected row, the page's key shows the path of the first rank.
  bench.run("key:f");
  CHECK(bench.has("\"page\": \"timeline\""));
  REQUIRE(bench.shown() != nullptr);
  CHECK(bench.shown()->request.rank == 0);
  CHECK(bench.folded_lanes() == 0);
  const Interval time = bench.shown()->chain->time();
  CHECK(bench.state().view().visible().begin <= time.begin);
  CHECK(bench.state().view().visible().length() < 2 * time.length());

  const Table& chain = tables[3];
  REQUIRE(chain.id == "critical-path-chain");
  std::size_t row = 0;
  while (chain.at(row, *find_column(chain, "time")).integer() == 0) ++row;
  auto link = path_of_row(profile, tables, chain, row, {});
  REQUIRE(link);
  CHECK(link->edge == static_cast<std::uint32_t>(chain.at(row, *find_column(chain, "link")).integer()));
  bench.session().go_to(*link);
  bench.run("run:page.timeline");
  REQUIRE(bench.shown() != nullptr);
  REQUIRE(bench.shown()->segment);
  const scene::PathSegment& segment = bench.shown()->chain->segments()[*bench.shown()->segment];
  CHECK(segment.first <= *link->edge);
  CHECK(*link->edge < segment.last);

  // The view zooms in on each edge and selects the slice in that row.
  const auto slices = *find_column(chain, "slice");
  const auto begins = *find_column(chain, "begin");
  const auto times = *find_column(chain, "time");
  std::size_t named = 0;
  for (row = 0; row < chain.rows() && named < 6; row += 7) {
    const Cell slice = chain.at(row, slices);
    if (slice.missing() || chain.at(row, times).integer() == 0) continue;
    ++named;
    bench.run("key:0");
    bench.session().go_to(*path_of_row(profile, tables, chain, row, {}));
    bench.run("run:page.timeline");
    REQUIRE(bench.session().selection());
    CHECK(bench.session().selection()->slice == static_cast<trace::SliceOrdinal>(slice.integer()));
    const Ns begin = profile.span.begin + chain.at(row, begins).integer();
    const Interval seen = bench.state().target().visible();
    CHECK(seen.contains(begin));
    CHECK(seen.length() <= std::max<Ns>(4000, 60 * chain.at(row, times).integer()));
  }
  CHECK(named == 6);
}

}  // namespace
}  // namespace warpscope::ui
