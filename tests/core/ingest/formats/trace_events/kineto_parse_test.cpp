// Valid documents in all variants.
#include "core/ingest/build/metadata.hpp"
#include "core/ingest/formats/trace_events/parse_events.hpp"
#include "tests/catch.hpp"
#include "tests/core/ingest/kineto_support.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using Shape = ingest::ParseOutcome::Shape;

namespace {

const std::string kKernel =
    R"({"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 100.125, "dur": 4,)"
    R"( "args": {"device": 0, "stream": 7, "correlation": 42, "grid": [1, 2, 3]}})";

}  // namespace

TEST_CASE("kineto: the fields of an event", "[kineto][parse]") {
  const KeptEvent e = parse_event(kKernel);
  CHECK(e.phase == 'X');
  CHECK(e.name == "gemm");
  CHECK(e.category == "kernel");
  CHECK(e.process == "0");
  CHECK(e.thread == "7");
  CHECK(e.time == 100125);
  CHECK(e.duration == 4000);
  CHECK(e.correlation == 42);
  CHECK(e.arguments == R"({"device": 0, "stream": 7, "correlation": 42, "grid": [1, 2, 3]})");
  CHECK(e.offset == 17);
  CHECK_FALSE(e.repaired);
}

TEST_CASE("kineto: keys in any order, unknown ones, strings for numbers, no blanks", "[kineto][parse]") {
  const KeptEvent e = parse_event(
      R"({"args":{"x":{"correlation":9},"correlation":"12"},"zzz":[{"ts":1},"}"],"dur":"2.5","ts":"-1","tid":"stream 7",)"
      R"("bp":"e","pid":"12","name":"a\"b","id":"0x1f","ph":"X","q":null,"cat":"Kernel"})");
  CHECK(e.correlation == 12);
  CHECK(e.duration == 2500);
  CHECK(e.time == -1000);
  CHECK(e.thread == "stream 7");
  CHECK(e.process == "12");
  CHECK(e.name == "a\"b");
  CHECK(e.id == "0x1f");
  CHECK(e.category == "Kernel");
  CHECK_FALSE(e.repaired);
}

TEST_CASE("kineto: missing and null fields", "[kineto][parse]") {
  const KeptEvent e = parse_event(R"({"ph": "E", "pid": null, "dur": null})");
  CHECK(e.phase == 'E');
  CHECK(e.process.empty());
  CHECK_FALSE(e.time);
  CHECK_FALSE(e.duration);
  CHECK_FALSE(e.correlation);
  CHECK(e.arguments.empty());
  CHECK(parse_text(R"({"traceEvents": [{}]})").outcome.events == 1);
}

TEST_CASE("kineto: impossible times and correlations count as missing, with a diagnostic", "[kineto][parse]") {
  const Parsed parsed = parse_text(
      R"([{"ph":"X","ts":1e300,"dur":"soon"},{"ph":"X","ts":1,"args":{"correlation":9223372036854775808}},)"
      R"({"ph":"X","ts":2,"args":{"correlation":9007199254740993}},{"ph":"X","ts":3,"args":{"correlation":1.5}}])");
  REQUIRE(parsed.events.size() == 4);
  CHECK_FALSE(parsed.events[0].time);
  CHECK_FALSE(parsed.events[0].duration);
  CHECK_FALSE(parsed.events[1].correlation);
  CHECK(parsed.events[2].correlation == 9007199254740993);
  CHECK_FALSE(parsed.events[3].correlation);
  CHECK(parsed.diagnostics.count("time-out-of-range") == 1);
  CHECK(parsed.diagnostics.count("time-unreadable") == 1);
  CHECK(parsed.diagnostics.count("correlation-unreadable") == 2);
  CHECK(parsed.repaired() == 0);
}

TEST_CASE("kineto: a correlation counts at depth 1 of args, for launches and GPU activity", "[kineto][parse]") {
  const auto correlation = [](const std::string& category, const std::string& args, const char* phase = "X") {
    return parse_event(std::string(R"({"ph":")") + phase + R"(","cat":")" + category + R"(","args":)" + args + "}")
        .correlation;
  };
  CHECK(correlation("kernel", R"({"correlation":5})") == 5);
  CHECK(correlation("cuda_runtime", R"({"a":[1,{"correlation":4}],"correlation" : -5 })") == -5);
  CHECK_FALSE(correlation("kernel", R"({"a":{"correlation":5}})"));
  CHECK_FALSE(correlation("kernel", R"({"a":"\"correlation\":5","b":"correlation"})"));
  CHECK_FALSE(correlation("kernel", R"({"correlation id":5})"));
  CHECK_FALSE(correlation("kernel", R"({"correlation":null})"));
  CHECK_FALSE(correlation("cpu_op", R"({"correlation":5})"));
  CHECK_FALSE(correlation("python_function", R"({"correlation":5})"));
  CHECK_FALSE(correlation("kernel", R"({"correlation":5})", "s"));
  CHECK_FALSE(parse_event(R"({"args":{"correlation":5},"cat":"cpu_op","ph":"X"})").correlation);
  CHECK(parse_event(R"({"args":{"correlation":5},"cat":"kernel","ph":"X"})").correlation == 5);
  // At any position of the key within the scanned blocks.
  for (std::size_t pad = 0; pad < 200; ++pad) {
    const std::string before = "{\"p\":\"" + std::string(pad, 'c') + "\",\"correlation\":77,\"q\":[{}]}";
    CHECK(correlation("kernel", before) == 77);
    CHECK_FALSE(correlation("kernel", "{\"o\":" + before + "}"));
  }
}

TEST_CASE("kineto: the last of duplicate keys wins", "[kineto][parse]") {
  const Parsed parsed = parse_text(R"([{"ph":"X","ts":1,"name":"a","ts":"bad","name":"b","dur":1,"dur":2}])");
  REQUIRE(parsed.events.size() == 1);
  CHECK(parsed.events[0].name == "b");
  CHECK_FALSE(parsed.events[0].time);
  CHECK(parsed.events[0].duration == 2000);
  CHECK(parsed.diagnostics.count("duplicate-key") == 1);
}

TEST_CASE("kineto: names are decoded and stay distinct", "[kineto][parse]") {
  const KeptEvent e =
      parse_event(R"({"ph":"X","name":"\u00e9\ud83d\ude00","cat":"a\tb","pid":"p\\","tid":"\"","id":"\/"})");
  CHECK(e.name == "\xc3\xa9\xf0\x9f\x98\x80");
  CHECK(e.category == "a\tb");
  CHECK(e.process == "p\\");
  CHECK(e.thread == "\"");
  CHECK(e.id == "/");
  const std::string long_name(300'000, 'k');
  CHECK(parse_event(R"({"ph":"X","name":")" + long_name + R"(\n","cat":"\u0041"})").name == long_name + "\n");
}

TEST_CASE("kineto: metadata before and after the events, raw", "[kineto][parse]") {
  const Parsed parsed = parse_text(
      "\xef\xbb\xbf{\r\n \"schemaVersion\": 1, \"INFO\": [\"a ]\", {\"b\": 2}],\r\n"
      " \"metadata\": {\"traceEvents\": [{\"ph\": \"X\"}]},\r\n"
      " \"traceEvents\": [\r\n{\"ph\": \"X\", \"name\": \"\\u0041\"}\r\n, {\"ph\":\"i\"}],\r\n "
      "\"baseTimeNanoseconds\": 17 }\r\n");
  CHECK(parsed.outcome.shape == Shape::trace);
  CHECK(parsed.events.size() == 2);
  REQUIRE(parsed.metadata_texts.size() == 4);
  CHECK(*parsed.metadata_of("schemaVersion") == "1");
  CHECK(*parsed.metadata_of("INFO") == "[\"a ]\", {\"b\": 2}]");
  CHECK(*parsed.metadata_of("metadata") == "{\"traceEvents\": [{\"ph\": \"X\"}]}");
  CHECK(*parsed.metadata_of("baseTimeNanoseconds") == "17");
  CHECK(parsed.diagnostics.empty());
  CHECK_FALSE(parsed.outcome.truncated);
}

TEST_CASE("kineto: bare arrays, closed or not", "[kineto][parse]") {
  const Parsed closed = parse_text(" [" + kKernel + "," + kKernel + "] \n");
  CHECK(closed.outcome.shape == Shape::trace);
  CHECK(closed.events.size() == 2);
  CHECK(closed.diagnostics.empty());
  for (const char* tail : {"", ",", ",\n", "\n"}) {
    const Parsed open = parse_text("[" + kKernel + "," + kKernel + tail);
    CHECK(open.events.size() == 2);
    CHECK(open.diagnostics.count("array-not-closed") == 1);
    CHECK_FALSE(open.outcome.truncated);
    CHECK(open.repaired() == 0);
  }
}

TEST_CASE("kineto: files without events are errors", "[kineto][parse]") {
  const auto shape = [](std::string_view text) { return parse_text(text).outcome.shape; };
  CHECK(shape("") == Shape::empty);
  CHECK(shape(" \n\t ") == Shape::empty);
  CHECK(shape("hello") == Shape::foreign);
  CHECK(shape("<html>") == Shape::foreign);
  CHECK(shape("{}") == Shape::no_events);
  CHECK(shape("{\"a\": {\"traceEvents\": []}}") == Shape::no_events);
  CHECK(shape("{\"traceEvents\": 1}") == Shape::no_events);
  CHECK(shape("{\"traceEvents\": []}") == Shape::trace);
  CHECK(shape("[[1, 2], [3]]") == Shape::no_events);
  CHECK(shape("[]") == Shape::no_events);
  CHECK(parse_text("{\"a\": 1}").outcome.why_no_trace("f")->message().find("has no traceEvents") != std::string::npos);
  CHECK(parse_text("hello").outcome.why_no_trace("f")->message().find("not JSON") != std::string::npos);
  CHECK_FALSE(parse_text("{\"traceEvents\": []}").outcome.why_no_trace("f"));
  for (const char* python : {"{'traceEvents': [{'ph': 'X', 'name': 'a', 'ts': 1, 'dur': 2}]}", " [ {'ph': 'X'}]"}) {
    const auto why = parse_text(python).outcome.why_no_trace("f");
    REQUIRE(why);
    CHECK(why->what.find("use single quotes (')") != std::string::npos);
  }
}

TEST_CASE("kineto: progress, length and cancelling", "[kineto][parse]") {
  std::string text = "[";
  for (int i = 0; i < 10'000; ++i) text += (i > 0 ? "," : "") + kKernel;
  text += "]";
  {
    MemoryStream stream(text);
    Parsed parsed;
    Progress progress;
    const auto outcome = ingest::parse_trace_events(stream, parsed, parsed.diagnostics, "f", &progress);
    CHECK(outcome.events == 10'000);
    CHECK(outcome.text_bytes == text.size());
    CHECK(progress.done == text.size());
  }
  struct Stopping : ingest::EventSink {
    CancelToken token;
    std::size_t seen = 0;
    void event(const ingest::RawEvent&) override {
      if (++seen == 100) token.cancel();
    }
  } sink;
  MemoryStream stream(text);
  Diagnostics diagnostics;
  const auto outcome =
      ingest::parse_trace_events(stream, sink, diagnostics, "f", nullptr, &sink.token, {4096, 1 << 20});
  CHECK(outcome.cancelled);
  CHECK(sink.seen < 200);
  CHECK(diagnostics.empty());
}

TEST_CASE("kineto: an event longer than the limit is skipped", "[kineto][parse]") {
  const std::string big = R"({"ph":"X","name":"big","args":{"a":")" + std::string(300'000, 'x') + "\"}}";
  const Parsed parsed = parse_text("[" + kKernel + "," + big + "," + kKernel + "]", {4096, 100'000});
  CHECK(parsed.events.size() == 2);
  CHECK(parsed.diagnostics.count("event-too-long") == 1);
  CHECK(parsed.diagnostics.count("skipped-bytes") > 200'000);
  CHECK(parse_text("[" + kKernel + "," + big + "," + kKernel + "]", {4096, 1 << 20}).events.size() == 3);
}

TEST_CASE("metadata: facts about the trace", "[kineto][metadata]") {
  Diagnostics diagnostics;
  ingest::FileMetadata metadata;
  const auto add = [&](std::string_view key, std::string_view json) {
    ingest::add_metadata(metadata, key, json, diagnostics, "f");
  };
  add("distributedInfo", R"({"backend": "nccl", "rank": "3", "world_size": 8, "pg_config": []})");
  add("host_name", "\"algo-1\"");
  add("baseTimeNanoseconds", "1711929600000000001");
  add("deviceProperties", "[{\"id\": 0, \"name\": \"H100\", \"x\": inf,}, {\"id\": 1, \"name\": \"H100\"},]");
  add("schemaVersion", "1");
  add("INFO", "[not json");
  CHECK(metadata.rank == 3);
  CHECK(metadata.world_size == 8);
  CHECK(metadata.backend == "nccl");
  CHECK(metadata.host == "algo-1");
  CHECK(metadata.base_time == 1711929600000000001);
  CHECK(metadata.devices == std::vector<ingest::DeviceProperties>{{0, "H100"}, {1, "H100"}});
  CHECK(metadata.schema_version == 1);
  CHECK(diagnostics.empty());
  add("distributedInfo", "[]");
  add("baseTimeNanoseconds", "soon");
  add("host_name", "null");
  CHECK(diagnostics.count("metadata-unreadable") == 1);  // "soon" is repaired to null, which has no meaning
  CHECK(metadata.rank == 3);
  CHECK(metadata.base_time == 1711929600000000001);
}
