// cProfile statistics: all versions of the format, and truncated, corrupt and hostile files.
#include <algorithm>

#include "core/ingest/formats/python_stats/python_stats.hpp"
#include "tests/catch.hpp"
#include "tests/core/ingest/formats/python_stats/saved_stats.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

struct ParsedProfile {
  trace::PythonStats stats;
  Diagnostics diagnostics;
};

ParsedProfile parsed_profile(std::string_view bytes) {
  ParsedProfile result;
  ingest::parse_cprofile(bytes, result.stats, result.diagnostics);
  return result;
}

std::string number_text(const auto& number) { return number ? std::to_string(*number) : "-"; }

/// "name line calls primitive self total" of each function, and "callee < caller …" of each caller; sorted.
std::vector<std::string> facts_of(const trace::PythonStats& stats) {
  std::vector<std::string> facts;
  for (const auto& one : stats.functions)
    facts.push_back(stats.name_of(one.code) + " " + stats.file_of(one.code) + ":" +
                    std::to_string(stats.codes[one.code].line) + " " + number_text(one.calls) + " " +
                    number_text(one.primitive_calls) + " " + std::to_string(one.self) + " " +
                    std::to_string(one.total));
  for (const auto& one : stats.callers)
    facts.push_back(stats.name_of(one.callee) + " < " + stats.name_of(one.caller) + " " + number_text(one.calls) + " " +
                    number_text(one.primitive_calls) + " " + number_text(one.self) + " " + number_text(one.total));
  std::ranges::sort(facts);
  return facts;
}

const std::vector<std::string> kExpectedFacts{"<built-in method time.sleep> < main 4 4 1000000000 1000000000",
                                              "<built-in method time.sleep> ~:0 4 4 1000000000 1000000000",
                                              "fib < fib 176 10 750000000 750000000",
                                              "fib < main 1 1 500000000 1250000000",
                                              "fib train.py:20 177 1 1250000000 1250000000",
                                              "main train.py:10 1 1 250000000 2500000000"};

std::string little_endian(std::uint32_t number) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(number >> (8 * i));
  return bytes;
}

std::string marshal_text(const std::string& text) {
  return "z" + std::string(1, static_cast<char>(text.size())) + text;
}

std::string marshal_key(const std::string& name) {
  return ")\3" + marshal_text("a.py") + "i" + little_endian(1) + marshal_text(name);
}

std::string marshal_counts(const std::string& callers) {
  const std::string one = "i" + little_endian(1);
  return ")\5" + one + one + one + one + callers;
}

bool looks_like_python_stats(std::string_view path, std::string_view head) {
  return ingest::PythonStatsFormat().sniff({path, head});
}

}  // namespace

TEST_CASE("cProfile statistics are the same for every version of Python") {
  for (const std::string_view saved : kSavedStats) {
    CAPTURE(saved);
    const std::string bytes = bytes_of(saved);
    CHECK(looks_like_python_stats("anything.prof", bytes));
    const ParsedProfile parsed = parsed_profile(bytes);
    CHECK(facts_of(parsed.stats) == kExpectedFacts);
    CHECK(parsed.diagnostics.empty());
  }
}

TEST_CASE("callers in statistics of the profile module have only a number of calls") {
  const std::string bytes =
      "{" + marshal_key("f") + marshal_counts("{" + marshal_key("g") + "i" + little_endian(7) + "0") + "0";
  CHECK(facts_of(parsed_profile(bytes).stats) ==
        std::vector<std::string>{"f < g 7 - - -", "f a.py:1 1 1 1000000000 1000000000"});
}

TEST_CASE("a truncated cProfile file yields the functions before the end") {
  for (const std::string_view saved : kSavedStats) {
    const std::string bytes = bytes_of(saved);
    std::size_t most = 0;
    for (std::size_t size = 2; size < bytes.size(); ++size) {
      const ParsedProfile parsed = parsed_profile(std::string_view(bytes).substr(0, size));
      REQUIRE(parsed.diagnostics.count("python-stats-damaged") == 1);
      REQUIRE(parsed.diagnostics.all().front().offset <= size);
      REQUIRE(parsed.stats.functions.size() >= most);
      most = parsed.stats.functions.size();
    }
    CHECK(most == 3);
  }
}

TEST_CASE("a changed byte in a cProfile file only causes skipped entries") {
  const std::string bytes = bytes_of(kPython311);
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (const int change : {1, 0x20, 0x80, 0xFF}) {
      std::string other = bytes;
      other[at] = static_cast<char>(other[at] ^ change);
      const ParsedProfile parsed = parsed_profile(other);
      REQUIRE(parsed.stats.functions.size() <= 3);
      REQUIRE(parsed.stats.callers.size() <= 6);
    }
}

TEST_CASE("cProfile entries that are not functions are counted and skipped") {
  const std::string one = "i" + little_endian(1);
  const std::string bytes = "{" + marshal_key("f") + marshal_counts("{0") + marshal_text("x") + one +
                            marshal_key("negative") + ")\5" + "i" + little_endian(0x80000000U) + one + one + one +
                            "{0" + marshal_key("g") + ")\5" + one + one + "g" + std::string("\0\0\0\0\0\0\xF8\x7F", 8) +
                            one + "{0" + marshal_key("h") + marshal_counts("{0") + "0tail";
  const ParsedProfile parsed = parsed_profile(bytes);
  CHECK(facts_of(parsed.stats) ==
        std::vector<std::string>{"f a.py:1 1 1 1000000000 1000000000", "h a.py:1 1 1 1000000000 1000000000"});
  CHECK(parsed.diagnostics.count("python-stats-entry-skipped") == 3);
  CHECK(parsed.diagnostics.all().front().offset == 41);  // the entry "x"
  REQUIRE(parsed.diagnostics.count("python-stats-damaged") == 1);
  CHECK(parsed.diagnostics.all().back().offset == bytes.size() - 4);
}

TEST_CASE("memory and time for hostile cProfile files are bounded") {
  // An object that contains itself, lengths beyond the file, deep nesting, unknown types.
  const std::string self = "\xFB" + std::string("r") + little_endian(0) + "0";
  const std::string inside = "{\xA9\3" + std::string("r") + little_endian(0);
  const std::string longest = "{(" + little_endian(0xFFFFFFFFU);
  const std::string text = "{)\3s" + little_endian(0x7FFFFFFFU) + "ab";
  std::string deep = "{";
  for (int i = 0; i < 100'000; ++i) deep += ")\1";
  for (const std::string& bytes : {self, inside, longest, text, deep, std::string("{)\3?"), std::string("{c")}) {
    const ParsedProfile parsed = parsed_profile(bytes);
    CHECK(parsed.stats.functions.empty());
    CHECK(parsed.diagnostics.count("python-stats-damaged") == 1);
  }
  // One dictionary of callers that thousands of functions refer to would have millions of callers.
  std::string callers = "\xFB";
  for (int i = 0; i < 2000; ++i) callers += marshal_key("caller" + std::to_string(i)) + "i" + little_endian(1);
  std::string shared = "{" + marshal_key("first") + marshal_counts(callers + "0");
  for (int i = 0; i < 2000; ++i)
    shared += marshal_key("f" + std::to_string(i)) + marshal_counts("r" + little_endian(0));
  const ParsedProfile parsed = parsed_profile(shared + "0");
  CHECK(parsed.stats.functions.size() == 2001);
  CHECK(parsed.stats.callers.size() <= shared.size() / 10);
  CHECK(parsed.diagnostics.count("python-stats-entry-skipped") > 1900);
}

TEST_CASE("statistics of Python functions are recognized by content, or by Debugger's path") {
  CHECK(looks_like_python_stats("x", "{0"));
  CHECK(looks_like_python_stats("x", R"({"start_time": 1.5, "root_frame": {"function")"));
  CHECK(looks_like_python_stats("/a/framework/pytorch/cProfile/0-algo-1/b/python_stats", "corrupt"));
  CHECK(looks_like_python_stats("/a/framework/pytorch/pyinstrument/0-algo-1/b/python_stats.json", "["));
  CHECK_FALSE(looks_like_python_stats("/a/python_stats", "corrupt"));
  CHECK_FALSE(looks_like_python_stats("/a/pyinstrument/other.json", "{}"));
  for (const std::string_view other :
       {"", "{", "{\"ph\": \"X\"}", R"({"traceEvents": [{"name": "\"root_frame\""}], "root_frame": 1})", "{)\2",
        "[)\3"})
    CHECK_FALSE(looks_like_python_stats("trace.json", other));
}
