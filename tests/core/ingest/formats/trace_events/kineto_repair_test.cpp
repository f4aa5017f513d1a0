// For each kind of corruption: which events are lost (at most the corrupt one) and how they are counted.
#include "core/ingest/json/notes.hpp"
#include "tests/catch.hpp"
#include "tests/core/ingest/kineto_support.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

std::string good(int i) {
  return R"({"ph": "X", "cat": "kernel", "name": "k)" + std::to_string(i) + R"(", "pid": 0, "tid": 7, "ts": )" +
         std::to_string(i) + R"(, "dur": 1, "args": {"correlation": )" + std::to_string(i) + R"(, "grid": [1, 2, 3]}})";
}

/// good(1), the corrupt event and good(2), in an object with metadata after them.
Parsed amid(const std::string& damaged, const std::string& separator = ", ") {
  return parse_text("{\"schemaVersion\": 1, \"traceEvents\": [" + good(1) + separator + damaged + separator + good(2) +
                    "], \"traceName\": \"t\"}");
}

/// Checks that all three events are read and only the middle one is repaired, for the reason `code`.
KeptEvent repaired(const std::string& damaged, std::string_view code) {
  const Parsed parsed = amid(damaged);
  INFO(damaged);
  REQUIRE(parsed.events.size() == 3);
  CHECK(parsed.events[0].name == "k1");
  CHECK_FALSE(parsed.events[0].repaired);
  CHECK(parsed.events[1].repaired);
  CHECK(parsed.events[2].name == "k2");
  CHECK_FALSE(parsed.events[2].repaired);
  CHECK(parsed.diagnostics.count(code) == 1);
  CHECK(parsed.diagnostics.all().size() == 1);
  CHECK(parsed.metadata_texts.size() == 2);
  CHECK_FALSE(parsed.outcome.truncated);
  for (const Diagnostic& diagnostic : parsed.diagnostics.all()) {
    CHECK(diagnostic.example.size() <= 80);
    CHECK_FALSE(diagnostic.example.empty());
    CHECK(diagnostic.file == "test.json");
  }
  return parsed.events[1];
}

std::string named(const std::string& name) {
  return R"({"ph": "X", "cat": "cpu_op", "name": ")" + name +
         R"(", "pid": 1, "tid": 2, "ts": 3.5, "dur": 4, "args": {"Ev Idx": 5}})";
}

}  // namespace

TEST_CASE("repair: bare quotes in names", "[kineto][repair]") {
  for (const std::string name : {R"({"device": "cpu", "dtype": "float32"}(12): run)", R"(say "hi")", R"("")", R"(a"b)",
                                 R"(", ")", R"(f("x", "y"): g)", R"({"a": {"b": "}"}}, {"c": "d"})", R"(a", b)"}) {
    const KeptEvent e = repaired(named(name), "bare-quote");
    CHECK(e.name == name);
    CHECK(e.process == "1");
    CHECK(e.time == 3500);
    CHECK(e.arguments == R"({"Ev Idx": 5})");
  }
}

TEST_CASE("repair: a bare quote in any layout and place", "[kineto][repair]") {
  const KeptEvent last = repaired(R"({"ph": "i", "ts": 1, "name": "a "b" c"})", "bare-quote");
  CHECK(last.name == "a \"b\" c");
  const KeptEvent minified =
      repaired(R"({"ph":"X","name":"x"y","cat":"c","pid":1,"tid":2,"ts":3,"dur":4})", "bare-quote");
  CHECK(minified.name == "x\"y");
  CHECK(minified.category == "c");
}

TEST_CASE("repair: bare quotes in args are harmless, even if not detected", "[kineto][repair]") {
  for (const std::string value : {R"("a "b)", R"("a "b" c")", R"("{"x": [1, "y"]}")", R"("")", R"(""")"}) {
    const Parsed parsed = amid(R"({"ph": "X", "cat": "kernel", "name": "k", "ts": 3, "args": {"note": )" + value +
                               R"(, "correlation": 8}})");
    INFO(value);
    REQUIRE(parsed.events.size() == 3);
    CHECK(parsed.events[1].name == "k");
    CHECK(parsed.events[1].correlation == 8);
    CHECK(parsed.events[2].name == "k2");
  }
}

TEST_CASE("repair: backslashes that escape nothing", "[kineto][repair]") {
  CHECK(repaired(named(R"(torch\cuda\__init__.py)"), "stray-backslash").name == R"(torch\cuda\__init__.py)");
  CHECK(repaired(named(R"(C:\dir\)"), "stray-backslash").name == R"(C:\dir\)");
  CHECK(repaired(R"({"ph": "X", "name": "a", "ts": 1, "args": {"file": "C:\work"}})", "stray-backslash").name == "a");
}

TEST_CASE("repair: control characters and bad UTF-8", "[kineto][repair]") {
  CHECK(repaired(named("a\x01\nb"), "control-character").name == "a\x01\nb");
  CHECK(repaired(named(std::string("a\0b", 3)), "control-character").name == std::string("a\0b", 3));
  CHECK(repaired(named("bad \xff name"), "invalid-utf8").name == "bad \xef\xbf\xbd name");
  CHECK(repaired(named("\\ud800"), "invalid-utf8").name == "\xef\xbf\xbd");
  CHECK(repaired(R"({"ph": "X", "name": "a", "ts": 1, "args": {"x": "tab	bed"}})", "control-character").name ==
        "a");
}

TEST_CASE("repair: inf and nan", "[kineto][repair]") {
  for (const std::string word : {"inf", "-inf", "nan", "-nan", "NaN", "Infinity", "-Infinity"}) {
    const KeptEvent e = repaired(
        R"({"ph": "X", "cat": "kernel", "name": "k", "ts": 1, "dur": 2, "args": {"correlation": 7, "blocks per SM": )" +
            word + R"(, "old": 1.5}})",
        "not-a-number");
    CHECK(e.correlation == 7);
    CHECK(e.time == 1000);
  }
  const Parsed parsed = amid(R"({"ph": "X", "name": "k", "ts": 1, "dur": inf})");
  REQUIRE(parsed.events.size() == 3);
  CHECK_FALSE(parsed.events[1].duration);
  CHECK(parsed.diagnostics.count("not-a-number") == 1);
}

TEST_CASE("repair: extra and missing commas are reported", "[kineto][repair]") {
  CHECK(repaired(R"({"ph": "X", "name": "a", "ts": 1, "dur": 2,})", "trailing-comma").duration == 2000);
  CHECK(repaired(R"({"ph": "X", "name": "a", "ts": 1, "args": {"b": 1, }})", "trailing-comma").time == 1000);
  const Parsed last = parse_text("{\"traceEvents\": [" + good(1) + ",\n]}");
  CHECK(last.events.size() == 1);
  CHECK(last.diagnostics.count("trailing-comma") == 1);
  CHECK(last.repaired() == 0);
  const Parsed none = amid(good(5), "\n");
  CHECK(none.events.size() == 3);
  CHECK(none.diagnostics.count("missing-comma") == 2);
}

TEST_CASE("repair: an event with a missing comma or bracket is skipped", "[kineto][repair]") {
  for (const std::string damaged :
       {R"({"ph": "X" "name": "a", "ts": 1})", R"({"ph": "X", "name": "a", "ts": 1, "args": {"correlation": 6})",
        R"({"ph": "X", "name": "a", "ts": 1, "args": {"grid": [1, 2, "correlation": 6}})",
        R"({"ph": "X", "name": "a", "ts": 1, "args": {"grid": [1, 2, 3})"}) {
    const Parsed parsed = amid(damaged);
    INFO(damaged);
    REQUIRE(parsed.events.size() == 2);
    CHECK(parsed.events[1].name == "k2");
    CHECK(parsed.diagnostics.count("unreadable-event") == 1);
    CHECK(parsed.diagnostics.count("skipped-bytes") == damaged.size() + 2);
    CHECK(parsed.metadata_texts.size() == 2);
  }
}

TEST_CASE("repair: a list that is not closed ends before the metadata", "[kineto][repair]") {
  for (const char* tail : {"}", ",\"traceName\": \"t\"}"}) {
    const Parsed unclosed = parse_text("{\"traceEvents\": [" + good(1) + "," + good(2) + tail);
    CHECK(unclosed.events.size() == 2);
    CHECK(unclosed.diagnostics.count("missing-bracket") == 1);
    CHECK_FALSE(unclosed.outcome.truncated);
  }
}

TEST_CASE("repair: a missing quote loses at most one event", "[kineto][repair]") {
  for (const std::string& damaged :
       {std::string(R"({"ph": "X", "cat": "kernel, "name": "a", "ts": 1, "args": {"correlation": 6}})"),
        std::string(R"({"ph":"X","cat":"kernel","name":"a","ts":1,"args":{"x":"abc,"y":"[","correlation":6}})")}) {
    const Parsed parsed = amid(damaged);
    INFO(damaged);
    REQUIRE(parsed.events.size() >= 2);
    CHECK(parsed.events.front().name == "k1");
    CHECK(parsed.events.back().name == "k2");
    CHECK_FALSE(parsed.events.back().repaired);
    CHECK_FALSE(parsed.diagnostics.empty());
    CHECK(parsed.metadata_texts.size() == 2);
  }
}

TEST_CASE("repair: garbage between events is skipped and its bytes counted", "[kineto][repair]") {
  for (const std::string garbage : {"#### ", "}}} ] x [", "%\": {\"a\": [1]}", "\x01\x02\x03", ")] , {"}) {
    const Parsed parsed =
        parse_text("{\"traceEvents\": [" + good(1) + "," + garbage + good(2) + "], \"traceName\": \"t\"}");
    INFO(garbage);
    REQUIRE(parsed.events.size() == 2);
    CHECK(parsed.events[1].name == "k2");
    CHECK(parsed.diagnostics.count("skipped-bytes") >= 1);
    CHECK(parsed.diagnostics.count("skipped-bytes") <= garbage.size());
    CHECK(parsed.metadata_of("traceName") != nullptr);
  }
  const Parsed end = parse_text("{\"traceEvents\": [" + good(1) + ", #### ], \"traceName\": \"t\"}");
  CHECK(end.events.size() == 1);
  CHECK(end.diagnostics.count("skipped-bytes") == 5);
  CHECK(end.metadata_of("traceName") != nullptr);
}

TEST_CASE("repair: entries that are not events are reported", "[kineto][repair]") {
  const Parsed parsed = amid("null, 12, \"text\", [1, {\"ph\": 2}], true");
  CHECK(parsed.events.size() == 2);
  CHECK(parsed.diagnostics.count("not-an-event") == 5);
}

TEST_CASE("repair: text after the end is reported", "[kineto][repair]") {
  const Parsed object = parse_text("{\"traceEvents\": [" + good(1) + "]} trailing");
  CHECK(object.events.size() == 1);
  CHECK(object.diagnostics.count("text-after-end") == 1);
  const Parsed array = parse_text("[" + good(1) + "] {}");
  CHECK(array.events.size() == 1);
  CHECK(array.diagnostics.count("text-after-end") == 1);
  const Parsed early = parse_text("{\"traceEvents\": [" + good(1) + "], " + good(2) + "], \"traceName\": \"t\"}");
  CHECK(early.events.size() == 2);
  CHECK(early.metadata_of("traceName") != nullptr);
}

TEST_CASE("repair: truncation drops only the open event", "[kineto][repair]") {
  const std::string text = "{\"traceEvents\": [" + good(1) + ", " + good(2);
  const Parsed complete = parse_text(text);
  CHECK(complete.events.size() == 2);
  CHECK(complete.outcome.truncated);
  CHECK(complete.diagnostics.count("truncated") == 1);
  const Parsed cut = parse_text(text.substr(0, text.size() - 1));
  CHECK(cut.events.size() == 1);
  CHECK(cut.outcome.truncated);
  CHECK(cut.diagnostics.count("truncated") == 1);
}

TEST_CASE("repair: a read error keeps the events before it and is reported", "[kineto][repair]") {
  const std::string text = "{\"traceEvents\": [" + good(1) + ", {\"ph\": ";
  MemoryStream failing(text, {16}, Error{"f", "the gzip data end early", ""});
  const Parsed parsed = parse_stream(failing);
  CHECK(parsed.events.size() == 1);
  REQUIRE(parsed.outcome.failure);
  CHECK(parsed.outcome.failure->what == "the gzip data end early");
  CHECK(parsed.diagnostics.count("input-damaged") == 1);
  CHECK(parsed.outcome.truncated);
}

TEST_CASE("repair: corrupt metadata does not hide the events", "[kineto][repair]") {
  const auto check = [](const std::string& head, std::string_view code) {
    const Parsed parsed = parse_text("{" + head + " \"traceEvents\": [" + good(1) + "], \"traceName\": \"t\", }");
    INFO(head);
    CHECK(parsed.events.size() == 1);
    CHECK(parsed.metadata_of("traceName") != nullptr);
    CHECK(parsed.diagnostics.count(code) >= 1);
    return parsed;
  };
  const Parsed log = check("\"INFO\": [\"a \"quoted\" word\", \"one \" more\"],", "trailing-comma");
  CHECK(log.metadata_texts.size() >= 1);
  check("\"job\": \"line\nbreak\", \"distributedInfo\": {\"rank\": 1},", "control-character");
  const Parsed device = check("\"deviceProperties\": [{\"id\": 0, \"x\": inf}], \"record_thing\": 1,", "not-a-number");
  CHECK(*device.metadata_of("deviceProperties") == "[{\"id\": 0, \"x\": inf}]");
  CHECK(device.metadata_of("record_thing") != nullptr);
  check("\"odd\" 12, \"schemaVersion\": 1,", "metadata-damaged");
  check(", ,", "trailing-comma");
}

TEST_CASE("repair: very many corrupt events take linear time", "[kineto][repair]") {
  std::string text = "[";
  for (int i = 0; i < 20'000; ++i)
    text +=
        (i > 0 ? "," : "") + std::string(R"({"ph":"X","cat":"kernel","name":"a","ts":1,"args":{"x":"a"bc","y":inf}})");
  const Parsed parsed = parse_text("{\"traceEvents\": " + text + "], \"traceName\": \"t\"}");
  CHECK(parsed.events.size() == 20'000);
  CHECK(parse_text(text + "]").events.size() == 20'000);
}

TEST_CASE("repair: every repair has a diagnostic code with an explanation", "[kineto][repair]") {
  using ingest::json::Oddity;
  for (int i = 0; i < static_cast<int>(Oddity::count_); ++i) {
    const ingest::json::OddityKind kind = kind_of(static_cast<Oddity>(i));
    INFO(i << " " << kind.code);
    CHECK_FALSE(kind.code.empty());
    CHECK_FALSE(explain(kind.code).empty());
  }
}
