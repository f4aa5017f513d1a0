// Text and events at offsets of compressed files.
#include <zstd.h>

#include "core/ingest/bytes/byte_stream.hpp"
#include "tests/core/ingest/compression.hpp"
#include "tests/core/ingest/kineto_support.hpp"
#include "tests/core/ingest/one_event.hpp"
#include "tests/core/ingest/stream_support.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using ingest::GzipEngine;

namespace {

/// One frame with the given window and no length in its header, as when compressing from a pipe.
std::string zstd_streamed(std::string_view text, int level, int window_log) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
  ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(text.size()) + 1000, '\0');
  ZSTD_inBuffer in{text.data(), text.size(), 0};
  ZSTD_outBuffer to{out.data(), out.size(), 0};
  while (in.pos < in.size) ZSTD_compressStream2(context, &to, &in, ZSTD_e_continue);
  while (ZSTD_compressStream2(context, &to, &in, ZSTD_e_end) != 0) {
  }
  ZSTD_freeCCtx(context);
  out.resize(to.pos);
  return out;
}

trace::SourceFile source_at(const std::string& path) {
  const auto stamp = ingest::stamp_at(path);
  REQUIRE(stamp.has_value());
  return {path, stamp->size, stamp->modified_ns, stamp->inode, 0};
}

}  // namespace

TEST_CASE("text at any offset of compressed text", "[byte_stream]") {
  const std::string text = trace_like(2'000'000, 1);
  std::mt19937 random(3);
  for (const std::string& content :
       {gzip(text), gzip(text.substr(0, 700'000)) + gzip(text.substr(700'000)), zstd_streamed(text, 3, 19)}) {
    const TemporaryFile file(content);
    for (const GzipEngine engine : {GzipEngine::zlib, GzipEngine::isal}) {
      for (int i = 0; i < 20; ++i) {
        const std::uint64_t offset = random() % text.size();
        ingest::OpenOptions options;
        options.engine = engine;
        auto stream = ingest::open_byte_stream_at(file.path(), offset, options);
        REQUIRE(stream.ok());
        CHECK((read_rest(**stream, i % 2 == 0 ? 300 : 200'000).text == text.substr(offset)));
      }
    }
  }
}

TEST_CASE("reading up to an offset can be cancelled", "[byte_stream]") {
  const std::string text = trace_like(1'000'000, 9);
  CancelToken cancel;
  cancel.cancel();
  for (const std::string& content : {gzip(text), zstd_streamed(text, 3, 19)}) {
    const TemporaryFile file(content);
    ingest::OpenOptions options;
    options.cancel = &cancel;
    const auto got = ingest::open_byte_stream_at(file.path(), 600'000, options);
    REQUIRE_FALSE(got.ok());
    CHECK(got.error().what.find("cancelled") != std::string::npos);
  }
}

TEST_CASE("events of a file that changed or ends before them are errors", "[byte_stream]") {
  const std::string text = trace_like(1'000'000, 5);
  const std::string other = trace_like(1'000'000, 6);
  for (const auto& [content, instead] :
       {std::pair{gzip(text), gzip(other)}, std::pair{zstd_streamed(text, 3, 18), zstd_streamed(other, 3, 18)}}) {
    TemporaryFile file(content);
    const trace::SourceFile before = source_at(file.path());
    file.write(instead);
    const auto changed = tests::read_event_at(before, 700'000);
    REQUIRE_FALSE(changed.ok());
    CHECK(changed.error().message().find("has changed since it was read; reload it") != std::string::npos);
    const auto behind = tests::read_event_at(source_at(file.path()), 1'000'001);
    REQUIRE_FALSE(behind.ok());
    CHECK(behind.error().what.find("ends before") != std::string::npos);
  }
}

TEST_CASE("an event is read from any offset of a compressed file", "[byte_stream]") {
  std::string text = "{\"traceEvents\": [";
  std::vector<std::uint64_t> offsets;
  for (int i = 0; i < 20'000; ++i) {
    offsets.push_back(text.size());
    text += R"({"ph":"X","name":"slice )" + std::to_string(i) +
            R"(","pid":1,"tid":2,"ts":1,"dur":1,"args":{}},)"
            "\n";
  }
  text += "{}]}";
  for (const std::string& content : {gzip(text), zstd(text), zstd_streamed(text, 3, 17)}) {
    const TemporaryFile file(content);
    for (std::size_t i = 0; i < offsets.size(); i += 1997) {
      const auto event = tests::read_event_at(source_at(file.path()), offsets[i]);
      REQUIRE(event.ok());
      CHECK(*event->find("name") == "slice " + std::to_string(i));
    }
  }
}
