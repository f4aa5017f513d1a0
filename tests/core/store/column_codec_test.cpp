#include "core/store/column_codec.hpp"

#include <random>

#include "core/store/byte_stream.hpp"
#include "tests/catch.hpp"

using namespace warpscope;
using namespace warpscope::store;

namespace {

template <class Word>
void check_planes(std::mt19937_64& random, std::size_t count, unsigned bits) {
  std::vector<Word> values(count);
  for (Word& value : values) value = static_cast<Word>(bits == 0 ? 0 : random() >> (64 - bits));
  std::vector<std::uint8_t> bytes;
  append_planes(bytes, std::span<const Word>(values));
  bytes.push_back(42);
  std::span<const std::uint8_t> rest = bytes;
  std::vector<Word> back(count);
  REQUIRE(take_planes(rest, std::span<Word>(back)));
  CHECK(back == values);
  CHECK(rest.size() == 1);
  rest = std::span<const std::uint8_t>(bytes).first(bytes.size() - 2);
  if (count > 0) CHECK_FALSE(take_planes(rest, std::span<Word>(back)));
}

}  // namespace

TEST_CASE("planes return all values of any width") {
  std::mt19937_64 random(1);
  for (const std::size_t count : {0u, 1u, 2u, 31u, 1000u}) {
    for (unsigned bits = 0; bits <= 32; ++bits) check_planes<std::uint32_t>(random, count, bits);
    for (unsigned bits = 0; bits <= 64; ++bits) check_planes<std::uint64_t>(random, count, bits);
  }
}

TEST_CASE("invalid widths are rejected") {
  std::vector<std::uint32_t> narrow(1);
  std::vector<std::uint64_t> wide(1);
  for (const int width : {0, 5, 9, 255}) {
    const std::vector<std::uint8_t> bytes(300, static_cast<std::uint8_t>(width));
    std::span<const std::uint8_t> rest = bytes;
    CHECK_FALSE(take_planes(rest, std::span(narrow)));
    if (width == 5) continue;
    rest = bytes;
    CHECK_FALSE(take_planes(rest, std::span(wide)));
  }
}

TEST_CASE("gaps return start times, escaped or not") {
  std::mt19937_64 random(2);
  for (const std::size_t count : {1u, 16u, 17u, 500u}) {
    std::vector<std::uint32_t> begins(count);
    std::vector<std::uint32_t> durations(count);
    for (std::size_t i = 0; i < count; ++i) {
      begins[i] = i % 16 == 0 ? 0 : static_cast<std::uint32_t>(random() >> (32 + random() % 32));
      durations[i] = random() % 9 == 0 ? 0xFFFFFFFFu : static_cast<std::uint32_t>(random() >> (32 + random() % 32));
    }
    std::vector<std::uint32_t> gaps(count);
    for (std::size_t i = 0; i < count; ++i) gaps[i] = gap_at(begins, durations, i);
    gaps_to_begins(gaps, durations);
    CHECK(gaps == begins);
  }
}

TEST_CASE("a stream returns numbers and texts, and nothing past its end") {
  StreamWriter writer;
  const std::vector<std::uint64_t> numbers{0, 1, 127, 128, 300, ~std::uint64_t{0}, std::uint64_t{1} << 63};
  for (const std::uint64_t number : numbers) writer.number(number);
  for (const std::uint64_t number : numbers) writer.signed_number(static_cast<std::int64_t>(number));
  writer.text("");
  writer.text(std::string_view("a\0b", 3));
  StreamReader reader(writer.bytes());
  for (const std::uint64_t number : numbers) CHECK(reader.number() == number);
  for (const std::uint64_t number : numbers) CHECK(reader.signed_number() == static_cast<std::int64_t>(number));
  CHECK(reader.text().empty());
  CHECK(reader.text() == std::string_view("a\0b", 3));
  CHECK(reader.ok());
  CHECK(reader.left() == 0);
  CHECK(reader.number() == 0);
  CHECK_FALSE(reader.ok());

  const std::vector<std::uint8_t> endless(20, 0xFF);
  StreamReader number(endless);
  CHECK(number.number() == 0);
  CHECK_FALSE(number.ok());
  const std::vector<std::uint8_t> long_text{100, 'a'};
  StreamReader text(long_text);
  CHECK(text.text().empty());
  CHECK_FALSE(text.ok());
}
