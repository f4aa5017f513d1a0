// Event texts come back from a store byte for byte.
#include <fmt/format.h>

#include <limits>

#include "tests/core/store/event_support.hpp"
#include "tests/core/store/store_files.hpp"
#include "tests/core/store/verified.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

using tracegen::Random;

std::string random_bytes(Random& random, std::size_t size, std::string_view alphabet) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i)
    text += alphabet.empty()
                ? static_cast<char>(random.below(256))
                : alphabet[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(alphabet.size())))];
  return text;
}

}  // namespace

TEST_CASE("event archive: texts are returned byte for byte, across several blocks", "[store]") {
  const auto events = regular_events(120'000, 3);
  const ArchivedStore archive(events);
  check_all_come_back(events, archive);
  CHECK(archive.blocks().size() > 2);
  CHECK(archive.size() < events.size() * 12);  // for 20 % of events, an incompressible number takes 8 of them
}

TEST_CASE("event archive: times and durations that follow from the facts are not stored", "[store]") {
  auto with = regular_events(5'000, 5);
  auto without = with;
  Random random(9);
  for (ArchivedEvent& event : without) event.facts = {random.below(1'000'000'000), random.below(1'000'000)};
  CHECK(ArchivedStore(with).size() + 4 * with.size() < ArchivedStore(without).size());
  check_all_come_back(without);
  // A base added to every start costs nothing and is subtracted again.
  auto shifted = with;
  for (ArchivedEvent& event : shifted) event.facts.begin += 1'000'000'000'000;
  CHECK(ArchivedStore(shifted).size() < ArchivedStore(with).size() + 32);
  check_all_come_back(shifted);
}

TEST_CASE("event archive: any text is returned unchanged", "[store]") {
  Random random(11);
  std::vector<ArchivedEvent> events;
  std::uint64_t offset = 0;
  const auto add = [&](std::string text) {
    offset += text.size() + 1;
    events.push_back({offset, std::move(text), {random.below(1'000'000), random.below(1000)}});
  };
  add("");
  add(std::string(70'000, 'x'));
  add("{\"ph\": \"X\", \"big\": \"" + std::string(200'000, 'y') + "\", \"n\": 5}");
  add("{\"ph\": \"X\", \"big\": [" + random_bytes(random, 2'000'000, "0123456789, ") + "]}");
  add(std::string(5'000'000, '\0'));
  add(std::string(200'000, '\1'));
  add(std::string("\1\1\0\1\2 \"ts\": 7\1", 16));
  std::string many;
  for (int i = 0; i < 3000; ++i) many += "\"k" + std::to_string(i) + "\": " + std::to_string(i) + ",";
  add("{" + many + "}");
  for (int i = 0; i < 6000; ++i) add("{\"key " + std::to_string(i) + "\": " + std::to_string(i * 7) + "}");
  for (int i = 0; i < 3000; ++i)
    add("{\"name\": \"" + std::to_string(random.next()) + "\", \"ts\": \"" + std::to_string(i) + ".5\"}");
  for (int i = 0; i < 2000; ++i) add(random_bytes(random, static_cast<std::size_t>(random.below(200)), {}));
  for (int i = 0; i < 4000; ++i)
    add(random_bytes(random, static_cast<std::size_t>(random.below(80)), "\"\"\"\"\\\\:: ,[]{}-.0129ab\n"));
  // Real events with corruption: bytes changed, removed and duplicated.
  for (ArchivedEvent& event : regular_events(4000, 17)) {
    for (auto changes = random.below(4); changes >= 0 && !event.text.empty(); --changes) {
      const auto at = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(event.text.size())));
      switch (random.below(3)) {
        case 0:
          event.text[at] = static_cast<char>(random.below(256));
          break;
        case 1:
          event.text.erase(at, static_cast<std::size_t>(random.below(20)));
          break;
        default:
          event.text.insert(at, event.text.substr(at / 2, static_cast<std::size_t>(random.below(20))));
      }
    }
    add(event.text);
  }
  check_all_come_back(events);
}

TEST_CASE("event archive: numbers in every form are returned unchanged", "[store]") {
  std::vector<ArchivedEvent> events;
  const char* const numbers[] = {"0",
                                 "-0",
                                 "007",
                                 "1.5",
                                 "1.50",
                                 "1.500",
                                 "-3",
                                 "9223372036854775807",
                                 "1e9",
                                 "1.5e-7",
                                 "-1.0",
                                 "0.001",
                                 "1.",
                                 "12.0",
                                 "100",
                                 "18446744073709551615",
                                 "1.1234567890123",
                                 "000",
                                 "0.0",
                                 "1.005",
                                 "12345678901234567890123456789",
                                 "9999999999999999.999",
                                 "99999999999999999.999",
                                 "0x7f",
                                 "1.5.5"};
  std::uint64_t offset = 0;
  for (int round = 0; round < 3; ++round)
    for (const char* a : numbers)
      for (const char* b : numbers) {
        offset += 1000;
        events.push_back(
            {offset,
             std::string("{\"ts\": ") + a + ", \"dur\": \"" + b + "\", \"n\": " + b + ", \"m\":[" + a + "]}",
             {std::numeric_limits<Ns>::min() + round, std::numeric_limits<Ns>::max() - round}});
      }
  check_all_come_back(events);
}

TEST_CASE("event archive: a missing or unordered event is an error", "[store]") {
  const ArchivedStore archive([](store::EventArchiveWriter& writer) {
    CHECK_FALSE(writer.add(10, "{\"a\": 1}", {}));
    CHECK(writer.add(10, "{\"a\": 2}", {}));
    CHECK(writer.add(9, "{\"a\": 2}", {}));
    CHECK_FALSE(writer.add(20, "{\"a\": 2}", {}));
  });
  const auto reader = archive.open();
  CHECK(text_or_error(reader->read(20, {})) == "{\"a\": 2}");
  for (const std::uint64_t offset : {0U, 9U, 11U, 19U, 21U, 1'000'000U})
    CHECK(contains(text_or_error(reader->read(offset, {})), "has no event at byte"));
  CHECK(text_or_error(reader->read(10, {})) == "{\"a\": 1}");

  const ArchivedStore empty(std::vector<ArchivedEvent>{});
  CHECK_FALSE(empty.open()->read(0, {}).ok());
}

TEST_CASE("event archive: events apart are found in any order, like the others", "[store]") {
  const auto is_apart = [](std::uint64_t offset) { return offset % 70 == 0; };
  const ArchivedStore archive([&](store::EventArchiveWriter& writer) {
    for (std::uint64_t offset = 10; offset < 3000; offset += 10)
      CHECK_FALSE(writer.add(offset, fmt::format("{{\"a\": {}}}", offset), {}, is_apart(offset)));
  });
  const std::vector<store::ArchiveBlock> blocks = archive.blocks();
  REQUIRE(blocks.size() == 2);
  CHECK((!blocks[0].apart && blocks[0].first_offset == 10 && blocks[1].apart && blocks[1].first_offset == 70));
  const auto reader = archive.open();
  Random random(31);
  for (int i = 0; i < 1000; ++i) {
    const auto offset = static_cast<std::uint64_t>(random.below(3000));
    const std::string text = text_or_error(reader->read(offset, {}));
    INFO(offset);
    if (offset % 10 == 0 && offset > 0)
      CHECK(text == fmt::format("{{\"a\": {}}}", offset));
    else
      CHECK(contains(text, "has no event at byte"));
  }
}

TEST_CASE("event archive: a store that cannot be written is an error", "[store]") {
  const TestFolder folder;
  store::StoreWriter::Options options;
  options.most_bytes = 100;
  const auto writer = store::StoreWriter::create((folder.path() / "x.wscope").string(), options);
  REQUIRE(writer.ok());
  const auto source = (*writer)->add_source({});
  REQUIRE(source.ok());
  store::EventArchiveWriter archive(**writer, *source);
  for (const ArchivedEvent& event : regular_events(100, 3))
    REQUIRE_FALSE(archive.add(event.offset, event.text, event.facts));
  const Failure failure = archive.finish();
  REQUIRE(failure);
  CHECK(contains(failure->what, "exceeds the size limit"));
}

TEST_CASE("event archive: corrupt bytes are errors, never wrong text", "[store]") {
  const auto events = regular_events(300, 23);
  const ArchivedStore archive(events);
  const std::vector<std::uint8_t> whole = bytes_of_file(archive.path());
  const store::SectionRef block = archive.blocks().front().section;
  Random random(29);
  std::size_t refused = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<std::uint8_t> bytes = whole;
    const auto at = block.offset + static_cast<std::uint64_t>(random.below(static_cast<std::int64_t>(block.stored)));
    bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ (1 << random.below(8)));
    const auto file = open_bytes(bytes);
    REQUIRE(file.ok());
    const auto reader = store::EventArchiveReader::open(*file, 0);
    REQUIRE(reader.ok());
    const ArchivedEvent& event =
        events[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(events.size())))];
    const auto text = (*reader)->read(event.offset, event.facts);
    if (text.ok()) {
      CHECK(*text == event.text);
      continue;
    }
    ++refused;
    CHECK(text.error().message() ==
          "memory: the store's events are corrupt; copy the file again, or convert the traces again");
    CHECK(fault_of(*file).has_value());
  }
  CHECK(refused > 280);  // zstd ignores a few bits
}

TEST_CASE("event block: any bytes are a block or an error", "[store]") {
  store::EventBlockWriter writer;
  for (const ArchivedEvent& event : regular_events(200, 31)) writer.add(event.offset, event.text, event.facts);
  const std::vector<std::uint8_t> whole(writer.bytes().begin(), writer.bytes().end());
  Random random(37);
  std::size_t sound = 0;
  for (int round = 0; round < 1000; ++round) {
    std::vector<std::uint8_t> bytes = whole;
    for (auto changes = random.below(3); changes >= 0 && !bytes.empty(); --changes) {
      const auto at = random.below(static_cast<std::int64_t>(bytes.size()));
      switch (random.below(4)) {
        case 0:
          bytes.erase(bytes.begin() + at);
          break;
        case 1:
          bytes.insert(bytes.begin() + at, static_cast<std::uint8_t>(random.below(256)));
          break;
        default:
          bytes[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(random.below(256));
      }
    }
    store::EventBlockReader reader(bytes, 100);
    std::uint64_t last = 0;
    bool ascend = true;
    while (reader.next()) {
      ascend = ascend && reader.offset() > last;
      last = reader.offset();
      (void)reader.text({});
    }
    CHECK(ascend);
    if (reader.ok()) ++sound;
  }
  CHECK(sound > 0);
}
