#include "core/ingest/bytes/text_writer.hpp"

#include "tests/catch.hpp"
#include "tests/core/analysis/brute_force.hpp"
#include "tests/test_folder.hpp"

using namespace warpscope;
using namespace warpscope::ingest;
using namespace warpscope::tests;

TEST_CASE("text is written plain or compressed, and appears once complete") {
  const TestFolder folder;
  for (const auto packing : {TextWriter::Packing::none, TextWriter::Packing::gzip}) {
    const std::string file = (folder.path() / "out").string();
    std::filesystem::remove(file);
    {
      auto writer = TextWriter::create(file, packing);
      REQUIRE(writer);
      CHECK_FALSE(writer->write("begun"));
      CHECK_FALSE(std::filesystem::exists(file));
    }
    CHECK(std::filesystem::is_empty(folder.path()));
    std::string text;
    for (std::size_t i = 0; i < 300'000; ++i) text += std::to_string(i * 7919);
    auto writer = TextWriter::create(file, packing);
    REQUIRE(writer);
    for (std::size_t at = 0; at < text.size(); at += 99'999)
      CHECK_FALSE(writer->write(std::string_view(text).substr(at, 99'999)));
    CHECK_FALSE(writer->finish());
    CHECK(plain_text_of(file) == text);
    CHECK(writer->bytes() == std::filesystem::file_size(file));
    CHECK((writer->bytes() < text.size()) == (packing == TextWriter::Packing::gzip));
  }
  CHECK_FALSE(TextWriter::create((folder.path() / "no" / "out").string(), TextWriter::Packing::none));
}
