// From events to a profile: connections, track separation, busy time.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/analysis/information/profile_summary.hpp"
#include "core/analysis/slices/slice_details.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using trace::LaneKind;
using trace::SliceRef;

namespace {

std::string call(int correlation, int ts, int dur = 2, int tid = 100) {
  return R"({"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":100,"tid":)" + std::to_string(tid) +
         R"(,"ts":)" + std::to_string(ts) + R"(,"dur":)" + std::to_string(dur) + R"(,"args":{"correlation":)" +
         std::to_string(correlation) + "}}";
}

std::string kernel(const std::string& name, int correlation, int ts, int dur, int stream = 7, int device = 0) {
  return R"({"ph":"X","cat":"kernel","name":")" + name + R"(","pid":)" + std::to_string(device) + R"(,"tid":)" +
         std::to_string(stream) + R"(,"ts":)" + std::to_string(ts) + R"(,"dur":)" + std::to_string(dur) +
         R"(,"args":{"stream":)" + std::to_string(stream) + R"(,"correlation":)" + std::to_string(correlation) + "}}";
}

std::string slice(const std::string& cat, const std::string& name, int pid, int tid, const std::string& ts,
                  const std::string& dur) {
  return R"({"ph":"X","cat":")" + cat + R"(","name":")" + name + R"(","pid":)" + std::to_string(pid) + R"(,"tid":)" +
         std::to_string(tid) + R"(,"ts":)" + ts + R"(,"dur":)" + dur + "}";
}

// All slices with a name.
std::vector<SliceRef> named(const trace::Profile& profile, std::string_view name) {
  std::vector<SliceRef> found;
  for (std::uint32_t r = 0; r < profile.ranks.size(); ++r)
    for (trace::SliceOrdinal s = 0; s < profile.ranks[r]->lane_start.back(); ++s)
      if (profile.name({r, s}) == name) found.push_back({r, s});
  return found;
}

SliceRef one(const trace::Profile& profile, std::string_view name) {
  const auto found = named(profile, name);
  INFO(name);
  REQUIRE(found.size() == 1);
  return found.front();
}

LaneKind lane_kind(const trace::Profile& profile, SliceRef ref) {
  return profile.ranks[ref.rank]->lanes[profile.ranks[ref.rank]->locate(ref.slice).lane].kind();
}

}  // namespace

TEST_CASE("GPU activity finds its launch by correlation id in any file order") {
  const auto profile = load_events(kernel("a", 1, 50, 10) + "," + call(1, 10) + "," + call(2, 20) + "," +
                                   kernel("b", 2, 70, 10) + "," + kernel("orphan", 9, 90, 1));
  const auto summary = analysis::summarize(*profile);
  CHECK(summary.runs == 3);
  CHECK(summary.connections == 2);
  CHECK(summary.launches == 2);
  const auto details = analysis::slice_details(*profile, one(*profile, "a"));
  REQUIRE(details.connections.size() == 1);
  CHECK(profile->begin(details.connections[0].launch) == 10'000);
  CHECK(details.connections[0].latency.from_start == 40'000);
  CHECK(analysis::slice_details(*profile, one(*profile, "orphan")).connections.empty());
}

TEST_CASE("one launch can have many kernels") {
  const auto profile = load_events(call(5, 10) + "," + kernel("g0", 5, 50, 10) + "," + kernel("g1", 5, 60, 10) + "," +
                                   kernel("g2", 5, 70, 10));
  CHECK(analysis::summarize(*profile).launches == 1);
  CHECK(analysis::summarize(*profile).connections == 3);
  const auto details = analysis::slice_details(*profile, one(*profile, "cudaLaunchKernel"));
  REQUIRE(details.connections.size() == 3);
  CHECK(profile->name(details.connections[2].run) == "g2");
}

TEST_CASE("if several launches share an id, the nearest one before the kernel counts, with a diagnostic") {
  const auto profile = load_events(call(5, 10) + "," + call(5, 100) + "," + kernel("first", 5, 50, 10) + "," +
                                   kernel("second", 5, 150, 10));
  const auto launch_of = [&](const char* name) {
    return profile->begin(analysis::slice_details(*profile, one(*profile, name)).connections.at(0).launch);
  };
  CHECK(launch_of("first") == 10'000);
  CHECK(launch_of("second") == 100'000);
  CHECK(profile->diagnostics.count("several-launches-of-one-id") == 2);
}

TEST_CASE("a single ambiguous launch, overlap or flow without a start is a diagnostic") {
  const auto launches = load_events(call(5, 10) + "," + call(5, 100) + "," + kernel("only", 5, 150, 10));
  CHECK(launches->diagnostics.count("several-launches-of-one-id") == 1);
  const auto overlap = load_events(kernel("a", 1, 100, 50) + "," + kernel("b", 2, 140, 50));
  CHECK(overlap->diagnostics.count("overlapping-slices") == 1);
  const auto flow = load_events(
      call(5, 10) + R"(,{"ph":"f","id":7,"pid":1,"tid":1,"ts":10,"cat":"fwdbwd","name":"fwdbwd","bp":"e"})");
  CHECK(flow->diagnostics.count("loose-flow") == 1);
}

TEST_CASE("a thread that launches equally often on several devices belongs to the first") {
  const auto profile =
      load_events(call(1, 10) + "," + call(2, 20) + "," + call(3, 30) + "," + kernel("b", 1, 50, 10, 7, 1) + "," +
                  kernel("a", 2, 60, 10, 7, 0) + "," + kernel("c", 3, 70, 10, 7, 2));
  const auto& tracks = profile->ranks[0]->tracks;
  const auto thread = std::ranges::find(tracks, trace::TrackKind::thread, &trace::Track::kind);
  REQUIRE(thread != tracks.end());
  CHECK(thread->device == 0);
}

TEST_CASE("bytes of memcpys and memsets are found in any spelling") {
  const auto with = [](const std::string& slice, const std::string& args) {
    return slice.substr(0, slice.size() - 1) + R"(,"args":)" + args + "}";
  };
  const auto copy = [&](const std::string& name, int ts, const std::string& args) {
    return with(slice("gpu_memcpy", name, 0, 7, std::to_string(ts), "5"), args);
  };
  const auto profile =
      load_events(copy("plain", 10, R"x({"device":0,"bytes":4096,"memory bandwidth (GB/s)":0.8})x") + "," +
                  copy("last", 90, R"({"bytes": 1, "nested": {"bytes": 7}, "bytes": 2})") + "," +
                  copy("quoted", 30, R"({"bytes":"512"})") + "," + copy("large", 50, R"({"bytes":9007199254740993})") +
                  "," + copy("spread", 60, R"({ "bytes" : 1.5e3 })") + "," + copy("negative", 70, R"({"bytes":-1})") +
                  "," + copy("broken", 72, R"({"bytes":"many"})") + "," + copy("half", 74, R"({"bytes":0.5})") + "," +
                  copy("nothing", 76, R"({"bytes":0})") + "," + copy("silent", 78, R"({"stream":7})") + "," +
                  with(slice("gpu_memset", "set", 0, 8, "20", "5"), R"({"bytes":64})") + "," +
                  with(slice("kernel", "kernel", 0, 9, "20", "5"), R"({"bytes":64})") + "," +
                  with(slice("cpu_op", "op", 1, 1, "20", "5"), R"({"bytes":64})"));
  const std::map<std::string, std::optional<std::uint64_t>> expected{
      {"plain", 4096},  {"last", 2},  {"quoted", 512}, {"large", 9007199254740993},
      {"spread", 1500}, {"set", 64},  {"nothing", 0},  {"negative", {}},
      {"broken", {}},   {"half", {}}, {"silent", {}},  {"kernel", {}},
      {"op", {}}};
  for (const auto& [name, bytes] : expected) {
    INFO(name);
    CHECK(profile->ranks[0]->bytes(one(*profile, name).slice) == bytes);
  }
  CHECK(profile->ranks[0]->transfers.size() == 7);
}

TEST_CASE("busy time is the union of kernels, memcpys and memsets over all streams, without annotations and waits") {
  const auto profile = load_events(kernel("a", 1, 100, 50) + "," + kernel("b", 2, 120, 50, 20) + "," +
                                   slice("gpu_memcpy", "Memcpy HtoD", 0, 22, "300", "10") + "," +
                                   slice("gpu_memset", "Memset", 0, 7, "305", "10") + "," +
                                   slice("gpu_user_annotation", "step", 0, 7, "0", "1000") + "," +
                                   slice("cuda_sync", "Stream Sync", 0, 7, "400", "100"));
  REQUIRE(profile->ranks[0]->devices.size() == 1);
  CHECK(profile->ranks[0]->devices[0].busy.get().busy(0, 10'000'000) == (70 + 15) * 1000);
  CHECK(lane_kind(*profile, one(*profile, "step")) == LaneKind::gpu_annotation);
  CHECK(lane_kind(*profile, one(*profile, "Stream Sync")) == LaneKind::sync);
  CHECK(analysis::summarize(*profile).streams == 3);
}

TEST_CASE("overlapping slices of a stream are all kept, in separate rows") {
  const auto profile =
      load_events(kernel("a", 1, 100, 50) + "," + kernel("b", 2, 140, 50) + "," + kernel("c", 3, 180, 50));
  CHECK(lane_kind(*profile, one(*profile, "a")) == LaneKind::nested);
  CHECK(lane_kind(*profile, one(*profile, "b")) == LaneKind::overflow);
  CHECK(lane_kind(*profile, one(*profile, "c")) == LaneKind::nested);
  CHECK(profile->diagnostics.count("overlapping-slices") == 2);
  CHECK(profile->ranks[0]->devices[0].busy.get().busy(0, 10'000'000) == 130'000);
}

TEST_CASE("impossible slices are kept, flagged and counted, but excluded from span and busy time") {
  const auto profile = load_events(slice("cpu_op", "before", 100, 100, "1000000000", "5") + "," +
                                   slice("kernel", "zero", 0, 7, "0", "0") + "," +
                                   slice("kernel", "negative", 0, 7, "1000000100", "-5") + "," +
                                   slice("kernel", "absurd", 0, 7, "1000000200", "9223372036854775.807") + "," +
                                   slice("kernel", "fine", 0, 7, "1000000300", "10"));
  for (const char* name : {"zero", "negative", "absurd"}) {
    INFO(name);
    CHECK(lane_kind(*profile, one(*profile, name)) == LaneKind::damaged);
  }
  CHECK(profile->diagnostics.count("begins-at-zero") == 1);
  CHECK(profile->diagnostics.count("negative-duration") == 1);
  CHECK(profile->diagnostics.count("absurd-duration") == 1);
  CHECK(profile->diagnostics.count("run-without-duration") == 1);
  CHECK(profile->duration(one(*profile, "negative")) == -5000);
  CHECK(analysis::summarize(*profile).slices == 5);
  CHECK(profile->span == Interval{1'000'000'000'000, 1'000'000'310'000});
  CHECK(profile->ranks[0]->devices[0].busy.get().busy(profile->span.begin, profile->span.end) == 10'000);
}

TEST_CASE("a trace that starts at zero has no impossible slices at zero") {
  const auto profile =
      load_events(slice("cpu_op", "first", 1, 1, "0", "5") + "," + slice("cpu_op", "next", 1, 1, "7", "5"));
  CHECK(lane_kind(*profile, one(*profile, "first")) == LaneKind::nested);
  CHECK(profile->span == Interval{0, 12'000});
}

TEST_CASE("the time base applies exactly to all events before and after it") {
  const std::string event = slice("cpu_op", "a", 1, 1, "12.345", "0.001");
  const TestFolder folder;
  const auto before = load(folder.write("a.json", trace_of(event, R"("baseTimeNanoseconds": 1735632360000000000)")));
  const auto after = load(
      folder.write("b.json", R"({"traceEvents": [)" + event + R"(], "baseTimeNanoseconds": 1735632360000000000})"));
  CHECK(before->span.begin == 1'735'632'360'000'012'345);
  CHECK(after->span == before->span);
  CHECK(before->span.length() == 1);
}

TEST_CASE("B and E events are paired by thread, and unpaired ones are reported") {
  const auto profile = load_events(
      R"({"ph":"B","name":"outer","pid":1,"tid":1,"ts":0},{"ph":"B","name":"inner","pid":1,"tid":1,"ts":1},
         {"ph":"B","name":"other thread","pid":1,"tid":2,"ts":1},{"ph":"E","pid":1,"tid":1,"ts":2},
         {"ph":"E","pid":1,"tid":1,"ts":3},{"ph":"B","name":"open","pid":1,"tid":1,"ts":4},{"ph":"E","pid":1,"tid":9,"ts":4})");
  CHECK(profile->duration(one(*profile, "outer")) == 3000);
  CHECK(profile->duration(one(*profile, "inner")) == 1000);
  CHECK(lane_kind(*profile, one(*profile, "open")) == LaneKind::instant);
  CHECK(profile->diagnostics.count("begin-without-end") == 2);
  CHECK(profile->diagnostics.count("end-without-begin") == 1);
  CHECK(analysis::summarize(*profile).slices == 2);
}

TEST_CASE("asynchronous ranges, marks and counters have separate tracks") {
  const auto profile = load_events(
      R"({"ph":"b","cat":"c","id":"0x1","name":"range","pid":1,"tid":1,"ts":0},{"ph":"e","cat":"c","id":"0x1","name":"range","pid":1,"tid":2,"ts":5},
         {"ph":"i","name":"mark","pid":1,"tid":1,"ts":3,"s":"t"},
         {"ph":"C","name":"memory","pid":1,"ts":0,"args":{"used":1,"free":9}},{"ph":"C","name":"memory","pid":1,"ts":4,"args":{"used":2.5,"free":7}})");
  CHECK(profile->duration(one(*profile, "range")) == 5000);
  CHECK(lane_kind(*profile, one(*profile, "mark")) == LaneKind::instant);
  REQUIRE(profile->ranks[0]->counters.size() == 2);
  CHECK(profile->ranks[0]->counters[0].max() == 2.5);
  CHECK(analysis::summarize(*profile).slices == 0);
  CHECK(analysis::summarize(*profile).events == 5);
}

TEST_CASE("forward and backward operators are connected by their flow") {
  const std::string flow = R"("cat":"fwdbwd","name":"fwdbwd","id":3,"pid":1)";
  const auto profile =
      load_events(slice("cpu_op", "linear", 1, 1, "10", "20") + "," + slice("cpu_op", "inside", 1, 1, "10", "5") + "," +
                  slice("cpu_op", "LinearBackward", 1, 2, "100", "20") + R"(,{"ph":"s","tid":1,"ts":10,)" + flow +
                  R"(},{"ph":"f","tid":2,"ts":100,"bp":"e",)" + flow + "}");
  const auto& links = profile->ranks[0]->forward_backward;
  REQUIRE(links.size() == 1);
  CHECK(profile->name({0, links.all()[0].to}) == "LinearBackward");
  CHECK(analysis::summarize(*profile).connections == 0);
}

TEST_CASE("a flow at the time an operator ends connects the operator around it") {
  const std::string flow = R"("cat":"fwdbwd","name":"fwdbwd","id":3,"pid":1)";
  const auto profile =
      load_events(slice("cpu_op", "outer", 1, 1, "10", "50") + "," + slice("cpu_op", "ended", 1, 1, "20", "10") + "," +
                  slice("cpu_op", "backward", 1, 2, "100", "20") + R"(,{"ph":"s","tid":1,"ts":30,)" + flow +
                  R"(},{"ph":"f","tid":2,"ts":100,"bp":"e",)" + flow + "}");
  const auto& links = profile->ranks[0]->forward_backward;
  REQUIRE(links.size() == 1);
  CHECK(profile->name({0, links.all()[0].from}) == "outer");
}

TEST_CASE("operators beyond 64 levels are connected by their own flows") {
  constexpr int kDeep = 100;
  std::string events;
  for (int i = 0; i < kDeep; ++i)
    for (const int thread : {1, 2})
      events += slice("cpu_op", (thread == 1 ? "forward" : "backward") + std::to_string(i), 1, thread,
                      std::to_string(1000 * thread + i), std::to_string(2 * (kDeep - i))) +
                ",";
  // One flow starts at operator 80. The other starts inside the innermost operator and ends in operator 70, whose
  // children have ended.
  const auto flow = [](const char* phase, int id, int thread, int at) {
    return R"({"ph":")" + std::string(phase) + R"(","cat":"fwdbwd","name":"fwdbwd","pid":1,"bp":"e","id":)" +
           std::to_string(id) + R"(,"tid":)" + std::to_string(thread) + R"(,"ts":)" + std::to_string(at) + "}";
  };
  events +=
      flow("s", 1, 1, 1080) + "," + flow("f", 1, 2, 2080) + "," + flow("s", 2, 1, 1100) + "," + flow("f", 2, 2, 2129);
  const auto profile = load_events(events);
  std::vector<std::string> links;
  for (const trace::Connection& link : profile->ranks[0]->forward_backward.all())
    links.push_back(std::string(profile->name({0, link.from})) + " " + std::string(profile->name({0, link.to})));
  std::ranges::sort(links);
  CHECK(links == std::vector<std::string>{"forward80 backward80", "forward99 backward70"});
}

TEST_CASE("details of GPU activity include its launch, parents, step, and the self time of operators") {
  const auto profile = load_events(slice("user_annotation", "ProfilerStep#4", 100, 100, "0", "1000") + "," +
                                   slice("cpu_op", "aten::linear", 100, 100, "10", "100") + "," +
                                   slice("cpu_op", "aten::addmm", 100, 100, "20", "50") + "," + call(1, 30, 10) + "," +
                                   kernel("gemm", 1, 500, 40));
  const auto run = analysis::slice_details(*profile, one(*profile, "gemm"));
  CHECK(run.track == "GPU-0 device / stream 7");
  REQUIRE(run.step);
  CHECK(profile->name(*run.step) == "ProfilerStep#4");
  std::vector<std::string_view> chain;
  for (const SliceRef& slice : run.launched_by) chain.push_back(profile->name(slice));
  CHECK(chain == std::vector<std::string_view>{"ProfilerStep#4", "aten::linear", "aten::addmm", "cudaLaunchKernel"});
  CHECK(analysis::slice_details(*profile, one(*profile, "aten::linear")).self == 50'000);
  CHECK(analysis::slice_details(*profile, one(*profile, "aten::addmm")).self == 40'000);
  CHECK(analysis::slice_details(*profile, one(*profile, "ProfilerStep#4")).self == 900'000);
}

TEST_CASE("old traces use other names for streams and fields") {
  const auto profile = load_events(
      R"({"ph":"X","cat":"Runtime","name":"cudaLaunchKernel","pid":"5555","tid":"5555","ts":"100","dur":"5","args":{"correlation":"7"}},
         {"ph":"X","cat":"Kernel","name":"gemm","pid":0,"tid":"stream 7","ts":120,"dur":5,"args":{"device":0,"stream":7,"correlation":7}},
         {"ph":"X","cat":"Operator","name":"ProfilerStep#1","pid":5555,"tid":"5555","ts":90,"dur":100})");
  const auto summary = analysis::summarize(*profile);
  CHECK(summary.connections == 1);
  CHECK(summary.steps == 1);
  CHECK(profile->ranks[0]->devices.at(0).id == 0);
  CHECK(profile->ranks[0]->tracks.at(0).id == 7);
}

TEST_CASE("a slice is found by its offset in the file") {
  const auto profile = load_events(call(1, 10) + "," + kernel("a", 1, 50, 10) + "," + kernel("b", 1, 70, 10));
  for (const char* name : {"a", "b", "cudaLaunchKernel"}) {
    const SliceRef slice = one(*profile, name);
    CHECK(profile->find(profile->identity(slice)) == slice);
  }
}
