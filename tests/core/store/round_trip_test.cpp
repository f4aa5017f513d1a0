// Stores round-trip: every field of every rank, for generated traces with every layout and defect, and for the real
// ones.
#include <filesystem>
#include <limits>
#include <random>

#include "tests/core/store/store_files.hpp"
#include "tests/core/store/verified.hpp"
#include "tests/load_profile.hpp"
#include "tests/shared_dir.hpp"
#include "tests/small_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

std::string through_store(const trace::Profile& profile, store::Packing packing = {}) {
  const TestFolder folder;
  const std::string path = (folder.path() / "x.wscope").string();
  write_store(profile, path, packing);
  const auto file = store::open_store(path);
  if (!file) return file.error().message();
  if (const Failure wrong = fault_of(*file)) return wrong->message();
  if (file->directory().root != profile.path) return "root";
  if (file->directory().diagnostics.all().size() != profile.diagnostics.all().size()) return "diagnostics";
  return difference_to_store(profile, *file);
}

std::string generated(const tracegen::Options& options) {
  const TestFolder folder;
  write_set(folder, tracegen::generate_in_memory(options));
  return through_store(*load(folder.path()));
}

}  // namespace

TEST_CASE("generated ranks survive a store in every dialect and layout") {
  using tracegen::Generation;
  using tracegen::Layout;
  for (const Layout layout : {Layout::kineto, Layout::minified, Layout::oneline, Layout::indented}) {
    tracegen::Options options = small_job();
    options.layout = layout;
    options.shapes = true;
    CHECK(generated(options) == "");
  }
  for (const Generation generation : {Generation::y2023, Generation::torch_1_8}) {
    tracegen::Options options = small_job();
    options.generation = generation;
    options.python = true;
    CHECK(generated(options) == "");
  }
}

TEST_CASE("a store rejects ranks beyond its last") {
  const TestFolder folder;
  const std::string path = (folder.path() / "x.wscope").string();
  const auto profile = load_events(kernel_event("gemm"));
  write_store(*profile, path);
  const auto file = store::open_store(path);
  REQUIRE(file.ok());
  const std::size_t count = file->sources().size();
  CHECK(file->rank(count - 1, std::make_shared<trace::Dictionary>()).ok());
  CHECK_FALSE(file->rank(count, std::make_shared<trace::Dictionary>()).ok());
  CHECK_FALSE(file->archive(count).ok());
}

TEST_CASE("corrupt ranks survive a store with their diagnostics") {
  for (const tracegen::DefectInfo& info : tracegen::all_defects()) {
    INFO(info.name);
    tracegen::Options options = small_job();
    options.gpus = 2;
    options.defects.push_back({info.defect, tracegen::DefectAt::kLastRank});
    CHECK(generated(options) == "");
  }
}

TEST_CASE("real traces survive a store") {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("no shared folder: real traces are not tried");
    return;
  }
  std::size_t tried = 0;
  for (const auto& entry : std::filesystem::directory_iterator(*shared / "traces")) {
    if (!entry.is_directory()) continue;
    const auto profile = tests::load_profile(entry.path().string());
    if (!profile) continue;
    INFO(entry.path().string());
    CHECK(through_store(**profile) == "");
    ++tried;
  }
  CHECK(tried >= 10);
}

TEST_CASE("random rows survive a store") {
  std::mt19937_64 random(31);
  for (const std::size_t count : {1u, 16u, 17u, 1025u, 70'000u}) {
    for (const unsigned families : {1u, 8u}) {
      const auto dictionary = std::make_shared<trace::Dictionary>();
      const trace::testing::Row row = trace::testing::random_row(random, count, 1'700'000'000'000'000'000, families);
      const auto rank = rank_of_row(row, *dictionary, trace::LaneKind::nested, random);
      const auto profile = trace::assemble_profile("row", dictionary, {rank}, {}, true);
      INFO(count << " slices, " << families << " families");
      CHECK(through_store(*profile) == "");
    }
  }
}

TEST_CASE("a folded lane survives a store with its union") {
  std::mt19937_64 random(5);
  const auto dictionary = std::make_shared<trace::Dictionary>();
  trace::testing::Row row = trace::testing::random_row(random, 3000, 1'000'000, 1);
  for (std::size_t i = 0; i < row.slices.size(); i += 3) row.slices[i].end += 200'000;
  const auto rank = rank_of_row(row, *dictionary, trace::LaneKind::folded, random);
  const auto profile = trace::assemble_profile("row", dictionary, {rank}, {}, true);
  const TestFolder folder;
  const std::string path = (folder.path() / "x.wscope").string();
  write_store(*profile, path);
  const auto file = store::open_store(path);
  REQUIRE(file.ok());
  CHECK(difference_to_store(*profile, *file) == "");
  const auto stored = file->rank(0, std::make_shared<trace::Dictionary>());
  REQUIRE(stored.ok());
  std::vector<std::uint32_t> expected;
  std::vector<std::uint32_t> found;
  const Interval window{row.slices[700].begin, row.slices[800].end};
  rank->lanes[0].for_each_overlapping(window.begin, window.end, [&](std::uint32_t i) { expected.push_back(i); });
  (*stored)->lanes[0].for_each_overlapping(window.begin, window.end, [&](std::uint32_t i) { found.push_back(i); });
  CHECK(expected.size() >= 100);
  CHECK(found == expected);
}

TEST_CASE("impossible durations and extreme times survive a store") {
  const auto dictionary = std::make_shared<trace::Dictionary>();
  constexpr Ns kMost = std::numeric_limits<Ns>::max();
  auto rank = std::make_shared<trace::Rank>();
  trace::Lane::Columns columns;
  const std::vector<std::pair<Ns, Ns>> slices{{-5'000'000'000'000, -7},
                                              {-4'999'999'999'999, 4'294'967'295},
                                              {0, 1},
                                              {4'294'967'295, 0},
                                              {9'000'000'000, -kMost},
                                              {kMost - 3, 2},
                                              {kMost, kMost - 1}};
  for (const auto& [begin, duration] : slices) {
    columns.time.push_back(begin, duration);
    columns.names.push_back(dictionary->names.intern("x"));
    columns.categories.push_back(dictionary->categories.intern("kernel"));
    columns.offsets.push_back((std::uint64_t{1} << 40) - 1);
    columns.families.push_back(trace::Family::computation);
  }
  columns.time.shrink();
  rank->lanes.emplace_back(trace::LaneKind::damaged, std::uint16_t{0}, std::move(columns));
  rank->lane_start = {0, static_cast<trace::SliceOrdinal>(slices.size())};
  trace::Track track;
  track.lane_count = 1;
  rank->tracks.push_back(track);
  const auto profile = trace::assemble_profile("x", dictionary, {rank}, {}, true);
  CHECK(through_store(*profile) == "");
}

TEST_CASE("columns load on demand and can be freed") {
  std::mt19937_64 random(9);
  const auto original = std::make_shared<trace::Dictionary>();
  const auto written = rank_of_row(trace::testing::random_row(random, 100'000, 1'000'000, 4), *original,
                                   trace::LaneKind::nested, random);
  const auto profile = trace::assemble_profile("row", original, {written}, {}, true);
  const TestFolder folder;
  const std::string path = (folder.path() / "x.wscope").string();
  write_store(*profile, path);
  const auto file = store::open_store(path);
  REQUIRE(file.ok());
  const auto dictionary = std::make_shared<trace::Dictionary>();
  const auto rank = *file->rank(0, dictionary);
  const std::size_t at_first = rank->resident_bytes();
  const std::size_t whole = rank->whole_bytes();
  CHECK(whole == profile->ranks[0]->whole_bytes());
  CHECK(at_first * 100 < profile->ranks[0]->resident_bytes());
  // Any row brings the data needed to draw the whole profile: ends of lanes, sums at block edges.
  for (const trace::Lane& lane : rank->lanes) {
    CHECK(lane.tree().busy(rank->span.begin, rank->span.end) >= 0);
    CHECK(lane.time().end(lane.size() - 1) >= lane.time().begin(0));
  }
  CHECK(rank->resident_bytes() * 3 < profile->ranks[0]->resident_bytes());
  CHECK(difference(*profile->ranks[0], *profile->dictionary, *rank, *dictionary) == "");
  CHECK(rank->resident_bytes() >= profile->ranks[0]->resident_bytes() / 2);
  CHECK(rank->whole_bytes() == whole);

  REQUIRE(rank->storage != nullptr);
  const auto again = rank->storage->reopen();
  REQUIRE(again.ok());
  CHECK((*again)->resident_bytes() == at_first);
  CHECK(difference(*rank, *dictionary, **again, *dictionary) == "");
}

TEST_CASE("an unloaded rank can be shifted in time") {
  std::mt19937_64 random(8);
  const auto dictionary = std::make_shared<trace::Dictionary>();
  const trace::testing::Row row = trace::testing::random_row(random, 20'000, 1'000'000, 2);
  const auto original = rank_of_row(row, *dictionary, trace::LaneKind::nested, random);
  const auto profile = trace::assemble_profile("row", dictionary, {original}, {}, true);
  const TestFolder folder;
  const std::string path = (folder.path() / "x.wscope").string();
  write_store(*profile, path);
  const auto file = store::open_store(path);
  REQUIRE(file.ok());
  for (const Ns delta : {Ns{1'000'000'007}, Ns{-30}, std::numeric_limits<Ns>::max() - 1'000'000'000}) {
    const auto stored = file->rank(0, dictionary);
    REQUIRE(stored.ok());
    const auto moved = std::const_pointer_cast<trace::Rank>(*stored);
    const bool leaves_range = delta > 1'000'000'000'000;
    moved->shift(delta);
    CHECK(moved->lanes[0].time().present() == leaves_range);
    for (std::uint32_t i = 0; i < row.slices.size(); ++i)
      REQUIRE(moved->lanes[0].time().begin(i) == saturating_add(row.slices[i].begin, delta));
  }
}
