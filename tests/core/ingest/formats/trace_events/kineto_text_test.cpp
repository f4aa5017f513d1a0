#include "core/ingest/json/compact.hpp"
#include "core/ingest/json/text.hpp"
#include "tests/catch.hpp"

using namespace warpscope::ingest::json;

namespace {

struct Decoded {
  std::string text;
  Notes notes;
};

Decoded decode(std::string_view raw) {
  Scratch scratch;
  Decoded decoded;
  decoded.text = std::string(decode_string(raw, scratch, decoded.notes));
  return decoded;
}

}  // namespace

TEST_CASE("text: escapes are resolved", "[kineto][text]") {
  CHECK(decode("plain").text == "plain");
  CHECK(decode(R"(a\"b\\c\/d\n\t\r\b\f)").text == "a\"b\\c/d\n\t\r\b\f");
  CHECK(decode(R"(\u0041\u00e9\u20AC)").text == "A\xc3\xa9\xe2\x82\xac");
  CHECK(decode(R"(\ud83d\ude00!)").text == "\xf0\x9f\x98\x80!");
  CHECK(decode("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80").text == "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  CHECK(decode(R"(\u0041\n\ud83d\ude00)").notes.empty());
}

TEST_CASE("text: unknown escapes keep their backslash", "[kineto][text]") {
  for (const char* raw : {R"(torch\cuda\__init__)", R"(\u12)", R"(\uxyzw)", "end\\"}) {
    const Decoded decoded = decode(raw);
    CHECK(decoded.text == raw);
    CHECK(decoded.notes.has(Oddity::stray_backslash));
  }
}

TEST_CASE("text: invalid UTF-8 becomes U+FFFD, one for each byte", "[kineto][text]") {
  constexpr const char* kBad = "\xef\xbf\xbd";
  const auto check = [&](std::string_view raw, const std::string& expected) {
    const Decoded decoded = decode(raw);
    CHECK(decoded.text == expected);
    CHECK(decoded.notes.has(Oddity::invalid_utf8));
  };
  const std::string bad = kBad;
  check(
      "a\xff"
      "b",
      "a" + bad + "b");
  check("\xc0\x80", bad + bad);  // overlong
  check("\xe2\x82", bad + bad);  // truncated
  check("\xe2\x82(", bad + bad + "(");
  check("\xed\xa0\x80", bad + bad + bad);  // a surrogate
  check("\xf5\x80", bad + bad);            // beyond Unicode
  check("\x80\x80", bad + bad);
  check(R"(\ud83d)", bad);
  check(R"(\ude00x)", bad + "x");
  check(R"(\ud83d\u0041)", bad + "A");
}

TEST_CASE("text: control characters are kept and reported", "[kineto][text]") {
  const Decoded decoded = decode("a\x01\nb");
  CHECK(decoded.text == "a\x01\nb");
  CHECK(decoded.notes.has(Oddity::control_character));
}

TEST_CASE("text: an excerpt is one line of valid UTF-8", "[kineto][text]") {
  CHECK(excerpt("a\nb\x01", 80) == "a b ");
  CHECK(excerpt("\xe2\x82\xac\xe2\x82\xac", 5) == "\xe2\x82\xac");
  CHECK(excerpt("\xff", 80) == "\xef\xbf\xbd");
  CHECK(excerpt("\xff", 2).empty());
}

TEST_CASE("text: binary bytes are shown readably", "[kineto][text]") {
  using namespace std::string_literals;
  CHECK(readable("plain \xc3\xbc\n\ttext", 80) == "plain \xc3\xbc  text");
  CHECK(readable("a\x01\x7f\xff"s + "b", 80) == "a\\x01\\x7f\\xffb");
  CHECK(readable("a\0\0\0b"s, 80) == "a\\x00\\x00\\x00b");
  CHECK(readable("\"x" + std::string(4096, '\0') + "\xff\xfe\xe4\xb8"s + "y", 80) ==
        "\"x\\x00\u2026\\xff\\xfe\\xe4\\xb8y");
  for (std::size_t limit = 0; limit < 20; ++limit) {
    const std::string cut = readable("ab\x01\xc3\xbc\x02\x02\x02\x02\x02z", limit);
    CHECK(cut.size() <= limit);
    CHECK(std::string_view("ab\\x01\xc3\xbc\\x02\u2026z").starts_with(cut));
  }
}

TEST_CASE("compact: only white space is removed", "[kineto][text]") {
  CHECK(compact_json("[ [16, 2],\n [ ] , {\"a b\" :1} ]", Words::keep) == "[[16, 2], [], {\"a b\": 1}]");
  CHECK(compact_json("[ [16, 2],\n [ ] , {\"a b\" :1} ]", Words::as_null) == "[[16,2],[],{\"a b\":1}]");
  CHECK(compact_json(R"({"a": "x\"y, ]"})", Words::as_null) == R"({"a":"x\"y, ]"})");
}

TEST_CASE("compact: invalid JSON is repaired", "[kineto][text]") {
  CHECK(compact_json("[1, 2, ]", Words::as_null) == "[1,2]");
  CHECK(compact_json("[inf, -nan, true, 1]", Words::as_null) == "[null,null,true,1]");
  CHECK(compact_json("[inf]", Words::keep) == "[inf]");
  CHECK(compact_json("[\"a\nb\\c\"]", Words::as_null) == R"(["a\nb\\c"])");
  CHECK(compact_json("[\"open", Words::as_null) == "[\"open\"");
}
