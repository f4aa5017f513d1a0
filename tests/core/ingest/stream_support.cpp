#include "tests/core/ingest/stream_support.hpp"

#include <cstddef>

namespace warpscope::tests {

ReadText read_rest(ingest::ByteStream& stream, std::size_t block) {
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

ReadText read_all(const std::string& path, const ingest::OpenOptions& options, std::size_t block) {
  auto stream = ingest::open_byte_stream(path, options);
  if (!stream.ok()) return {{}, stream.error(), 0, 0};
  return read_rest(**stream, block);
}

std::string trace_like(std::size_t size, std::uint_fast32_t seed) {
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
