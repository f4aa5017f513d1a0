// Columns of a store on a thread that must not wait for the disk.
#include "core/trace/resident_only.hpp"

#include <random>
#include <thread>

#include "tests/catch.hpp"
#include "tests/core/store/store_files.hpp"
#include "tests/core/trace/random_slices.hpp"
#include "tests/stored_profile.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using namespace warpscope::trace;

namespace {

constexpr std::uint32_t kStreamLane = 0;
constexpr std::uint32_t kCallLane = 1;
constexpr std::uint32_t kInside = 3000;  // far from the blocks that are read on opening

void load_all(const std::vector<std::shared_ptr<const Loadable>>& columns) {
  std::thread([&] {
    for (const auto& column : columns) column->load();
  }).join();
}

}  // namespace

TEST_CASE("a thread with ResidentOnly loads no column and lists each missed one once") {
  const auto whole = test::make_profile({dense_rank()});
  const StoredProfile lazy = stored(*whole);
  const Rank& rank = *lazy.profile->ranks[0];
  const Lane& lane = rank.lanes[kStreamLane];
  ResidentOnly resident;
  const MissWatch watch;
  CHECK(lane.time().begin(kInside) == lane.time().block_begin(kInside / TimeColumn::kBlock));
  CHECK(lane.time().duration(kInside) == 0);
  CHECK(lane.time().duration(kInside + 1) == 0);
  CHECK(watch.any());
  CHECK(resident.take_missed().size() == 1);
  CHECK(lane.name(kInside) == 0);
  CHECK(lane.category(kInside) == 0);
  CHECK(lane.tree().family(kInside) == Family::computation);
  CHECK(lane.tree().families_of_block(kInside / TimeColumn::kBlock)[0] == 0);
  CHECK(resident.take_missed().size() == 1);
  CHECK(lane.event(kInside) == 0);
  CHECK(rank.launches.cause_of(rank.lane_start[kStreamLane] + kInside) == nullptr);
  CHECK(rank.launches.caused_by(rank.lane_start[kCallLane] + kInside).empty());
  CHECK(rank.launches.size() == whole->ranks[0]->launches.size());
  CHECK(resident.take_missed().size() == 2);
  CHECK(lane.tree().longest({10, 5000}) == IntervalTree::kNone);
  CHECK_FALSE(lane.tree().resident(kInside / TimeColumn::kBlock));
  CHECK(lane.tree().resident(0));
  CHECK(resident.take_missed().size() == 2);
  CHECK_FALSE(lazy.profile->find(whole->identity({0, kInside})));
  CHECK(resident.take_missed().size() == rank.lanes.size());  // offsets of every lane
  CHECK(lazy.bytes->own() == 0);
}

TEST_CASE("columns that another thread loads appear on a thread with ResidentOnly") {
  const auto whole = test::make_profile({dense_rank()});
  const StoredProfile lazy = stored(*whole);
  const SliceRef slice{0, kInside};
  const SliceRef call{0, whole->ranks[0]->lane_start[kCallLane] + kInside};
  const auto everything = [&](const Profile& profile) {
    const Rank& rank = *profile.ranks[0];
    const Connection* cause = rank.launches.cause_of(slice.slice);
    return std::tuple(profile.begin(slice), profile.duration(slice), profile.begin(call), profile.identity(slice),
                      std::string(profile.name(slice)), cause != nullptr ? cause->from : 0,
                      rank.lanes[kStreamLane].tree().longest({10, 5000}),
                      rank.lanes[kStreamLane].tree().busy(1'000'500, 4'000'700));
  };
  ResidentOnly resident;
  CHECK_FALSE(if_resident([&] { return everything(*lazy.profile); }));
  const auto missed = resident.take_missed();
  for (const auto& column : missed) CHECK_FALSE(column->present());
  load_all(missed);
  for (const auto& column : missed) CHECK(column->present());
  CHECK(if_resident([&] { return everything(*lazy.profile); }) == everything(*whole));
  CHECK(resident.take_missed().empty());
  CHECK(lazy.bytes->own() == 0);
  CHECK(lazy.bytes->others() == static_cast<int>(missed.size()));
}

TEST_CASE("the rows of a stored rank are read together, on first use") {
  const auto whole = test::make_profile({dense_rank()});
  const StoredProfile lazy = stored(*whole, false);
  const Rank& rank = *lazy.profile->ranks[0];
  const auto shifted = with_clock_shifts(*lazy.profile, std::vector<Ns>{500});
  const Rank& later = *shifted->ranks[0];
  CHECK(rank.lanes[kStreamLane].size() == whole->ranks[0]->lanes[kStreamLane].size());
  CHECK(rank.whole_bytes() == whole->ranks[0]->whole_bytes());
  CHECK(rank.span == whole->ranks[0]->span);
  CHECK(lazy.bytes->own() + lazy.bytes->others() == 0);
  const std::size_t closed = rank.resident_bytes();
  {
    ResidentOnly resident;
    for (const Rank* each : {&rank, &later}) {
      const Lane& lane = each->lanes[kStreamLane];
      CHECK(lane.tree().empty());
      CHECK(lane.tree().busy(0, 1'000'000'000) == 0);
      CHECK(lane.time().begin(kInside) == 0);
      CHECK(lane.time().duration(kInside) == 0);
      CHECK(lane.name(kInside) == 0);
      CHECK(lane.event(kInside) == 0);
      CHECK_FALSE(lane.events_resident());
      lane.for_each_overlapping(0, 1'000'000'000, [](std::uint32_t) { FAIL("there are no slices"); });
      CHECK(each->devices[0].busy.get().empty());
      CHECK_FALSE(lane.opened());
      const auto missed = resident.take_missed();
      CHECK(missed.size() == 1);
      load_all(missed);
      CHECK(lane.tree().size() == lane.size());
      CHECK(lane.tree().busy(0, 400'000'000) > 0);
      CHECK(each->devices[0].busy.get().size() > 0);
    }
    CHECK(resident.take_missed().empty());
  }
  CHECK(lazy.bytes->own() == 0);
  CHECK(rank.resident_bytes() > closed);
  const auto moved = with_clock_shifts(*whole, std::vector<Ns>{500});
  for (const SliceOrdinal slice : {SliceOrdinal{0}, SliceOrdinal{kInside}}) {
    CHECK(rank.begin(slice) == whole->ranks[0]->begin(slice));
    CHECK(later.begin(slice) == whole->ranks[0]->begin(slice) + 500);
    CHECK(later.begin(slice) == moved->ranks[0]->begin(slice));
    CHECK(later.duration(slice) == rank.duration(slice));
    CHECK(lazy.profile->name({0, slice}) == whole->name({0, slice}));
  }
}

TEST_CASE("a missed column outlives its rank") {
  std::vector<std::shared_ptr<const Loadable>> missed;
  {
    const StoredProfile lazy = stored(*test::make_profile({dense_rank()}));
    ResidentOnly resident;
    static_cast<void>(lazy.profile->begin({0, kInside}));
    missed = resident.take_missed();
  }
  REQUIRE(missed.size() == 1);
  load_all(missed);
  CHECK(missed[0]->present());
}

TEST_CASE("a folded lane has no slices until its times are loaded") {
  std::mt19937_64 random(5);
  const auto dictionary = std::make_shared<Dictionary>();
  testing::Row row = testing::random_row(random, 5000, 1'000'000, 1);
  for (std::size_t i = 0; i < row.slices.size(); i += 3) row.slices[i].end += 200'000;
  const auto rank = rank_of_row(row, *dictionary, LaneKind::folded, random);
  const StoredProfile lazy = stored(*assemble_profile("row", dictionary, {rank}, {}, true));
  const Interval window{row.slices[2700].begin, row.slices[2800].end};
  const auto count = [&](const Lane& lane) {
    int slices = 0;
    lane.for_each_overlapping(window.begin, window.end, [&](std::uint32_t) { ++slices; });
    return slices;
  };
  ResidentOnly resident;
  CHECK(count(lazy.profile->ranks[0]->lanes[0]) == 0);
  load_all(resident.take_missed());
  CHECK(count(lazy.profile->ranks[0]->lanes[0]) == count(rank->lanes[0]));
  CHECK(lazy.bytes->own() == 0);
}

TEST_CASE("ResidentOnly affects only its thread, until it ends") {
  const StoredProfile lazy = stored(*test::make_profile({dense_rank()}));
  const Rank& rank = *lazy.profile->ranks[0];
  {
    const ResidentOnly outer;
    { const ResidentOnly inner; }
    CHECK(rank.duration(kInside) == 0);
    Ns seen = 0;
    std::thread([&] { seen = rank.duration(kInside); }).join();
    CHECK(seen != 0);
    CHECK(rank.duration(kInside) == seen);  // now in memory
    CHECK(rank.name(kInside) == 0);
  }
  CHECK(rank.name(kInside) != 0);
}
