// Checks beyond checksums when a store is written and opened.
#include <algorithm>

#include "tests/core/store/store_files.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

/// A rank of one lane with these slices.
std::shared_ptr<trace::Rank> rank_of(const std::vector<Interval>& slices, trace::LaneKind kind,
                                     trace::Dictionary& dictionary) {
  trace::Lane::Columns columns;
  auto rank = std::make_shared<trace::Rank>();
  for (const Interval& slice : slices) {
    columns.time.push_back(slice.begin, slice.length());
    columns.names.push_back(dictionary.names.intern("name"));
    columns.categories.push_back(dictionary.categories.intern("kernel"));
    columns.offsets.push_back(columns.time.size() * std::uint64_t{100});
    columns.families.push_back(trace::Family::computation);
    rank->span = cover(rank->span, slice);
  }
  rank->lanes.emplace_back(kind, std::uint16_t{0}, std::move(columns));
  rank->lane_start = {0, rank->lanes[0].size()};
  rank->counts.slices = rank->lanes[0].size();
  rank->tracks.emplace_back().lane_count = 1;
  return rank;
}

std::string written(const TestFolder& folder, const std::shared_ptr<trace::Rank>& rank,
                    const std::shared_ptr<trace::Dictionary>& dictionary, store::Packing packing = {}) {
  std::string path = (folder.path() / "x.wscope").string();
  write_store(*trace::assemble_profile("x", dictionary, {rank}, {}, true), path, packing);
  return path;
}

std::string refusal(const trace::Rank& rank, const std::shared_ptr<trace::Dictionary>& dictionary) {
  const TestFolder folder;
  const auto writer = store::StoreWriter::create((folder.path() / "x.wscope").string());
  REQUIRE(writer.ok());
  const auto added = (*writer)->add_rank(rank, {}, dictionary);
  return added.ok() ? "" : added.error().message();
}

constexpr Interval kLong{0, 100};

}  // namespace

TEST_CASE("a rank with more slices than its lanes is neither written nor read") {
  const auto dictionary = std::make_shared<trace::Dictionary>();
  const auto rank = rank_of({kLong, {200, 300}}, trace::LaneKind::nested, *dictionary);
  rank->counts.slices = 3;
  CHECK(contains(refusal(*rank, dictionary), "its slice count is too large"));

  // Offset of the count: the only byte that differs between two otherwise equal stores.
  const TestFolder folder;
  const store::Packing plain{.level = 3, .plain = true};
  rank->counts.slices = 2;
  std::vector<std::uint8_t> two = bytes_of_file(written(folder, rank, dictionary, plain));
  rank->counts.slices = 1;
  const std::vector<std::uint8_t> one = bytes_of_file(written(folder, rank, dictionary, plain));
  REQUIRE(one.size() == two.size());
  const auto at = std::mismatch(two.begin(), two.end(), one.begin()).first;
  REQUIRE(*at == 2);
  CHECK(open_bytes(two, false)->rank(0, dictionary).ok());
  *at = 3;
  const auto more = open_bytes(two, false)->rank(0, dictionary);
  REQUIRE_FALSE(more.ok());
  CHECK(contains(more.error().message(), "the store is corrupt"));
}

TEST_CASE("a track without lanes is not written") {
  const auto dictionary = std::make_shared<trace::Dictionary>();
  const auto rank = rank_of({kLong}, trace::LaneKind::nested, *dictionary);
  CHECK(refusal(*rank, dictionary) == "");
  rank->tracks.emplace_back().first_lane = 1;
  CHECK(contains(refusal(*rank, dictionary), "its tracks and lanes do not match"));
}
