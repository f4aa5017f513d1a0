// Objects that look like events inside the arguments of an event: they are not read as events if the event is no longer
// than 64 KiB; in longer ones, and where brackets are missing, the events after them are still found.
#include <string>
#include <vector>

#include "core/ingest/formats/trace_events/arguments.hpp"
#include "tests/catch.hpp"
#include "tests/core/ingest/compression.hpp"
#include "tests/core/ingest/kineto_support.hpp"
#include "tests/core/ingest/one_event.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

constexpr std::size_t kAround = 20;  ///< events before the long one, and after it

enum class Layout { line, kineto, minified };

/// Converts `json`, written with ", " and ": ", to another layout.
std::string laid_out(const std::string& json, Layout layout) {
  std::string text;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char before = i > 0 ? json[i - 1] : '\0';
    if (json[i] == ' ' && (before == ',' || before == ':') && layout != Layout::line) {
      if (layout == Layout::kineto) text += before == ',' ? "\n    " : " ";
    } else {
      text += json[i];
      if (layout == Layout::kineto && json[i] == '{') text += "\n    ";
    }
  }
  return text;
}

std::string event(const std::string& name, int at, const std::string& arguments = "{}") {
  return R"({"ph": "X", "cat": "cpu_op", "name": ")" + name + R"(", "pid": 1, "tid": 1, "ts": )" + std::to_string(at) +
         R"(, "dur": 5, "args": )" + arguments + "}";
}

std::string events(std::size_t count, int at) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) text += ", ";
    text += event("op", at + static_cast<int>(i) * 10);
  }
  return text;
}

/// Arguments of about `size` bytes that consist entirely of text that looks like events, without the closing "]}".
std::string open_list(std::size_t size) { return R"({"list": [)" + events(size / event("op", 1000).size() + 1, 0); }

std::string around(const std::string& middle) {
  return R"({"schemaVersion": 1, "traceEvents": [)" + events(kAround, 1000) + ", " + middle + ", " +
         events(kAround, 3000) + R"(], "traceName": "a"})";
}

std::size_t named(const Parsed& parsed, std::string_view name) {
  return static_cast<std::size_t>(
      std::count_if(parsed.events.begin(), parsed.events.end(), [&](const KeptEvent& e) { return e.name == name; }));
}

}  // namespace

TEST_CASE("nested events: up to 64 KiB stay arguments in any layout and compression", "[kineto][nested]") {
  const TestFolder folder;
  for (const std::size_t size : {10'000u, 30'000u})
    for (const Layout layout : {Layout::line, Layout::kineto, Layout::minified}) {
      INFO(size << " bytes, layout " << static_cast<int>(layout));
      const std::string text = laid_out(around(event("long", 2000, open_list(size) + "]}")), layout);
      const Parsed parsed = parse_text(text);
      REQUIRE(parsed.events.size() == 2 * kAround + 1);
      CHECK(parsed.diagnostics.all().empty());
      CHECK(parsed.events[kAround].name == "long");
      CHECK(parsed.events[kAround].arguments.size() >= size * 3 / 4);
      CHECK(parsed.repaired() == 0);
      CHECK(parse_text(text, {4096, 64 << 20}, {1000, 7, 4096}).events == parsed.events);

      for (const auto& [name, bytes] :
           {std::pair{"a.json", text}, {"b.json.gz", gzip(text)}, {"c.json.zst", zstd(text)}}) {
        const auto profile = load(folder.write(name, bytes));
        CHECK(profile->ranks[0]->counts.slices == 2 * kAround + 1);
        CHECK(profile->ranks[0]->counts.events == 2 * kAround + 1);
      }
      trace::SourceFile source;
      source.path = (folder.path() / "a.json").string();
      const auto shown = tests::read_event_at(source, parsed.events[kAround].offset);
      REQUIRE(shown.ok());
      CHECK_FALSE(shown->repaired);
      CHECK(*shown->find("name") == "long");
    }
}

TEST_CASE("nested events: the long event can be the first, the last or the only one", "[kineto][nested]") {
  const std::string middle = event("long", 2000, open_list(50'000) + "]}");
  struct Case {
    std::string text;
    std::size_t longs = 1;
    std::size_t others = 0;
  };
  for (const Case& each : {Case{"[" + middle + "]"}, Case{"[" + middle}, Case{"[" + middle + "," + middle + "]", 2},
                           Case{trace_of(middle + "," + events(9, 1)), 1, 9},
                           Case{trace_of(events(9, 1) + "," + middle), 1, 9}, Case{trace_of(middle, "\"a\": []")}}) {
    const Parsed parsed = parse_text(each.text);
    CHECK(named(parsed, "long") == each.longs);
    CHECK(named(parsed, "op") == each.others);
    CHECK(parsed.repaired() == 0);
  }
}

TEST_CASE("nested events: a long or corrupt event with nested events loses no other event", "[kineto][nested]") {
  for (const std::size_t size : {1'000u, 100'000u, 1'500'000u})
    for (const std::string name : {"long", "b\xff\xfe", "a\\cb", "a\x01z"}) {
      INFO(size << " bytes, name " << name);
      const std::string text = around(event(name, 2000, open_list(size) + "]}"));
      const Parsed parsed = parse_text(text);
      CHECK(named(parsed, "op") >= 2 * kAround);
      CHECK(parsed.metadata_of("traceName") != nullptr);
      CHECK(parse_text(text, {4096, 64 << 20}, {1000, 7, 4096}).events == parsed.events);
    }
}

TEST_CASE("nested events: events after missing brackets are found", "[kineto][nested]") {
  for (const std::size_t size : {1'000u, 60'000u, 500'000u})
    for (const Layout layout : {Layout::line, Layout::kineto, Layout::minified})
      for (const std::string damage : {"", "]", "}", ", \"tex", ", {\"a"}) {
        INFO(size << " bytes, layout " << static_cast<int>(layout) << ", ends in " << damage);
        // Text was lost, so the list is not closed and all events after it are inside it.
        const std::string cut = event("cut", 2000, R"({"list": [1, 2)");
        const std::string open = cut.substr(0, cut.size() - 1) + damage;
        const std::string text = laid_out(R"({"traceEvents": [)" + events(kAround, 1000) + ", " + open + ", " +
                                              events(size / event("op", 1000).size() + 1, 3000) + "]}",
                                          layout);
        const Parsed parsed = parse_text(text);
        const std::size_t behind = size / event("op", 1000).size() + 1;
        CHECK(named(parsed, "op") >= kAround + behind - 1);
        CHECK(named(parsed, "op") <= kAround + behind);
        CHECK_FALSE(parsed.diagnostics.all().empty());
        CHECK(parse_text(text, {4096, 64 << 20}, {1000, 7, 4096}).events == parsed.events);
      }
}

TEST_CASE("nested events: very many truncated lists take linear time", "[kineto][nested]") {
  std::string text = "{\"traceEvents\": [";
  for (int i = 0; i < 2'000; ++i)
    text += R"({"ph": "X", "name": "cut", "ts": 1, "args": {"list": [1, )" + events(40, 3000) + ", ";
  text += events(1, 1) + "]}";
  const Parsed parsed = parse_text(text);
  CHECK(named(parsed, "op") == 40 * 2'000 + 1);
}

TEST_CASE("nested events: endlessly nested events take linear time", "[kineto][nested]") {
  std::string text = "{\"traceEvents\": [";
  for (int i = 0; i < 50'000; ++i) text += R"({"ph":"X","ts":1,"args":{"a":[)";
  CHECK(parse_text(text).events.empty());
}

TEST_CASE("nested events: events after an overlong one are found", "[kineto][nested]") {
  for (const std::string end : {"]}", "]]}", "] ] } "})
    for (const Layout layout : {Layout::line, Layout::kineto, Layout::minified}) {
      const std::string begin = end == "]}" ? R"({"list": [)" : R"({"list": [[)";
      const std::string text = laid_out(around(event("long", 2000, begin + events(1000, 0) + end)), layout);
      const Parsed parsed = parse_text(text, {4096, 20'000});
      CHECK(named(parsed, "op") >= 2 * kAround + 990);
      CHECK(parsed.diagnostics.count("event-too-long") + parsed.diagnostics.count("missing-bracket") >= 1);
      CHECK(parsed.diagnostics.count("text-after-end") == 0);
    }
}
