#include "core/store/event_values.hpp"
#include "tests/core/store/event_support.hpp"
#include "tests/tracegen/random.hpp"

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

TEST_CASE("event values: what counts as a value", "[store]") {
  std::vector<store::EventValue> values;
  const std::string text =
      R"({"a": 1, "b" : "x\"y\\", "c": [1, "]", [2]], "d": -2.50e3, "e": {"f": true, "g": "12.5"}, "h": "", "i": nan})";
  store::find_values(text, values);
  std::string found;
  for (const auto& value : values)
    found +=
        std::string(value.key) + (value.kind == store::ValueKind::number ? "#" : "=") + std::string(value.text) + ";";
  CHECK(found == R"(a#1;b=x\"y\\;c=[1, "]", [2]];d#-2.50;g#12.5;h=;)");
  for (const std::string_view broken : {R"({"a)", R"({"a")", R"({"a":)", R"({"a": "b)", R"({"a": ["b", )",
                                        R"({"a": [")", R"({"a": -)", "", "\"", R"(":"\)", R"("":1)"}) {
    store::find_values(broken, values);
    for (const auto& value : values) CHECK(value.text.data() + value.text.size() <= broken.data() + broken.size());
  }
}

TEST_CASE("event archive: texts come back byte for byte, over several blocks", "[store]") {
  const auto events = regular_events(40'000, 3);
  check_all_come_back(events);
  const std::string bytes = archive_of(events);
  CHECK(bytes.size() < events.size() * 12);  // of which 20 % an incompressible number each takes 8
}

TEST_CASE("event archive: times and durations are not stored when the facts tell them", "[store]") {
  auto with = regular_events(5'000, 5);
  auto without = with;
  Random random(9);
  for (ArchivedEvent& event : without) event.facts = {random.below(1'000'000'000), random.below(1'000'000)};
  CHECK(archive_of(with).size() + 4 * with.size() < archive_of(without).size());
  check_all_come_back(without);
  // A base that is added to every begin costs nothing and is taken off again.
  auto shifted = with;
  for (ArchivedEvent& event : shifted) event.facts.begin += 1'000'000'000'000;
  CHECK(archive_of(shifted).size() < archive_of(with).size() + 32);
  check_all_come_back(shifted);
}

TEST_CASE("event archive: any text comes back", "[store]") {
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
  std::string many;
  for (int i = 0; i < 3000; ++i) many += "\"k" + std::to_string(i) + "\": " + std::to_string(i) + ",";
  add("{" + many + "}");
  for (int i = 0; i < 6000; ++i) add("{\"key " + std::to_string(i) + "\": " + std::to_string(i * 7) + "}");
  for (int i = 0; i < 3000; ++i)
    add("{\"name\": \"" + std::to_string(random.next()) + "\", \"ts\": \"" + std::to_string(i) + ".5\"}");
  for (int i = 0; i < 2000; ++i) add(random_bytes(random, static_cast<std::size_t>(random.below(200)), {}));
  for (int i = 0; i < 4000; ++i)
    add(random_bytes(random, static_cast<std::size_t>(random.below(80)), "\"\"\"\"\\\\:: ,[]{}-.0129ab\n"));
  // Real events, damaged: bytes changed, dropped and doubled.
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

TEST_CASE("event archive: numbers in every form come back", "[store]") {
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
                                 "1.1234567890123"};
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

TEST_CASE("event archive: what is not there or cannot be added is an error", "[store]") {
  std::string bytes;
  store::EventArchiveWriter writer(sink_to(bytes));
  CHECK_FALSE(writer.add(10, "{\"a\": 1}", {}));
  CHECK(writer.add(10, "{\"a\": 2}", {}));
  CHECK(writer.add(9, "{\"a\": 2}", {}));
  CHECK_FALSE(writer.add(20, "{\"a\": 2}", {}));
  CHECK_FALSE(writer.finish());
  CHECK(writer.events() == 2);
  const auto reader = store::EventArchiveReader::open(bytes.size(), fetch_from(bytes));
  REQUIRE(reader.ok());
  CHECK(text_or_error((*reader)->read(20, {})) == "{\"a\": 2}");
  for (const std::uint64_t offset : {0U, 9U, 11U, 19U, 21U, 1'000'000U})
    CHECK(text_or_error((*reader)->read(offset, {})).find("has no event at byte") != std::string::npos);

  const auto empty = archive_of({});
  const auto none = store::EventArchiveReader::open(empty.size(), fetch_from(empty));
  REQUIRE(none.ok());
  CHECK_FALSE((*none)->read(0, {}).ok());

  store::EventArchiveWriter failing([](std::span<const char>) -> Failure { return Error{"", "no space left", ""}; });
  CHECK_FALSE(failing.add(1, "{}", {}));
  const Failure failure = failing.finish();
  REQUIRE(failure);
  CHECK(failure->what == "no space left");
}

TEST_CASE("event archive: damaged bytes are errors, never wrong text", "[store]") {
  const auto events = regular_events(300, 23);
  const std::string whole = archive_of(events);
  Random random(29);
  for (std::size_t size = 0; size < whole.size(); size += 1 + size / 50) {
    const std::string cut = whole.substr(0, size);
    CHECK_FALSE(store::EventArchiveReader::open(cut.size(), fetch_from(cut)).ok());
  }
  for (int round = 0; round < 2000; ++round) {
    std::string bytes = whole;
    const auto at = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(bytes.size())));
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
    const auto reader = store::EventArchiveReader::open(bytes.size(), fetch_from(bytes));
    if (!reader.ok()) continue;
    const ArchivedEvent& event =
        events[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(events.size())))];
    const auto text = (*reader)->read(event.offset, event.facts);
    CHECK((!text.ok() || *text == event.text));
  }
}

TEST_CASE("event block: any bytes are a block or an error", "[store]") {
  store::EventBlockWriter writer(3);
  for (const ArchivedEvent& event : regular_events(200, 31)) writer.add(event.offset, event.text, event.facts);
  const std::string whole = writer.finish();
  Random random(37);
  std::size_t opened = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = whole;
    for (auto changes = random.below(3); changes >= 0; --changes) {
      // Mostly the directory in front: the rest is zstd's.
      const std::size_t reach = random.below(3) == 0 ? bytes.size() : std::min<std::size_t>(bytes.size(), 120);
      const auto at = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(reach)));
      switch (random.below(4)) {
        case 0:
          bytes.erase(at, 1);
          break;
        case 1:
          bytes.insert(at, 1, static_cast<char>(random.below(256)));
          break;
        default:
          bytes[at] = static_cast<char>(random.below(256));
      }
      if (bytes.empty()) break;
    }
    const auto read = store::EventBlock::open(bytes, 100);
    if (!read.ok()) continue;
    ++opened;
    for (std::uint32_t i = 0; i < read->size(); i += 37) {
      CHECK(read->find(read->offset(i)) == i);
      (void)read->text(i, {});
    }
  }
  CHECK(opened > 0);
}
