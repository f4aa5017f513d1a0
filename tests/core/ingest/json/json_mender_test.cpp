#include "core/ingest/json/json_mender.hpp"

#include <simdjson.h>

#include <filesystem>

#include "core/ingest/formats/trace_events/event_inserter.hpp"
#include "tests/catch.hpp"
#include "tests/core/analysis/brute_force.hpp"
#include "tests/shared_dir.hpp"

using namespace warpscope;
using namespace warpscope::ingest;
using namespace warpscope::tests;

namespace {

struct Mended {
  std::string text;
  bool changed = false;
  bool sound = true;
};

Mended mended(std::string_view text, std::size_t step = 1 << 20) {
  JsonMender mender;
  Mended result;
  for (std::size_t at = 0; at < text.size(); at += step) mender.take(text.substr(at, step), result.text);
  mender.finish(result.text);
  result.changed = mender.mended();
  result.sound = mender.sound();
  return result;
}

bool is_json(const std::string& text) {
  simdjson::dom::parser parser;
  return parser.parse(text).error() == simdjson::SUCCESS;
}

}  // namespace

TEST_CASE("valid JSON passes unchanged in pieces of any size") {
  const std::string text =
      "{\"a\" : [1, -2.5e+10, 0, 0.25, true , false, null],\r\n\t\"b\\\"\\\\\\/\\b\\u00e4\": {}, \"\": [ ] , "
      "\"\xC3\xA4 "
      "\xF0\x9F\x98\x80\xEF\xBF\xBD\": \"x\" }\n";
  REQUIRE(is_json(text));
  for (const std::size_t step : {std::size_t{1}, std::size_t{3}, std::size_t{1000}}) {
    const Mended result = mended(text, step);
    CHECK(result.text == text);
    CHECK_FALSE(result.changed);
    CHECK(result.sound);
  }
}

TEST_CASE("invalid JSON of known profilers is repaired") {
  const auto check = [](std::string_view text, std::string_view expected) {
    for (const std::size_t step : {std::size_t{1}, std::size_t{1000}}) {
      const Mended result = mended(text, step);
      CHECK(result.text == expected);
      CHECK(result.changed);
      CHECK(result.sound);
      CHECK(is_json(result.text));
    }
  };
  check("\xEF\xBB\xBF{}", "{}");
  check(R"({"name": "operator""_x", "cat": "a "b" c"})", R"({"name": "operator\"\"_x", "cat": "a \"b\" c"})");
  check(R"({"path": "C:\Users\x \u12"})", R"({"path": "C:\\Users\\x \\u12"})");
  check("{\"a\": \"x\ty\nz\x01\"}", R"({"a": "x\u0009y\u000az\u0001"})");
  check("{\"a\": \"\xFF\xC3 \xE2\x82\"}", "{\"a\": \"\xEF\xBF\xBD\xEF\xBF\xBD \xEF\xBF\xBD\"}");
  check(R"({"a": inf, "b": -nan, "c": [NaN, Infinity, 01, .5, 1., +1]})",
        R"({"a": null, "b": null, "c": [null, null, null, null, null, null]})");
  check(R"({"a": [1, 2, ], "b": 3,
})",
        R"({"a": [1, 2 ], "b": 3
})");
  check("[1,,2]", "[1,2]");
}

TEST_CASE("unrepairable JSON is detected") {
  for (const std::string_view text : {R"({"name": "{"a": "b", "c": "d"}(1): f", "pid": 1})", R"([1 2])", R"({1: 2})",
                                      R"([1})", "[1]]", R"({"a"})", R"([1: 2])", R"({"a": 1, 2})", R"([{"a": }])"}) {
    INFO(text);
    CHECK_FALSE(is_json(mended(text).text));
    CHECK_FALSE(mended(text).sound);
  }
}

TEST_CASE("malformed traces are copied as valid JSON", "[shared]") {
  const auto shared = shared_dir();
  if (!shared || !std::filesystem::is_directory(*shared / "traces" / "malformed")) {
    WARN("skipped, no shared folder with malformed traces");
    return;
  }
  std::size_t copied = 0;
  std::size_t changed = 0;
  std::size_t refused = 0;
  std::string said;
  for (const auto& entry : std::filesystem::directory_iterator(*shared / "traces" / "malformed")) {
    INFO(entry.path());
    if (entry.path().extension() == ".md") continue;
    auto stream = open_byte_stream(entry.path().string());
    if (!stream) continue;
    std::string text;
    const auto outcome = copy_with_events(
        **stream, entry.path().string(),
        [](std::string& out) {
          out += R"({"ph": "C"})";
          return false;
        },
        [&](std::string_view piece) -> Failure {
          text += piece;
          return {};
        });
    if (!outcome) {
      said += outcome.error().message() + "\n";
      refused += outcome.error().what.find("could not be repaired") != std::string::npos;
      continue;
    }
    ++copied;
    changed += outcome->mended;
    CHECK(is_json(text));
  }
  CHECK(copied >= 20);
  CHECK(changed >= 5);
  INFO(said);
  CHECK(refused <= 1);  // a name with JSON in it
}
