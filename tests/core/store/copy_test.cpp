// A source is copied to another store only if all its frames and blocks are valid.
#include "core/store/event_archive.hpp"
#include "tests/core/store/store_files.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {}  // namespace

TEST_CASE("a source with a corrupt frame or block is not copied, and the corruption is reported") {
  const TestFolder folder;
  const auto dictionary = std::make_shared<trace::Dictionary>();
  std::mt19937_64 random(3);
  const auto row = trace::testing::random_row(random, 3000, 1'000'000, 4);
  const auto rank = rank_of_row(row, *dictionary, trace::LaneKind::nested, random);
  const std::string path = (folder.path() / "x.wscope").string();
  {
    auto writer = store::StoreWriter::create(path);
    REQUIRE(writer.ok());
    const auto added = (*writer)->add_rank(*rank, {}, dictionary);
    REQUIRE(added.ok());
    store::EventArchiveWriter archive(**writer, added->source);
    for (std::uint64_t i = 0; i < 3000; ++i)
      REQUIRE_FALSE(archive.add(100 * i, "{\"ph\": \"" + std::to_string(random()) + "\"}", {}));
    REQUIRE_FALSE(archive.finish());
    REQUIRE_FALSE((*writer)->finish("", {}).has_value());
  }
  const std::vector<std::uint8_t> sound = bytes_of_file(path);
  const auto copy = [&](const std::vector<std::uint8_t>& bytes) {
    const auto from = open_bytes(bytes);
    REQUIRE(from.ok());
    const auto writer = store::StoreWriter::create((folder.path() / "copy.wscope").string());
    REQUIRE(writer.ok());
    const auto copied = (*writer)->copy_source(*from, 0);
    CHECK(copied.ok() == !from->damage().has_value());
    if (!copied.ok()) CHECK(from->damage()->message() == copied.error().message());
    return copied.ok() ? std::string() : copied.error().message();
  };
  const auto with_damage = [&](std::uint64_t at) {
    std::vector<std::uint8_t> bytes = sound;
    bytes[at] ^= 0x5A;
    return bytes;
  };
  CHECK(copy(sound) == "");
  const auto file = open_bytes(sound);
  const store::RankPlace place = *file->sources()[0].rank;
  // Every section counts, including those that are not read when a rank is opened.
  for (int part = 0; part < 40; ++part) {
    const std::string said = copy(with_damage(place.base + place.length * static_cast<std::uint64_t>(part) / 40 + 9));
    CHECK(contains(said, "memory: the store is corrupt at byte "));
    CHECK(contains(said, ": a frame is corrupt; read the traces instead, or copy the file"));
  }
  const auto archive = file->archive(0);
  REQUIRE(archive.ok());
  for (const store::ArchiveBlock& block : *archive) {
    const std::string said = copy(with_damage(block.section.offset + block.section.stored / 2));
    CHECK(contains(said, "memory: the store's events are corrupt; copy the file again, or convert the traces again"));
  }
}
