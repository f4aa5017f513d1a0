// Overwritten parts: zeros, random bytes and fragments of other texts inside a valid file. The events on both sides are
// read, no two are merged, and each byte in between is counted once.
#include <functional>
#include <random>
#include <set>

#include "core/ingest/formats/trace_events/debris.hpp"
#include "tests/catch.hpp"
#include "tests/core/ingest/kineto_support.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

using namespace std::string_literals;

struct Extent {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// A sound trace, and where its events stand.
struct Sound {
  std::string text = "{\"schemaVersion\": 1,\n\"traceEvents\": [\n";
  std::vector<Extent> events;
};

/// `space`: between what may be parted.
Sound sound_trace(int count, const std::string& space) {
  Sound sound;
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    const std::string common = "\"pid\":" + space + "0," + space + "\"tid\":" + space + "7," + space +
                               "\"ts\":" + space + std::to_string(1000 + i) + ".123," + space;
    std::string event = "{" + space + "\"ph\":" + space;
    if (i % 3 == 0)
      event += "\"X\"," + space + "\"cat\":" + space + "\"kernel\"," + space + "\"name\":" + space +
               "\"void gemm<4, float>(int, int)\"," + space + common + "\"dur\":" + space + "5.5," + space +
               "\"args\":" + space + "{\"queued\": 0," + space + "\"stream\": 7," + space + "\"correlation\": " + n +
               "," + space + "\"grid\": [64, 1, 1]" + space + "}" + space + "}";
    else if (i % 3 == 1)
      event += "\"X\"," + space + "\"cat\":" + space + "\"cpu_op\"," + space + "\"name\":" + space + "\"aten::add_\"," +
               space + common + "\"dur\":" + space + "9," + space + "\"args\":" + space + "{\"External id\": " + n +
               "," + space + "\"Input Dims\": [[1024, 1024], [], [[1]]]," + space +
               "\"Input type\": [\"float\", \"Scalar\"]" + space + "}" + space + "}";
    else
      event += "\"f\"," + space + "\"id\":" + space + n + "," + space + common + "\"cat\":" + space + "\"ac2g\"," +
               space + "\"name\":" + space + "\"ac2g\"," + space + "\"bp\":" + space + "\"e\"" + space + "}";
    if (i > 0) sound.text += ",\n";
    sound.events.push_back({sound.text.size(), sound.text.size() + event.size()});
    sound.text += event;
  }
  sound.text += "\n],\n\"traceName\": \"t\"}";
  return sound;
}

const Diagnostic* said_of(const Parsed& parsed, std::string_view code) {
  for (const Diagnostic& each : parsed.diagnostics.all())
    if (each.code == code) return &each;
  return nullptr;
}

/// Writes over [at, at + length) of `sound` and checks what is made of it. `written(i)`: byte i of what is written.
void check_written_over(const Sound& sound, std::size_t at, std::size_t length,
                        const std::function<char(std::size_t)>& written) {
  std::string text = sound.text;
  for (std::size_t i = 0; i < length; ++i) text[at + i] = written(i);
  std::set<std::uint64_t> whole;
  std::size_t lost = 0;  // the first byte between the events on both sides that is no separator
  std::size_t back = text.size();
  for (const Extent& event : sound.events) {
    if (event.end <= at) lost = event.end;
    if (event.begin >= at + length) back = std::min(back, event.begin);
    if (event.end <= at || event.begin >= at + length) whole.insert(event.begin);
  }
  while (text[lost] == ',' || text[lost] == '\n' || text[lost] == ' ') ++lost;

  const Parsed parsed = parse_text(text);
  INFO(length << " bytes at " << at);
  std::size_t found = 0;
  std::vector<const KeptEvent*> others;
  for (const KeptEvent& event : parsed.events) {
    if (whole.contains(event.offset))
      ++found;
    else
      others.push_back(&event);
  }
  CHECK(found == whole.size());
  CHECK(parsed.metadata_of("traceName") != nullptr);
  const Diagnostic* const skipped = said_of(parsed, "skipped-bytes");
  REQUIRE(skipped != nullptr);
  CHECK(skipped->file == "test.json");
  CHECK(skipped->example.size() <= 80);
  CHECK_FALSE(skipped->example.empty());
  if (others.empty()) {
    CHECK(skipped->count == back - lost);
    CHECK(skipped->offset == lost);
  } else {
    // The last event before may be there but for its last bracket.
    REQUIRE(others.size() == 1);
    CHECK(others[0]->offset == lost);
    CHECK(others[0]->repaired);
    CHECK(skipped->count >= length);
    CHECK(skipped->count < back - lost);
  }
  const Parsed portions = parse_text(text, {std::size_t{4} << 10, std::size_t{64} << 20}, {1000, 7, 300});
  CHECK(portions.events == parsed.events);
  CHECK(portions.diagnostics.count("skipped-bytes") == skipped->count);
}

void check_everywhere(const std::function<char(std::size_t)>& written) {
  std::mt19937 random(11);
  for (const std::string space : {"", " ", "\n    "}) {
    const Sound sound = sound_trace(600, space);
    for (int round = 0; round < 40; ++round) {
      const std::size_t length = std::size_t{4096} << random() % 5;
      const std::size_t first = sound.events[20].begin;
      const std::size_t last = sound.events[580].begin;
      if (last - first <= length) continue;
      check_written_over(sound, first + random() % (last - first - length), length, written);
    }
  }
}

std::string event_of(const std::string& rest) {
  return R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1, "dur": 2)" + rest + "}";
}

/// An event, then `text`, then another event, in a document.
Parsed parse_between(const std::string& text) {
  return parse_text("{\"traceEvents\": [" + event_of("") + text + event_of(", \"args\": {}") +
                    "], \"traceName\": \"t\"}");
}

}  // namespace

TEST_CASE("debris: zeros over a stretch of events are counted byte by byte", "[kineto][debris]") {
  check_everywhere([](std::size_t) { return '\0'; });
}

TEST_CASE("debris: so are bytes of a disk that was erased", "[kineto][debris]") {
  check_everywhere([](std::size_t) { return '\xff'; });
}

TEST_CASE("debris: so are random bytes, whatever brackets and quotes are among them", "[kineto][debris]") {
  std::mt19937 random(5);
  check_everywhere([&](std::size_t) { return static_cast<char>(random() % 256); });
}

TEST_CASE("debris: what was cut out leaves no event that is made of two", "[kineto][debris]") {
  std::mt19937 random(3);
  const Sound sound = sound_trace(400, " ");
  for (int round = 0; round < 200; ++round) {
    const std::size_t length = std::size_t{4096} << random() % 3;
    const std::size_t at = sound.events[20].begin + random() % (sound.events[380].begin - length - 2000);
    std::string text = sound.text;
    text.erase(at, length);
    const Parsed parsed = parse_text(text);
    INFO(length << " bytes at " << at);
    std::set<std::uint64_t> offsets;
    for (const KeptEvent& event : parsed.events) offsets.insert(event.offset);
    std::size_t whole = 0;
    for (const Extent& event : sound.events) {
      if (event.end > at && event.begin < at + length) continue;
      ++whole;
      CHECK(offsets.contains(event.begin < at ? event.begin : event.begin - length));
    }
    CHECK(parsed.events.size() <= whole + 1);
  }
}

TEST_CASE("debris: two events that became one are given up, and so is one without a time", "[kineto][debris]") {
  for (const std::string& damaged :
       {R"({"ph": "X", "name": "a", "ts": 5, "d"pid": 0, "ts": 9, "dur": 3})"s,
        R"({"ph": "X", "name": "a", "ts": 5, "dur": 1, ### "name": "b", "ts": 9})"s, R"({"ph": "X", "na 5, "dur": 3})"s,
        R"({"ph": "X", 17.5, "cat": "ac2g", "name": "ac2g"})"s}) {
    const Parsed parsed = parse_between(", " + damaged + ", ");
    INFO(damaged);
    CHECK(parsed.events.size() == 2);
    CHECK(parsed.diagnostics.count("unreadable-event") == 1);
    CHECK(parsed.diagnostics.count("skipped-bytes") == damaged.size() + 2);
  }
}

TEST_CASE("debris: text of an event that belongs to nothing is counted by its bytes", "[kineto][debris]") {
  const Parsed parsed = parse_between(R"(, {"ph": "X", "name": "a", "ts": 5, ### "dur": 3, %%%%, "tid": 1}, )");
  REQUIRE(parsed.events.size() == 3);
  CHECK(parsed.events[1].time == 5000);
  CHECK(parsed.events[1].duration == 3000);
  CHECK(parsed.diagnostics.count("skipped-bytes") == 3 + 4);
  CHECK(parsed.diagnostics.all().size() == 1);
}

TEST_CASE("debris: zeros within sound brackets are no less than that", "[kineto][debris]") {
  const std::string zeros(4096, '\0');
  for (const std::string& damaged : {event_of(", \"args\": {\"a\": 1, " + zeros + "\"b\": 2}"),
                                     event_of(", \"args\": {\"a\": \"" + zeros + "\"}"), event_of(zeros)}) {
    const Parsed parsed = parse_between(", " + damaged + ", ");
    CHECK(parsed.events.size() == 2);
    CHECK(parsed.diagnostics.count("skipped-bytes") == damaged.size() + 2);
    const Diagnostic* const unreadable = said_of(parsed, "unreadable-event");
    REQUIRE(unreadable != nullptr);
    CHECK(unreadable->example.find("\\x00…") != std::string::npos);  // shown where it is damaged
  }
}

TEST_CASE("debris: a text that begins in one event and ends in another is no text of either", "[kineto][debris]") {
  const auto lines = [](std::size_t i) {
    constexpr std::string_view kLine = "2026-01-01 00:00:00 worker 3 INFO step done, loss 2.5\n";
    return kLine[i % kLine.size()];
  };
  for (const std::string space : {"", " ", "\n    "}) {
    const Sound sound = sound_trace(300, space);
    const auto inside = [&](std::size_t event, std::string_view text) {
      return sound.text.find(text, sound.events[event].begin) + 2;
    };
    // From a name to a name, where all brackets stay sound, and to other places, where they do not.
    for (const std::string_view from : {"aten::add_", "Scalar", "cpu_op"})
      for (const std::string_view to : {"gemm<4", "float\"", "ac2g", "kernel", "queued"}) {
        const std::size_t at = inside(100, from);
        const std::size_t length = inside(140, to) - at;
        INFO(from << " … " << to);
        check_written_over(sound, at, length, lines);
        for (const char same : {',', '{', '"'}) {
          INFO("overwritten with " << same);
          std::string text = sound.text;
          text.replace(at, length, length, same);
          if (same != '"' && from == to) continue;
          const Parsed parsed = parse_text(text);
          CAPTURE(parsed.repaired());
          // What is valid JSON in the end cannot be told from a text, but no damage is kept as a repair.
          for (const KeptEvent& event : parsed.events)
            if (event.repaired) CHECK(event.name.size() + event.arguments.size() < 1024);
        }
      }
  }
}

TEST_CASE("debris: quotes in a row are no arguments, be their number even or odd", "[kineto][debris]") {
  const Sound sound = sound_trace(100, "");
  const std::size_t at = sound.text.find("Scalar", sound.events[40].begin) + 2;
  for (const std::size_t length : {3000u, 3001u})
    check_written_over(sound, at, length, [](std::size_t) { return '"'; });
}

TEST_CASE("debris: a page of words between arguments is none of them", "[kineto][debris]") {
  std::string words;
  for (int i = 0; i < 100; ++i) words += "INFO worker step done ";
  const std::string damaged = event_of(R"(, "args": {"a": )" + words + R"("b": 2})");
  const Parsed parsed = parse_between(", " + damaged + ", ");
  CHECK(parsed.events.size() == 2);
  CHECK(parsed.diagnostics.count("skipped-bytes") == damaged.size() + 2);
  CHECK(parse_between(", " + event_of(R"(, "args": {"a": INFO worker "b": 2})")).events.size() == 3);
}

TEST_CASE("debris: a long text that needed repair for less is kept", "[kineto][debris]") {
  std::string template_name = "void gemm<";
  for (int i = 0; i < 700; ++i) template_name += "Layout" + std::to_string(i) + ", ";
  const Parsed parsed =
      parse_between(R"(, {"ph": "X", "name": ")" + template_name + R"( "quoted" >", "ts": 5, "dur": 3}, )");
  REQUIRE(parsed.events.size() == 3);
  CHECK(parsed.events[1].repaired);
  CHECK(parsed.events[1].name.size() > 5000);
  CHECK(parsed.diagnostics.count("skipped-bytes") == 0);
}

TEST_CASE("debris: a bracket in it does not end the events", "[kineto][debris]") {
  for (const std::string& debris : {"] \x07 no text\x08\x01"s, "]}\x02}}"s, "],5 "s, "]] "s, "]\0\0\0\0"s}) {
    const Parsed parsed = parse_between(", " + debris);
    INFO(debris);
    CHECK(parsed.events.size() == 2);
    CHECK(parsed.diagnostics.count("skipped-bytes") ==
          debris.find_last_not_of(' ') + 1 + (debris.ends_with(' ') ? 1 : 0));
    CHECK(parsed.metadata_of("traceName") != nullptr);
  }
}

TEST_CASE("debris: where the end of the events is lost, what stands behind it is not", "[kineto][debris]") {
  const std::string zeros(8192, '\0');
  const Parsed parsed = parse_text("{\"traceEvents\": [" + event_of("") + ", " + event_of("").substr(0, 20) + zeros +
                                   "\"baseTimeNanoseconds\": 5, \"traceName\": \"t\"}");
  CHECK(parsed.events.size() == 1);
  CHECK(parsed.diagnostics.count("skipped-bytes") == 20 + zeros.size());
  REQUIRE(parsed.metadata_of("baseTimeNanoseconds") != nullptr);
  CHECK(*parsed.metadata_of("baseTimeNanoseconds") == "5");
  CHECK(parsed.metadata_of("traceName") != nullptr);
  CHECK_FALSE(parsed.outcome.truncated);
}

TEST_CASE("debris: a bracket in it does not hold the events behind it", "[kineto][debris]") {
  std::string events;
  for (int i = 0; i < 100; ++i) events += ", " + event_of("");
  const Parsed parsed = parse_text("{\"traceEvents\": [" + event_of("") + ", [left over" + events + "], \"b\": 1}");
  CHECK(parsed.events.size() == 101);
  CHECK(parsed.diagnostics.count("skipped-bytes") == std::string_view("[left over, ").size());
}

TEST_CASE("debris: where the begin of the events is lost, they are not", "[kineto][debris]") {
  const std::string head = R"({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "H100"}], )";
  for (const std::string& begin :
       {"\"traceE"s + std::string(12, '\0'), std::string(40, '\0'), "\"traceEvents\""s + std::string(9, '\0'),
        "\"trace\x01\x02\x03\x04\x05\x06\": ["s, "\"traceXXXXXX\": ["s, std::string(300, ' '), "\"traceEvents\": 000"s,
        "\"tra           [\n"s, "["s})
    for (const std::size_t kept : {head.size(), head.size() - 20, std::size_t{30}}) {
      INFO(kept << " bytes, then " << begin);
      const std::string text =
          head.substr(0, kept) + begin + event_of("") + ", " + event_of(", \"args\": {}") + "], \"traceName\": \"t\"}";
      const Parsed parsed = parse_text(text);
      CHECK_FALSE(parsed.outcome.why_no_trace("a.json"));
      CHECK(parsed.events.size() == 2);
      CHECK(parsed.metadata_of("traceName") != nullptr);
      CHECK_FALSE(parsed.diagnostics.all().empty());
      CHECK(parse_text(text, {64, std::size_t{64} << 20}, {10, 7, 3}).events == parsed.events);
    }
}

TEST_CASE("debris: zeros over the begin of the file leave the events", "[kineto][debris]") {
  const std::string text = R"("name": "H100"}], "traceEvents": [)" + event_of("") + R"(], "traceName": "t"})";
  for (const std::size_t zeros : {1u, 20u, 200u}) {
    const Parsed parsed = parse_text(std::string(zeros, '\0') + text);
    INFO(zeros << " zeros");
    CHECK(parsed.outcome.shape == ingest::ParseOutcome::Shape::trace);
    CHECK(parsed.events.size() == 1);
    CHECK(parsed.diagnostics.count("metadata-damaged") == 1);
  }
  CHECK(parse_text(std::string(20, '\0') + "\x01\x02").outcome.shape == ingest::ParseOutcome::Shape::foreign);
}

TEST_CASE("debris: zeros to the end of the file are counted, and that it has no end is said", "[kineto][debris]") {
  const std::string text =
      "{\"traceEvents\": [" + event_of("") + ", " + event_of(", \"args\": {\"a\": 1").substr(0, 60);
  const Parsed parsed = parse_text(text + std::string(8192, '\0'));
  CHECK(parsed.events.size() == 1);
  CHECK(parsed.diagnostics.count("skipped-bytes") == 60 + 8192);
  CHECK(parsed.diagnostics.count("truncated") == 1);
}

TEST_CASE("debris: what is odd but text is none", "[kineto][debris]") {
  const auto place = [](const std::string& text) {
    return ingest::json::find_debris(text.data(), text.data() + text.size()) - text.data();
  };
  for (const std::string& text :
       {"plain\n\t text\r\n"s, "one \0 zero"s, "\x01\x02\x03"s, "\x1b[1m\x1b[31mred\x1b[0m\x1b[4m"s,
        "\xc3\xbc\xe4\xb8\xad"s, "\x01"s + std::string(30, ' ') + "\x01\x01" + std::string(40, ' ') + "\x01"})
    CHECK(place(text) == static_cast<std::ptrdiff_t>(text.size()));
  CHECK(place("text\x01\x02\x03\x04"s) == 4);
  CHECK(place("\x01"s + std::string(100, 'x') + std::string(4, '\0')) == 101);
  CHECK(place("a\0b\xff"s + "c\x7f"s + "d\x02"s) == 1);
}
