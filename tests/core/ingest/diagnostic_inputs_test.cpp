// Some input produces each diagnostic code. Small directories do so here; other tests cover codes that need more than
// files, such as a cancelled load.
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "tests/catch.hpp"
#include "tests/core/ingest/compression.hpp"
#include "tests/core/ingest/formats/pevents/timeline_files.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/shared_dir.hpp"
#include "tests/test_folder.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

struct InputFile {
  std::string name;
  std::string text;
};

struct Input {
  std::string code;
  std::vector<InputFile> files;
};

/// Fields of a slice on the stream of kernel_event.
constexpr const char* kSlice = R"("ph":"X","cat":"kernel","name":"a","pid":0,"tid":7,)";
constexpr const char* kLaunch =
    R"(,{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":90,"dur":5,)"
    R"("args":{"correlation":5}})";
/// A trace with one valid kernel followed by this text, inside the event array.
std::string trace_with(const std::string& more) { return trace_of(kernel_event("gemm") + more); }

/// The same with another slice that has these fields.
std::string slice_with(const std::string& fields) { return trace_with(std::string(",{") + kSlice + fields + "}"); }

std::string event_with(const std::string& fields) { return trace_with(",{" + fields + R"(,"pid":0,"tid":7})"); }

std::string rank_of(int rank, int world_size, std::int64_t start = 100) {
  return trace_of(kernel_event("gemm", start), "\"distributedInfo\": {\"rank\": " + std::to_string(rank) +
                                                   ", \"world_size\": " + std::to_string(world_size) + "}");
}

/// A kernel of `ms` that starts 10 µs before the first of `count` later kernels on its stream.
std::string overrun(int count, int ms) {
  std::string text =
      std::string("{") + kSlice + R"("ts":1000,"dur":)" + std::to_string(ms) + R"(000,"args":{"correlation":999}})";
  for (int i = 1; i <= count; ++i)
    text += std::string(",{") + kSlice + R"("ts":)" + std::to_string(1000 + 10 * i) +
            R"(,"dur":5,"args":{"correlation":)" + std::to_string(i) + "}}";
  return text;
}

Input one_file(const std::string& code, const std::string& text) { return {code, {{"rank0.json", text}}}; }

std::vector<Input> text_inputs() {
  return {
      one_file("bare-quote",
               trace_with(R"(,{"ph":"X","cat":"kernel","name":"a "b" c","pid":0,"tid":7,"ts":1,"dur":2})")),
      one_file("stray-backslash",
               trace_with(R"(,{"ph":"X","cat":"kernel","name":"C:\Qt","pid":0,"tid":7,"ts":1,"dur":2})")),
      one_file("control-character", slice_with("\"ts\":30,\"dur\":3,\"args\":{\"x\":\"a\tb\"}")),
      one_file("invalid-utf8", slice_with("\"ts\":30,\"dur\":3,\"cat\":\"a\xff\"")),
      one_file("not-a-number", slice_with(R"("ts":30,"dur":NaN)")),
      one_file("trailing-comma", slice_with(R"("ts":30,"dur":3,)")),
      one_file("missing-comma", trace_with(kernel_event("second", 200))),
      one_file("missing-bracket", R"({"traceEvents": [)" + kernel_event("gemm") + "}"),
      one_file("stray-text", trace_with(",,")),
      one_file("skipped-bytes", trace_with(", #### ")),
      one_file("unreadable-event", trace_with(R"(,{"ph": "X" "name": "a", "ts": 1},)" + kernel_event("second", 200))),
      one_file("not-an-event", trace_with(", 12")),
      one_file("array-not-closed", "[" + kernel_event("gemm") + ","),
      one_file("text-after-end", trace_with("") + trace_with("")),
      one_file("metadata-damaged", trace_of(kernel_event("gemm"), R"("odd" 12, "schemaVersion": 1)")),
      one_file("metadata-unreadable", trace_of(kernel_event("gemm"), R"("distributedInfo": [3])")),
      one_file("duplicate-key", slice_with(R"("ts":30,"dur":3,"dur":4)")),
      one_file("time-unreadable", slice_with(R"("ts":"soon","dur":3)")),
      one_file("time-out-of-range", slice_with(R"("ts":1e30,"dur":3)")),
      one_file("correlation-unreadable", slice_with(R"("ts":30,"dur":3,"args":{"correlation":"x"})")),
      one_file("arguments-damaged", slice_with(R"("ts":30,"dur":3,"args":{"stream":"7am":0,"correlation":5})")),
      one_file("truncated", R"({"traceEvents": [)" + kernel_event("gemm") + R"(,{"ph":"X","na)"),
  };
}

std::vector<Input> event_inputs() {
  return {
      one_file("missing-time", slice_with(R"("dur":3)")),
      one_file("missing-duration", slice_with(R"("ts":30)")),
      one_file("missing-field", trace_with(R"(,{"ph":"X","cat":"kernel","name":"a","tid":7,"ts":30,"dur":3})")),
      one_file("missing-phase", event_with(R"("cat":"kernel","name":"a","ts":30,"dur":3)")),
      one_file("unknown-phase", event_with(R"("ph":"?","cat":"kernel","name":"a","ts":30)")),
      one_file("object-event", event_with(R"("ph":"N","id":"0x1","name":"a","ts":30)")),
      one_file("begin-without-end", event_with(R"("ph":"B","name":"a","ts":30)")),
      one_file("end-without-begin", event_with(R"("ph":"E","name":"a","ts":30)")),
      one_file("negative-duration", slice_with(R"("ts":30,"dur":-3)")),
      one_file("absurd-duration", slice_with(R"("ts":30,"dur":9000000000000)")),
      one_file("begins-at-zero",
               trace_of(kernel_event("gemm", 1'700'000'000'000'000) + ",{" + kSlice + R"("ts":0,"dur":0})")),
      one_file("stray-slice", trace_of(kernel_event("gemm") + "," + kernel_event("gemm", 200) + "," +
                                       kernel_event("gemm", 1'700'000'000'000'000))),
      one_file("mostly-gaps", trace_of(kernel_event("gemm") + "," + kernel_event("gemm", 1'700'000'000'000'000))),
      one_file("stray-sample",
               trace_of(kernel_event("gemm") + "," + kernel_event("gemm", 200) +
                        R"(,{"ph":"C","name":"queue","pid":1,"ts":1700000000000000,"args":{"length":3}})")),
      one_file("run-without-duration", slice_with(R"("ts":30,"dur":0)")),
      one_file("kernel-overflow", trace_of(overrun(20, 40))),
      one_file("overlapping-slices", slice_with(R"("ts":105,"dur":20)")),
      one_file("several-launches-of-one-id",
               slice_with(R"("ts":130,"dur":2,"args":{"correlation":5}},)" + std::string(kLaunch).substr(1) + kLaunch +
                          R"(,{"ph":"i","name":"b","ts":1)")),
      one_file("launches-of-several-processes",
               slice_with(R"("ts":130,"dur":2,"args":{"correlation":5}})" + std::string(kLaunch) +
                          R"(,{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":2,"tid":2,"ts":91,)" +
                          R"("dur":5,"args":{"correlation":5})")),
      one_file("clocks-unverified",
               trace_of(R"({"ph":"X","cat":"kernel","name":"[R0] a","pid":0,"tid":7,"ts":1,"dur":2},)"
                        R"({"ph":"X","cat":"kernel","name":"[R1] a","pid":1000,"tid":1007,"ts":1,"dur":2})")),
      one_file("loose-flow", event_with(R"("ph":"f","id":1,"cat":"fwdbwd","name":"fwdbwd","bp":"e","ts":3000)")),
      one_file("graph-dependency-dropped",
               event_with(R"("ph":"f","id":1099511627777,"cat":"ac2g","name":"ac2g","bp":"e","ts":3000)")),
      one_file("graph-node-without-launch",
               event_with(R"("ph":"X","cat":"graph_host_node","name":"HostNode","ts":200,"dur":5,)"
                          R"("args":{"correlation":0})")),
      one_file("time-base-ignored",
               trace_of(kernel_event("gemm", 1'700'000'000'000'000), R"("baseTimeNanoseconds": 1700000000000000000)")),
      one_file("repeated-lane",
               R"({"traceEvents":[{"ph":"M","pid":1,"name":"process_name","args":{"name":"/device:GPU:0"}},)"
               R"({"ph":"M","pid":1,"tid":13,"name":"thread_name","args":{"name":"Stream #13"}},)"
               R"({"ph":"M","pid":1,"tid":52,"name":"thread_name","args":{"name":"Async XLA Ops"}},)"
               R"({"ph":"X","pid":1,"tid":13,"ts":1,"dur":5,"name":"fusion"},)"
               R"({"ph":"X","pid":1,"tid":52,"ts":1,"dur":5,"name":"scope"},{}]})"),
  };
}

std::vector<Input> directory_inputs() {
  const std::string trace = trace_with("");
  const std::string node = "system/incremental/2026010112/1767268800.algo-1.json";
  const std::string sample =
      R"({"Type":"cpu","Name":"cpu0","Dimension":"CPUUtilization","Value":10.0,"NodeId":"algo-1","Timestamp":1767268800.0})";
  const std::string earlier = [&] {
    std::string text = sample;
    return text.replace(text.rfind("8800"), 4, "8799");
  }();
  const std::string framework = "job/profiler-output/framework/";
  const std::string closed = framework + "pevents/2020071317/1594662605430000_905-algo-1_pythontimeline.json";
  const std::string open = timeline_of(timeline_slice("b", 300, 10) + ",\n" + timeline_slice("c", 320, 10));
  const std::string stats = framework + "pytorch/cprofile/905-algo-1/a/python_stats";
  return {
      {"empty-file", {{"a.json", trace}, {"b.json", ""}}},
      {"not-a-trace", {{"a.json", trace}, {"rank1.pt.trace.json", "hello"}}},
      {"unreadable-file", {{"a.json", trace}, {"rank1.json.gz", "\x1f\x8b\x08"}}},
      {"input-damaged", {{"a.json", trace}, {"rank1.json.gz", gzip(rank_of(1, 1)) + "garbage after the end"}}},
      {"converted-beside-traces", {{"a.json", trace}, {"a.wscope", "x"}}},
      {"no-slices", {{"a.json", trace}, {"rank1.json", trace_of("")}}},
      {"merged-beside-traces",
       {{"7-TP-0.trace.json", trace},
        {"merged-7.trace.json.gz",
         gzip(trace_of(R"({"ph":"X","cat":"kernel","name":"a","pid":"[TP00] 0","tid":7,"ts":1,"dur":2})"))}}},
      {"copy-beside-trace", {{"host.trace.json.gz", gzip(trace)}, {"perfetto_trace.json.gz", gzip(trace + "\n")}}},
      {"same-content", {{"a.json", trace}, {"a.json.gz", gzip(trace)}}},
      {"duplicate-rank", {{"a.json", rank_of(0, 1)}, {"b.json", rank_of(0, 1, 105)}}},
      {"time-base-of-others",
       {{"a.json", trace.substr(0, trace.rfind('}') - 1)},
        {"b.json", R"({"baseTimeNanoseconds": 1704161511000000000, "traceEvents": [)" + kernel_event("other") + "]}"}}},
      {"unsupported-device",
       {{"a.json", trace_of(R"({"ph":"X","cat":"enqueue","name":"a","pid":1,"tid":1,"ts":1,"dur":1},)"
                            R"({"ph":"X","cat":"dequeue","name":"a","pid":1,"tid":2,"ts":2,"dur":1})")}}},
      {"graph-capture",
       {{"a.json", trace},
        {"b.json",
         trace_of(
             R"({"ph":"X","cat":"cuda_runtime","name":"cudaStreamBeginCapture","pid":1,"tid":1,"ts":1,"dur":1})")}}},
      {"ranks-assumed", {{"a.json", trace}, {"b.json", trace_of(kernel_event("other"))}}},
      {"several-recordings", {{"a.json", rank_of(0, 1)}, {"b.json", rank_of(0, 1, 9'000'000)}}},
      {"ranks-missing", {{"a.json", rank_of(0, 4)}}},
      {"world-sizes-differ", {{"a.json", rank_of(0, 3)}, {"b.json", rank_of(1, 3)}, {"c.json", rank_of(2, 2)}}},
      {"sealed-profile", {{"a.json", trace}, {"smpfile_905_1700000000.raw", "text"}}},
      {"job-document-unreadable", {{"a.json", trace}, {"profiler-output/profilerconfig.json", "{\"a\""}}},
      {"open-timeline",
       {{closed, timeline_of(timeline_slice("a", 100, 10))},
        {framework + "905-algo-1_pythontimeline.json.tmp", open.substr(0, open.rfind("\"dur\""))}}},
      {"memory-change-unreadable", {{"a.json", trace}, {"m.raw.json", "[[1,2,512,0],[2,x,512,0],[3,4,-512,0]]"}}},
      {"memory-timeline-cut", {{"a.json", trace}, {"m.raw.json", "[[1,2,512,0],[2,2,512,0]"}}},
      {"memory-category-unknown", {{"a.json", trace}, {"m.raw.json", "[[1,2,512,0],[2,2,512,99]]"}}},
      {"metrics-file-empty", {{"a.json", trace}, {node, ""}}},
      {"metrics-file-ignored", {{node, sample}, {node + ".corrupt", sample}}},
      {"metrics-line-damaged", {{node, sample + "\nbroken\n" + sample}}},
      {"metrics-line-cut-off", {{node, sample + "\n" + sample.substr(0, 40)}}},
      {"nodes-missing", {{"system/incremental/2026010112/1767268800.algo-3.json", sample}}},
      {"metrics-clock-reversed", {{node, sample + "\n" + earlier + "\n"}}},
      {"metrics-joined-by-order", {{"a.json", trace}, {node, sample}}},
      {"python-stats-empty", {{"job/profiler-output/" + node, sample}, {stats, "{0"}}},
      {"python-stats-damaged", {{"job/profiler-output/" + node, sample}, {stats, "garbage"}}},
  };
}

/// Codes that need more than a small directory, and the tests that produce them.
const std::map<std::string, std::string>& other_tests() {
  static const std::map<std::string, std::string> tests{
      {"cancelled", "core/ingest/formats/trace_events/arguments_test.cpp"},
      {"changed-while-read", "core/ingest/load/loader_change_test.cpp"},
      {"clocks-apart", "core/trace/recordings_test.cpp"},
      {"counters-beside-traces", "app/cli/counters_test.cpp"},
      {"directory-away", "core/ingest/load/loader_watch_test.cpp"},
      {"duration-of-days", "core/ingest/formats/pevents/timeline_samples_test.cpp"},
      {"event-too-long", "core/ingest/hostile_files_test.cpp"},
      {"events-capped", "core/ingest/formats/chrome/chrome_format_test.cpp"},
      {"load-failed", "core/ingest/load/loader_exception_test.cpp"},
      {"memory-limit", "core/ingest/load/loader_memory_test.cpp"},
      {"memory-limit-not-held", "core/ingest/load/loader_memory_test.cpp"},
      {"metrics-too-many", "core/ingest/formats/sagemaker/metrics_text_test.cpp"},
      {"no-base-time", "core/ingest/formats/pevents/timeline_samples_test.cpp"},
      {"python-stats-entry-skipped", "core/ingest/formats/python_stats/cprofile_test.cpp"},
      {"python-stats-unreadable", "core/analysis/analyses/python_stats_test.cpp"},
      {"rank-too-large", "core/ingest/formats/trace_events/pieces_test.cpp"},
      {"source-vanished", "core/ingest/load/loader_watch_test.cpp"},
      {"still-written", "core/ingest/load/publisher_test.cpp"},
      {"store-damaged", "core/ingest/load/loader_store_test.cpp"},
      {"shard-missing", "app/cli/convert_share_test.cpp"},
      {"store-not-kept", "core/ingest/load/loader_store_test.cpp"},
      {"store-outdated", "core/ingest/load/loader_damage_test.cpp"},
      {"unreadable-directory", "core/ingest/listing/hostile_directory_test.cpp"},
  };
  return tests;
}

/// Require billions of events, or a disk that fails at a particular moment.
const std::set<std::string> kOutOfReach{"too-many-names", "memory-timeline-too-long", "memory-timeline-unreadable",
                                        "arguments-not-kept"};

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The codes explained by core/base.
std::set<std::string> explained_codes() {
  const std::string text = text_of(source_dir() / "core" / "base" / "diagnostic_codes.cpp");
  std::set<std::string> found;
  const std::regex expression(R"(Explanation\{\s*"([a-z0-9-]+)\")");
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at) {
    INFO("explained twice: " << (*at)[1]);
    CHECK(found.insert((*at)[1]).second);
  }
  return found;
}

std::vector<Input> inputs() {
  std::vector<Input> all = text_inputs();
  for (auto& more : {event_inputs(), directory_inputs()}) all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::uint64_t count_in(const trace::Profile& profile, const std::string& code) {
  std::uint64_t count = profile.diagnostics.count(code);
  for (const auto& rank : profile.ranks) count += rank->diagnostics.count(code);
  return count;
}

}  // namespace

TEST_CASE("small inputs produce the expected diagnostics", "[hostile]") {
  for (const Input& input : inputs()) {
    CAPTURE(input.code, input.files.front().text);
    const TestFolder folder;
    for (const InputFile& file : input.files) folder.write(file.name, file.text);
    const auto profile = load_profile(folder.path().string());
    CHECK(profile.ok());
    if (profile.ok()) CHECK(count_in(**profile, input.code) >= 1);
    CHECK_FALSE(explain(input.code).empty());
  }
}

TEST_CASE("some input produces each diagnostic code", "[hostile]") {
  const std::set<std::string> codes = explained_codes();
  REQUIRE(codes.size() > 60);
  std::set<std::string> produced = kOutOfReach;
  for (const Input& input : inputs()) produced.insert(input.code);
  for (const auto& [code, file] : other_tests()) {
    CAPTURE(code, file);
    CHECK(text_of(source_dir() / "tests" / file).find('"' + code + '"') != std::string::npos);
    produced.insert(code);
  }
  for (const std::string& code : codes) {
    INFO("add an input that produces " << code << " to " << __FILE__);
    CHECK(produced.contains(code));
  }
}

TEST_CASE("a kernel that runs into many later ones counts until the next one starts") {
  const auto longest = [](int count, int ms) {
    const auto profile = load_events(overrun(count, ms));
    Ns most = 0;
    for (trace::SliceOrdinal slice = 0; slice < profile->ranks[0]->lane_start.back(); ++slice)
      most = std::max(most, profile->ranks[0]->duration(slice));
    return most;
  };
  CHECK(longest(20, 40) == 10'000);
  CHECK(longest(20, 9) == 9'000'000);    // not long enough to be impossible
  CHECK(longest(10, 40) == 40'000'000);  // too few kernels start before it ends
}
