// Compares both gzip decompressors with each other and with the original text.
#include <zlib.h>

#include <array>

#include "core/ingest/bytes/inflater.hpp"
#include "tests/core/ingest/compression.hpp"
#include "tests/core/ingest/kineto_support.hpp"
#include "tests/core/ingest/stream_support.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using ingest::GzipEngine;

namespace {

constexpr std::array kEngines{GzipEngine::zlib, GzipEngine::isal};

ReadText read_with(GzipEngine engine, const std::string& path, std::size_t block = 1 << 16) {
  ingest::OpenOptions options;
  options.engine = engine;
  return read_all(path, options, block);
}

/// One member, compressed in any way that deflate allows, with a header that has any of the optional fields.
std::string random_member(std::string_view text, std::mt19937& random) {
  constexpr std::array kStrategies{Z_DEFAULT_STRATEGY, Z_DEFAULT_STRATEGY, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED};
  z_stream state{};
  deflateInit2(&state, static_cast<int>(random() % 10), Z_DEFLATED, 16 + 9 + static_cast<int>(random() % 7),
               1 + static_cast<int>(random() % 9), kStrategies[random() % kStrategies.size()]);
  std::string name = "rank.json";
  std::string comment(random() % 300, 'c');
  std::string extra(random() % 400, 'e');
  gz_header header{};
  if (random() % 2 == 0) header.name = reinterpret_cast<Bytef*>(name.data());
  if (random() % 2 == 0) header.comment = reinterpret_cast<Bytef*>(comment.data());
  if (random() % 2 == 0) header.extra = reinterpret_cast<Bytef*>(extra.data());
  header.extra_len = static_cast<uInt>(extra.size());
  header.hcrc = static_cast<int>(random() % 2);
  deflateSetHeader(&state, &header);
  std::string out(deflateBound(&state, static_cast<uLong>(text.size())) + 2000 + text.size() / 8, '\0');
  state.next_out = reinterpret_cast<Bytef*>(out.data());
  state.avail_out = static_cast<uInt>(out.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = std::min<std::size_t>(text.size() - at, 1 + random() % 100'000);
    state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data() + at));
    state.avail_in = static_cast<uInt>(size);
    deflate(&state, random() % 4 == 0 ? Z_FULL_FLUSH : random() % 3 == 0 ? Z_SYNC_FLUSH : Z_NO_FLUSH);
    REQUIRE(state.avail_in == 0);
    at += size;
  }
  REQUIRE(deflate(&state, Z_FINISH) == Z_STREAM_END);
  out.resize(state.total_out);
  deflateEnd(&state);
  return out;
}

struct Made {
  std::string text;
  std::string content;
};

Made random_file(unsigned seed) {
  std::mt19937 random(seed);
  Made made;
  const auto members = 1 + random() % 4;
  for (std::size_t i = 0; i < members; ++i) {
    const std::string text = random() % 8 == 0 ? "" : trace_like(1 + random() % 150'000, random());
    made.text += text;
    made.content += random_member(text, random);
  }
  return made;
}

bool skip_without_isal() {
  if (ingest::make_isal_inflater()) return false;
  WARN("built without ISA-L: nothing to compare zlib with");
  return true;
}

}  // namespace

TEST_CASE("gzip: both engines read every kind of member", "[gzip]") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const Made made = random_file(seed);
    const TemporaryFile file(made.content);
    for (const GzipEngine engine : kEngines) {
      for (const std::size_t block : {std::size_t{0}, std::size_t{1} << 20}) {
        const ReadText read = read_with(engine, file.path(), block);
        INFO("seed " << seed << " engine " << static_cast<int>(engine) << " block " << block);
        CHECK_FALSE(read.error);
        CHECK((read.text == made.text));
        CHECK(read.consumed == made.content.size());
      }
    }
  }
}

TEST_CASE("gzip: both engines agree on truncated, padded and extended files", "[gzip]") {
  if (skip_without_isal()) return;
  std::mt19937 random(11);
  std::size_t errors = 0;
  for (unsigned seed = 100; seed < 160; ++seed) {
    std::string content = random_file(seed).content;
    const std::size_t whole = content.size();
    if (random() % 3 != 0) content.resize(random() % 2 == 0 ? random() % whole : whole - random() % 30);
    if (random() % 3 == 0) content.append(random() % 900, '\0');
    if (random() % 3 == 0) content += "and more";
    if (content.size() < 2) continue;
    const TemporaryFile file(content);
    const ReadText one = read_with(GzipEngine::zlib, file.path(), 0);
    const ReadText other = read_with(GzipEngine::isal, file.path(), 0);
    INFO("seed " << seed << " of " << whole << " bytes " << content.size());
    // If the input ends inside a unit that ISA-L decodes in one step, up to two preceding literals are missing.
    CHECK(one.text.starts_with(other.text));
    CHECK(one.text.size() - other.text.size() <= (one.error ? 2 : 0));
    CHECK(one.error.has_value() == other.error.has_value());
    if (one.error && other.error) CHECK(one.error->message() == other.error->message());
    if (!one.error) CHECK(one.consumed == other.consumed);
    errors += one.error ? 1 : 0;
  }
  CHECK(errors > 25);
}

TEST_CASE("gzip: both engines detect corruption and return the same text before it", "[gzip]") {
  if (skip_without_isal()) return;
  std::mt19937 random(12);
  std::size_t errors = 0;
  std::size_t same = 0;
  for (unsigned seed = 300; seed < 400; ++seed) {
    const Made made = random_file(seed);
    std::string content = made.content;
    for (auto changes = 1 + random() % 3; changes > 0; --changes)
      content[2 + random() % (content.size() - 2)] ^= static_cast<char>(1U << random() % 8);
    const TemporaryFile file(content);
    const ReadText one = read_with(GzipEngine::zlib, file.path(), 0);
    const ReadText other = read_with(GzipEngine::isal, file.path(), 0);
    INFO("seed " << seed);
    // No engine checks the contents of names, times and comments. Everything else is checked.
    CHECK((one.error || one.text == made.text));
    CHECK(one.error.has_value() == other.error.has_value());
    // zlib rejects some code tables that ISA-L rejects only when it encounters a missing code.
    const std::size_t common = std::min(one.first_damage, other.first_damage);
    CHECK((one.text.substr(0, common) == other.text.substr(0, common)));
    errors += one.error ? 1 : 0;
    const bool equal = one.text == other.text && (!one.error || one.error->message() == other.error->message());
    same += equal ? 1 : 0;
  }
  CHECK(errors > 75);
  CHECK(same > 90);
}

TEST_CASE("gzip: a wrong checksum or length is corruption", "[gzip]") {
  const std::string text = trace_like(200'000, 1);
  const std::string content = gzip(text);
  for (const GzipEngine engine : kEngines) {
    for (std::size_t back = 1; back <= 8; ++back) {
      std::string wrong = content;
      wrong[wrong.size() - back] ^= 0x10;
      const ReadText read = read_with(engine, TemporaryFile(wrong + content).path());
      REQUIRE(read.error);
      CHECK((read.text == text + text));
      CHECK(read.error->what.find("corrupt") != std::string::npos);
      CHECK(read.error->what.find(back > 4 ? "(checksum)" : "(length)") != std::string::npos);
    }
  }
}

TEST_CASE("gzip: an invalid header is corruption", "[gzip]") {
  const std::string content = gzip("text");
  const auto message = [](const std::string& bytes) {
    const ReadText read = read_with(GzipEngine::best, TemporaryFile(bytes).path());
    return read.error ? read.error->message() : "read: " + read.text;
  };
  CHECK(message(content) == "read: text");
  std::string method = content;
  method[2] = 7;
  CHECK(message(method).find("(header)") != std::string::npos);
  std::string reserved = content;
  reserved[3] = static_cast<char>(0x80);
  CHECK(message(reserved).find("(header)") != std::string::npos);
  CHECK(message(content + "\x1f\x8c").find("(header)") != std::string::npos);
  CHECK(message(content + "\x1f\x8b").find("truncated") != std::string::npos);
  // A checksum of the header itself, correct and wrong.
  std::string checked("\x1f\x8b\x08\x02\0\0\0\0\0\x03", 10);
  const uLong crc = crc32(0, reinterpret_cast<const Bytef*>(checked.data()), 10);
  checked += {static_cast<char>(crc & 0xff), static_cast<char>(crc >> 8 & 0xff)};
  CHECK(message(checked + content.substr(10)) == "read: text");
  checked[10] ^= 1;
  CHECK(message(checked + content.substr(10)).find("(header)") != std::string::npos);
}
