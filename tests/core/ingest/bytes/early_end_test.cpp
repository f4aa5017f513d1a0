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

/// Text that barely compresses: some blocks of a frame are compressed, others are not.
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

TEST_CASE("an object without its closing brace is truncated; an array need not be closed") {
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
