#include "core/ingest/bytes/checkpoints.hpp"

#include <zstd.h>

#include <atomic>
#include <thread>

#include "core/ingest/bytes/source_text.hpp"
#include "core/ingest/formats/trace_events/arguments.hpp"
#include "tests/core/ingest/compression.hpp"
#include "tests/core/ingest/kineto_support.hpp"
#include "tests/core/ingest/stream_support.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using ingest::Checkpoints;
using ingest::GzipEngine;

namespace {

/// One frame without its length in the header, as a pipe makes it, with that window.
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

struct Loaded {
  std::shared_ptr<const Checkpoints> checkpoints;
  trace::SourceFile source;
};

Loaded read_through(const std::string& path, std::uint64_t spacing, GzipEngine engine = GzipEngine::best) {
  ingest::OpenOptions options;
  options.keep_checkpoints = true;
  options.checkpoint_spacing = spacing;
  options.engine = engine;
  auto stream = ingest::open_byte_stream(path, options);
  REQUIRE(stream.ok());
  (void)read_rest(**stream, 0);
  Loaded loaded{(*stream)->checkpoints(), {}};
  loaded.source.path = path;
  loaded.source.size = (*stream)->stamp().size;
  loaded.source.modified_ns = (*stream)->stamp().modified_ns;
  loaded.source.inode = (*stream)->stamp().inode;
  return loaded;
}

/// Compares texts at random offsets, and right before, at and behind checkpoints.
void check_offsets(const Loaded& loaded, const std::string& text, int count) {
  std::mt19937 random(3);
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    std::uint64_t offset = random() % text.size();
    const ingest::Checkpoint* const near = loaded.checkpoints->before(offset);
    if (near != nullptr && i % 3 == 0) offset = std::min<std::uint64_t>(near->text + i % 4, text.size() - 1);
    const std::size_t length = i % 5 == 0 ? 200'000 : 300;
    const auto got = ingest::text_at(loaded.source, offset, length, loaded.checkpoints.get());
    INFO("offset " << offset << (got.ok() ? "" : got.error().message()));
    REQUIRE(got.ok());
    wrong += *got == text.substr(offset, length) ? 0 : 1;
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("checkpoints: text at any offset of a gzip member, with both engines", "[checkpoints]") {
  const std::string text = trace_like(6'000'000, 1);
  const TemporaryFile file(gzip(text));
  for (const GzipEngine engine : {GzipEngine::zlib, GzipEngine::isal}) {
    const Loaded loaded = read_through(file.path(), 50'000, engine);
    REQUIRE(loaded.checkpoints->size() == 6'000'000 / 50'000 - 1);
    check_offsets(loaded, text, 400);
  }
}

TEST_CASE("checkpoints: a resumed gzip stream goes on to the end as the first did", "[checkpoints]") {
  const std::string a = trace_like(900'000, 1);
  const std::string b = trace_like(700'000, 2);
  std::string damaged = gzip(a) + gzip(b);
  damaged[damaged.size() - 6] ^= 1;
  for (const std::string& content : {gzip(a) + gzip(b), gzip(a) + gzip(b) + "more", damaged}) {
    const TemporaryFile file(content);
    for (const GzipEngine engine : {GzipEngine::zlib, GzipEngine::isal}) {
      const Loaded loaded = read_through(file.path(), 100'000, engine);
      const ReadText whole = read_all(file.path(), {});
      for (const std::uint64_t offset : {150'000, 850'000, 899'999, 900'000, 950'000, 1'599'000}) {
        auto stream = ingest::open_byte_stream_at(file.path(), offset, loaded.checkpoints.get());
        REQUIRE(stream.ok());
        const ReadText rest = read_rest(**stream, 0);
        CHECK((rest.text == whole.text.substr(offset)));
        CHECK(rest.error.has_value() == whole.error.has_value());
        if (rest.error && whole.error) CHECK(rest.error->message() == whole.error->message());
        CHECK(rest.consumed == whole.consumed);
      }
    }
  }
}

TEST_CASE("checkpoints: begins of members and frames serve as checkpoints", "[checkpoints]") {
  std::string text;
  std::string gzips;
  std::string frames;
  for (unsigned i = 0; i < 60; ++i) {
    const std::string part = trace_like(40'000 + i * 100, i);
    text += part;
    gzips += gzip(part);
    frames += zstd(part) + (i % 7 == 0 ? zstd_skippable("note") : "");
  }
  for (const std::string& content : {gzips, frames}) {
    const TemporaryFile file(content);
    const Loaded loaded = read_through(file.path(), 100'000);
    CHECK(loaded.checkpoints->size() > 20);
    CHECK(loaded.checkpoints->resident_bytes() < 10'000);  // nothing is saved
    check_offsets(loaded, text, 100);
  }
}

TEST_CASE("checkpoints: a zstd frame is read from its start", "[checkpoints]") {
  const std::string first = trace_like(290'000, 1);
  const std::string text = trace_like(1'500'000, 2);
  const TemporaryFile file(zstd_streamed(first, 1, 17) + zstd_streamed(text, 6, 24) + zstd_streamed(first, 1, 18));
  const Loaded loaded = read_through(file.path(), 100'000);
  CHECK(loaded.checkpoints->size() == 2);
  const auto* const at = loaded.checkpoints->before(first.size() + text.size() - 1);
  REQUIRE(at != nullptr);
  CHECK(at->text == first.size());
  CHECK(at->state == nullptr);
  check_offsets(loaded, first + text + first, 60);
}

TEST_CASE("checkpoints: several threads at once may look at one source", "[checkpoints]") {
  const std::string text = trace_like(3'000'000, 9);
  for (const std::string& content : {gzip(text), zstd_streamed(text, 3, 19)}) {
    const TemporaryFile file(content);
    const Loaded loaded = read_through(file.path(), 100'000);
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        std::mt19937 random(t);
        for (int i = 0; i < 25; ++i) {
          const std::uint64_t offset = random() % (text.size() - 500);
          const auto got = ingest::text_at(loaded.source, offset, 500, loaded.checkpoints.get());
          if (!got.ok() || *got != text.substr(offset, 500)) ++wrong;
        }
      });
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
  }
}

TEST_CASE("checkpoints: reading on to an event can be cancelled", "[checkpoints]") {
  const std::string text = trace_like(1'000'000, 9);
  CancelToken cancel;
  cancel.cancel();
  for (const std::string& content : {gzip(text), zstd_streamed(text, 3, 19)}) {
    const TemporaryFile file(content);
    const Loaded loaded = read_through(file.path(), 100'000);
    const auto got = ingest::text_at(loaded.source, 600'000, 10, loaded.checkpoints.get(), &cancel);
    REQUIRE_FALSE(got.ok());
    CHECK(got.error().what.find("cancelled") != std::string::npos);
  }
}

TEST_CASE("checkpoints: they outlive the stream and serve only their own file", "[checkpoints]") {
  const std::string text = trace_like(1'000'000, 5);
  const std::string other = trace_like(1'000'000, 6);
  for (const auto& [content, instead] :
       {std::pair{gzip(text), gzip(other)}, std::pair{zstd_streamed(text, 3, 18), zstd_streamed(other, 3, 18)}}) {
    TemporaryFile file(content);
    const Loaded loaded = read_through(file.path(), 100'000);
    file.write(instead);
    const auto changed = ingest::text_at(loaded.source, 700'000, 100, loaded.checkpoints.get());
    REQUIRE_FALSE(changed.ok());
    CHECK(changed.error().message().find("has changed since it was read; reload it") != std::string::npos);
    trace::SourceFile unknown;
    unknown.path = file.path();
    const auto fresh = ingest::text_at(unknown, 700'000, 100, loaded.checkpoints.get());
    REQUIRE(fresh.ok());
    CHECK(*fresh == other.substr(700'000, 100));
    const auto behind = ingest::text_at(unknown, 1'000'001, 100, loaded.checkpoints.get());
    REQUIRE_FALSE(behind.ok());
    CHECK(behind.error().what.find("ends before") != std::string::npos);
  }
}

TEST_CASE("checkpoints: none of plain text, nor unless they are asked for", "[checkpoints]") {
  const std::string text = trace_like(300'000, 5);
  const TemporaryFile plain(text);
  CHECK(read_through(plain.path(), 1000).checkpoints == nullptr);
  const auto there = ingest::text_at(read_through(plain.path(), 1000).source, 1234, 100);
  REQUIRE(there.ok());
  CHECK(*there == text.substr(1234, 100));
  const TemporaryFile packed(gzip(text));
  auto stream = ingest::open_byte_stream(packed.path());
  REQUIRE(stream.ok());
  (void)read_rest(**stream);
  CHECK((*stream)->checkpoints() == nullptr);
}

TEST_CASE("checkpoints: memory is bounded by thinning them out", "[checkpoints]") {
  struct Heavy final : ingest::DecoderState {
    [[nodiscard]] std::size_t resident_bytes() const override { return 1000; }
  };
  Checkpoints points({}, 10);
  points.add_begin(3, 2, false);
  CHECK(points.size() == 0);
  points.add_begin(3, 2, true);
  std::uint64_t text = 0;
  for (int i = 0; i < 1000; ++i) {
    text = points.next_due();
    points.add({text, text / 2, std::make_shared<Heavy>()}, 64'000);
    REQUIRE(points.next_due() > text);
    REQUIRE(points.resident_bytes() < 70'000);
  }
  CHECK(points.size() > 25);
  CHECK(points.spacing() > 1000);
  REQUIRE(points.before(4) != nullptr);
  CHECK(points.before(4)->text == 3);  // what is behind damage stays
  std::uint64_t widest = 0;
  for (std::uint64_t at = 0; at < text; at += points.spacing() / 3) {
    const auto* const before = points.before(at);
    widest = std::max(widest, at - (before != nullptr ? before->text : 0));
  }
  CHECK(widest <= points.spacing());
}

TEST_CASE("checkpoints: an event is read from the nearest one", "[checkpoints]") {
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
    const Loaded loaded = read_through(file.path(), 100'000);
    for (std::size_t i = 0; i < offsets.size(); i += 997) {
      const auto event = ingest::read_event_at(loaded.source, offsets[i], nullptr, loaded.checkpoints.get());
      REQUIRE(event.ok());
      CHECK(*event->find("name") == "slice " + std::to_string(i));
    }
  }
}
