#include "core/ingest/build/track_builder.hpp"

#include "core/base/heap.hpp"
#include "tests/core/ingest/hostile_support.hpp"

using namespace warpscope;
using namespace warpscope::ingest;
using namespace warpscope::tests;

namespace {

/// Consecutive slices; every thousandth one is a mark.
void add_slices(PendingTrack& track, std::uint32_t count, trace::CategoryId category) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint8_t flags = i % 1000 == 999 ? PendingSlice::kInstant : 0;
    PendingSlice slice(1'000 + Ns{i} * 1'000, category, std::uint64_t{i} * 400, 0, flags);
    slice.duration = 500;
    track.slices.push_back(slice);
  }
}

}  // namespace

TEST_CASE("slices days away from the others keep their start and duration") {
  constexpr Ns kDay = Ns{24} * 3600 * 1'000'000'000;
  trace::Categories categories;
  const trace::CategoryId category = categories.intern("cpu_op");
  const NameFacts names{{0}, {0}};
  PendingTrack track;
  track.base = 20'000 * kDay;
  const std::vector<std::pair<Ns, Ns>> times{
      {track.base - 1, 2}, {1'000, 6 * kDay}, {track.base + kDay, 7}, {track.base + 3 * kDay, 500}};
  for (std::uint32_t i = 0; i < times.size(); ++i) {
    const auto [begin, duration] = times[i];
    const bool fits = PendingSlice::fits(begin - track.base);
    REQUIRE(fits == (i % 2 == 0));
    PendingSlice slice(fits ? begin - track.base : PendingSlice::kFar, category, i, 0);
    slice.duration = fits ? static_cast<std::uint32_t>(duration) : kElsewhere;
    if (!fits) {
      track.begins.emplace_back(i, begin);
      track.durations.emplace_back(i, duration);
    }
    track.slices.push_back(slice);
  }
  track.settle();
  std::vector<std::pair<Ns, Ns>> seen;
  track.for_each_time([&](const PendingSlice&, Ns begin, Ns duration) { seen.emplace_back(begin, duration); });
  REQUIRE(seen == times);

  const TrackContext context{names, categories, Possible(kEmptySpan), {}, nullptr};
  const BuiltTrack built = build_track(track, {}, context);
  REQUIRE(built.lanes.size() == 2);
  const trace::TimeColumn& main = built.lanes[0].time();
  REQUIRE(built.lanes[0].size() == 3);
  CHECK(main.begin(0) == track.base - 1);
  CHECK(main.begin(1) == track.base + kDay);
  CHECK(main.begin(2) == track.base + 3 * kDay);
  CHECK(main.duration(2) == 500);
  CHECK(built.lanes[1].time().begin(0) == 1'000);
  CHECK(built.lanes[1].time().duration(0) == 6 * kDay);
}

TEST_CASE("building a track needs little more memory than its slices") {
  constexpr std::uint32_t kCount = 2'000'000;
  constexpr std::uint64_t kPending = std::uint64_t{kCount} * sizeof(PendingSlice);
  trace::Categories categories;
  const trace::CategoryId category = categories.intern("cpu_op");
  const NameFacts names{{0}, {0}};
  PendingTrack track;
  add_slices(track, kCount, category);
  TimeBulk bulk;
  track.settle();
  track.for_each_time(
      [&](const PendingSlice& slice, Ns begin, Ns duration) { add_time(bulk, slice, begin, duration); });
  const TrackContext context{names, categories, Possible(bulk.bulk()), {}, nullptr};

  give_memory_back();
  const MemoryGrowth growth;
  const BuiltTrack built = build_track(track, {}, context);
  growth.check_below(kPending / 2 / 1'000'000);

  REQUIRE(built.lanes.size() == 2);
  CHECK(built.lanes[0].kind() == trace::LaneKind::nested);
  CHECK(built.lanes[0].size() == kCount - kCount / 1000);
  CHECK(built.lanes[1].kind() == trace::LaneKind::instant);
  CHECK(built.lanes[1].size() == kCount / 1000);
  CHECK(built.lanes[1].time().begin(1) == 1'000 + 1'999 * 1'000);
}
