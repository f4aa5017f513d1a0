// Detects truncated files without reading them.
#include "core/ingest/bytes/early_end.hpp"

#include <filesystem>
#include <string>

#include "tests/catch.hpp"
#include "tests/core/ingest/compression.hpp"
#include "tests/test_folder.hpp"

using namespace warpscope;
using namespace warpscope::ingest;
using namespace warpscope::tests;

namespace {

bool early(const TestFolder& folder, const std::string& content, std::string_view text = "{") {
  const auto file = FileSource::open(folder.write("trace", content).string());
  REQUIRE(file);
  return ends_too_early(*file, text);
}

/// Text that hardly compresses: some blocks of a frame are compressed, some are not.
std::string noise(std::size_t size) {
  std::string text = "{";
  std::uint32_t state = 7;
  while (text.size() < size) {
    state = state * 1664525 + 1013904223;
    text += static_cast<char>(' ' + (state >> 24) % 95);
  }
  return text;
}

}  // namespace

TEST_CASE("an object without its closing brace is truncated, an array need not be closed") {
  const TestFolder folder;
  CHECK_FALSE(early(folder, R"({"a": 1} )"));
  CHECK(early(folder, R"({"a": 1, )"));
  CHECK_FALSE(early(folder, R"([{"a": 1}, )", "["));
  CHECK(early(folder, "\xEF\xBB\xBF {\"a\": ", "\xEF\xBB\xBF {"));
}

TEST_CASE("a gzip file with an invalid trailer is truncated") {
  const TestFolder folder;
  const std::string whole = gzip(noise(5000));
  CHECK_FALSE(early(folder, whole));
  CHECK_FALSE(early(folder, whole + whole));
  CHECK_FALSE(early(folder, gzip(std::string(3'000'000, 'a'))));  // as dense as deflate can be
  std::size_t known = 0;
  for (std::size_t size = whole.size() - 1000; size < whole.size(); ++size)
    known += early(folder, whole.substr(0, size)) ? 1 : 0;
  CHECK(known > 950);
}

TEST_CASE("a zstd file cut anywhere but between frames is truncated") {
  const TestFolder folder;
  const std::string big = zstd(noise(300'000));              // three blocks
  const std::string runs = zstd(std::string(400'000, 'a'));  // blocks of one repeated byte
  const std::string whole = zstd_skippable("note") + runs + zstd("{}") + big;
  CHECK_FALSE(early(folder, whole));
  CHECK_FALSE(early(folder, whole + zstd_skippable("")));
  CHECK_FALSE(early(folder, big + "\n"));
  const std::size_t begin = whole.size() - big.size();
  for (std::size_t size = 1; size < 40; ++size) CHECK(early(folder, whole.substr(0, begin + size)));
  for (std::size_t less = 1; less < 40; ++less) CHECK(early(folder, whole.substr(0, whole.size() - less)));
  for (std::size_t size = 12 + 1; size < 12 + runs.size(); ++size) CHECK(early(folder, whole.substr(0, size)));
  for (std::size_t size = 5; size < 12; ++size) CHECK(early(folder, whole.substr(0, size)));
  for (std::size_t size = begin + 1000; size < whole.size(); size += 4999) CHECK(early(folder, whole.substr(0, size)));
  CHECK_FALSE(early(folder, whole.substr(0, begin)));  // whole frames
}

TEST_CASE("the check of a zstd file is bounded") {
  const TestFolder folder;
  const std::string frame = zstd("");  // a header and a block: two looks
  std::string many;
  for (std::size_t i = 0; i < kMostZstdHeaders / 2 - 1; ++i) many += frame;
  CHECK(early(folder, many + frame.substr(0, frame.size() - 1)));
  CHECK_FALSE(early(folder, many + frame + frame.substr(0, frame.size() - 1)));
}
