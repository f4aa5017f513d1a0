// Hostile text: too deep, too long, invalid numbers, unexpected bytes. Surrounding events are kept, diagnostics report
// the cause, and memory stays bounded. With these sizes, quadratic code would not finish.
#include "core/ingest/build/metadata.hpp"
#include "core/ingest/formats/trace_events/arguments.hpp"
#include "tests/core/ingest/hostile_support.hpp"
#include "tests/core/ingest/one_event.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

const auto kDeep = static_cast<std::size_t>(60'000 / size_divisor());
constexpr std::uint64_t kMegabyte = 1 << 20;

std::string document(const std::string& between) {
  return R"({"traceEvents": [)" + std::string(kFirstEvent) + "," + between + "," + kLastEvent + "]}";
}

Parsed parse_parts(std::vector<RepeatingStream::Part> parts, const ingest::ParseLimits& limits = {}) {
  RepeatingStream stream(std::move(parts));
  return parse_stream(stream, limits);
}

}  // namespace

TEST_CASE("hostile: very deep arguments", "[hostile]") {
  for (const auto& [open, close] :
       {std::pair<std::string, std::string>{"[", "]"}, {R"({"a":)", "}"}, {R"([{"a":)", "}]"}}) {
    const std::string begin = R"({"ph":"X","name":"deep","ts":2,"dur":1,"args":{"a":)";
    const Parsed sound = parse_text(document(begin + times(open, kDeep) + "1" + times(close, kDeep) + "}}"));
    check_ends(sound);
    CHECK(sound.events.size() == 3);
    CHECK(sound.diagnostics.empty());
    // Closed by too few brackets, too many, or none at all.
    constexpr int kLess = 5;
    const std::string event = begin + times(open, kDeep / kLess);
    check_ends(parse_text(document(event + "1" + times(close, kDeep / kLess / 2) + "}}")));
    check_ends(parse_text(document(event + "1" + times(close, kDeep / kLess * 3 / 2) + "}}")));
    const Parsed open_end = parse_text(document(event));
    check_ends(open_end);
    CHECK_FALSE(open_end.diagnostics.empty());
  }
}

TEST_CASE("hostile: very deep arguments can be shown", "[hostile]") {
  for (const char* const damage : {"1", ",", "inf"}) {
    const std::string text = document(R"({"ph":"X","name":"deep","ts":2,"args":{"a":)" + times("[{\"b\":", kDeep / 2) +
                                      damage + times("}]", kDeep / 2) + "}}");
    const TemporaryFile file(text);
    trace::SourceFile source;
    source.path = file.path();
    const auto event = tests::read_event_at(source, text.find(R"({"ph":"X","name":"deep")"));
    REQUIRE(event.ok());
    REQUIRE(event->find("name") != nullptr);
    CHECK(*event->find("name") == "deep");
  }
}

TEST_CASE("hostile: very deep metadata", "[hostile]") {
  for (const std::string& value : {times("[", kDeep) + times("]", kDeep), times("{\"a\":", kDeep) + times("}", kDeep),
                                   times("[{\"a\":", kDeep) + "1", times("]", kDeep), times("[", kDeep)}) {
    const std::string before = R"({"distributedInfo": )" + value + R"(, "traceEvents": [)";
    check_ends(parse_text(before + kFirstEvent + "," + kLastEvent + "]}"));
    ingest::FileMetadata metadata;
    Diagnostics diagnostics;
    ingest::add_metadata(metadata, "distributedInfo", value, diagnostics, "test.json");
    CHECK(diagnostics.count("metadata-unreadable") == 1);
  }
}

TEST_CASE("hostile: a very deep document", "[hostile]") {
  for (const std::string& text :
       {times("[", kDeep), times("{\"a\":", kDeep), times("[", kDeep) + times("]", kDeep), times("[{", kDeep),
        times("{\"traceEvents\":", kDeep), times("{\"traceEvents\":[", kDeep), times("}", kDeep), times("\"", kDeep)}) {
    INFO(text.substr(0, 32));
    const Parsed parsed = parse_text(text);
    const auto why = parsed.outcome.why_no_trace("test.json");
    CHECK((why || !parsed.diagnostics.empty()));
    if (why) CHECK_FALSE(why->message().empty());
  }
}

TEST_CASE("hostile: a name of a gigabyte", "[hostile]") {
  const MemoryGrowth growth;
  const Parsed parsed = parse_parts({{std::string(R"({"traceEvents": [)") + kFirstEvent + R"(,{"ph":"X","name":")"},
                                     {std::string(kMegabyte, 'n'), 1024},
                                     {std::string(R"(","ts":2,"dur":1},)") + kLastEvent + "]}"}});
  check_ends(parsed);
  CHECK(parsed.diagnostics.count("event-too-long") == 1);
  CHECK(parsed.diagnostics.count("skipped-bytes") >= 1024 * kMegabyte);
  growth.check_below(1000);
}

TEST_CASE("hostile: overlong values anywhere", "[hostile]") {
  const ingest::ParseLimits limits{std::size_t{256} << 10, std::size_t{4} << 20};
  const std::string first = std::string(R"({"traceEvents": [)") + kFirstEvent + ",";
  const std::string last = std::string(kLastEvent) + "]}";
  const auto check = [&](const std::string& before, const std::string& unit, const std::string& after) {
    INFO(before << " … " << unit << " … " << after);
    const MemoryGrowth growth;
    const std::uint64_t count = 12 * kMegabyte / static_cast<std::size_t>(size_divisor()) / unit.size();
    const std::string block = times(unit, 1000);
    check_ends(parse_parts({{before}, {block, count / 1000}, {after}}, limits));
    growth.check_below(50);
  };
  check(first + R"({"ph":"X","args":{"a":")", "x", "\"}}," + last);
  check(first + R"({"ph":"X","args":{")", "k", "\":1}}," + last);
  check(first + R"({"ph":"X","args":{"a":[)", "1,", "1]}}," + last);
  check(first + R"({"ph":"X","ts":)", "9", "}," + last);
  check(first + R"({"ph":"X","cat":)", " ", "\"\"}," + last);
  check(first, " ", last);
  check(first, "\n{", "," + last);
  check(first, "null,", last);
  check(first, "garbage ", last);
  check(first, "\\\"", "," + last);
  check(first + R"("a)", "\\\\", "\"," + last);
  check(R"({"log": ")", "x", "\", " + first.substr(1) + last);
  check(R"({"log": [)", "1,", "1], " + first.substr(1) + last);
  check(R"({")", "k", "\": 1, " + first.substr(1) + last);
  check("{", " ", first.substr(1) + last);
}

TEST_CASE("hostile: many invalid events in a row", "[hostile]") {
  // Each one requires a search for the start of the next event.
  for (const char* const unit : {R"({"a":nan},)", R"({"ph":"X","name":"a"b","ts":1},)", R"({"ph")", R"({"ph":)",
                                 R"({"a":{"b":)", R"("a" x )", R"({"ph":"X","args":{"a":"b" ")", "{\"\\"}) {
    INFO(unit);
    const std::size_t count = kMegabyte / 3 / static_cast<std::size_t>(size_divisor()) / std::string_view(unit).size();
    check_ends(parse_text(document(times(unit, count) + "null")));
  }
}

TEST_CASE("hostile: a corrupt event full of quotes", "[hostile]") {
  for (const char* const unit : {"\"a\" x ", "\"", "\" , ", "\"}", "\"]", "[\"", "{\"a\" ", "\\\"", "{\"a\":\"b\" "}) {
    INFO(unit);
    const std::size_t count = 300'000 / std::string_view(unit).size();
    const std::string damaged = R"({"ph":"X","name":"damaged","ts":2,"args":{"a":)" + times(unit, count) + "}}";
    check_ends(parse_text(document(damaged)));
  }
}

TEST_CASE("hostile: numbers out of range", "[hostile]") {
  const std::string digits(100'000, '9');
  const auto event_of = [](const std::string& ts, const std::string& rest = R"("dur":1)") {
    return parse_event(R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":)" + ts + "," + rest + "}");
  };
  for (const std::string& number : {std::string("9223372036854775808"), "-" + digits, digits, digits + ".5",
                                    std::string("1e400"), "1e" + digits, "-1e" + digits}) {
    const KeptEvent event = event_of(number);
    CHECK(event.name == "k");
    CHECK_FALSE(event.time.has_value());
    CHECK(event.duration == 1000);
  }
  CHECK(event_of("0." + digits).time == 1000);
  CHECK(event_of("1e-" + digits).time == 0);
  CHECK(event_of("0." + std::string(100'000, '0') + "1e" + "100001").time == 1000);
  CHECK(event_of("9223372036854775.807").time == std::numeric_limits<Ns>::max());
  CHECK(event_of("-9223372036854775.807").time == -std::numeric_limits<Ns>::max());
  CHECK_FALSE(event_of("1", R"("dur":)" + digits).duration.has_value());

  const Parsed ids = parse_text(document(R"({"ph":"X","cat":"kernel","name":"k","pid":)" + digits + R"(,"tid":-)" +
                                         digits + R"(,"ts":2,"dur":1,"args":{"correlation":)" + digits + "}}"));
  check_ends(ids);
  REQUIRE(ids.events.size() == 3);
  CHECK(ids.events[1].process == digits);
  CHECK_FALSE(ids.events[1].correlation.has_value());
  CHECK(ids.diagnostics.count("correlation-unreadable") == 1);
}

TEST_CASE("hostile: NUL bytes", "[hostile]") {
  using namespace std::string_literals;
  const Parsed in_name = parse_text(document("{\"ph\":\"X\",\"name\":\"a\0b\",\"ts\":2,\"dur\":1}"s));
  check_ends(in_name);
  REQUIRE(in_name.events.size() == 3);
  CHECK(in_name.events[1].name == "a\0b"s);
  CHECK(in_name.diagnostics.count("control-character") == 1);
  // A block of NUL bytes, as left by a machine crash: within the events, between members, after the end.
  const std::string zeros(1 << 20, '\0');
  const Parsed within = parse_text(document(zeros + kFirstEvent));
  check_ends(within);
  CHECK(within.diagnostics.count("skipped-bytes") == zeros.size());
  check_ends(parse_text(document(kFirstEvent).substr(0, 100) + zeros + "}," + kLastEvent + "]}"));
  check_ends(parse_text(document("null") + zeros));
  check_ends(parse_text("{\"a\":" + zeros + "," + document("null").substr(1)));
}

TEST_CASE("hostile: duplicate keys", "[hostile]") {
  const Parsed fields = parse_text(document(R"({"ph":"B","ph":"X","name":"a","name":"b","ts":1,"ts":2,"dur":1,)"
                                            R"("args":{"a":1},"args":{"correlation":1,"correlation":2}})"));
  check_ends(fields);
  REQUIRE(fields.events.size() == 3);
  CHECK(fields.events[1].phase == 'X');
  CHECK(fields.events[1].name == "b");
  CHECK(fields.events[1].time == 2000);
  CHECK(fields.events[1].correlation == 2);
  CHECK(fields.diagnostics.count("duplicate-key") == 1);

  std::string many = "{\"ph\":\"X\"";
  for (int i = 0; i < 50'000; ++i) many += ",\"name\":\"n\",\"ts\":1";
  check_ends(parse_text(document(many + "}")));

  const std::string first = std::string("\"traceEvents\": [") + kFirstEvent + "]";
  const Parsed twice = parse_text("{" + first + ", \"traceEvents\": [" + kLastEvent + "]}");
  check_ends(twice);
  CHECK(twice.events.size() == 2);
}
