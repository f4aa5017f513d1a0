// Damage that leaves text which looks almost right: every lost event is reported, and all others are read.
#include <simdjson.h>

#include <random>
#include <set>

#include "tests/catch.hpp"
#include "tests/core/ingest/formats/pevents/timeline_files.hpp"
#include "tests/core/ingest/kineto_support.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

/// A kernel or an operator as Kineto prints them, named by its number.
std::string printed_event(int i) {
  const std::string n = std::to_string(i);
  const std::string head =
      "  {\n    \"ph\": \"X\", \"cat\": \"" + std::string(i % 3 == 0 ? "kernel" : "cpu_op") + "\", \"name\": \"event " +
      n + "\", \"pid\": 2, \"tid\": 7,\n    \"ts\": " + std::to_string(4203669603972 + 20 * i) + ".756, \"dur\": 5" +
      std::to_string(i % 10) + ".646,\n    \"args\": {\n      \"External id\": " + n;
  if (i % 3 == 0)
    return head + ", \"device\": 2, \"stream\": 7,\n      \"correlation\": " + n +
           ", \"kind\": \"Dispatch Kernel\", \"grid\": [1, 2, 3]\n    }\n  }";
  return head +
         ",\"Record function id\": 0, \"Concrete Inputs\": [\"\", \"[5, 128]\"], \"Input Dims\": [[5, 128], []], " +
         "\"Ev Idx\": " + n + "\n    }\n  }";
}

struct PrintedTrace {
  std::string text = "{\n  \"schemaVersion\": 1,\n  \"traceEvents\": [\n";
  std::vector<std::size_t> begins, ends;

  explicit PrintedTrace(int events) {
    for (int i = 0; i < events; ++i) {
      begins.push_back(text.size());
      text += printed_event(i);
      ends.push_back(text.size());
      text += i + 1 < events ? ",\n" : "\n";
    }
    text += "  ],\n  \"traceName\": \"a.json\"\n}";
  }
};

std::set<std::string> names_of(const Parsed& parsed) {
  std::set<std::string> names;
  for (const KeptEvent& event : parsed.events) names.insert(event.name);
  return names;
}

/// Parses valid events, among them the text, which is the same each time.
Parsed among_events(const std::string& event) {
  std::string text = "[";
  for (int i = 0; i < 12; ++i) text += printed_event(i) + ",\n";
  text += event;
  for (int i = 20; i < 24; ++i) text += ",\n" + printed_event(i);
  return parse_text(text + "]");
}

bool is_json(const std::string& text) {
  simdjson::dom::parser parser;
  return parser.parse(simdjson::padded_string(text)).error() == simdjson::SUCCESS;
}

}  // namespace

TEST_CASE("an overwritten block loses only the events in it and is counted in bytes", "[hostile]") {
  const PrintedTrace trace(80);
  for (const char byte : {'\0', '\xff'}) {
    for (const std::size_t block : {std::size_t{512}, std::size_t{4096}}) {
      for (std::size_t at = trace.begins[3]; at + block < trace.begins[78]; at += 97) {
        std::string text = trace.text;
        text.replace(at, block, block, byte);
        const Parsed parsed = parse_text(text);
        CAPTURE(at, block, static_cast<int>(byte));
        const std::set<std::string> names = names_of(parsed);
        for (std::size_t i = 0; i < trace.begins.size(); ++i)
          if (trace.ends[i] < at || trace.begins[i] > at + block) CHECK(names.contains("event " + std::to_string(i)));
        CHECK(parsed.diagnostics.count("skipped-bytes") >= block);
        CHECK(names.size() == parsed.events.size());
      }
    }
  }
}

TEST_CASE("the start of an event and the end of another are not read as one silently", "[hostile]") {
  std::mt19937 random(7);
  int joined = 0;
  int unnoticed = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::string first = printed_event(12 + static_cast<int>(random() % 3));
    const std::string second = printed_event(15 + static_cast<int>(random() % 3));
    const std::size_t from = first.find("\"args\"") + 9;
    const std::size_t to = second.find("\"args\"") + 9;
    const std::string event =
        first.substr(0, from + random() % (first.size() - from)) + second.substr(to + random() % (second.size() - to));
    if (is_json(event)) continue;
    ++joined;
    CAPTURE(event);
    // The first event of its kind is checked completely.
    CHECK_FALSE(parse_text("[" + event + ",\n" + printed_event(20) + "]").diagnostics.empty());
    const Parsed parsed = among_events(event);
    unnoticed += parsed.diagnostics.empty() ? 1 : 0;
    CHECK(names_of(parsed).contains("event 11"));
    CHECK(names_of(parsed).contains("event 21"));
  }
  CHECK(joined > 1000);
  // Others are checked completely if they have an unusual number of strings or brackets.
  CHECK(unnoticed * 50 < joined);
}

TEST_CASE("arguments that belong to two events connect nothing", "[hostile]") {
  std::string event = printed_event(12);
  const std::string kernel = "\"Dispatch Kernel\"";
  event.replace(event.find(kernel), kernel.size(),
                "\"Dispatch Keam\": 0,\n      \"correlation\": 15, \"kind\": \"Dispatch Kernel\"");
  const Parsed parsed = among_events(event);
  REQUIRE(parsed.events.size() == 17);
  CHECK(parsed.events[12].name == "event 12");
  CHECK_FALSE(parsed.events[12].correlation);
  CHECK(parsed.diagnostics.count("arguments-damaged") == 1);
  CHECK(parsed.diagnostics.all().size() == 1);
}

TEST_CASE("a byte that JSON does not allow between two tokens is reported", "[hostile]") {
  const std::string good = printed_event(12);
  bool inside = false;
  for (std::size_t at = 1; at < good.size(); ++at) {
    if (good[at - 1] == '"') inside = !inside;
    if (inside) continue;
    for (const char byte : {'\0', '\x01', '\x7f', '\xf0', '+', 'x', ';', '(', '\\'}) {
      const Parsed parsed = among_events(std::string(good).insert(at, 1, byte));
      CAPTURE(at, static_cast<int>(byte));
      CHECK_FALSE(parsed.diagnostics.empty());
      CHECK(names_of(parsed).contains("event 11"));
      CHECK(names_of(parsed).contains("event 21"));
    }
  }
}

TEST_CASE("numbers with leading zeros are reported", "[hostile]") {
  for (const char* key : {"\"pid\": ", "\"tid\": ", "\"ts\": ", "\"dur\": ", "\"correlation\": "}) {
    std::string event = printed_event(12);
    event.insert(event.find(key) + std::string_view(key).size(), "0");
    CAPTURE(key);
    CHECK_FALSE(among_events(event).diagnostics.empty());
  }
  CHECK(among_events(printed_event(12)).diagnostics.empty());
}

TEST_CASE("corrupt numbers in arguments are reported in every event", "[hostile]") {
  for (const char* key : {"\"External id\": ", "\"device\": ", "\"stream\": ", "\"correlation\": ", "\"grid\": ["}) {
    for (const char* number : {"-0-13", "13 14", "13 \n 14", "1.2.3", "1-7", "1e", "1.", "-", "--1", "1e5e5", "1.e5"}) {
      std::string event = printed_event(12);
      const std::size_t from = event.find(key) + std::string_view(key).size();
      event.replace(from, event.find(',', from) - from, number);
      CAPTURE(key, number);
      CHECK_FALSE(among_events(event).diagnostics.empty());
    }
    for (const char* number : {"-13", "0.0625", "-10.5e-7", "1E5", "13 "}) {
      std::string event = printed_event(12);
      const std::size_t from = event.find(key) + std::string_view(key).size();
      event.replace(from, event.find(',', from) - from, number);
      const Parsed parsed = among_events(event);
      CAPTURE(key, number);
      CHECK(parsed.diagnostics.count("arguments-damaged") == 0);
      CHECK(parsed.diagnostics.count("stray-text") == 0);
    }
  }
  std::string event = printed_event(12);
  event.erase(event.find("\"External id\":") + 13, 1);
  CHECK_FALSE(among_events(event).diagnostics.empty());
}

TEST_CASE("a time that ends with its point is reported", "[hostile]") {
  for (const std::string_view time : {"4203669604212.756", "52.646"}) {
    std::string event = printed_event(12);
    const std::size_t from = event.find(time);
    REQUIRE(from != event.npos);
    event.erase(event.find('.', from) + 1, 3);
    CHECK_FALSE(among_events(event).diagnostics.empty());
  }
}

TEST_CASE("text after the end of the document is counted in bytes", "[hostile]") {
  const std::string more = "{\"ph\": \"X\"}, and so on";
  const Parsed parsed = parse_text(PrintedTrace(3).text + more);
  CHECK(parsed.events.size() == 3);
  CHECK(parsed.diagnostics.count("text-after-end") == 1);
  CHECK(parsed.diagnostics.count("skipped-bytes") == more.size());
}

TEST_CASE("slices without a process, thread, category or name are counted and invent no tracks", "[hostile]") {
  const std::string good = kernel_event("gemm") + "," + kernel_event("second", 200);
  const auto tracks = load_events(good)->ranks.at(0)->tracks.size();
  for (const std::string key : {"pid", "tid", "cat"}) {
    std::string event = kernel_event("lost", 300);
    event.replace(event.find('"' + key + '"') + 1, key.size(), "?" + key.substr(1));
    const auto profile = load_events(good + "," + event);
    CAPTURE(event);
    CHECK(profile->diagnostics.count("missing-field") == 1);
    CHECK(profile->ranks.at(0)->tracks.size() == tracks);
    CHECK(profile->ranks.at(0)->lane_start.back() == 2);
  }
  std::string nameless = kernel_event("lost", 300);
  nameless.replace(nameless.find("\"name\""), 6, "\"?ame\"");
  const auto profile = load_events(good + "," + nameless);
  CHECK(profile->diagnostics.count("missing-field") == 1);
  CHECK(profile->ranks.at(0)->lane_start.back() == 3);
  // Not all writers give marks a thread.
  CHECK(load_events(good + R"(,{"ph":"i","name":"Record Window End","ts":5})")->diagnostics.count("missing-field") ==
        0);
}

TEST_CASE("corrupt process and thread ids are counted and invent no tracks", "[hostile]") {
  std::string good;
  for (int i = 0; i < 8; ++i) good += kernel_event("gemm", 100 * i) + ",";
  const auto tracks = load_events(good + kernel_event("last", 900))->ranks.at(0)->tracks.size();
  for (const std::string key : {"\"pid\":", "\"tid\":"}) {
    const std::string event = kernel_event("lost", 1000);
    const std::size_t from = event.find(key) + key.size();
    const std::size_t to = event.find(',', from);
    for (const std::string id : {"+0", "+7", "--0", "0x0", ".0", "0.", "7e", "7x", "00",
                                 "\x01"
                                 "0",
                                 "7000000000000000000000000000000"}) {
      const auto profile = load_events(good + std::string(event).replace(from, to - from, id));
      CAPTURE(key, id);
      CHECK(profile->diagnostics.count("missing-field") == 1);
      CHECK(profile->ranks.at(0)->tracks.size() == tracks);
      CHECK(profile->ranks.at(0)->lane_start.back() == 8);
    }
    const auto nul = load_events(good + std::string(event).insert(to, 1, '\0'));
    CHECK(nul->diagnostics.count("missing-field") == 1);
    CHECK(nul->ranks.at(0)->tracks.size() == tracks);
  }
}

TEST_CASE("in other formats, only slices that lack what the others have are counted", "[hostile]") {
  const auto slice = [](int i, const std::string& fields) {
    return R"({"ph":"X","name":"s)" + std::to_string(i) + R"(","ts":)" + std::to_string(10 * i) + R"(,"dur":5)" +
           fields + "},";
  };
  std::string all;
  for (int i = 0; i < 9; ++i) all += slice(i, R"(,"pid":1,"tid":2)");
  const auto load_array = [](const std::string& events) {
    const TestFolder folder;
    return load(folder.write("a.json", "[" + events + R"({"ph":"X","name":"z","ts":900,"dur":5,"pid":1,"tid":2}])"));
  };
  const auto one = load_array(all + slice(20, R"(,"pid":1)"));
  CHECK(one->diagnostics.count("missing-field") == 1);
  CHECK(one->ranks.at(0)->tracks.size() == 1);
  std::string none;
  for (int i = 0; i < 9; ++i) none += slice(i, "");
  CHECK(load_array(none)->diagnostics.count("missing-field") == 0);

  const TestFolder folder;
  const auto timeline = load(folder.write(
      "1594662605430000_905-algo-1_pythontimeline.json",
      timeline_of(timeline_slice("a", 100, 10) + ",\n" + R"({"name":"b","qid":1,"ph":"X","ts":200,"dur":5})")));
  CHECK(timeline->diagnostics.count("missing-field") == 1);
  CHECK(timeline->ranks.at(0)->tracks.size() == 1);
}

TEST_CASE("events after stale text that closes the list are counted as skipped bytes", "[hostile]") {
  const PrintedTrace trace(80);
  // The end of an older file in a block of this one: its last key has a value that is cut.
  const std::string stale = "\n  ],\n  \"traceName\": \"log/a.js\": 0, \"Concrete Inputs\": [\"\"]";
  std::string text = trace.text;
  text.replace(trace.begins[20], stale.size(), stale);
  const Parsed parsed = parse_text(text);
  const auto& all = parsed.diagnostics.all();
  const auto skipped = std::ranges::find(all, "skipped-bytes", &Diagnostic::code);
  REQUIRE(skipped != all.end());
  const std::size_t lost = trace.ends[79] - trace.begins[20] - stale.size();
  CHECK(names_of(parsed).size() == 20);
  CHECK(skipped->count >= lost - 200);
}
