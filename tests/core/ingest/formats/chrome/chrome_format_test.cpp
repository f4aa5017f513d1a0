// Chrome traces from other programs. A generated job has the same GPU activity whether PyTorch, JAX or another program
// traces it. Difficult input from real exporters is handwritten.
#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "core/ingest/formats/chrome/lanes.hpp"
#include "core/ingest/formats/format_list.hpp"
#include "core/ingest/read/source_reader.hpp"
#include "tests/core/analysis/table_cells.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/ingest/compression.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/sanitized.hpp"
#include "tests/small_job.hpp"

using namespace warpscope;
using tests::TestFolder;

namespace {

/// Stream, duration, name and launch of all GPU activity.
using RunKey = std::tuple<std::int64_t, std::int64_t, Ns, std::string, bool, std::optional<std::uint64_t>>;

std::multiset<RunKey> runs_of(const trace::Profile& profile, const trace::Rank& rank, bool with_bytes = true) {
  std::multiset<RunKey> runs;
  for (const trace::Track& track : rank.tracks) {
    if (track.kind != trace::TrackKind::stream) continue;
    for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l)
      for (std::uint32_t i = 0; i < rank.lanes[l].size(); ++i) {
        const trace::SliceOrdinal slice = rank.ordinal({l, i});
        if (!trace::is_run(profile.dictionary->categories.role(rank.category(slice)))) continue;
        runs.emplace(track.process, track.id, rank.duration(slice), std::string(profile.names().view(rank.name(slice))),
                     rank.launches.cause_of(slice) != nullptr, with_bytes ? rank.bytes(slice) : std::nullopt);
      }
  }
  return runs;
}

std::size_t count(const trace::Rank& rank, std::string_view code) {
  std::size_t found = 0;
  for (const Diagnostic& each : rank.diagnostics.all())
    if (each.code == code) found += each.count;
  return found;
}

std::shared_ptr<const trace::Profile> load_text(const std::string& text) {
  const TestFolder folder;
  return tests::load(folder.write("host.trace.json", text));
}

/// A device with two streams and a host, as XLA names them.
const std::string kNames = R"json(
    {"ph":"M","pid":1,"name":"process_name","args":{"name":"/device:GPU:0"}},
    {"ph":"M","pid":701,"name":"process_name","args":{"name":"/host:CPU"}},
    {"ph":"M","pid":1,"tid":13,"name":"thread_name","args":{"name":"Stream #13(Compute)"
}
},
    {"ph":"M","pid":1,"tid":14,"name":"thread_name","args":{"name":"Stream #14(MemcpyH2D)"}},
    {"ph":"M","pid":1,"tid":50,"name":"thread_name","args":{"name":"XLA Modules"}},
    {"ph":"M","pid":1,"tid":51,"name":"thread_name","args":{"name":"Steps"}},
    {"ph":"M","pid":1,"tid":52,"name":"thread_name","args":{"name":"TensorFlow Name Scope"}},
    {"ph":"M","pid":1,"tid":53,"name":"thread_name","args":{"name":"Async XLA Ops"}},
    {"ph":"M","pid":1,"tid":54,"name":"thread_name","args":{"name":"_counters_"}},
    {"ph":"M","pid":701,"tid":5,"name":"thread_name","args":{"name":"python"}})json";
const std::string kEvents = R"json(
    {"ph":"X","pid":1,"tid":13,"ts":401551.40500000003,"dur":43.710339999999997,"name":"fusion_1",
     "args":{"correlation_id":"17","hlo_op":"fusion.1"}},
    {"ph":"X","pid":701,"tid":5,"ts":401500,"dur":20,"name":"fusion_1","args":{"correlation_id":"17"}},
    {"ph":"X","pid":701,"tid":5,"ts":401530,"dur":2,"name":"cuStreamSynchronize","args":{"correlation_id":"18"}},
    {"ph":"X","pid":1,"tid":14,"ts":401600,"dur":5,"name":"MemcpyH2D",
     "args":{"memcpy_details":"kind_src:pageable kind_dst:device size:4096 dest:0 async:1"}},
    {"ph":"X","pid":1,"tid":14,"ts":401700,"dur":1e-06,"name":"tiny"},
    {"ph":"X","pid":1,"tid":50,"ts":401550,"dur":300,"name":"jit_train(1)"
},
    {"ph":"X","pid":1,"tid":51,"ts":401550,"dur":300,"name":"7"},
    {"ph":"X","pid":1,"tid":52,"ts":401550,"dur":300,"name":"model/layer"},
    {"ph":"X","pid":1,"tid":53,"ts":401550,"dur":300,"name":"copy-start"},
    {"ph":"X","pid":1,"tid":54,"ts":401560,"dur":1,"name":"bytes_in_use","args":{"value":"42"}},
    {"ph":"X","pid":701,"tid":5,"ts":401400,"dur":90,"name":"$train.py:226 step"})json";
const std::string kXla =
    R"({"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":[)" + kNames + "," + kEvents + ",{}]}";

}  // namespace

TEST_CASE("chrome: a job has the same GPU activity in every format", "[chrome]") {
  tracegen::Options options = tests::small_job();
  const auto load = [&](tracegen::Writer writer, tracegen::Format format) {
    options.writer = writer;
    options.format = format;
    const TestFolder folder;
    tests::write_set(folder, tracegen::generate_in_memory(options));
    return tests::load(folder.path());
  };
  const auto kineto = load(tracegen::Writer::kineto, tracegen::Format::json);
  for (const tracegen::Writer writer : {tracegen::Writer::jax, tracegen::Writer::generic}) {
    CAPTURE(static_cast<int>(writer));
    const auto other = load(writer, tracegen::Format::gz);
    REQUIRE(other->ranks.size() == kineto->ranks.size());
    for (std::size_t r = 0; r < other->ranks.size(); ++r) {
      const bool sizes = writer == tracegen::Writer::jax;  // the other one writes no arguments
      CHECK(runs_of(*other, *other->ranks[r], sizes) == runs_of(*kineto, *kineto->ranks[r], sizes));
      CHECK(other->ranks[r]->launches.size() == kineto->ranks[r]->launches.size());
      CHECK(other->ranks[r]->devices.size() == 1);
      const auto lengths = [&](const trace::Profile& profile) {
        std::vector<Ns> found;
        for (const trace::Step& step : profile.ranks[r]->steps) found.push_back(step.time.length());
        return found;
      };
      CHECK(lengths(*other) == lengths(*kineto));
      CHECK(ingest::format_of(*other->ranks[r]).name() == "Chrome trace");
    }
    for (const char* const analysis : {"temporal_breakdown", "comm_comp_overlap"}) {
      CAPTURE(analysis);
      CHECK(tests::row_texts(tests::tables_of(*other, analysis).front()) ==
            tests::row_texts(tests::tables_of(*kineto, analysis).front()));
    }
  }
}

TEST_CASE("chrome: the name of an XLA lane determines the type of its slices", "[chrome]") {
  const auto profile = load_text(kXla);
  REQUIRE(profile->ranks.size() == 1);
  const trace::Rank& rank = *profile->ranks[0];
  REQUIRE(rank.devices.size() == 1);
  // Times are rounded to ns, not truncated. The kernel has its launch although both have the same name. The memcpy has
  // its bytes.
  CHECK(runs_of(*profile, rank) == std::multiset<RunKey>{{0, 13, 43'710, "fusion_1", true, std::nullopt},
                                                         {0, 14, 5'000, "MemcpyH2D", false, 4096},
                                                         {0, 14, 0, "tiny", false, std::nullopt}});
  CHECK(rank.launches.size() == 1);
  CHECK(rank.annotations == std::map<std::string, std::uint64_t>{{"step", 1}});
  CHECK(rank.steps.size() == 1);
  REQUIRE(rank.counters.size() == 1);
  CHECK(count(rank, "repeated-lane") == 1);
  CHECK(count(rank, "missing-phase") == 0);  // the "{}" at the end
  std::set<std::string> labels;
  for (const trace::Track& track : rank.tracks) labels.insert(track.label);
  CHECK(labels.contains("Stream #13(Compute)"));
  CHECK(labels.contains("XLA Modules"));
  CHECK(labels.contains("python"));
  std::map<std::string, std::uint64_t> categories;
  for (const auto& [id, slices] : rank.counts.by_category)
    categories.emplace(profile->dictionary->categories.name(id), slices);
  CHECK(categories == std::map<std::string, std::uint64_t>{{"kernel", 2},
                                                           {"gpu_memcpy", 1},
                                                           {"cuda_runtime", 2},
                                                           {"gpu_user_annotation", 2},
                                                           {"user_annotation", 1},
                                                           {"python_function", 1}});
}

TEST_CASE("chrome: correlation id 0 links no launch", "[chrome]") {
  const auto with_id = [](const std::string& id) {
    return load_text(R"({"traceEvents":[)" + kNames + R"(,
        {"ph":"X","pid":1,"tid":13,"ts":60,"dur":5,"name":"fusion","args":{"correlation_id":")" +
                     id + R"("}},
        {"ph":"X","pid":701,"tid":5,"ts":10,"dur":5,"name":"execute","args":{"correlation_id":")" +
                     id + R"("}}]})");
  };
  CHECK(with_id("1")->ranks.at(0)->launches.size() == 1);
  CHECK(with_id("0")->ranks.at(0)->launches.size() == 0);
}

TEST_CASE("chrome: names at the end of the file count, even in an unclosed array", "[chrome]") {
  const auto first = load_text(kXla);
  for (const std::string& text : {"{\"traceEvents\":[" + kEvents + "," + kNames + ",{}]}", "[" + kNames + "," + kEvents,
                                  "[" + kEvents + "," + kNames + ","}) {
    const auto other = load_text(text);
    REQUIRE(other->ranks.size() == 1);
    CHECK(runs_of(*other, *other->ranks[0]) == runs_of(*first, *first->ranks[0]));
    CHECK(other->ranks[0]->counts.slices == first->ranks[0]->counts.slices);
  }
}

TEST_CASE("chrome: the lane XLA Ops is the activity of a TPU", "[chrome]") {
  const auto profile = load_text(R"({"traceEvents":[
      {"ph":"M","pid":3,"name":"process_name","args":{"name":"/device:TPU:2"}},
      {"ph":"M","pid":3,"tid":1,"name":"thread_name","args":{"name":"XLA Modules"}},
      {"ph":"M","pid":3,"tid":2,"name":"thread_name","args":{"name":"XLA Ops"}},
      {"ph":"X","pid":3,"tid":1,"ts":0,"dur":100,"name":"jit_step"},
      {"ph":"X","pid":3,"tid":2,"ts":10,"dur":50,"name":"while"},
      {"ph":"X","pid":3,"tid":2,"ts":20,"dur":10,"name":"fusion"}]})");
  const trace::Rank& rank = *profile->ranks.at(0);
  REQUIRE(rank.devices.size() == 1);
  CHECK(rank.devices[0].id == 2);
  // Nested: the union counts.
  CHECK(tests::integer(tests::tables_of(*profile, "temporal_breakdown").front(), 0, "compute") == 50'000);
  CHECK(rank.counts.runs == 2);
}

TEST_CASE("chrome: without a device process there are only threads, and flows are arrows", "[chrome]") {
  const auto profile = load_text(R"([
      {"ph":"X","pid":"10","tid":"stream 7","ts":"0","dur":"20","name":"produce"},
      {"ph":"s","pid":10,"tid":"stream 7","ts":5,"cat":"DataFlow","name":"dep","id":"a"},
      {"ph":"t","pid":10,"tid":2,"ts":45,"cat":"DataFlow","name":"dep","id":"a"},
      {"ph":"X","pid":10,"tid":2,"ts":40,"dur":20,"name":"consume"},
      {"ph":"B","pid":10,"tid":3,"ts":0,"name":"outer"},{"ph":"E","pid":10,"tid":3,"ts":90},
      {"ph":"C","pid":10,"ts":1,"name":"mem","args":{"used":7}},
      {"ph":"M","pid":10,"tid":2,"name":"thread_name","args":{"name":"worker"}},
      {"ph":"M","pid":10,"name":"process_name","args":{"name":"server"}},
      {"ph":"X","pid":11,"tid":2,"ts":1,"dur":1,"name":"other"},
      {"ph":"M","pid":11,"name":"process_name","args":{"name":"client"}})");
  const trace::Rank& rank = *profile->ranks.at(0);
  CHECK(rank.devices.empty());
  CHECK(rank.counts.runs == 0);
  CHECK(rank.counts.slices == 4);
  CHECK(rank.forward_backward.size() == 1);
  CHECK(rank.counters.size() == 1);
  std::set<std::string> labels;
  for (const trace::Track& track : rank.tracks) labels.insert(track.label);
  CHECK(labels.contains("server · worker"));
  CHECK(labels.contains("client · thread 2"));
}

TEST_CASE("chrome: an event is shown with the arguments from its file", "[chrome]") {
  const TestFolder folder;
  const auto profile = tests::load(folder.write("host.trace.json.gz", tests::gzip(kXla)));
  const trace::Rank& rank = *profile->ranks.at(0);
  const trace::Track& stream = rank.tracks.at(0);
  const trace::SliceOrdinal slice = rank.ordinal({stream.first_lane, 0});
  const std::uint64_t id = rank.lanes[stream.first_lane].event(0);
  std::vector<ingest::EventText> events;
  const auto keep = [&](std::size_t, const ingest::EventText& event) { events.push_back(event); };
  REQUIRE_FALSE(ingest::format_of(rank).read_events(rank.source, std::span(&id, 1), keep, {}, nullptr));
  REQUIRE(events.size() == 1);
  REQUIRE(events[0].find("args.correlation_id"));
  CHECK(*events[0].find("args.correlation_id") == "17");
  CHECK(*events[0].find("args.hlo_op") == "fusion.1");
  CHECK(profile->names().view(rank.name(slice)) == "fusion_1");
}

TEST_CASE("chrome: the content of a file determines its format, not its name", "[chrome]") {
  const auto name = [](std::string_view text) { return ingest::format_of(ingest::FileHead{"x.json", text}).name(); };
  CHECK(name(R"({"schemaVersion": 1, "traceEvents": []})") == "PyTorch profiler");
  CHECK(name(R"([{"ph":"X","cat":"cpu_op","name":"aten::add","pid":1,"tid":1,"ts":1,"dur":1}])") == "PyTorch profiler");
  CHECK(name(R"({"traceEvents":[{"ph":"X","name":"a","ts":1,"dur":1}],"deviceProperties":[]})") == "PyTorch profiler");
  CHECK(name(kXla) == "Chrome trace");
  CHECK(name(R"([{"ph":"X","cat":"Node","name":"a","pid":1,"tid":1,"ts":1,"dur":1}])") == "Chrome trace");
  CHECK(name(R"({"baseTimeNanoseconds": 5, "traceEvents":[{"ph":"X","name":"a","ts":1,"dur":1}]})") == "Chrome trace");
  // Files that no format recognizes go to the first format, which reports why they are not traces.
  for (const char* const text : {"", "hello", R"({"learning_rate": 0.1})", "[]"})
    CHECK(name(text) == "PyTorch profiler");
}

TEST_CASE("chrome: the copy for Perfetto is skipped next to its original", "[chrome]") {
  const TestFolder folder;
  const std::string bytes = tests::gzip(kXla);
  folder.write("both/host.trace.json.gz", bytes);
  folder.write("both/perfetto_trace.json.gz", tests::gzip(kXla + "\n"));
  folder.write("alone/perfetto_trace.json.gz", bytes);
  const auto both = tests::load(folder.path() / "both");
  CHECK(both->ranks.size() == 1);
  CHECK(std::ranges::count(both->diagnostics.all(), "copy-beside-trace", &Diagnostic::code) == 1);
  CHECK(tests::load(folder.path() / "alone")->ranks.size() == 1);
}

TEST_CASE("chrome: a PyTorch trace that starts with metadata events is read as one", "[chrome]") {
  std::string events;
  for (int i = 0; i < 1000; ++i)
    events += R"({"ph":"M","pid":1,"tid":)" + std::to_string(i) + R"(,"name":"thread_name","args":{"name":"worker"}},)";
  REQUIRE(events.size() > ingest::kFormatHead);
  events += R"({"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":1,"dur":2,
               "args":{"correlation":5}},
              {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":9,"dur":4,"args":{"correlation":5}})";
  const auto profile = load_text("[" + events + "]");
  CHECK(runs_of(*profile, *profile->ranks.at(0)) == std::multiset<RunKey>{{0, 7, 4'000, "gemm", true, std::nullopt}});
}

TEST_CASE("chrome: all passes over a file together advance the progress by its size", "[chrome]") {
  tracegen::Options options = tests::small_job(1);
  for (const tracegen::Writer writer : {tracegen::Writer::jax, tracegen::Writer::generic}) {
    options.writer = writer;
    const TestFolder folder;
    const auto set = tracegen::generate_in_memory(options);
    trace::SourceFile source;
    source.path = folder.write(set.files[0].path, set.files[0].bytes).string();
    trace::Dictionary dictionary;
    Progress progress;
    ingest::ReadOptions reading;
    reading.progress = &progress;
    REQUIRE(ingest::read_source(source, 0, dictionary, reading).data.rank);
    const std::uint64_t size = std::filesystem::file_size(source.path);
    CHECK(progress.done <= size);
    CHECK(progress.done + 24 > size);
  }
}

TEST_CASE("chrome: names of devices and streams", "[chrome]") {
  using ingest::chrome::device_in;
  using ingest::chrome::stream_in;
  CHECK(device_in("/device:GPU:3") == 3);
  CHECK(device_in("/device:TPU:0 (pod 1)") == 0);
  CHECK(device_in("/device:CUSTOM:NPU:1") == std::nullopt);
  for (const char* const other : {"/host:CPU", "GPU 0", "/device:GPU:", "/device:GPU:x", "/device:CPU:0", ""})
    CHECK(device_in(other) == std::nullopt);
  CHECK(stream_in("Stream #13(Compute)") == 13);
  CHECK(stream_in("Stream #2") == 2);
  for (const char* const other : {"stream 7", "Stream #", "Stream #7x", "XLA Ops", ""})
    CHECK(stream_in(other) == std::nullopt);
}

TEST_CASE("chrome: a file with exactly the number of events that XLA keeps gets a warning", "[chrome]") {
  if (tests::sanitized()) return;  // covered without sanitizers
  std::string text = "{\"traceEvents\":[" + kNames;
  for (int i = 0; i < 1'000'000; ++i)
    text += ",{\"ph\":\"X\",\"pid\":701,\"tid\":5,\"ts\":" + std::to_string(i) + ",\"dur\":1,\"name\":\"a\"}";
  CHECK(count(*load_text(text + "]}")->ranks.at(0), "events-capped") == 1);
  CHECK(count(*load_text(text + R"(,{"ph":"X","pid":701,"tid":5,"ts":1,"dur":1,"name":"a"}]})")->ranks.at(0),
              "events-capped") == 0);
}
