#include "tests/bench/floor.hpp"

#include <string>

#include "tests/catch.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/tracegen/tracegen.hpp"

using namespace warpscope;
using bench::last_event_comma;
using bench::measure_floor;

TEST_CASE("The floor reads every event in every layout and piece size", "[bench]") {
  const auto layout = GENERATE(tracegen::Layout::kineto, tracegen::Layout::minified, tracegen::Layout::oneline,
                               tracegen::Layout::indented);
  const auto piece = GENERATE(std::size_t{256}, std::size_t{4000}, bench::kFloorPiece);
  tracegen::Options options;
  options.gpus = 1;
  options.shapes = true;
  options.layout = layout;
  const tracegen::MemorySet set = tracegen::generate_in_memory(options);
  REQUIRE(set.files.size() == 1);
  const tests::TestFolder folder;
  const auto path = folder.write("trace.json", set.files.front().bytes);
  const auto figures = measure_floor(path.string(), piece);
  INFO((figures ? std::string() : figures.error().message()));
  REQUIRE(figures.ok());
  CHECK(figures->text_bytes == set.files.front().bytes.size());
  CHECK(figures->events == static_cast<std::uint64_t>(set.truth.total().events));
  CHECK(figures->cpu_seconds > 0);
}

TEST_CASE("The floor reads all files of a folder, compressed or not, and bare arrays", "[bench]") {
  const tests::TestFolder folder;
  const std::string events = R"({"ph": "X", "name": "a"}, {"ph": "X", "name": "b"})";
  folder.write("one.json", tests::trace_of(events));
  folder.write("two/bare.json", " [" + events + "]\n");
  folder.write("empty.json", tests::trace_of(""));
  tracegen::Options options;
  options.gpus = 1;
  options.format = tracegen::Format::gz;
  const tracegen::MemorySet set = tracegen::generate_in_memory(options);
  folder.write("three.json.gz", set.files.front().bytes);
  const auto figures = measure_floor(folder.path().string());
  INFO((figures ? std::string() : figures.error().message()));
  REQUIRE(figures.ok());
  CHECK(figures->events == static_cast<std::uint64_t>(set.truth.total().events) + 4);
}

TEST_CASE("Text that is not a complete trace has no floor", "[bench]") {
  const tests::TestFolder folder;
  const auto text = GENERATE(as<std::string>{}, R"({"traceEvents": [{"ph": "X")", R"({"a": 1})", "",
                             R"({"traceEvents": [{"ph": "X", "name": "a"b"}]})");
  CHECK_FALSE(measure_floor(folder.write("trace.json", text).string()).ok());
}

TEST_CASE("Pieces are split only between events", "[bench]") {
  CHECK(last_event_comma(R"({"ph": 1}, {"ph": 2}, {"name": )") == 20);
  CHECK(last_event_comma(R"({"ph": 1}, {"ph": 2}, {"na)") == 9);
  CHECK(last_event_comma(R"({"ph": 1} , {"ph": {"a": 2}})") == 10);
  CHECK(last_event_comma(R"({"ph": "},{\"ph\": 1}"})") == std::string::npos);
  CHECK(last_event_comma(R"({"ph": [{"a": 1}, {"b": 2}]})") == std::string::npos);
  CHECK(last_event_comma(R"({"ph": 1})") == std::string::npos);
  CHECK(last_event_comma("") == std::string::npos);
}
