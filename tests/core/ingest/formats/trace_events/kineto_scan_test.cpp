// Compares the block-wise scanners with plain byte-by-byte loops.
#include <random>
#include <string>

#include "core/ingest/json/scan.hpp"
#include "tests/catch.hpp"

using namespace warpscope::ingest::json;

namespace {

/// Text with the padding required by scanners.
std::string padded(const std::string& text) { return text + std::string(kPadding, '\0'); }

/// Returns the length of the value at the start of `text`, based only on its brackets and quotes; 0 if it does not end.
std::size_t nested_length(const std::string& text) {
  int depth = 0;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inside && c == '\\') {
      ++i;
    } else if (c == '"') {
      inside = !inside;
    } else if (!inside && (c == '{' || c == '[')) {
      ++depth;
    } else if (!inside && (c == '}' || c == ']') && --depth == 0) {
      return i + 1;
    }
  }
  return 0;
}

/// A random valid value with many constructs that are hard to skip.
std::string random_value(std::mt19937& random, int depth) {
  const auto string = [&] {
    constexpr std::string_view kPieces[] = {"a", "\\\"", "\\\\", "{", "]", ",", "correlation", "\\u0041", "in"};
    std::string text = "\"";
    for (auto n = random() % 6; n > 0; --n) text += kPieces[random() % std::size(kPieces)];
    return text + "\"";
  };
  const std::string space(random() % 3, ' ');
  switch (depth > 0 ? random() % 5 : random() % 3) {
    case 0:
      return string();
    case 1:
      return std::to_string(random() % 1000);
    case 2:
      return "null";
    case 3: {
      std::string text = "[" + space;
      for (auto n = random() % 4; n > 0; --n) text += random_value(random, depth - 1) + (n > 1 ? "," + space : space);
      return text + "]";
    }
    default: {
      std::string text = "{" + space;
      for (auto n = random() % 4; n > 0; --n)
        text += string() + space + ":" + random_value(random, depth - 1) + (n > 1 ? "," : space);
      return text + "}";
    }
  }
}

}  // namespace

TEST_CASE("scan: ends of nested values agree with a plain loop", "[kineto][scan]") {
  std::mt19937 random(11);
  for (int i = 0; i < 5000; ++i) {
    const std::string value = "{\"a\": " + random_value(random, 5) + ", \"b\": [" + random_value(random, 3) + "]}";
    const std::string text = padded(value + " , {\"ph\": 1}");
    const char* const end = text.data() + text.size() - kPadding;
    INFO(value);
    const NestedScan scan = scan_nested(text.data(), end);
    REQUIRE(scan.status == Scan::complete);
    CHECK(static_cast<std::size_t>(scan.next - text.data()) == nested_length(value));
    // If the text is truncated anywhere, the scanner asks for more, whether padding or text follows.
    const std::size_t cut = random() % value.size();
    CHECK(scan_nested(text.data(), text.data() + cut).status == Scan::need_more);
    const std::string shorter = padded(value.substr(0, cut));
    CHECK(scan_nested(shorter.data(), shorter.data() + cut).status == Scan::need_more);
  }
}

TEST_CASE("scan: invalid JSON is corruption at any position in a block", "[kineto][scan]") {
  for (std::size_t pad = 0; pad < 140; ++pad) {
    const std::string filler = "{\"f\": \"" + std::string(pad, 'x') + "\", ";
    const auto status = [&](const std::string& rest) {
      const std::string text = padded(filler + rest);
      return scan_nested(text.data(), text.data() + text.size() - kPadding).status;
    };
    CHECK(status("\"a\": \"\\n \\u0041 in nan\"}") == Scan::complete);
    CHECK(status("\"a\": [null, true, false, -1.5e3]}") == Scan::complete);
    for (const char* damage : {"\"a\": inf}",
                               "\"a\": nan}",
                               "\"a\": NaN}",
                               "\"a\": -Infinity}",
                               "\"a\": \"\n\"}",
                               "\"a\": \"\\c\"}",
                               "\"a\": \\n}",
                               "\"a\": 1, }",
                               "\"a\": 1,\n\t }",
                               "\"a\": [1]]",
                               "\"a\": 1 2}",
                               "\"a\" 1}",
                               "\"a\": \"b\": 1}",
                               "\"a\", \"b\": 1}",
                               "\"a\": }",
                               "\"a\": [1}}",
                               "\"a\": +1}",
                               "\"a\": 01}",
                               "\"a\": 1.}",
                               "\"a\": 1e}",
                               "\"a\": 1-2}",
                               "\"a\": [1,,2]}",
                               "\"a\": \"\\u12g4\"}",
                               "\"a\": \"\xff\"}",
                               "\"a\": \x01 1}",
                               "\"a\": tru}",
                               "1: 2}",
                               "{}: 2}"}) {
      INFO(pad << " " << damage);
      CHECK(status(damage) == Scan::damaged);
    }
  }
}

TEST_CASE("scan: strings end at the first unescaped quote", "[kineto][scan]") {
  for (std::size_t pad = 0; pad < 70; ++pad) {
    const std::string filler(pad, 'x');
    for (const std::string inner : {"", "\\\"", "\\\\", "\\\\\\\"", "\xc3\xa9", "[{"}) {
      const std::string text = padded("\"" + filler + inner + "\" tail");
      const StringScan scan = scan_string(text.data() + 1, text.data() + text.size() - kPadding);
      REQUIRE(scan.status == Scan::complete);
      CHECK(static_cast<std::size_t>(scan.close - text.data()) == 1 + pad + inner.size());
      CHECK(scan.plain == (inner.empty() || inner == "[{"));
    }
    const std::string control = padded("\"" + filler + "\x01\"");
    CHECK(scan_string(control.data() + 1, control.data() + control.size() - kPadding).status == Scan::damaged);
    const std::string open = padded("\"" + filler + "\\\"");
    CHECK(scan_string(open.data() + 1, open.data() + open.size() - kPadding).status == Scan::need_more);
  }
}

TEST_CASE("scan: values of every kind are complete, open or corrupt", "[kineto][scan]") {
  const auto scan = [](const std::string& value) {
    const std::string text = padded(value);
    const ValueScan result = scan_value(text.data(), text.data() + value.size());
    return std::pair(result.status, result.status == Scan::complete ? result.next - text.data() : 0);
  };
  CHECK(scan("12.5e3,") == std::pair(Scan::complete, std::ptrdiff_t{6}));
  CHECK(scan("null}") == std::pair(Scan::complete, std::ptrdiff_t{4}));
  CHECK(scan("\"a\"") == std::pair(Scan::complete, std::ptrdiff_t{3}));
  CHECK(scan("[1]") == std::pair(Scan::complete, std::ptrdiff_t{3}));
  for (const char* open : {"", "12", "-", "nul", "true", "\"a", "[1"}) CHECK(scan(open).first == Scan::need_more);
  for (const char* wrong : {"inf, ", "nothing", "-x", "}", ","}) CHECK(scan(wrong).first == Scan::damaged);
}

TEST_CASE("scan: bit masks agree with a plain loop", "[kineto][scan]") {
  CHECK(prefix_xor(0b0100'0100) == 0b0011'1100);
  CHECK(prefix_xor(1) == ~std::uint64_t{0});
  std::mt19937_64 random(2);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t bits = random();
    CHECK(count_bits(bits) == std::popcount(bits));
  }
  constexpr std::string_view kOrdinary = "\"{}[] \n\r\t0123456789,:";
  char bytes[256];
  for (unsigned i = 0; i < 256; ++i) bytes[i] = static_cast<char>(i);
  for (unsigned i = 0; i < 256; ++i) {
    const Block64 block(bytes + i / 64 * 64);
    const auto bit = [i](std::uint64_t mask) { return (mask >> i % 64 & 1U) != 0; };
    CHECK(bit(block.equal(bytes[i])));
    CHECK(bit(block.odd_inside()) == (i < 0x20 || i > 0x7f || i == '\\'));
    CHECK(bit(block.odd_outside()) == (kOrdinary.find(bytes[i]) == std::string_view::npos));
    CHECK(bit(block.equal_folded('|')) == ((i | 0x20U) == '|'));
  }
}
