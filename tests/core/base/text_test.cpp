#include <limits>
#include <random>

#include "core/base/json_writer.hpp"
#include "core/base/text_pattern.hpp"
#include "core/base/utf8.hpp"
#include "tests/catch.hpp"

using namespace warpscope;

TEST_CASE("code points are decoded, and invalid bytes are replaced one by one") {
  const auto read = [](std::string_view text) {
    std::u32string out;
    for (std::size_t at = 0; at < text.size();) out += next_code_point(text, at);
    return out;
  };
  CHECK(read("aµ–😀") == U"aµ–😀");
  CHECK(read("\x80") == U"\uFFFD");
  CHECK(read("\xC3") == U"\uFFFD");
  CHECK(read("\xC3(") == U"\uFFFD(");
  CHECK(read("\xC0\xAF") == U"\uFFFD\uFFFD");            // overlong
  CHECK(read("\xED\xA0\x80") == U"\uFFFD\uFFFD\uFFFD");  // surrogate
  CHECK(read("\xF4\x90\x80\x80") == U"\uFFFD\uFFFD\uFFFD\uFFFD");
  CHECK(read("\xE2\x82") == U"\uFFFD\uFFFD");
  CHECK(read("\xFF") == U"\uFFFD");
}

TEST_CASE("code points survive being written and read") {
  for (char32_t c = 0; c <= 0x10FFFF; c += c < 0x3000 ? 1 : 37) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string text;
    append_code_point(text, c);
    std::size_t at = 0;
    REQUIRE(next_code_point(text, at) == c);
    REQUIRE(at == text.size());
  }
}

TEST_CASE("display width equals that of a terminal") {
  CHECK(display_width("kernel") == 6);
  CHECK(display_width("µs") == 2);
  CHECK(display_width("1\u2009000") == 5);
  CHECK(display_width("日本") == 4);
  CHECK(display_width("e\u0301") == 1);
  CHECK(display_width("😀") == 2);
  CHECK(display_width("") == 0);
}

TEST_CASE("terminal text has no escape sequences and keeps its width") {
  CHECK(printable("a\x1b[31mb") == "a\uFFFD[31mb");
  CHECK(printable("a\tb\nc") == "a b c");
  CHECK(printable("a\u202Eb") == "a\uFFFDb");
  CHECK(printable("void gemm_kernel<float>", 11) == "void …loat>");
  CHECK(printable("exactly", 7) == "exactly");
  CHECK(printable("exactly", 6) == "exa…ly");
  CHECK(printable("日本語日本語", 7) == "日…本語");
  for (std::size_t width = 1; width < 20; ++width)
    CHECK(display_width(printable("日本語日本語 kernel e\u0301\u0301 x", width)) <= width);
}

TEST_CASE("control characters are replaced, and nothing else") {
  CHECK(without_controls("a\x1b[31m\x7f\u009bb") == "a\uFFFD[31m\uFFFD\uFFFDb");
  CHECK(without_controls("a\tb\r\nc\u202Eµ😀") == "a\tb\r\nc\uFFFDµ😀");
  CHECK(without_controls("a\x9b z") == "a\uFFFD z");
}

TEST_CASE("JSON text is escaped and valid for any input") {
  const auto written = [](std::string_view text) {
    std::string out;
    append_json_string(out, text);
    return out;
  };
  CHECK(written("plain") == "\"plain\"");
  CHECK(written("a\"b\\c/d") == R"("a\"b\\c/d")");
  CHECK(written("\n\r\t\b\f") == R"("\n\r\t\b\f")");
  CHECK(written(std::string_view("\0\x1f\x7f", 3)) == R"("\u0000\u001f\u007f")");
  CHECK(written("\u0080\u009b\u00a0") == "\"\\u0080\\u009b\u00a0\"");
  CHECK(written("\u202Ea\u2069") == R"("\u202ea\u2069")");
  CHECK(written("µ😀") == "\"µ😀\"");
  CHECK(written("a\xFFz") == "\"a\uFFFDz\"");
}

TEST_CASE("JSON numbers are exact") {
  const auto written = [](double number) {
    std::string out;
    append_json_number(out, number);
    return out;
  };
  CHECK(written(0.1) == "0.1");
  CHECK(written(3) == "3");
  CHECK(written(-1.5e300) == "-1.5e+300");
  CHECK(written(std::numeric_limits<double>::quiet_NaN()) == "null");
  CHECK(written(-std::numeric_limits<double>::infinity()) == "null");
  std::mt19937_64 random(3);
  for (int i = 0; i < 1000; ++i) {
    const double number = std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 600) - 300);
    CHECK(std::stod(written(number)) == number);
  }
}

TEST_CASE("the JSON writer lays out objects and arrays") {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.member("schema", 1);
  json.member("largest", std::numeric_limits<std::int64_t>::max());
  json.member("unsigned", std::numeric_limits<std::uint64_t>::max());
  json.member("complete", true);
  json.member("none", nullptr);
  json.key("empty");
  json.begin_array();
  json.end_array();
  json.key("row");
  json.begin_array(JsonWriter::Layout::one_line);
  json.value("a");
  json.value(0.5);
  json.begin_object();
  json.member("k", std::string("v"));
  json.end_object();
  json.end_array();
  json.end_object();
  CHECK(out ==
        "{\n"
        "  \"schema\": 1,\n"
        "  \"largest\": 9223372036854775807,\n"
        "  \"unsigned\": 18446744073709551615,\n"
        "  \"complete\": true,\n"
        "  \"none\": null,\n"
        "  \"empty\": [],\n"
        "  \"row\": [\"a\", 0.5, {\"k\": \"v\"}]\n"
        "}\n");
}

TEST_CASE("a JSON document on one line") {
  std::string out;
  JsonWriter json(out, JsonWriter::Layout::one_line);
  json.begin_object();
  json.key("a");
  json.begin_array();
  json.value(1);
  json.value(2);
  json.end_array();
  json.end_object();
  CHECK(out == "{\"a\": [1, 2]}\n");
}

TEST_CASE("text patterns") {
  using P = TextPattern;
  CHECK(P::contains("nccl").matches("ncclDevKernel_AllReduce"));
  CHECK(P::contains("NCCL").matches("ncclDevKernel_AllReduce"));
  CHECK(P::contains("allreduce").matches("ncclDevKernel_AllReduce"));
  CHECK_FALSE(P::contains("allgather").matches("ncclDevKernel_AllReduce"));
  CHECK(P::contains("nccl*reduce").matches("void ncclDevKernel_AllReduce_Sum"));
  CHECK_FALSE(P::contains("reduce*nccl").matches("ncclDevKernel_AllReduce"));
  CHECK(P::contains("").matches("anything"));
  CHECK(P::contains("a*b", P::Stars::literal).matches("xa*bx"));
  CHECK_FALSE(P::contains("a*b", P::Stars::literal).matches("xabx"));

  CHECK(P::whole("kernel").matches("Kernel"));
  CHECK_FALSE(P::whole("kernel").matches("kernels"));
  CHECK(P::whole("cuda_*").matches("cuda_runtime"));
  CHECK_FALSE(P::whole("cuda_*").matches("xcuda_runtime"));
  CHECK(P::whole("*_runtime").matches("cuda_runtime"));
  CHECK(P::whole("a*a").matches("aa"));
  CHECK_FALSE(P::whole("a*a").matches("a"));
  CHECK(P::whole("a*b*c").matches("aXbYbZc"));
  CHECK(P::whole("*").matches(""));
  CHECK(P::whole("").matches(""));
  CHECK_FALSE(P::whole("").matches("x"));

  CHECK(P::exact("Kernel").matches("Kernel"));
  CHECK_FALSE(P::exact("Kernel").matches("kernel"));
}

namespace {

// The definition of a full match, written recursively.
bool matches_by_definition(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') {
    for (std::size_t skip = 0; skip <= text.size(); ++skip)
      if (matches_by_definition(pattern.substr(1), text.substr(skip))) return true;
    return false;
  }
  return !text.empty() && text[0] == pattern[0] && matches_by_definition(pattern.substr(1), text.substr(1));
}

}  // namespace

TEST_CASE("text patterns match according to their definition") {
  std::mt19937 random(5);
  const auto word = [&](std::string_view letters, std::size_t longest) {
    std::string out(random() % (longest + 1), ' ');
    for (char& c : out) c = letters[random() % letters.size()];
    return out;
  };
  int matched = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string pattern = word("ab*", 6);
    const std::string text = word("ab", 9);
    INFO(pattern << " " << text);
    const bool whole = matches_by_definition(pattern, text);
    matched += whole ? 1 : 0;
    REQUIRE(TextPattern::whole(pattern).matches(text) == whole);
    REQUIRE(TextPattern::contains(pattern).matches(text) == matches_by_definition("*" + pattern + "*", text));
  }
  CHECK(matched > 1000);
}
