#include "core/ingest/formats/trace_events/arguments.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/bytes_read.hpp"
#include "tests/catch.hpp"
#include "tests/core/ingest/compression.hpp"
#include "tests/core/ingest/kineto_support.hpp"
#include "tests/core/ingest/one_event.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

trace::SourceFile source_of(const std::string& path) {
  auto stream = ingest::open_byte_stream(path);
  trace::SourceFile source;
  source.path = path;
  if (!stream.ok()) return source;
  source.size = (*stream)->stamp().size;
  source.modified_ns = (*stream)->stamp().modified_ns;
  source.inode = (*stream)->stamp().inode;
  return source;
}

/// A trace with `count` events, the last of which is `event`, and the offset of that event.
std::pair<std::string, std::uint64_t> with_last(const std::string& event, int count = 5000) {
  std::string text = "{\"traceEvents\": [";
  for (int i = 1; i < count; ++i)
    text +=
        R"({"ph":"X","name":"filler )" + std::to_string(i) + R"(","pid":1,"tid":2,"ts":1,"dur":1,"args":{}},)" + "\n";
  const std::uint64_t offset = text.size();
  return {text + event + "]}", offset};
}

const std::string kEvent =
    "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"a\\\"b\", \"pid\": 0, \"tid\": \"7\", \"ts\": "
    "1712195495519689.047, "
    "\"zz\": null, \"args\": {\"grid\": [1,\n 2], \"note\": \"x\\ny\", \"deep\": {\"a\" : {\"b\":1}}, \"correlation\": "
    "5}}";

const std::vector<ingest::EventRow> kRows{{"ph", "X"},
                                          {"cat", "kernel"},
                                          {"name", "a\"b"},
                                          {"pid", "0"},
                                          {"tid", "7"},
                                          {"ts", "1712195495519689.047"},
                                          {"zz", "null"},
                                          {"args.grid", "[1, 2]"},
                                          {"args.note", "x\ny"},
                                          {"args.deep", "{\"a\": {\"b\": 1}}"},
                                          {"args.correlation", "5"}};

}  // namespace

TEST_CASE("arguments: an event is read again from plain and compressed files", "[arguments]") {
  const auto [text, offset] = with_last(kEvent);
  for (const std::string& content :
       {text, gzip(text), zstd(text), gzip(text.substr(0, 1000)) + gzip(text.substr(1000))}) {
    const TemporaryFile file(content);
    const auto event = tests::read_event_at(source_of(file.path()), offset);
    REQUIRE(event.ok());
    CHECK(event->rows == kRows);
    CHECK_FALSE(event->repaired);
    const auto first = tests::read_event_at(source_of(file.path()), 17);
    REQUIRE(first.ok());
    CHECK(*first->find("name") == "filler 1");
  }
}

TEST_CASE("arguments: several events are read again at any offset", "[arguments]") {
  const auto [text, last] = with_last(kEvent, 20'000);
  std::vector<std::uint64_t> offsets;
  for (std::uint64_t at = text.find("{\"ph"); at < last; at = text.find("\n{", at) + 1)
    if (offsets.size() < 40 || at % 64 == 0) offsets.push_back(at);
  offsets.push_back(last);
  for (const std::string& content : {text, gzip(text)}) {
    const TemporaryFile file(content);
    std::vector<std::string> names;
    const auto keep = [&](std::size_t i, const ingest::EventText& event) {
      REQUIRE(i == names.size());
      names.push_back(*event.find("name"));
    };
    REQUIRE_FALSE(ingest::KinetoFormat().read_events(source_of(file.path()), offsets, keep, {}, nullptr));
    REQUIRE(names.size() == offsets.size());
    for (std::size_t i = 0; i + 1 < names.size(); ++i) {
      const std::size_t name = text.find("filler", offsets[i]);
      CHECK(names[i] == text.substr(name, text.find('"', name) - name));
    }
    CHECK(names.back() == "a\"b");
  }
}

TEST_CASE("arguments: only requested rows are returned, the same as without a filter", "[arguments]") {
  const std::vector<std::string_view> wanted{"args.note", "name", "args.b\"c", "args.grid", "args", "note", "absent"};
  const std::string event =
      R"({"name": "a", "note": {"x": 1}, "args": {"note": "n\ny", "name": 2, "b\"c": [ 1 ], "grid": [1, 2], "d": 4}, )"
      R"("args.note": 5})";
  const std::string corrupt = R"({"name": "a "b" c", "ts": 1, "args": {"r": inf, "note": "p"q", "grid": [1, 2,]}}, )";
  for (const std::string& last : {event, kEvent, corrupt + kEvent}) {
    const auto [text, offset] = with_last(last, 10);
    const TemporaryFile file(text);
    const auto all = tests::read_event_at(source_of(file.path()), offset);
    REQUIRE(all.ok());
    std::vector<ingest::EventRow> expected;
    for (const ingest::EventRow& row : all->rows)
      if (std::ranges::find(wanted, row.path) != wanted.end()) expected.push_back(row);
    CHECK(expected.size() >= 3);
    CHECK(expected.size() < all->rows.size());
    std::vector<ingest::EventText> found;
    REQUIRE_FALSE(ingest::KinetoFormat().read_events(
        source_of(file.path()), std::span(&offset, 1),
        [&](std::size_t, const ingest::EventText& each) { found.push_back(each); }, wanted, nullptr));
    REQUIRE(found.size() == 1);
    CHECK(found[0].rows == expected);
    CHECK(found[0].repaired == all->repaired);
  }
  const ingest::EventText alone = ingest::event_text_of(kEvent, false, wanted);
  CHECK(alone.rows == std::vector<ingest::EventRow>{kRows[2], kRows[7], kRows[8]});
}

TEST_CASE("arguments: text between events of a plain file is not read", "[arguments]") {
  const auto [text, last] = with_last(kEvent, 60'000);
  REQUIRE(text.size() > 4'000'000);
  const TemporaryFile file(text);
  const trace::SourceFile source = source_of(file.path());
  const std::uint64_t before = bytes_read();
  int found = 0;
  const std::vector<std::uint64_t> offsets{17, last};
  const auto count = [&](std::size_t, const ingest::EventText&) { ++found; };
  REQUIRE_FALSE(ingest::KinetoFormat().read_events(source, offsets, count, {}, nullptr));
  CHECK(found == 2);
  CHECK(bytes_read() - before < 600'000);
}

TEST_CASE("arguments: long and corrupt events", "[arguments]") {
  const auto [long_text, long_offset] =
      with_last(R"({"ph":"X","args":{"big":")" + std::string(700'000, 'x') + R"(","last":1}})", 10);
  const TemporaryFile long_file(long_text);
  const auto event = tests::read_event_at(source_of(long_file.path()), long_offset);
  REQUIRE(event.ok());
  CHECK(event->find("args.big")->size() == 700'000);
  CHECK(*event->find("args.last") == "1");

  const auto [text, offset] = with_last(
      R"({"ph": "X", "name": "a "b" c", "ts": 1, "args": {"r": inf, "s": "p"q", "grid": [1, 2,], "n": nan}}, )" +
          kEvent,
      10);
  const TemporaryFile file(text);
  const auto damaged = tests::read_event_at(source_of(file.path()), offset);
  REQUIRE(damaged.ok());
  CHECK(damaged->repaired);
  CHECK(*damaged->find("name") == "a \"b\" c");
  CHECK(*damaged->find("args.r") == "inf");
  CHECK(*damaged->find("args.s") == "p\"q");
  CHECK(*damaged->find("args.grid") == "[1, 2]");
  CHECK(*damaged->find("args.n") == "nan");
}

TEST_CASE("arguments: a changed, removed or truncated file is an error", "[arguments]") {
  const auto [text, offset] = with_last(kEvent);
  TemporaryFile file(text);
  const trace::SourceFile source = source_of(file.path());
  const auto message = [&](const trace::SourceFile& of, std::uint64_t at) {
    const auto event = tests::read_event_at(of, at);
    return event.ok() ? std::string("read") : event.error().message();
  };
  CHECK(message(source, offset) == "read");
  CHECK(message(source, offset + 1).find("no event") != std::string::npos);
  CHECK(message(source, text.size() + 100).find("no event") != std::string::npos);
  file.write(text + " ");
  CHECK(message(source, offset).find("has changed since it was read; reload it") != std::string::npos);
  file.write(text);
  const timespec times[2] = {{1'000'000'000, 5}, {1'000'000'000, 5}};
  REQUIRE(::utimensat(AT_FDCWD, file.path().c_str(), times, 0) == 0);
  CHECK(message(source, offset).find("has changed") != std::string::npos);
  CHECK(message(source_of(file.path()), offset) == "read");
  std::filesystem::remove(file.path());
  CHECK(message(source, offset).find("no such file") != std::string::npos);
  const TemporaryFile cut(gzip(text).substr(0, 500));
  CHECK(message(source_of(cut.path()), offset).find("truncated") != std::string::npos);
}

TEST_CASE("arguments: cancelling stops the decompression", "[arguments]") {
  const auto [text, offset] = with_last(kEvent);
  const TemporaryFile file(gzip(text));
  CancelToken cancel;
  cancel.cancel();
  const auto event = tests::read_event_at(source_of(file.path()), offset, &cancel);
  REQUIRE_FALSE(event.ok());
  CHECK(event.error().what.find("cancelled") != std::string::npos);
}
