#include "core/ingest/build/track_builder.hpp"

#include "core/base/heap.hpp"
#include "tests/core/ingest/hostile_support.hpp"

using namespace warpscope;
using namespace warpscope::ingest;
using namespace warpscope::tests;

namespace {

/// Slices that follow each other; each thousandth is a mark.
void add_slices(PendingTrack& track, std::uint32_t count, trace::CategoryId category) {
  for (std::uint32_t i = 0; i < count; ++i) {
    PendingSlice slice;
    slice.set_begin(1'000 + Ns{i} * 1'000);
    slice.duration = 500;
    slice.category = category;
    slice.set_offset(std::uint64_t{i} * 400);
    if (i % 1000 == 999) slice.flags = PendingSlice::kInstant;
    track.slices.push_back(slice);
  }
}

}  // namespace

TEST_CASE("building a track needs little more memory than its slices took") {
  constexpr std::uint32_t kCount = 2'000'000;
  constexpr std::uint64_t kPending = std::uint64_t{kCount} * sizeof(PendingSlice);
  trace::Categories categories;
  const trace::CategoryId category = categories.intern("cpu_op");
  const NameFacts names{{0}, {0}};
  PendingTrack track;
  add_slices(track, kCount, category);
  Begins begins;
  track.slices.for_each([&](const PendingSlice& slice) { begins.add(slice); });
  const TrackContext context{names, categories, Possible(begins), {}, nullptr};

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
