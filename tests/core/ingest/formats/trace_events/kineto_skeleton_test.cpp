// Compares skeletons with the strict and the repairing parser: the results for each event of generated, mutated and
// truncated text must be identical for every instruction set, whatever was learned before.
#include <map>
#include <random>

#include "core/ingest/formats/trace_events/event_parser.hpp"
#include "core/ingest/json/simd_block.hpp"
#include "tests/catch.hpp"
#include "tests/core/ingest/kineto_support.hpp"
#include "tests/small_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using ingest::RawEvent;
using ingest::json::EventParser;
using ingest::json::kPadding;
using ingest::json::Oddity;
using ingest::json::SkeletonMatcher;

namespace {

using SaidNotes = std::vector<std::pair<Oddity, std::ptrdiff_t>>;

/// Everything that parse() reports about an event, with positions relative to its start.
struct Said {
  EventParser::Status status = EventParser::Status::unreadable;
  std::ptrdiff_t next = 0;
  KeptEvent event;
  std::ptrdiff_t name_at = 0;  ///< if it is part of the text
  SaidNotes notes;

  friend bool operator==(const Said&, const Said&) = default;
};

Said ask(EventParser& parser, const char* at, const char* end, bool final) {
  Said said;
  const EventParser::Outcome outcome = parser.parse(at, end, final);
  said.status = outcome.status;
  if (outcome.status != EventParser::Status::complete) return said;
  said.next = outcome.next - at;
  Parsed parsed;
  parsed.event(parser.event());
  said.event = parsed.events.front();
  const char* const name = parser.event().name.data();
  if (name >= at && name < end) said.name_at = name - at;
  parser.notes().for_each([&](Oddity oddity, const char* where) { said.notes.emplace_back(oddity, where - at); });
  return said;
}

/// Skeletons may miss that the tokens of arguments are out of order.
Said without_disorder(Said said) {
  std::erase_if(said.notes, [](const auto& note) { return note.first == Oddity::arguments_disordered; });
  return said;
}

/// Checks that events which the parser reports as alike are alike.
struct Likeness {
  std::map<std::uint32_t, std::string> shapes, places, names;

  static void same(std::map<std::uint32_t, std::string>& known, std::uint32_t id, const std::string& text) {
    if (id == 0) return;
    REQUIRE(id < RawEvent::kLikenesses);
    const auto [entry, fresh] = known.try_emplace(id, text);
    if (entry->second != text) FAIL_CHECK("likeness " << id << " of " << entry->second << " and of " << text);
  }
  void check(const RawEvent& event) {
    same(shapes, event.shape, std::string(1, event.phase) + ' ' + std::string(event.category));
    same(places, event.place, std::string(event.process) + '\0' + std::string(event.thread));
    same(names, event.name_key, std::string(event.name));
  }
};

/// One parser without skeletons and one per available instruction set.
struct Parsers {
  EventParser strict{nullptr};
  std::vector<std::unique_ptr<EventParser>> fast;
  std::vector<Likeness> likeness;

  Parsers() {
    const auto matchers = ingest::json::skeleton_matchers();
    for (const SkeletonMatcher matcher : {matchers.plain, matchers.avx2})
      if (matcher != nullptr) fast.push_back(std::make_unique<EventParser>(matcher));
    likeness.resize(fast.size());
  }
  /// Returns the result for the event at `at`, and checks that all parsers agree on it.
  Said agree(const char* at, const char* end, bool final) {
    const Said wanted = ask(strict, at, end, final);
    for (std::size_t i = 0; i < fast.size(); ++i) {
      if (without_disorder(ask(*fast[i], at, end, final)) != without_disorder(wanted))
        FAIL_CHECK("parser " << i << ": " << std::string(at, end).substr(0, 900));
      if (wanted.status == EventParser::Status::complete) likeness[i].check(fast[i]->event());
    }
    return wanted;
  }
  [[nodiscard]] std::uint64_t fewest_hits() const {
    std::uint64_t fewest = ~std::uint64_t{0};
    for (const auto& parser : fast) fewest = std::min(fewest, parser->hits());
    return fewest;
  }
};

/// Visits everything in `text` that looks like an event of an array; returns the number of events read.
std::uint64_t walk(Parsers& parsers, const std::string& text) {
  const std::string padded = text + std::string(kPadding, '\0');
  const char* const end = padded.data() + text.size();
  const std::size_t key = text.find("\"traceEvents\"");
  std::uint64_t events = 0;
  for (const char* at = padded.data() + text.find('[', key == std::string::npos ? 0 : key); at < end;) {
    if (*at != '{') {
      ++at;
      continue;
    }
    const Said said = parsers.agree(at, end, true);
    const bool complete = said.status == EventParser::Status::complete;
    events += complete ? 1 : 0;
    at += complete ? said.next : 1;
  }
  return events;
}

std::uint64_t check_set(const tracegen::Options& options, Parsers& parsers) {
  std::uint64_t events = 0;
  for (const auto& file : tracegen::generate_in_memory(options).files)
    if (file.path.ends_with(".json")) events += walk(parsers, file.bytes);
  return events;
}

std::string mutate_event(std::string text, std::mt19937& random) {
  constexpr std::string_view kBytes = "\"\\{}[],: \n0a-.e+in\x01\xff";
  const auto changes = 1 + random() % 3;
  for (std::size_t i = 0; i < changes && !text.empty(); ++i) {
    const std::size_t at = random() % text.size();
    const std::size_t length = 1 + random() % 6;
    switch (random() % 5) {
      case 0:
        text[at] = kBytes[random() % kBytes.size()];
        break;
      case 1:
        text[at] = static_cast<char>(text[at] ^ (1 << random() % 8));
        break;
      case 2:
        text.erase(at, length);
        break;
      case 3:
        text.insert(at, 1, kBytes[random() % kBytes.size()]);
        break;
      default:
        text.insert(at, text.substr(random() % text.size(), length));
        break;
    }
  }
  return text;
}

/// Events of all kinds in several layouts, without the text between them.
std::vector<std::string> sample_events() {
  std::vector<std::string> events;
  for (const std::string space : {" ", ""}) {
    const auto head = [&](const std::string& phase, const std::string& category, const std::string& name) {
      return "{\n    \"ph\":" + space + "\"" + phase + "\"," + space + "\"cat\":" + space + "\"" + category + "\"," +
             space + "\"name\":" + space + "\"" + name + "\"," + space + "\"pid\":" + space + "1925," + space +
             "\"tid\":" + space;
    };
    const std::string time = ",\n    \"ts\":" + space + "6634024724617.791," + space + "\"dur\":" + space + "15.844";
    events.push_back(head("X", "cpu_op", "aten::mm") + "7" + time +
                     ",\n    \"args\": {\n      \"External id\": 16,\"Input Dims\": [[2, 2048], [], [[3]]], \"t\": "
                     "[\"a\", \"\"], \"ok\": [true, false, null], \"s\": \"x\\\"]y\"\n    }\n  }");
    events.push_back(head("X", "kernel", "void f<4, true>(int*, long, at::detail::Array<char*, 3>)") + "\"stream 7\"" +
                     time + ",\"args\":{\"device\":0,\"correlation\": 4711,\"grid\":[1,2,3],\"correct\":1}}");
    events.push_back(head("s", "ac2g", "ac2g") + "-1, \"ts\": 17, \"id\": 44, \"bp\": \"e\"\n  }");
    events.push_back(
        "{\"args\":{\"correlation\": -3, \"v\": 1e5},\"cat\":\"cuda_runtime\",\"dur\":1,\"name\":\"launch\","
        "\"ph\":\"X\",\"pid\":\"p\",\"tid\":\"q\",\"ts\":\"12.5\",\"tts\":5,\"x\":{\"y\":[1]},\"z\":\"long one\"}");
    events.push_back("{\"args\":{\"correlation\":" + space +
                     "5},\"cat\":\"cpu_op\",\"name\":\"n\",\"ph\":\"X\",\"ts\":1}");
  }
  return events;
}

}  // namespace

TEST_CASE("skeletons match nearly all events of generated traces and read them like the strict parser", "[kineto]") {
  using tracegen::Generation;
  using tracegen::Layout;
  for (const Layout layout : {Layout::kineto, Layout::minified, Layout::oneline, Layout::indented})
    for (const Generation generation : {Generation::current, Generation::y2023, Generation::torch_1_8}) {
      tracegen::Options options = small_job(1);
      options.layout = layout;
      options.generation = generation;
      options.shapes = generation == Generation::current;
      options.python = generation == Generation::y2023;
      Parsers parsers;
      const std::uint64_t events = check_set(options, parsers);
      CHECK(events > 300);
      CHECK(parsers.fewest_hits() + 60 > events);
    }
}

TEST_CASE("skeletons: corrupt events are left to the repairing parser", "[kineto]") {
  for (const std::string_view defect : {"truncated", "bare-quote", "backslash", "control-char", "bad-utf8", "inf-nan",
                                        "trailing-comma", "no-closing-bracket", "top-level-array", "string-numbers",
                                        "negative-duration", "absurd-duration", "begin-end", "async", "counters"}) {
    tracegen::Options options = small_job(1);
    options.defects.push_back(*tracegen::parse_defect(std::string(defect) + "@all"));
    Parsers parsers;
    INFO(defect);
    CHECK(check_set(options, parsers) > 100);
    CHECK(parsers.fewest_hits() > 100);
  }
}

TEST_CASE("skeletons: mutated events agree with the strict and the repairing parser", "[kineto][fuzz]") {
  std::mt19937 random(4711);
  const std::vector<std::string> events = sample_events();
  Parsers parsers;
  std::uint64_t hits = 0;
  for (int round = 0; round < 5'000; ++round) {
    const std::string& good = events[static_cast<std::size_t>(round) % events.size()];
    const std::string behind = ",\n  " + events[random() % events.size()] + "\n]";
    walk(parsers, "[" + good + behind);
    const std::uint64_t before = parsers.fewest_hits();
    const std::string text = mutate_event(good, random) + behind + std::string(kPadding, '\0');
    const std::size_t brace = text.find('{');
    if (brace == std::string::npos) continue;
    parsers.agree(text.data() + brace, text.data() + text.size() - kPadding, random() % 2 == 0);
    hits += parsers.fewest_hits() - before;
  }
  CHECK(hits > 250);  // many mutations only change a value
}

TEST_CASE("skeletons: text truncated anywhere needs more, as with the strict parser", "[kineto]") {
  for (const std::string& event : sample_events()) {
    Parsers parsers;
    const std::string text = event + " , " + event;
    for (int i = 0; i < 2; ++i) walk(parsers, "[" + text + "]");
    REQUIRE(parsers.fewest_hits() > 0);
    for (std::size_t size = 1; size <= text.size(); ++size) {
      for (const char behind : {'\0', ',', ']', '}', '"', 'x'}) {
        // No memory is allocated after the padding.
        std::vector<char> cut(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size));
        cut.insert(cut.end(), kPadding, behind);
        cut.shrink_to_fit();
        for (const bool final : {false, true}) parsers.agree(cut.data(), cut.data() + size, final);
      }
    }
  }
}

TEST_CASE("skeletons: values similar to learned ones agree with the strict parser", "[kineto]") {
  const auto event = [](const std::string& pid, const std::string& ts, const std::string& args) {
    return "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": " + pid + ", \"tid\": 7, \"ts\": " + ts +
           ", \"args\": " + args + "}";
  };
  Parsers parsers;
  for (int i = 0; i < 3; ++i) walk(parsers, "[" + event("1", "5", "{\"correlation\": 1}") + "]");
  REQUIRE(parsers.fewest_hits() == 2);
  const std::vector<std::string> ids{"12",          "-1",   "-",  "1e5", "1-2", "\"1\"",
                                     "\"\\u0031\"", "null", "[]", "1 2", "",    "x"};
  const std::vector<std::string> times{"5.",
                                       "-5.25",
                                       "5.1234",
                                       "5.12345e3",
                                       "12345678901234567",
                                       "9000000000000000.1",
                                       "\"5\"",
                                       "null",
                                       "5.5.5",
                                       "--5",
                                       "0005",
                                       "12345678.1234567",
                                       "1e400",
                                       "5e",
                                       "5-",
                                       "-.5",
                                       ".5",
                                       "16777216",
                                       "5.555.5",
                                       "5.555e2",
                                       "12.345E1",
                                       "5.555-",
                                       "5.5556",
                                       "9000000000000000.001",
                                       "9223372036854775.808"};
  const std::vector<std::string> arguments{
      "{\"correlation\": 123456789012345678}",
      "{\"correlation\": 1234567890123456789}",
      "{\"correlation\": 12345678901234567890}",
      "{\"correlation\":-7}",
      "{\"correlation\" : 7.0}",
      "{\"correlation\": \"7\"}",
      "{\"correlation\": null}",
      "{\"correlation\": [7]}",
      "{\"correlation\": 7, \"correlation\": 8}",
      "{\"x\": {\"correlation\": 7}}",
      "{\"x\": \"correlation\", \"y\": 1}",
      "{\"x\": \"\\\"correlation\\\": 9\", \"correlation\": 3}",
      "{\"correlation\": 7,}",
      "{\"correlation\": 7, }",
      "{\"correlation\": 7]",
      "{\"a\": [1, 2}, \"b\": [3}}",
      "{\"a\": 1]], \"b\": [{{3}",
      "{\"a\": inf}",
      "{\"a\": Infinity}",
      "{\"a\": -NaN}",
      "{\"a\": null, \"b\": [false, true]}",
      "{\"a\": \"null inf nan \"}",
      "{\"a\": \"\\q\"}",
      "{\"a\": \"\\\\\", \"b\": \"\\\"}\"}",
      "{\"a\": \\}",
      "{\"a\": \"tab\there\"}",
      "{\"a\":\t\"\"\r\n}",
      "{}",
      "{ }",
      "[]",
      "null",
      "{\"" + std::string(200, '[') + "\": " + std::string(100, '[') + std::string(100, ']') + "}",
      "{\"a\": " + std::string(70, ' ') + "\"" + std::string(130, '\\') + "\", \"correlation\": 5}"};
  for (const std::string& id : ids) walk(parsers, "[" + event(id, "5", "{}") + "]");
  for (const std::string& time : times) walk(parsers, "[" + event("1", time, "{}") + "]");
  for (const std::string& text : arguments)
    for (std::size_t shift = 0; shift < 64; shift += 3)
      walk(parsers, "[" + event(std::string(shift, ' ') + "1", "5", text) + "," + event("1", "5", text) + "]");
}

TEST_CASE("skeletons: a skipped member must have a value of the learned kind", "[kineto]") {
  const auto event = [](const std::string& value) {
    return R"({"ph": "X", "name": "k", "ts": 5, "other": )" + value + "}";
  };
  const std::vector<std::string> values{"[1]", "{}", "7", "\"text\"", "", "null", "x", "[", "]", "[1", ",", "-"};
  for (std::size_t learned = 0; learned < 4; ++learned) {
    Parsers parsers;
    for (int i = 0; i < 3; ++i) walk(parsers, "[" + event(values[learned]) + "]");
    REQUIRE(parsers.fewest_hits() == 2);
    for (const std::string& value : values) walk(parsers, "[" + event(value) + "]");
  }
}

TEST_CASE("skeletons: events longer than the block of the damage search are read", "[kineto]") {
  Parsers parsers;
  const std::string event = "{\"ph\": \"X\", \"name\": \"n\", \"ts\": 1, \"dur\": 2, \"args\": {\"a\": \"";
  for (const std::size_t size : {10U, 10U, 65'000U, 65'480U, 65'500U, 65'536U, 70'000U, 10U})
    CHECK(walk(parsers, "[" + event + std::string(size, 'x') + "\"}}]") == 1);
}

TEST_CASE("skeletons: learning stops for events without a pattern and resumes later", "[kineto]") {
  Parsers parsers;
  const auto disorder = [](std::size_t i) {
    return "{\"ph\": \"X\", \"cat\": \"c" + std::to_string(i) + "\", \"name\": \"n\", \"ts\": 1, \"dur\": 2}";
  };
  std::string text = "[";
  for (std::size_t i = 0; i < 3000; ++i) text += disorder(i) + ",\n";
  CHECK(walk(parsers, text + "]") == 3000);
  CHECK(parsers.fewest_hits() == 0);
  text = "[";
  for (std::size_t i = 0; i < 9000; ++i) text += disorder(7777) + ",\n";
  CHECK(walk(parsers, text + "]") == 9000);
  CHECK(parsers.fewest_hits() > 4000);
}

TEST_CASE("skeletons: ids and names beyond the limit have no number", "[kineto]") {
  Parsers parsers;
  std::string text = "[";
  constexpr std::size_t kMany = 20'000;
  for (std::size_t i = 0; i < kMany; ++i)
    text += "{\"ph\":\"X\",\"cat\":\"c\",\"name\":\"n" + std::to_string(i) + "\",\"pid\":" + std::to_string(i) +
            ",\"tid\":" + std::to_string(i % 3) + ",\"ts\":1,\"dur\":2},";
  CHECK(walk(parsers, text + "]") == kMany);
  CHECK(parsers.fewest_hits() == kMany - 1);
  for (const auto& parser : parsers.fast) {
    CHECK(parser->event().shape != 0);
    CHECK(parser->event().name_key == 0);
    CHECK(parser->event().place == 0);
  }
}
