#pragma once
// Shared by the tests of event archives: archives in memory.
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/event_archive_reader.hpp"
#include "core/store/event_archive_writer.hpp"
#include "tests/catch.hpp"
#include "tests/tracegen/random.hpp"

namespace warpscope::tests {

struct ArchivedEvent {
  std::uint64_t offset = 0;
  std::string text;
  store::EventFacts facts;
};

inline store::EventArchiveWriter::Sink sink_to(std::string& bytes) {
  return [&bytes](std::span<const char> more) -> Failure {
    bytes.append(more.data(), more.size());
    return {};
  };
}

/// `bytes` must outlive the readers.
inline store::EventArchiveReader::Fetch fetch_from(const std::string& bytes) {
  return [&bytes](std::uint64_t position, std::span<char> into) -> Failure {
    if (position > bytes.size() || into.size() > bytes.size() - position)
      return Error{"", "the store is too short", ""};
    std::memcpy(into.data(), bytes.data() + position, into.size());
    return {};
  };
}

/// Events as programs write them: a few shapes, increasing numbers, times that follow from the facts.
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

inline std::string archive_of(const std::vector<ArchivedEvent>& events) {
  std::string bytes;
  store::EventArchiveWriter writer(sink_to(bytes));
  for (const ArchivedEvent& event : events) REQUIRE_FALSE(writer.add(event.offset, event.text, event.facts));
  REQUIRE_FALSE(writer.finish());
  CHECK(writer.bytes() == bytes.size());
  return bytes;
}

/// Returns the error message, or the text.
inline std::string text_or_error(const Result<std::string>& text) {
  return text.ok() ? *text : "error: " + text.error().message();
}

inline void check_all_come_back(const std::vector<ArchivedEvent>& events) {
  const std::string bytes = archive_of(events);
  const auto reader = store::EventArchiveReader::open(bytes.size(), fetch_from(bytes));
  REQUIRE(reader.ok());
  CHECK((*reader)->events() == events.size());
  std::size_t i = 0;
  std::size_t wrong = 0;
  const auto facts_of = [&](std::uint64_t) { return events.at(i).facts; };
  const Failure failure = (*reader)->for_each(facts_of, [&](std::uint64_t offset, std::string_view text) {
    const ArchivedEvent& event = events.at(i++);
    if ((offset != event.offset || text != event.text) && wrong++ == 0) CHECK(std::string(text) == event.text);
  });
  INFO((failure ? failure->message() : std::string()));
  CHECK_FALSE(failure);
  CHECK(i == events.size());
  CHECK(wrong == 0);
  // Reading them one at a time gives the same texts.
  for (i = 0; i < events.size(); i += 1 + events.size() / 300)
    CHECK(text_or_error((*reader)->read(events[i].offset, events[i].facts)) == events[i].text);
}

}  // namespace warpscope::tests
