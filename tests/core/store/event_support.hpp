#pragma once
// Shared by the tests of event archives.
#include <string>
#include <string_view>
#include <vector>

#include "core/store/event_archive.hpp"
#include "tests/catch.hpp"
#include "tests/test_folder.hpp"
#include "tests/tracegen/random.hpp"

namespace warpscope::tests {

struct ArchivedEvent {
  std::uint64_t offset = 0;
  std::string text;
  store::EventFacts facts;
};

/// Events like those written by programs, with a few shapes, increasing numbers, and times that follow from the facts.
inline std::vector<ArchivedEvent> regular_events(std::size_t count, std::uint64_t seed) {
  tracegen::Random random(seed);
  std::vector<ArchivedEvent> events;
  std::uint64_t offset = 100;
  Ns time = 1'700'000'000'000'000'000;
  for (std::size_t i = 0; i < count; ++i) {
    time += random.below(10'000);
    const Ns duration = random.below(5'000'000);
    std::string text = "{\"ph\": \"X\", \"name\": \"op " + std::to_string(random.below(40)) + "\", \"ts\": ";
    const auto microseconds = [](Ns ns) {
      std::string decimals = std::to_string(ns % 1000);
      return std::to_string(ns / 1000) + "." + std::string(3 - decimals.size(), '0') + decimals;
    };
    text += microseconds(time) + ", \"dur\": " + microseconds(duration) +
            ", \"tid\": " + std::to_string(random.below(3)) + ", \"args\": {\"External id\": " + std::to_string(i);
    if (random.below(2) == 0) text += ", \"Input Dims\": [[" + std::to_string(random.below(5)) + ", 2], [\"]\"]]";
    if (random.below(3) == 0) text += ", \"x\": -" + std::to_string(random.next());
    text += "}}";
    events.push_back({offset, text, {time + 77, duration}});
    offset += text.size() + static_cast<std::uint64_t>(random.below(300));
  }
  return events;
}

/// A store with one source, whose archive is written by `fill`.
class ArchivedStore {
 public:
  template <class Fill>
  explicit ArchivedStore(const Fill& fill) {
    auto writer = store::StoreWriter::create(path());
    REQUIRE(writer.ok());
    const auto source = (*writer)->add_source({});
    REQUIRE(source.ok());
    store::EventArchiveWriter archive(**writer, *source);
    fill(archive);
    REQUIRE_FALSE(archive.finish());
    REQUIRE_FALSE((*writer)->finish("", {}));
  }
  explicit ArchivedStore(const std::vector<ArchivedEvent>& events)
      : ArchivedStore([&](store::EventArchiveWriter& archive) {
          for (const ArchivedEvent& event : events) REQUIRE_FALSE(archive.add(event.offset, event.text, event.facts));
        }) {}

  [[nodiscard]] std::string path() const { return (folder_.path() / "x.wscope").string(); }
  [[nodiscard]] std::shared_ptr<const store::EventArchiveReader> open() const {
    const auto file = store::open_store(path());
    REQUIRE(file.ok());
    auto reader = store::EventArchiveReader::open(*file, 0);
    REQUIRE(reader.ok());
    return *reader;
  }
  [[nodiscard]] std::vector<store::ArchiveBlock> blocks() const { return *store::open_store(path())->archive(0); }
  /// Bytes of all blocks in the file.
  [[nodiscard]] std::uint64_t size() const {
    std::uint64_t size = 0;
    for (const store::ArchiveBlock& block : blocks()) size += block.section.stored;
    return size;
  }

 private:
  TestFolder folder_;
};

/// Returns the error message, or the text.
inline std::string text_or_error(const Result<std::string>& text) {
  return text.ok() ? *text : "error: " + text.error().message();
}

inline void check_all_come_back(const std::vector<ArchivedEvent>& events, const ArchivedStore& archive) {
  const auto reader = archive.open();
  std::size_t wrong = 0;
  const auto check = [&](const ArchivedEvent& event) {
    const auto text = reader->read(event.offset, event.facts);
    if ((!text.ok() || *text != event.text) && wrong++ == 0) CHECK(text_or_error(text) == event.text);
  };
  for (const ArchivedEvent& event : events) check(event);
  // In any other order, too. Each of these 40 reads decodes a block from its start.
  for (std::size_t i = events.size(); i > events.size() / 40; i -= 1 + events.size() / 40) check(events[i - 1]);
  CHECK(wrong == 0);
}

inline void check_all_come_back(const std::vector<ArchivedEvent>& events) {
  check_all_come_back(events, ArchivedStore(events));
}

}  // namespace warpscope::tests
