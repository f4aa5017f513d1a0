// Overwritten parts: zeros, random bytes and fragments of other texts inside a valid file. The events on both sides are
// read, and the damage is reported.
#include <functional>
#include <random>
#include <set>

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

/// A valid trace and the positions of its events.
struct Sound {
  std::string text = "{\"schemaVersion\": 1,\n\"traceEvents\": [\n";
  std::vector<Extent> events;
};

/// `space`: inserted wherever whitespace is allowed.
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

/// Overwrites parts of a trace with the bytes of `written` and checks that only events in these parts are lost.
/// `reported`: the damage must be reported even if it is inside a string.
void check_everywhere(const std::function<char(std::size_t)>& written, bool reported = true) {
  std::mt19937 random(11);
  for (const std::string space : {"", " ", "\n    "}) {
    const Sound sound = sound_trace(600, space);
    for (int round = 0; round < 15; ++round) {
      const std::size_t length = std::size_t{4096} << random() % 5;
      const std::size_t first = sound.events[20].begin;
      const std::size_t last = sound.events[580].begin;
      if (last - first <= length) continue;
      const std::size_t at = first + random() % (last - first - length);
      INFO(length << " bytes at " << at);
      std::string text = sound.text;
      for (std::size_t i = 0; i < length; ++i) text[at + i] = written(i);
      const Parsed parsed = parse_text(text);
      std::set<std::uint64_t> found;
      for (const KeptEvent& event : parsed.events) found.insert(event.offset);
      std::size_t lost = 0;
      for (const Extent& event : sound.events)
        lost += (event.end <= at || event.begin >= at + length) && !found.contains(event.begin);
      CHECK(lost == 0);
      if (reported) CHECK_FALSE(parsed.diagnostics.empty());
      CHECK(parsed.metadata_of("traceName") != nullptr);
      const Parsed portions = parse_text(text, {std::size_t{4} << 10, std::size_t{64} << 20}, {1000, 7, 300});
      CHECK(portions.events == parsed.events);
      CHECK(portions.diagnostics.count("skipped-bytes") == parsed.diagnostics.count("skipped-bytes"));
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

TEST_CASE("debris: zeros over events affect no event around them", "[kineto][debris]") {
  check_everywhere([](std::size_t) { return '\0'; });
}

TEST_CASE("debris: bytes of an erased disk affect no event around them", "[kineto][debris]") {
  check_everywhere([](std::size_t) { return '\xff'; }, false);
}

TEST_CASE("debris: random bytes affect no event around them", "[kineto][debris]") {
  std::mt19937 random(5);
  check_everywhere([&](std::size_t) { return static_cast<char>(random() % 256); });
}

TEST_CASE("debris: lines of a log affect no event around them", "[kineto][debris]") {
  check_everywhere([](std::size_t i) {
    constexpr std::string_view kLine = "2026-01-01 00:00:00 worker 3 INFO step done, loss 2.5\n";
    return kLine[i % kLine.size()];
  });
}

TEST_CASE("debris: a missing piece never joins two events into one", "[kineto][debris]") {
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

TEST_CASE("debris: two merged events are skipped, and so is an event without a time", "[kineto][debris]") {
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

TEST_CASE("debris: a long name that needs a small repair is kept", "[kineto][debris]") {
  std::string template_name = "void gemm<";
  for (int i = 0; i < 700; ++i) template_name += "Layout" + std::to_string(i) + ", ";
  const Parsed parsed =
      parse_between(R"(, {"ph": "X", "name": ")" + template_name + R"( "quoted" >", "ts": 5, "dur": 3}, )");
  REQUIRE(parsed.events.size() == 3);
  CHECK(parsed.events[1].repaired);
  CHECK(parsed.events[1].name.size() > 5000);
  CHECK(parsed.diagnostics.count("skipped-bytes") == 0);
}

TEST_CASE("debris: a stray bracket does not enclose the events after it", "[kineto][debris]") {
  std::string events;
  for (int i = 0; i < 100; ++i) events += ", " + event_of("");
  const Parsed parsed = parse_text("{\"traceEvents\": [" + event_of("") + ", [left over" + events + "], \"b\": 1}");
  CHECK(parsed.events.size() == 101);
  CHECK(parsed.diagnostics.count("skipped-bytes") == std::string_view("[left over, ").size());
}

TEST_CASE("debris: a file that ends in zeros is truncated", "[kineto][debris]") {
  const std::string text =
      "{\"traceEvents\": [" + event_of("") + ", " + event_of(", \"args\": {\"a\": 1").substr(0, 60);
  const Parsed parsed = parse_text(text + std::string(8192, '\0'));
  CHECK(parsed.events.size() == 1);
  CHECK(parsed.diagnostics.count("truncated") == 1);
}
