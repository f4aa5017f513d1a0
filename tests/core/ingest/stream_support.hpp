#pragma once
// Shared by the tests of compressed input: trace-like texts, and reading of whole streams.
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/ingest/bytes/byte_stream.hpp"
#include "tests/catch.hpp"

namespace warpscope::tests {

struct ReadText {
  std::string text;
  std::optional<Error> error;
  std::uint64_t consumed = 0;
  std::uint64_t first_damage = 0;  ///< end of the text before the first damage; otherwise the length of the text
};

/// Reads to the end in blocks of `block` bytes; 0: random sizes.
inline ReadText read_rest(ingest::ByteStream& stream, std::size_t block = 1 << 16) {
  ReadText result;
  std::mt19937 random(5);
  std::vector<char> into(block);
  for (;;) {
    if (block == 0) into.resize(random() % 3 == 0 ? 1 + random() % 20 : 1 + random() % 90'000);
    const auto got = stream.read(into);
    if (!got.ok()) {
      result.error = got.error();
      const auto again = stream.read(into);
      REQUIRE_FALSE(again.ok());
      CHECK(again.error().what == result.error->what);
      break;
    }
    if (*got == 0) break;
    REQUIRE(*got <= into.size());
    result.text.append(into.data(), *got);
  }
  result.consumed = stream.consumed();
  result.first_damage = stream.damage().empty() ? result.text.size() : stream.damage().front().text_end;
  return result;
}

inline ReadText read_all(const std::string& path, const ingest::OpenOptions& options, std::size_t block = 1 << 16) {
  auto stream = ingest::open_byte_stream(path, options);
  if (!stream.ok()) return {{}, stream.error(), 0, 0};
  return read_rest(**stream, block);
}

/// Event-like text: many repetitions, unique numbers, occasional noise and long runs of one byte.
inline std::string trace_like(std::size_t size, std::uint_fast32_t seed) {
  std::mt19937 random(seed);
  std::string text = "{\"traceEvents\": [\n";
  while (text.size() < size) {
    const auto kind = random() % 200;
    if (kind == 0) {
      for (int i = 0; i < 3000; ++i) text += static_cast<char>(random() % 256);
    } else if (kind == 1) {
      text.append(random() % 3000, ' ');
    } else {
      text += R"({"ph": "X", "cat": "kernel", "name": "void at::native::elementwise_)" + std::to_string(random() % 40) +
              R"(", "pid": 0, "tid": )" + std::to_string(random() % 8) + R"(, "ts": )" + std::to_string(random()) +
              "." + std::to_string(random() % 1000) + R"(, "dur": )" + std::to_string(random() % 10'000) + "},\n";
    }
  }
  text.resize(size);
  return text;
}

}  // namespace warpscope::tests
