// Ribbons of collectives: which ones a view shows, and the geometry between rows and within kernels.
#include <algorithm>
#include <random>

#include "render/scene/ribbon_scene.hpp"
#include "tests/catch.hpp"
#include "tests/render/scene/make_profile.hpp"

namespace warpscope::scene {
namespace {

using test::kEpoch;

constexpr Ns kUs = 1'000;
constexpr Ns kPeriodNs = 1'000 * kUs;  // one collective per period
constexpr Ns kLengthNs = 100 * kUs;    // of the earliest kernel

/// Rank r arrives r · `late` after the first rank; all ranks end together.
Interval run_time(std::uint32_t rank, std::uint32_t collective, Ns late) {
  const Ns at = kEpoch + collective * kPeriodNs;
  return {at + rank * late, at + kLengthNs};
}

struct RibbonJob {
  std::shared_ptr<const trace::Profile> profile;
  RibbonSet set;
};

RibbonJob ribbon_job(std::uint32_t ranks, std::uint32_t collectives, Ns late = 10 * kUs,
                     RibbonSet::Waits waits = RibbonSet::Waits::late) {
  std::vector<test::RankSpec> specs(ranks);
  for (std::uint32_t r = 0; r < ranks; ++r) {
    test::LaneSpec kernels;
    for (std::uint32_t c = 0; c < collectives; ++c) {
      const Interval time = run_time(r, c, late);
      kernels.slices.push_back({time.begin, time.length(), "ncclAllReduce", trace::Family::communication});
    }
    specs[r].tracks.push_back({trace::TrackKind::stream, "stream 20", {kernels}});
  }
  RibbonJob job{test::make_profile(specs), {}};
  job.set = RibbonSet(job.profile);
  for (std::uint32_t c = 0; c < collectives; ++c) {
    std::vector<RibbonRun> runs;
    runs.reserve(ranks);
    for (std::uint32_t r = 0; r < ranks; ++r)
      runs.push_back({.slice = {r, c}, .time = run_time(r, c, late), .wait = (ranks - 1 - r) * late});
    job.set.add(c, runs, waits);
  }
  job.set.finish();
  return job;
}

TimelineInput input_for(const RibbonJob& job, Interval time, int height = 4000, bool unfolded = true) {
  TrackState state;
  for (std::uint32_t i = 0; i < job.profile->tree.entries.size(); ++i) state.set_open(job.profile->tree, i, unfolded);
  TimelineInput input;
  input.profile = job.profile;
  input.layout = std::make_shared<const Layout>(*job.profile, state);
  input.view = TimeView(job.profile->span, 1000).fitted(time, 0);
  input.height = height;
  return input;
}

Interval collective_time(std::uint32_t c) { return {kEpoch + c * kPeriodNs, kEpoch + c * kPeriodNs + kLengthNs}; }

TEST_CASE("a ribbon connects the kernels of neighboring rows from arrival to end, from early to late", "[ribbons]") {
  const RibbonJob job = ribbon_job(4, 3);
  const TimelineInput input = input_for(job, collective_time(1));
  const RibbonsInView view = ribbons_in_view(input, job.set, {});
  CHECK(view.ribbons == 1);
  CHECK(view.envelopes == 0);
  REQUIRE(view.quads.size() == 3);
  for (std::uint32_t r = 0; r < 3; ++r) {
    const RibbonQuad& quad = view.quads[r];
    CHECK(quad.upper_start.x == Approx(input.view.to_px(run_time(r, 1, 10 * kUs).begin)));
    CHECK(quad.lower_start.x == Approx(input.view.to_px(run_time(r + 1, 1, 10 * kUs).begin)));
    CHECK(quad.upper_end.x == Approx(1000));
    CHECK(quad.lower_end.x == Approx(1000));
    CHECK(quad.upper_start.y < quad.lower_start.y);
    CHECK(quad.upper == Approx(r / 3.0));
    CHECK(quad.lower == Approx((r + 1) / 3.0));
    CHECK_FALSE(quad.folded);
    CHECK_FALSE(quad.chosen);
    // Ribbons are between the slices and do not cover them.
    const auto above = box_of_slice(input, {r, 1});
    const auto below = box_of_slice(input, {r + 1, 1});
    REQUIRE((above && below));
    CHECK(quad.upper_start.y == above->y1);
    CHECK(quad.lower_start.y == below->y0);
  }
}

TEST_CASE("a kernel is split where the last rank arrives, and only the last rank is marked", "[ribbons]") {
  const RibbonJob job = ribbon_job(4, 3);
  const TimelineInput input = input_for(job, collective_time(1));
  const RibbonsInView view = ribbons_in_view(input, job.set, {});
  const double last_start = input.view.to_px(run_time(3, 1, 10 * kUs).begin);
  REQUIRE(view.waits.size() == 3);
  for (std::uint32_t r = 0; r < 3; ++r) {
    CHECK(view.waits[r].box.x0 == Approx(input.view.to_px(run_time(r, 1, 10 * kUs).begin)));
    CHECK(view.waits[r].box.x1 == Approx(last_start));
  }
  REQUIRE(view.ticks.size() == 1);
  CHECK(view.ticks[0].x == Approx(last_start));
  CHECK(view.ticks[0].y0 == box_of_slice(input, {3, 1})->y0);
}

TEST_CASE("clock differences shift kernels but not the waits in them", "[ribbons]") {
  RibbonJob job = ribbon_job(2, 1, 40 * kUs);
  RibbonSet set(job.profile);
  // Rank 1 is recorded before rank 0, although it arrives 40 µs later.
  const std::vector<RibbonRun> runs{{.slice = {0, 0}, .time = run_time(0, 0, 0), .wait = 40 * kUs},
                                    {.slice = {1, 0}, .time = {kEpoch - 20 * kUs, kEpoch + 40 * kUs}, .wait = 0}};
  set.add(0, runs, RibbonSet::Waits::late);
  set.finish();
  const TimelineInput input = input_for(job, collective_time(0));
  const RibbonsInView view = ribbons_in_view(input, set, {});
  REQUIRE(view.waits.size() == 1);
  CHECK(view.waits[0].box.x1 - view.waits[0].box.x0 == Approx(400));
  REQUIRE(view.quads.size() == 1);
  CHECK(view.quads[0].lower_start.x == Approx(input.view.to_px(kEpoch - 20 * kUs)));
  CHECK(view.quads[0].lower == 1);
}

TEST_CASE("ranks that arrive within 20 µs all count as early, and none is marked", "[ribbons]") {
  const RibbonJob job = ribbon_job(3, 1, 2 * kUs);
  const RibbonsInView view = ribbons_in_view(input_for(job, collective_time(0)), job.set, {});
  REQUIRE(view.quads.size() == 2);
  for (const RibbonQuad& quad : view.quads) CHECK(quad.lower <= 0.21f);
  CHECK(view.ticks.empty());
}

TEST_CASE("unknown waits are neither early nor late", "[ribbons]") {
  const RibbonJob job = ribbon_job(3, 1, 10 * kUs, RibbonSet::Waits::unknown);
  const RibbonsInView view = ribbons_in_view(input_for(job, collective_time(0)), job.set, {});
  REQUIRE(view.quads.size() == 2);
  for (const RibbonQuad& quad : view.quads) CHECK((quad.upper == 0.5f && quad.lower == 0.5f));
  CHECK(view.waits.empty());
  CHECK(view.ticks.empty());
}

TEST_CASE("ranks that wait by design are neither early nor late, but their waits are marked", "[ribbons]") {
  const RibbonJob job = ribbon_job(3, 1, 30 * kUs, RibbonSet::Waits::by_design);
  const RibbonsInView view = ribbons_in_view(input_for(job, collective_time(0)), job.set, {});
  REQUIRE(view.quads.size() == 2);
  for (const RibbonQuad& quad : view.quads) CHECK((quad.upper == 0.5f && quad.lower == 0.5f));
  CHECK(view.waits.size() == 2);
  CHECK(view.ticks.empty());
}

TEST_CASE("ribbons narrower than 3 px are envelopes, and those without visible skew are omitted", "[ribbons]") {
  const RibbonJob job = ribbon_job(4, 40, 30 * kUs);
  const TimelineInput near = input_for(job, {kEpoch, kEpoch + 40 * kPeriodNs});  // 40 µs per px: 2.5 px wide, skew 2.25
  const RibbonsInView view = ribbons_in_view(near, job.set, {});
  CHECK(view.ribbons == 0);
  CHECK(view.envelopes == 40);
  CHECK(view.quads.size() == 40);
  CHECK(std::ranges::all_of(view.quads, &RibbonQuad::envelope));
  CHECK(view.waits.empty());

  const RibbonJob even = ribbon_job(4, 40, 5 * kUs);
  CHECK(ribbons_in_view(input_for(even, {kEpoch, kEpoch + 40 * kPeriodNs}), even.set, {}).empty());
}

TEST_CASE("the longest ribbons in a range equal those found by a linear scan", "[ribbons]") {
  std::mt19937 random(7);
  std::vector<test::RankSpec> specs(2);
  for (test::RankSpec& spec : specs)
    spec.tracks.push_back({trace::TrackKind::stream, "stream 20", {{{{kEpoch, 1, "a"}}}}});
  const auto profile = test::make_profile(specs);
  RibbonSet set(profile);
  constexpr std::uint32_t kMany = 700;
  for (std::uint32_t c = 0; c < kMany; ++c) {
    const Ns begin = kEpoch + static_cast<Ns>(random() % 100'000);
    const Ns end = begin + 1 + static_cast<Ns>(random() % (c % 50 == 0 ? 60'000 : 400));
    const std::vector<RibbonRun> runs{{.slice = {0, 0}, .time = {begin, end}}, {.slice = {1, 0}, .time = {begin, end}}};
    set.add(c, runs, RibbonSet::Waits::late);
  }
  set.finish();
  for (int i = 0; i < 60; ++i) {
    const Ns from = kEpoch + static_cast<Ns>(random() % 100'000);
    const Interval range{from, from + 1 + static_cast<Ns>(random() % 30'000)};
    std::vector<Ns> expected;
    for (const Ribbon& ribbon : set.ribbons())
      if (ribbon.time.begin < range.end && ribbon.time.end > range.begin) expected.push_back(ribbon.time.length());
    std::ranges::sort(expected, std::greater());
    if (expected.size() > 25) expected.resize(25);
    std::vector<Ns> found;
    for (const std::uint32_t index : set.largest_in(range, 25)) found.push_back(set.ribbons()[index].time.length());
    CHECK(found == expected);
  }
  for (std::uint32_t c = 0; c < kMany; ++c) CHECK(set.ribbons()[set.find(c)].id == c);
  CHECK(set.find(kMany) == Ribbon::kNone);
}

TEST_CASE("at most 500 ribbons are drawn, always including the selected one", "[ribbons]") {
  const RibbonJob job = ribbon_job(2, 1200, 60 * kUs);
  TimelineInput input = input_for(job, {kEpoch, kEpoch + 1200 * kPeriodNs});
  input.view = TimeView(job.profile->span, 60'000).fitted({kEpoch, kEpoch + 1200 * kPeriodNs}, 0);
  CHECK(ribbons_in_view(input, job.set, {}).ribbons == kRibbonLimit);
  // All are equally long, so later ones are omitted.
  const RibbonsInView chosen = ribbons_in_view(input, job.set, RibbonChoice{1199, 0});
  CHECK(chosen.ribbons == kRibbonLimit + 1);
  CHECK(std::ranges::count_if(chosen.quads, &RibbonQuad::chosen) == 1);
  CHECK(chosen.quads.back().chosen);
}

TEST_CASE("a collective of more than 64 ranks shows the first, median, last and selected ranks", "[ribbons]") {
  const RibbonJob job = ribbon_job(100, 1, 500);
  const TimelineInput input = input_for(job, collective_time(0), 20'000);
  const RibbonsInView view = ribbons_in_view(input, job.set, {});
  REQUIRE(view.quads.size() == 2);
  CHECK(view.quads[0].upper == 0);
  CHECK(view.quads[0].lower == Approx(49 / 99.0));
  CHECK(view.quads[1].lower == 1);
  CHECK(ribbons_in_view(input, job.set, RibbonChoice{0, 80}).quads.size() == 3);
  CHECK(ribbons_in_view(input, job.set, RibbonChoice{0, 99}).quads.size() == 2);
  CHECK(counterparts_in_view(input, job.set, {0, 80}).size() == 99);
}

TEST_CASE("ribbons outside the canvas and of a hidden class are not drawn", "[ribbons]") {
  const RibbonJob job = ribbon_job(6, 3);
  TimelineInput input = input_for(job, collective_time(1));
  const std::size_t all = ribbons_in_view(input, job.set, {}).quads.size();
  input.height = static_cast<int>(box_of_slice(input, {2, 1})->y1);
  const RibbonsInView part = ribbons_in_view(input, job.set, {});
  CHECK(part.quads.size() == 2);
  CHECK(all == 5);
  CHECK(part.ticks.empty());
  CHECK(counterparts_in_view(input, job.set, {1, 0}).size() == 2);
  input.hidden = family_bit(Family::communication);
  CHECK(ribbons_in_view(input, job.set, {}).empty());
  CHECK(ribbons_in_view({}, job.set, {}).empty());
  CHECK(ribbons_in_view(input, RibbonSet(), {}).empty());
}

TEST_CASE("on the rows of collapsed ranks, arrivals are connected but waits are not marked", "[ribbons]") {
  const RibbonJob job = ribbon_job(4, 3);
  TrackState state;
  for (std::uint32_t i = 0; i < job.profile->tree.entries.size(); ++i)
    state.set_open(job.profile->tree, i, job.profile->tree.entries[i].kind != trace::TreeKind::process);
  TimelineInput input = input_for(job, collective_time(1));
  input.layout = std::make_shared<const Layout>(*job.profile, state);
  const RibbonsInView view = ribbons_in_view(input, job.set, {});
  CHECK(view.quads.size() == 3);
  CHECK(std::ranges::all_of(view.quads, &RibbonQuad::folded));
  CHECK(view.waits.empty());
  CHECK(view.ticks.size() == 1);
  for (const Counterpart& each : counterparts_in_view(input, job.set, {1, 0})) CHECK_FALSE(each.exact);
}

TEST_CASE("ranks on the row of a collapsed node are drawn once, without a mark", "[ribbons]") {
  const RibbonJob job = ribbon_job(4, 3);
  const TimelineInput input = input_for(job, collective_time(1), 4000, false);
  const RibbonsInView view = ribbons_in_view(input, job.set, {});
  CHECK(view.quads.empty());
  const std::vector<Counterpart> counterparts = counterparts_in_view(input, job.set, {1, 0});
  REQUIRE(counterparts.size() == 1);
  CHECK(counterparts[0].box.x0 == Approx(input.view.to_px(run_time(1, 1, 10 * kUs).begin)));
  CHECK(view.ticks.empty());
}

TEST_CASE("the number of shapes in a frame is bounded for any number of collectives", "[ribbons]") {
  const RibbonJob job = ribbon_job(8, 20'000);
  TimelineInput input = input_for(job, job.profile->span);
  CHECK(ribbons_in_view(input, job.set, {}).quads.size() <= kRibbonLimit);
  input.view = TimeView(job.profile->span, 60'000).fitted({kEpoch, kEpoch + 600 * kPeriodNs}, 0);
  CHECK(ribbons_in_view(input, job.set, {}).quads.size() == kRibbonLimit * 7);
}

TEST_CASE("early and late colors are distinct and contrast with the background", "[ribbons]") {
  for (const Theme theme : {Theme::dark, Theme::light}) {
    CHECK(lateness_color(0, theme) != lateness_color(1, theme));
    CHECK(lateness_color(-1, theme) == lateness_color(0, theme));
    for (const double at : {0.0, 0.5, 1.0}) CHECK(contrast(lateness_color(at, theme), theme_colors(theme).ground) >= 3);
  }
}

}  // namespace
}  // namespace warpscope::scene
