#include "core/ingest/bytes/byte_stream.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <random>

#include "tests/catch.hpp"
#include "tests/core/ingest/compression.hpp"
#include "tests/core/ingest/kineto_support.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

struct ReadBlocks {
  std::string text;
  std::optional<Error> error;
  std::uint64_t consumed = 0;
};

ReadBlocks read_in_blocks(const std::string& path, std::size_t block = 1000) {
  ReadBlocks result;
  auto stream = ingest::open_byte_stream(path);
  if (!stream.ok()) {
    result.error = stream.error();
    return result;
  }
  std::vector<char> into(block);
  for (;;) {
    const auto got = (*stream)->read(into);
    if (!got.ok()) {
      result.error = got.error();
      CHECK_FALSE((*stream)->read(into).ok());
      break;
    }
    if (*got == 0) break;
    result.text.append(into.data(), *got);
  }
  result.consumed = (*stream)->consumed();
  return result;
}

/// Text that compresses so poorly that it takes several input blocks.
std::string noisy_text(std::size_t size) {
  std::mt19937 random(7);
  std::string text = "{";
  while (text.size() < size) text += static_cast<char>('0' + random() % 64);
  return text;
}

}  // namespace

TEST_CASE("byte_stream: plain, gzip and zstd are detected by content", "[byte_stream]") {
  const std::string text = noisy_text(900'000);
  for (const std::string& content : {text, gzip(text), zstd(text)}) {
    for (const char* suffix : {".json", ".gz", ".zst", ".txt"}) {
      const TemporaryFile file(content, suffix);
      for (const std::size_t block : {std::size_t{1000}, std::size_t{1} << 20}) {
        const ReadBlocks read = read_in_blocks(file.path(), block);
        CHECK_FALSE(read.error);
        CHECK(read.text == text);
        CHECK(read.consumed == content.size());
      }
    }
  }
}

TEST_CASE("byte_stream: several gzip members and zstd frames are read", "[byte_stream]") {
  const std::string a = "{\"a\": " + noisy_text(300'000);
  const std::string b = "second";
  CHECK(read_in_blocks(TemporaryFile(gzip(a) + gzip("") + gzip(b)).path()).text == a + b);
  CHECK(read_in_blocks(TemporaryFile(gzip(a) + gzip(b) + std::string(700, '\0')).path()).text == a + b);
  CHECK(read_in_blocks(TemporaryFile(zstd(a) + zstd_skippable("note") + zstd("") + zstd(b)).path()).text == a + b);
  CHECK(read_in_blocks(TemporaryFile(zstd_skippable("note") + zstd(b)).path()).text == b);
  CHECK_FALSE(read_in_blocks(TemporaryFile(gzip(a) + gzip(b) + std::string(700, '\0')).path()).error);
}

TEST_CASE("byte_stream: intact text of truncated and corrupt input comes before the error", "[byte_stream]") {
  const std::string text = noisy_text(600'000);
  for (const std::string& whole : {gzip(text), zstd(text)}) {
    for (const std::size_t cut : {whole.size() / 3, whole.size() / 2, whole.size() - 1}) {
      const ReadBlocks read = read_in_blocks(TemporaryFile(whole.substr(0, cut)).path());
      REQUIRE(read.error);
      CHECK(read.error->what.find("truncated") != std::string::npos);
      CHECK(text.starts_with(read.text));
      CHECK(read.text.size() > 50'000);
    }
    std::string damaged = whole;
    for (std::size_t i = 0; i < 40; ++i)
      damaged[whole.size() / 2 + i] = static_cast<char>(~damaged[whole.size() / 2 + i]);
    const ReadBlocks read = read_in_blocks(TemporaryFile(damaged).path());
    REQUIRE(read.error);
    CHECK(read.error->what.find("corrupt") != std::string::npos);
  }
  const ReadBlocks rest = read_in_blocks(TemporaryFile(gzip("text") + "and more").path());
  CHECK(rest.text == "text");
  REQUIRE(rest.error);
  CHECK(rest.error->what.find("extra data after the gzip stream") != std::string::npos);
}

TEST_CASE("byte_stream: other files are errors with their type", "[byte_stream]") {
  const auto what = [](const std::string& content) {
    const ReadBlocks read = read_in_blocks(TemporaryFile(content).path());
    CHECK(read.text.empty());
    return read.error ? read.error->message() : std::string();
  };
  CHECK(what("").find("is empty") != std::string::npos);
  CHECK(what("PK\x03\x04zip").find("zip archive") != std::string::npos);
  CHECK(what("\x7f"
             "ELF")
            .find("program") != std::string::npos);
  CHECK(what(std::string("\x01\x02\0\x03 more", 9)).find("binary") != std::string::npos);
  CHECK(what("\xff\xfe{").find("UTF-16") != std::string::npos);
  const auto wide = [](std::string_view text, std::size_t size, std::size_t at) {
    std::string bytes(text.size() * size, '\0');
    for (std::size_t i = 0; i < text.size(); ++i) bytes[i * size + at] = text[i];
    return bytes;
  };
  const std::string_view json = R"({"traceEvents": []})";
  for (const std::size_t at : {0u, 1u})
    CHECK(contains(what(wide(json, 2, at)), "is UTF-16 text, not UTF-8; convert it: iconv -f UTF-16 -t UTF-8"));
  for (const std::size_t at : {0u, 3u})
    CHECK(contains(what(wide(json, 4, at)), "is UTF-32 text, not UTF-8; convert it: iconv -f UTF-32 -t UTF-8"));
  CHECK(contains(what(std::string("\xff\xfe\0\0{\0\0\0", 8)), "is UTF-32 text"));
  CHECK_FALSE(read_in_blocks(TemporaryFile("{}").path()).error);
  CHECK(contains(what(std::string("\x1f\x8b\x08\0\0", 5)), "; no text could be read; "));
}

TEST_CASE("byte_stream: directories, pipes, devices and missing files are immediate errors", "[byte_stream]") {
  const auto message = [](const std::string& path) {
    const auto stream = ingest::open_byte_stream(path);
    return stream.ok() ? std::string("opened") : stream.error().message();
  };
  const TemporaryFile place("", "");
  std::filesystem::remove(place.path());
  CHECK(message(place.path()).find("no such file") != std::string::npos);
  REQUIRE(::mkfifo(place.path().c_str(), 0600) == 0);
  CHECK(message(place.path()).find("pipe") != std::string::npos);
  CHECK(message(std::filesystem::temp_directory_path().string()).find("directory") != std::string::npos);
  CHECK(message("/dev/zero").find("device") != std::string::npos);
  if (::geteuid() != 0) {
    const TemporaryFile secret("{}");
    std::filesystem::permissions(secret.path(), std::filesystem::perms::none);
    CHECK(message(secret.path()).find("permission") != std::string::npos);
  }
}

TEST_CASE("byte_stream: reading stops on cancel", "[byte_stream]") {
  const std::string text = noisy_text(3'000'000);
  for (const std::string& content : {text, gzip(text), zstd(text)}) {
    const TemporaryFile file(content);
    CancelToken cancel;
    auto stream = ingest::open_byte_stream(file.path(), &cancel);
    REQUIRE(stream.ok());
    std::vector<char> into(1000);
    REQUIRE((*stream)->read(into).ok());
    cancel.cancel();
    std::size_t read = 0;
    for (;;) {
      const auto got = (*stream)->read(into);
      if (!got.ok()) break;
      REQUIRE(*got > 0);
      read += *got;
    }
    CHECK(read < 1'000'000);
  }
}
