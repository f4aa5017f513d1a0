// Jumps to the Timeline from Analysis rows about a rank, a stream, or slices with a given name.
#include <algorithm>

#include "app/ui/analysis/analysis_page.hpp"
#include "app/ui/analysis/row_target.hpp"
#include "app/ui/model/directory_loader.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/timeline/timeline_page.hpp"
#include "tests/app/ui/offscreen.hpp"
#include "tests/small_job.hpp"

namespace warpscope::ui {
namespace {

using namespace warpscope::tests;

/// A generated job with eight ranks, which do not all fit in the view; all except the first are collapsed.
class FollowBench {
 public:
  FollowBench() {
    (void)tracegen::generate(small_job(8), folder_.path());
    app_ = offscreen_app(app_options(directory_loader({}), {page_at(timeline_), make_page<AnalysisPage>}), 1280, 700);
    if (!app_) return;
    play(*app_, "open:" + folder_.path().string() + ";settle;run:page.timeline;settle");
    profile_ = session().profile();
    REQUIRE(profile_);
  }
  [[nodiscard]] bool works() const { return app_ != nullptr; }
  void run(const std::string& script) { play(*app_, script + ";settle"); }
  [[nodiscard]] Session& session() { return app_->app().context().session; }
  /// The profile after loading.
  [[nodiscard]] const trace::Profile& profile() const { return *profile_; }
  [[nodiscard]] const TimelineState& state() const { return timeline_->state(); }
  [[nodiscard]] bool has(std::string_view words) { return state_has(*app_, words); }
  /// True if a tree entry has its own row and all of that row is in view.
  [[nodiscard]] bool in_view(std::uint32_t entry) const {
    const std::uint32_t index = state().layout()->row_of_entry(entry);
    if (index == scene::Row::kNone) return false;
    const scene::Row& row = state().layout()->rows()[index];
    const double room = state().height() - state().layout()->pinned_height();
    return row.entry == entry && row.y >= state().target_scroll() &&
           row.y + row.height <= state().target_scroll() + room;
  }
  [[nodiscard]] std::uint32_t process_of(std::uint32_t rank) {
    const auto& entries = profile().tree.entries;
    const auto found = std::ranges::find_if(entries, [&](const trace::TreeEntry& entry) {
      return entry.kind == trace::TreeKind::process && entry.rank == rank;
    });
    return static_cast<std::uint32_t>(found - entries.begin());
  }

 private:
  TestFolder folder_;
  TimelinePage* timeline_ = nullptr;
  std::unique_ptr<OffscreenApp> app_;
  std::shared_ptr<const trace::Profile> profile_;
};

/// Index of the last stream with slices on a rank.
std::uint32_t last_stream(const trace::Rank& rank) {
  std::uint32_t found = 0;
  for (std::uint32_t t = 0; t < rank.tracks.size(); ++t)
    if (rank.tracks[t].kind == trace::TrackKind::stream) found = t;
  return found;
}

TEST_CASE("following a row with a rank shows its tracks, and following one with a stream shows that stream",
          "[analysis][follow]") {
  FollowBench bench;
  if (!bench.works()) return;
  const trace::Profile& profile = bench.profile();
  const std::uint32_t stream = last_stream(*profile.ranks[6]);
  const trace::Track& track = profile.ranks[6]->tracks[stream];
  Table rows("t", "",
             {{"rank", "", ColumnRole::rank},
              {"stream", "", ColumnRole::stream},
              {"device", "", ColumnRole::device},
              {"time", "", ColumnRole::start},
              {"idle", "", ColumnRole::idle}});
  rows.add_row({profile.ranks[7]->number, Cell(), Cell(), Cell(), 10});
  rows.add_row({profile.ranks[6]->number, track.id, track.process, Cell(), 10});
  rows.add_row({profile.ranks[6]->number, track.id, Cell(), 1000, 10});
  rows.add_row({12345, Cell(), Cell(), Cell(), 10});
  const TimelineRequest rank = RankRequest{.rank = 7};
  CHECK(target_of(profile, rows, 0) == rank);
  CHECK(target_of(profile, rows, 1) == TimelineRequest(RankRequest{6, {stream}, {}, {}}));
  CHECK(target_of(profile, rows, 2) == TimelineRequest(RankRequest{6, {stream}, {}, profile.span.begin + 1000}));
  CHECK_FALSE(target_of(profile, rows, 3));

  const Interval before = bench.state().target().visible();
  CHECK_FALSE(bench.in_view(bench.process_of(7)));
  bench.session().go_to(rank);
  bench.run("wait:2");
  CHECK(bench.in_view(bench.process_of(7)));
  CHECK(bench.in_view(bench.state().layout()->entry_of_track(7, last_stream(*profile.ranks[7]))));
  CHECK(bench.state().target().visible() == before);

  const std::uint32_t entry = bench.state().layout()->entry_of_track(6, stream);
  bench.run("key:Ctrl+Up;key:Home");
  CHECK_FALSE(bench.in_view(entry));
  RankRequest request{6, {stream}};
  request.range = profile.ranks[6]->steps[1].time;
  bench.session().go_to(request);
  bench.run("wait:2");
  CHECK(bench.in_view(entry));
  CHECK(bench.state().target().visible().begin <= request.range->begin);
  CHECK(bench.state().target().visible().end >= request.range->end);
  CHECK(bench.state().target().visible().length() < before.length());

  Table gaps("g", "",
             {{"rank", "", ColumnRole::rank},
              {"stream", "", ColumnRole::stream},
              {"begin", "", ColumnRole::start},
              {"duration", "", ColumnRole::duration}});
  gaps.add_row({profile.ranks[6]->number, track.id, 1000, 500'000});
  const Interval gap{profile.span.begin + 1000, profile.span.begin + 501'000};
  const auto target = target_of(profile, gaps, 0);
  REQUIRE(target == TimelineRequest(RankRequest{6, {stream}, gap, {}, true}));
  bench.run("key:Ctrl+Up;key:Home");
  CHECK_FALSE(bench.in_view(entry));
  bench.session().go_to(*target);
  bench.run("wait:2");
  CHECK(bench.in_view(entry));
  CHECK(bench.session().marked() == gap);
}

TEST_CASE("following a kernel sequence shows its launches; a row without name and rank has no link",
          "[analysis][follow]") {
  FollowBench bench;
  if (!bench.works()) return;
  const trace::Profile& profile = bench.profile();
  const std::string call(profile.name({0, 0}));
  Table rows("t", "", {{"sequence", "", ColumnRole::sequence}, {"count", "", ColumnRole::count}});
  rows.add_row({Cell("x|a|b", profile.ranks[0]->name(0)), 3});
  rows.add_row({"no such call|a|b", 3});
  CHECK(target_of(profile, rows, 0) == TimelineRequest("name=\"" + call + "\""));
  CHECK_FALSE(target_of(profile, rows, 1));
  Table names("t", "", {{"name", "", ColumnRole::name}, {"total", "", ColumnRole::total}});
  names.add_row({"others", 3});
  CHECK_FALSE(target_of(profile, names, 0));

  // Rows for all ranks have no button, rows for one rank do; both can be selected.
  const auto choose_some_row = [&](const std::string& analysis) {
    bench.run("run:analysis.show." + analysis);
    for (int y = 650; y > 200 && bench.has("\"chosen\": -1"); y -= 12) bench.run("click:700," + std::to_string(y));
    REQUIRE_FALSE(bench.has("\"chosen\": -1"));
  };
  choose_some_row("gpu_active_time");
  CHECK(bench.has("\"leads_to_timeline\": false"));
  bench.run("key:f");
  CHECK(bench.has("\"page\": \"analysis\""));
  choose_some_row("temporal_breakdown");
  CHECK(bench.has("\"leads_to_timeline\": true"));
  bench.run("key:f");
  CHECK(bench.has("\"page\": \"timeline\""));
}

TEST_CASE("following a row that finds slices by name scrolls to the first track with such slices",
          "[analysis][follow]") {
  FollowBench bench;
  if (!bench.works()) return;
  const trace::Profile& profile = bench.profile();
  const trace::Rank& rank = *profile.ranks[5];
  const trace::Track& track = rank.tracks[last_stream(rank)];
  const std::string name(profile.name({5, rank.ordinal({track.first_lane, 0})}));
  const Interval before = bench.state().target().visible();
  bench.run("key:Ctrl+Up");
  bench.session().go_to("name=\"" + name + "\" rank:" + std::to_string(rank.number));
  bench.run("wait:2");
  REQUIRE(bench.state().highlight());
  const auto lanes = bench.state().highlight()->lanes();
  REQUIRE_FALSE(lanes.empty());
  std::uint32_t first = scene::Row::kNone;
  for (const auto& hits : lanes)
    first = std::min(first, bench.state().layout()->entry_of_track(hits.rank, rank.track_of_lane(hits.lane)));
  CHECK(lanes.front().rank == 5);
  CHECK(bench.in_view(first));
  CHECK(bench.state().target().visible() == before);

  // Typing searches without moving the view.
  bench.run("key:Home;key:/;type:rank:" + std::to_string(rank.number) + ";key:Ctrl+Enter;wait:30");
  CHECK(bench.state().target_scroll() == 0);

  // If no part of the path is in view, the view moves to the path.
  const Ns begin = profile.begin({5, rank.ordinal({track.first_lane, 0})});
  bench.session().go_to(Interval{begin - 2000, begin - 1000});
  bench.run("wait:2");
  CHECK_FALSE(bench.state().target().visible().contains(begin));
  bench.session().go_to("name=\"" + name + "\" rank:" + std::to_string(rank.number) +
                        " stream:" + std::to_string(track.id));
  bench.run("wait:2");
  const auto hits = bench.state().highlight()->lanes();
  REQUIRE_FALSE(hits.empty());
  const Interval seen = bench.state().target().visible();
  CHECK_FALSE(hits.front().tree.overlapping(seen.begin, seen.end).empty());
}

}  // namespace
}  // namespace warpscope::ui
