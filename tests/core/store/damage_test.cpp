// Corrupt stores: every truncation and flipped byte is reported or harmless; nothing crashes.
#include <algorithm>
#include <array>
#include <filesystem>
#include <random>
#include <thread>

#include "tests/core/store/store_files.hpp"
#include "tests/core/store/verified.hpp"
#include "tests/sanitized.hpp"
#include "tests/small_job.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

struct Stored {
  TestFolder folder;
  std::shared_ptr<const trace::Profile> profile;
  std::string path;
  std::vector<std::uint8_t> bytes;

  explicit Stored(store::Packing packing = {}) {
    tracegen::Options options = *tracegen::preset("small");
    options.gpus = 1;
    write_set(folder, tracegen::generate_in_memory(options), "traces");
    profile = load(folder.path() / "traces");
    write(packing);
  }
  /// Of one dense lane.
  explicit Stored(std::size_t slices) {
    std::mt19937_64 random(slices);
    const auto dictionary = std::make_shared<trace::Dictionary>();
    const auto row = trace::testing::random_row(random, slices, 1'000'000, 4);
    const auto rank = rank_of_row(row, *dictionary, trace::LaneKind::nested, random);
    profile = trace::assemble_profile("row", dictionary, {rank}, {}, true);
    write({});
  }

 private:
  void write(store::Packing packing) {
    path = (folder.path() / "x.wscope").string();
    write_store(*profile, path, packing);
    bytes = bytes_of_file(path);
  }
};

/// Queries everything in a rank, whatever its contents.
std::uint64_t touch(const trace::Rank& rank) {
  std::uint64_t sum = 0;
  for (const trace::Lane& lane : rank.lanes) {
    for (std::uint32_t i = 0; i < lane.size(); ++i) {
      sum += static_cast<std::uint64_t>(lane.time().begin(i)) + static_cast<std::uint64_t>(lane.time().duration(i));
      sum += lane.name(i) + lane.category(i) + lane.event(i);
      if (!lane.folded()) sum += static_cast<std::uint64_t>(lane.tree().family(i));
    }
    sum += lane.tree().longest({0, lane.tree().size()});
    sum += static_cast<std::uint64_t>(lane.tree().at(rank.span.begin));
  }
  sum += rank.launches.all().size() + rank.forward_backward.all().size() + rank.graph_edges.all().size() +
         rank.transfers.slices().size();
  return sum;
}

/// Opens bytes as far as possible. Returns the error, or the corruption found later, or nothing.
std::string damage_of(const std::vector<std::uint8_t>& bytes, bool checked = true) {
  const auto file = open_bytes(bytes, checked);
  if (!file) return file.error().message();
  for (std::size_t source = 0; source < file->sources().size(); ++source) {
    if (!file->sources()[source].rank) continue;
    const auto rank = file->rank(source, std::make_shared<trace::Dictionary>());
    if (!rank) return rank.error().message();
    touch(**rank);
    if (const Failure damage = file->damage()) return damage->message();
  }
  const Failure wrong = fault_of(*file);
  return wrong ? wrong->message() : "";
}

}  // namespace

TEST_CASE("other files, other versions and truncated stores have distinct errors") {
  const Stored stored;
  CHECK(damage_of(stored.bytes) == "");
  CHECK(contains(damage_of({}), "is not a Warpscope store"));
  CHECK(contains(damage_of({'{', '"', 'a', '"', ':', '1', '}', ' ', ' '}), "is not a Warpscope store"));
  std::vector<std::uint8_t> other = stored.bytes;
  other[8] = 200;
  CHECK(contains(damage_of(other),
                 "the store has format version 200; this program reads version " + std::to_string(store::kVersion)));
  for (std::size_t size = stored.bytes.size() - 1; size > 8; size -= std::min<std::size_t>(size - 8, 1 + size / 8)) {
    std::vector<std::uint8_t> cut(stored.bytes.begin(), stored.bytes.begin() + static_cast<std::ptrdiff_t>(size));
    const std::string said = damage_of(cut);
    CHECK(contains(said, "the store is truncated"));
    CHECK(contains(said, "; copy the file again, or convert the traces again"));
    if (size < store::kHeaderBytes) continue;
    CHECK(contains(said,
                   "truncated: " + std::to_string(size) + " of its " + std::to_string(stored.bytes.size()) + " bytes"));
  }
  // Earlier versions omitted the size.
  std::vector<std::uint8_t> earlier(stored.bytes.begin(), stored.bytes.end() - 1);
  std::fill_n(earlier.begin() + store::kSizeInHeader, 8, std::uint8_t{0});
  CHECK(contains(damage_of(earlier), "the store is truncated; copy the file again"));
  CHECK_FALSE(store::open_store((stored.folder.path() / "not there.wscope").string()).ok());
  CHECK(contains(store::open_store(stored.folder.path().string()).error().message(), "is not a regular file"));
}

TEST_CASE("a store with extra or changed last bytes is corrupt, not truncated") {
  const Stored stored;
  std::vector<std::uint8_t> longer = stored.bytes;
  longer.insert(longer.end(), 3, std::uint8_t{'x'});
  CHECK(contains(damage_of(longer),
                 "the store is corrupt: it is longer than when it was written: " + std::to_string(longer.size()) +
                     " bytes, not " + std::to_string(stored.bytes.size())));
  std::vector<std::uint8_t> other = stored.bytes;
  other.back() ^= 1U;
  CHECK(contains(damage_of(other), "the store is corrupt: the trailer is invalid"));
}

TEST_CASE("a store with a missing piece in the middle is corrupt") {
  const Stored stored;
  for (std::size_t at = 40; at < stored.bytes.size() - 40; at += 9973) {
    std::vector<std::uint8_t> bytes = stored.bytes;
    bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(at));
    CHECK(contains(damage_of(bytes), "corrupt"));
  }
}

TEST_CASE("a flipped bit is detected or harmless") {
  const Stored stored;
  std::mt19937_64 random(12);
  const std::size_t step = std::max<std::size_t>(1, stored.bytes.size() / 300);
  std::size_t found = 0;
  std::size_t ignored = 0;
  for (std::size_t at = 0; at < stored.bytes.size(); at += 1 + random() % (2 * step)) {
    std::vector<std::uint8_t> bytes = stored.bytes;
    bytes[at] ^= static_cast<std::uint8_t>(1u << random() % 8);
    const std::string said = damage_of(bytes);
    INFO("byte " << at << " of " << bytes.size());
    if (said.empty()) {
      // A bit of a frame's header or of its tables that zstd ignores.
      ++ignored;
      CHECK(difference_to_store(*stored.profile, *open_bytes(bytes)) == "");
      continue;
    }
    ++found;
    CHECK(contains(said, at < 8 ? "is not a Warpscope store" : at < 12 ? "format version" : "the store is"));
  }
  CHECK(found > 20 * ignored);
}

TEST_CASE("inconsistent contents are harmless, even without checksums") {
  const Stored stored(store::Packing{.level = 3, .plain = true});
  CHECK(damage_of(stored.bytes, false) == "");
  CHECK(damage_of(stored.bytes, true) != "");  // plain frames have no checksums
  std::mt19937_64 random(77);
  std::size_t noticed = 0;
  // Searches for invalid accesses, with only a few rounds if no sanitizer can detect them.
  const int rounds = sanitized() ? 400 : 100;
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::uint8_t> bytes = stored.bytes;
    for (std::size_t flips = 1 + random() % 4; flips > 0; --flips) {
      const std::size_t at = store::kHeaderBytes + random() % (bytes.size() - store::kHeaderBytes);
      constexpr std::array<std::uint8_t, 6> kNasty{0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF};
      bytes[at] = random() % 2 == 0 ? kNasty[random() % kNasty.size()] : static_cast<std::uint8_t>(random());
    }
    if (!damage_of(bytes, false).empty()) ++noticed;
  }
  CHECK(noticed > static_cast<std::size_t>(rounds / 10));
}

TEST_CASE("unreadable columns read as slices without duration, and the store reports it") {
  const Stored stored(60'000);
  const auto file = store::open_store(stored.path);
  REQUIRE(file.ok());
  const auto rank = *file->rank(0, std::make_shared<trace::Dictionary>());
  const auto closed = *file->rank(0, std::make_shared<trace::Dictionary>());
  static_cast<void>(rank->rows.get());
  std::filesystem::resize_file(stored.path, 100);
  CHECK_FALSE(rank->storage->damage().has_value());
  const auto dense = std::max_element(rank->lanes.begin(), rank->lanes.end(),
                                      [](const auto& a, const auto& b) { return a.size() < b.size(); });
  REQUIRE(dense->size() > 4000);
  const std::uint32_t middle = dense->size() / 2;
  CHECK_FALSE(dense->time().present());
  static_cast<void>(dense->labels());
  static_cast<void>(dense->time().arrays());
  CHECK(dense->time().begin(middle) == dense->time().block_begin(middle / 16));
  CHECK(dense->time().duration(middle) == 0);
  CHECK(dense->name(middle) == 0);
  CHECK(dense->event(middle) == 0);
  CHECK(rank->launches.size() > 0);
  CHECK(rank->launches.all().empty());
  REQUIRE(rank->storage->damage().has_value());
  CHECK(contains(rank->storage->damage()->message(), "the store is corrupt"));
  CHECK(file->damage().has_value());
  touch(*rank);

  // Without rows, slices are at time 0.
  CHECK_FALSE(closed->storage->damage().has_value());
  const auto lane = closed->lanes.begin() + (dense - rank->lanes.begin());
  CHECK(lane->size() == dense->size());
  CHECK(lane->time().begin(middle) == 0);
  CHECK(lane->time().duration(middle) == 0);
  CHECK(lane->name(middle) == 0);
  CHECK(lane->event(middle) == 0);
  CHECK(contains(closed->storage->damage()->message(), "the store is corrupt"));
  touch(*closed);
}

TEST_CASE("eight threads that load the same columns see the same values") {
  const Stored stored(60'000);
  const auto file = store::open_store(stored.path);
  REQUIRE(file.ok());
  const auto dictionary = std::make_shared<trace::Dictionary>();
  for (int round = 0; round < 2; ++round) {
    const auto rank = *file->rank(0, dictionary);
    std::array<std::uint64_t, 8> sums{};
    std::vector<std::thread> threads;
    for (std::uint64_t& sum : sums) threads.emplace_back([&] { sum = touch(*rank); });
    for (std::thread& thread : threads) thread.join();
    const std::uint64_t expected = touch(**file->rank(0, dictionary));
    for (const std::uint64_t sum : sums) CHECK(sum == expected);
  }
  CHECK_FALSE(file->damage().has_value());
}

TEST_CASE("the memory for a store is bounded by its size") {
  // A section that claims to expand to more than 128 times its size is rejected before anything is allocated. Content
  // that compresses better than that is padded when written.
  const auto dictionary = std::make_shared<trace::Dictionary>();
  auto rank = std::make_shared<trace::Rank>();
  trace::Lane::Columns columns;
  constexpr std::uint32_t kSlices = 400'000;
  for (std::uint32_t i = 0; i < kSlices; ++i) {
    columns.time.push_back(Ns{i} * 10, 10);
    columns.names.push_back(0);
    columns.categories.push_back(0);
    columns.offsets.push_back(std::uint64_t{i} * 100);
    columns.families.push_back(trace::Family::op);
  }
  rank->lanes.emplace_back(trace::LaneKind::nested, std::uint16_t{0}, std::move(columns));
  rank->lane_start = {0, kSlices};
  rank->tracks.push_back({});
  rank->tracks[0].lane_count = 1;
  rank->span = {0, Ns{kSlices} * 10};
  const auto profile = trace::assemble_profile("x", dictionary, {rank}, {}, true);
  const TestFolder folder;
  const std::string path = (folder.path() / "x.wscope").string();
  write_store(*profile, path);
  const auto size = std::filesystem::file_size(path);
  CHECK(size >= 4 * kSlices / store::kMostRatio);
  CHECK(size < kSlices / 4);
  const auto file = store::open_store(path);
  REQUIRE(file.ok());
  CHECK(difference_to_store(*profile, *file) == "");
}
