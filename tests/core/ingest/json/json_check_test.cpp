#include "core/ingest/json/json_check.hpp"

#include <simdjson.h>

#include <random>

#include "tests/catch.hpp"

using namespace warpscope::ingest;

namespace {

bool checks(std::string_view text, std::size_t piece) {
  JsonCheck check;
  for (std::size_t at = 0; at < text.size(); at += piece)
    if (!check.take(text.substr(at, piece))) return false;
  return check.whole();
}

bool parses(std::string_view text) {
  simdjson::dom::parser parser;
  return parser.parse(simdjson::padded_string(text)).error() == simdjson::SUCCESS;
}

}  // namespace

TEST_CASE("valid and invalid JSON are recognized in pieces of any size") {
  for (const char* sound : {"{}", " [ ] ", "0", "-0.5e+10", "[1,2.0,-3e5]",
                            R"({"a":{"b":[true,false,null]},"c":"\u00e9\n"})", "\"µ😀\"", "1 "})
    for (const std::size_t piece : {1u, 2u, 100u}) {
      INFO(sound);
      CHECK(checks(sound, piece));
    }
  for (const char* wrong : {"",
                            "{",
                            "[1,]",
                            "{\"a\":1,}",
                            "{a:1}",
                            "{'a':1}",
                            "[1 2]",
                            "01",
                            "1.",
                            ".5",
                            "1e",
                            "+1",
                            "nan",
                            "tru",
                            "\"a\nb\"",
                            "\"\\x\"",
                            "\"\\u12g4\"",
                            "[}",
                            "{\"a\" 1}",
                            "{\"a\":1]",
                            "1 2",
                            "{}{}",
                            "\"\xC0\x80\"",
                            "\"\xED\xA0\x80\"",
                            "\"\xF4\x90\x80\x80\"",
                            "\"\xC3\"",
                            "\"a"})
    for (const std::size_t piece : {1u, 2u, 100u}) {
      INFO(wrong);
      CHECK_FALSE(checks(wrong, piece));
    }
}

TEST_CASE("validity agrees with simdjson") {
  std::mt19937 random(5);
  const std::string_view seed =
      R"({"traceEvents":[{"ph":"X","ts":1.5e3,"args":{"a":[1,-2,null]}},{"n":"\u0041é"}],"b":true})";
  int sound = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text(seed);
    for (auto changes = random() % 3; changes > 0; --changes) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0)
        text[at] = R"({}[]",:\0e.-u )"[random() % 14];
      else
        text.erase(at, 1 + random() % 3);
      if (text.empty()) break;
    }
    const bool truth = parses(text);
    sound += truth ? 1 : 0;
    if (checks(text, 7) != truth) {
      INFO(text);
      CHECK(checks(text, 7) == truth);
    }
  }
  CHECK(sound > 2000);
}
