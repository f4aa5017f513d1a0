// CUDA graphs: host callbacks as causes of idle time, dependencies between nodes on the critical path, annotated
// modules, and operators from the capture of a graph.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/rules/facts.hpp"
#include "tests/core/analysis/table_cells.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/core/rules/training_job.hpp"
#include "tests/shared_dir.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

using Texts = std::vector<std::string>;

std::string node_arrow(int number, int from_stream, double from, int to_stream, double to) {
  const std::int64_t id = (std::int64_t{1} << 40) + number;
  return fmt::format(
      ",\n"
      R"({{"ph":"s","id":{},"pid":0,"tid":{},"ts":{:.3f},"cat":"ac2g","name":"ac2g"}},)"
      R"({{"ph":"f","id":{},"pid":0,"tid":{},"ts":{:.3f},"cat":"ac2g","name":"ac2g","bp":"e"}})",
      id, from_stream, from, id, to_stream, to);
}

/// Times of kernels on two streams. The long chain is a, c, d: d waits for c on the other stream.
struct Kernel {
  const char* name;
  double begin, length;
  int stream;
};
constexpr std::array<Kernel, 5> kKernels{
    {{"a", 100, 50, 20}, {"b", 152, 20, 20}, {"c", 155, 100, 21}, {"d", 260, 40, 20}, {"e", 302, 10, 21}}};

std::string run_events(bool graph) {
  TinyEvents events;
  int id = 1;
  if (graph) events.launch(10, 1, "cudaGraphLaunch", 20);
  for (const Kernel& kernel : kKernels) {
    if (!graph) {
      // Streams wait for each other as the nodes of the graph do.
      if (*kernel.name == 'c' || *kernel.name == 'd' || *kernel.name == 'e')
        events.launch(4.0 + 10 * id, 0, "cudaStreamWaitEvent", 1);
      events.launch(5.5 + 10 * id, id, "cudaLaunchKernel", 3);
    }
    events.run({.name = kernel.name,
                .begin = kernel.begin,
                .length = kernel.length,
                .correlation = graph ? 1 : id,
                .stream = kernel.stream});
    ++id;
  }
  events.launch(90, 0, "cudaDeviceSynchronize", 230);
  std::string text = events.text();
  if (graph)
    text += node_arrow(1, 20, 150, 20, 152) + node_arrow(2, 20, 150, 21, 155) + node_arrow(3, 20, 172, 20, 260) +
            node_arrow(4, 21, 255, 20, 260) + node_arrow(5, 20, 300, 21, 302);
  return text;
}

/// Kernels on the critical path, in order.
Texts kernels_on_path(const trace::Profile& profile) {
  const Table segments = table_of(tables_of(profile, "critical_path"), "segments");
  Texts names;
  for (std::size_t row = 0; row < segments.rows(); ++row)
    if (text(segments, row, "class") == "computation") names.push_back(text(segments, row, "name"));
  return names;
}

/// Two replays of a graph whose last node is a host callback of 1.5 ms, with a copy from pageable memory before each.
/// `correlated`: whether the callback has the correlation of its launch, which profilers may lose.
std::string callback_events(bool correlated = true, int steps = 2) {
  TinyEvents events;
  for (int s = 0; s < steps; ++s) {
    const double at = s * 5'000.0;
    events.step(s + 1, at, 5'000);
    const int id = 10 * s;
    events.launch(at + 10, id + 1, "cudaMemcpyAsync", 900).launch(at + 1'000, id + 2, "cudaGraphLaunch", 20);
    events.run({.name = "Memcpy",
                .begin = at + 20,
                .length = 800,
                .correlation = id + 1,
                .category = "gpu_memcpy",
                .arguments = R"("bytes":8000000,"copy kind":"HtoD","src kind":"pageable","dst kind":"device")"});
    events.run({.name = "triton", .begin = at + 1'100, .length = 2'000, .correlation = id + 2, .stream = 20});
    events.run({.name = "HostNode: cb",
                .begin = at + 3'120,
                .length = 1'500,
                .correlation = correlated ? id + 2 : 0,
                .stream = 20,
                .category = "graph_host_node"});
    events.run({.name = "tail", .begin = at + 4'630, .length = 50, .correlation = id + 2, .stream = 20});
  }
  return events.text();
}

}  // namespace

TEST_CASE("a CUDA graph has the critical path of the same kernels launched eagerly", "[graphs]") {
  const auto graph = load_events(run_events(true));
  const auto eager = load_events(run_events(false));
  REQUIRE(graph->ranks[0]->graph_edges.size() == 5);
  CHECK(kernels_on_path(*eager) == Texts{"a", "c", "d", "e"});
  CHECK(kernels_on_path(*graph) == kernels_on_path(*eager));
}

TEST_CASE("a host callback in a CUDA graph is on the critical path, even if its correlation is lost", "[graphs]") {
  const auto profile = load_events(callback_events(GENERATE(true, false)));
  const Table segments = table_of(tables_of(*profile, "critical_path"), "segments");
  std::size_t callbacks = 0;
  for (std::size_t row = 0; row < segments.rows(); ++row) {
    const std::string what = text(segments, row, "class");
    if (what == "launched work waiting for unknown reasons") CHECK(integer(segments, row, "duration") < 100'000);
    if (what != "host callbacks of CUDA graphs") continue;
    ++callbacks;
    CHECK(integer(segments, row, "duration") == 1'500'000);
  }
  CHECK(callbacks > 0);
}

TEST_CASE("no replay is shorter than the chain of a graph's nodes", "[graphs]") {
  const auto profile = load_events(callback_events(true, 6));
  const Table faults = tables_of(*profile, "what_if").front();
  REQUIRE(faults.rows() >= 2);
  bool callback = false;
  for (std::size_t row = 0; row < faults.rows(); ++row) {
    callback = callback || text(faults, row, "cause") == "host functions in CUDA graphs";
    // The copy, and without the callback the two kernels.
    CHECK(integer(faults, row, "step with all above fixed") >= (callback ? 2'050'000 : 3'550'000));
  }
  CHECK(callback);
}

TEST_CASE("a callback without recorded dependencies follows the node that ended last before it", "[graphs]") {
  TinyEvents events;
  events.launch(0, 1, "cudaGraphLaunch", 5);
  events.run({.name = "a", .begin = 10, .length = 10, .correlation = 1, .stream = 20});
  events.run({.name = "b", .begin = 21, .length = 500, .correlation = 1, .stream = 21});
  events.run({.name = "cb", .begin = 525, .length = 50, .correlation = 1, .stream = 20, .category = "graph_host_node"});
  const auto profile = load_events(events.text() + node_arrow(1, 20, 20, 21, 21));
  CHECK(kernels_on_path(*profile) == Texts{"a", "b"});
}

TEST_CASE("a host callback in a CUDA graph is the cause of its gap", "[graphs]") {
  const auto profile = load_events(callback_events());
  const auto tables = tables_of(*profile, "idle_time_breakdown");
  const Table longest = table_of(tables, "longest-idle");
  CHECK(text(longest, 0, "cause") == "host callbacks of CUDA graphs");
  CHECK(integer(longest, 0, "duration") == 1'530'000);
  CHECK(text(longest, 0, "waited for") == "HostNode: cb");
  CHECK(integer(tables_of(*profile, "where_time_goes")[0], 0, "idle_host_callback") == 2 * 1'500'000);
  rules::Facts facts({*profile, {}, {}});
  REQUIRE(facts.gpus().size() == 1);
  CHECK(facts.account(0).time(analysis::TimeLabel::host_callback) == 2 * 1'500'000);
}

TEST_CASE("a callback on another stream is no cause of a stream's gap", "[graphs]") {
  TinyEvents events;
  events.launch(0, 1).launch(1, 2);
  events.run({.begin = 10, .length = 5, .correlation = 1, .stream = 7});
  events.run({.begin = 20, .length = 5, .correlation = 2, .stream = 7});
  events.run({.begin = 14, .length = 7, .stream = 8, .category = "graph_host_node"});
  events.run({.begin = 30, .length = 1, .stream = 8});
  const auto tables = tables_of(*load_events(events.text()), "idle_time_breakdown");
  const Table streams = table_of(tables, "idle-time-breakdown");
  for (std::size_t row = 0; row < streams.rows(); ++row) CHECK(text(streams, row, "cause") != "host_callback");
}

TEST_CASE("copies from pageable memory are found by their arguments", "[graphs]") {
  const auto profile = load_events(callback_events());
  const Table copies = tables_of(*profile, "memory_operations")[0];
  CHECK(row_text(copies, 0).starts_with("HtoD "));
}

TEST_CASE("a node that waits for another stream's node is no late launch", "[graphs]") {
  TinyEvents events;
  events.launch(0, 1, "cudaGraphLaunch", 60);  // still running while the first nodes do
  events.run({.name = "a", .begin = 10, .length = 5, .correlation = 1, .stream = 20});
  events.run({.name = "b", .begin = 12, .length = 20, .correlation = 1, .stream = 21});
  events.run({.name = "c", .begin = 34, .length = 5, .correlation = 1, .stream = 20});
  const auto profile = load_events(events.text() + node_arrow(1, 21, 32, 20, 34));
  const Table streams = table_of(tables_of(*profile, "idle_time_breakdown"), "idle-time-breakdown");
  REQUIRE(streams.rows() == 2);
  CHECK(text(streams, 0, "cause") == "launch latency");
  CHECK(integer(streams, 0, "idle") == 2'000);
  CHECK(text(streams, 1, "cause") == "waiting for another stream");
  CHECK(integer(streams, 1, "idle") == 17'000);
}

TEST_CASE("annotated kernels of CUDA graphs have modules", "[graphs]") {
  TinyEvents events;
  events.launch(0, 1, "cudaGraphLaunch");
  const auto node = [&](double begin, const char* arguments) {
    events.run({.name = "k", .begin = begin, .length = 2, .correlation = 1, .arguments = arguments});
  };
  node(10, R"("graph node id":1,"module_fqn":"layers.0.mlp","name":"mlp")");
  node(20, R"("graph node id":2,"annotation":"[{\"name\": \"x\"}, {\"module_fqn\": \"layers.0.attn\"}]")");
  node(30, R"("graph node id":3,"name":"phase_A")");
  node(40, R"("graph node id":4)");
  const TestFolder folder;  // arguments are read from the file
  const auto profile = load(folder.write("rank0.json", trace_of(events.text())));
  const Table modules = tables_of(*profile, "modules")[0];
  Texts paths;
  for (std::size_t row = 0; row < modules.rows(); ++row)
    paths.push_back(fmt::format("{} {}", text(modules, row, "path"), integer(modules, row, "forward total")));
  CHECK(paths == Texts{"layers 4000", "layers/0 4000", "layers/0/mlp 2000", "layers/0/attn 2000", "phase_A 2000"});
  const Table operators = tables_of(*profile, "operators", {{"group", "module"}})[0];
  std::size_t keyed = 0;
  for (std::size_t row = 0; row < operators.rows(); ++row)
    keyed += row_text(operators, row).find("layers.0") != std::string::npos;
  CHECK(keyed == 2);
}

TEST_CASE("files that record the capture of graphs are no ranks", "[graphs]") {
  const TestFolder folder;
  for (const int size : {8, 16}) {
    TinyEvents capture;
    capture.launch(0, 0, "hipStreamBeginCapture");
    capture.host_range(
        fmt::format(R"("cat":"cuda_runtime","name":"hipLaunchKernel","args":{{"correlation":{}}})", size), 11, 2);
    capture.launch(40, 0, "hipStreamEndCapture");
    folder.write(fmt::format("capture_traces/bs_{}_rank0.json", size), trace_of(capture.text()));
  }
  TinyEvents replay;
  replay.launch(0, 1, "hipGraphLaunch").run({.name = "gemm", .begin = 10, .length = 2, .correlation = 1});
  folder.write("rank0.json", trace_of(replay.text()));
  const auto profile = load(folder.path());
  CHECK(profile->diagnostics.count("graph-capture") == 2);
  CHECK(profile->diagnostics.count("duplicate-rank") == 0);
  CHECK(profile->span.length() == 12'000);
}

TEST_CASE("a job that already uses CUDA graphs is not advised to use them", "[graphs]") {
  for (const bool graph : {true, false}) {
    TinyEvents events;
    for (int s = 0; s < 4; ++s) {
      events.step(s, s * 2'000.0, 2'000);
      for (int k = 0; k < 4; ++k) {
        const double at = s * 2'000.0 + k * 500;
        events.launch(at + 300, 10 * s + k + 1, graph ? "cudaGraphLaunch" : "cudaLaunchKernel");
        events.run({.name = "gemm", .begin = at + 310, .length = 100, .correlation = 10 * s + k + 1});
      }
    }
    const auto profile = load_events(events.text());
    const rules::Evaluation evaluation = rules_evaluated(*profile);
    const auto launches = std::ranges::find_if(
        evaluation.findings, [](const rules::Ranked& each) { return each.rule->name == "LaunchBound"; });
    REQUIRE(launches != evaluation.findings.end());
    CHECK(launches->finding.advice.starts_with("CUDA graphs already launch") == graph);
  }
}

TEST_CASE("the synthetic trace of the second backend names the copy and the callback", "[graphs]") {
  const auto shared = shared_dir();
  const auto path = shared ? *shared / "cases/new_backend/graph_host_node_and_deps.json.gz" : std::filesystem::path();
  if (!shared || !std::filesystem::exists(path)) {
    WARN("no shared folder: the synthetic trace is not tried");
    return;
  }
  const auto profile = load(path);
  CHECK(row_text(tables_of(*profile, "memory_operations")[0], 0).starts_with("HtoD "));
  const auto tables = tables_of(*profile, "idle_time_breakdown");
  const Table longest = table_of(tables, "longest-idle");
  CHECK(text(longest, 0, "cause") == "host callbacks of CUDA graphs");
  CHECK(text(longest, 0, "waited for") == "HostNode: cb");
  const rules::Evaluation rules = rules_evaluated(*profile);
  CHECK(outcome_of(rules, "PageableCopies").verdict == rules::Verdict::issues_found);
}
