#include "core/analysis/critical_path/hta_path.hpp"

#include <random>

#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using analysis::BoundBy;
using analysis::EdgeKind;
using analysis::PathGraph;

using Rows = std::vector<std::string>;

namespace {

std::vector<Table> paths(const trace::Profile& profile, std::vector<analysis::Setting> settings = {},
                         const analysis::Scope& scope = {}) {
  settings.emplace_back("hta", "true");
  return tables_of(profile, "critical_path", std::move(settings), scope);
}

analysis::CriticalPath path_in(const trace::Profile& profile, Interval window) {
  return analysis::find_hta_path(profile, 0, window, {.classes = {.hta = true}});
}

analysis::CriticalPath path_of(const TinyEvents& events) {
  const auto profile = load_events(events.text());
  return path_in(*profile, profile->ranks[0]->span);
}

TinyEvents& wait(TinyEvents& events, std::string_view name, double begin, double length, int stream) {
  return events.run({.name = name, .begin = begin, .length = length, .stream = stream, .category = "cuda_sync"});
}

/// An operator launches a kernel; the host waits for it and then continues.
TinyEvents launch_and_wait() {
  TinyEvents events;
  events.op("aten::mm", 0, 3).launch(1, 1, "cudaLaunchKernel", 1);
  events.run({.begin = 4, .length = 16, .correlation = 1}).launch(3, 0, "cudaDeviceSynchronize", 18);
  wait(events, "Context Sync", 3.5, 17, -1);
  events.op("aten::relu", 22, 3);
  return events;
}

std::vector<EdgeKind> kinds_of(const analysis::CriticalPath& path) {
  std::vector<EdgeKind> kinds;
  for (const analysis::CriticalLink& link : path.links) kinds.push_back(link.kind);
  return kinds;
}

}  // namespace

TEST_CASE("the critical path goes from launch to kernel to the call that waits for it") {
  const auto profile = load_events(launch_and_wait().text());
  const std::vector<Table> tables = paths(*profile);
  REQUIRE(tables.size() == 4);
  CHECK(row_texts(tables[0]) == Rows{"0 gpu_compute_bound 0.695652 16000 1 0.64", "0 cpu_bound 0.173913 4000 2 0.16",
                                     "0 gpu_kernel_launch_overhead 0.130435 3000 1 0.12"});
  CHECK(row_texts(tables[1]) == Rows{"0 all 0 25000 23000 0.92 4 1 6"});
  CHECK(row_texts(tables[2]) == Rows{"0 critical_path_operator 3 20000 0.869565", "0 critical_path_dependency 1 0 0",
                                     "0 critical_path_kernel_launch_delay 1 3000 0.130435",
                                     "0 critical_path_sync_dependency 1 0 0"});
  const Rows chain = row_texts(tables[3]);
  REQUIRE(chain.size() == 6);
  CHECK(chain[0].starts_with("0 0 0 1000 critical_path_operator cpu_bound aten::mm 100 100 - "));
  CHECK(chain[1].starts_with("0 1 1000 3000 critical_path_kernel_launch_delay gpu_kernel_launch_overhead - - - - - "));
  CHECK(chain[2].starts_with("0 2 4000 16000 critical_path_operator gpu_compute_bound gemm 0 7 7 "));
  CHECK(chain[3].starts_with("0 3 20000 0 critical_path_sync_dependency  - - - - - "));
  CHECK(chain[4].starts_with("0 4 21000 0 critical_path_dependency  - - - - - "));
  CHECK(chain[5].starts_with("0 5 22000 3000 critical_path_operator cpu_bound aten::relu 100 100 - "));
  CHECK(tables[0].note.empty());
}

TEST_CASE("edges of a path connect slices") {
  const auto profile = load_events(launch_and_wait().text());
  const trace::Rank& rank = *profile->ranks[0];
  const analysis::CriticalPath path = path_in(*profile, rank.span);
  REQUIRE(path.links.size() == 6);
  const auto name = [&](trace::SliceOrdinal slice) { return std::string(profile->names().view(rank.name(slice))); };
  CHECK(name(path.links[1].from) == "cudaLaunchKernel");
  CHECK(path.links[1].from_begin);
  CHECK(name(path.links[1].to) == "gemm");
  CHECK(name(path.links[3].to) == "cudaDeviceSynchronize");
  CHECK_FALSE(path.links[3].to_begin);
  CHECK(path.links[2].slice == path.links[2].from);
  CHECK_FALSE(path.links[3].slice);
  for (std::size_t i = 1; i < path.links.size(); ++i) {
    CHECK(path.links[i].from == path.links[i - 1].to);
    CHECK(path.links[i].from_begin == path.links[i - 1].to_begin);
  }
}

TEST_CASE("a launch has no delay if others follow before its kernel starts") {
  TinyEvents events;
  events.launch(0, 1).launch(1, 2).launch(2, 3);
  events.run({.begin = 5, .length = 10, .correlation = 1}).run({.begin = 17, .length = 3, .correlation = 2});
  events.run({.begin = 1620, .length = 2, .correlation = 3});
  CHECK(path_of(events).length == 15'000);
}

TEST_CASE("a launch is late even if it precedes the window's end by less than its stream's work") {
  TinyEvents events;
  events.launch(0, 1).launch(10, 2).run({.begin = 2, .length = 40, .correlation = 1});
  events.run({.begin = 43, .length = 5, .correlation = 2});
  const auto profile = load_events(events.text());
  const Ns zero = profile->span.begin;
  CHECK(path_in(*profile, {zero + 5'000, zero + 20'000}).length == 33'000 + 5'000);
}

TEST_CASE("a kernel starts when the kernel that its stream waits for ends") {
  const auto events = [](double awaited_length, bool waits) {
    TinyEvents tiny;
    tiny.launch(0, 1).launch(1, 0, "cudaEventRecord");
    tiny.launch(2, 0, waits ? "cudaStreamWaitEvent" : "cudaEventRecord").launch(3, 2);
    tiny.run({.begin = 2, .length = awaited_length, .correlation = 1, .stream = 7});
    tiny.run({.begin = 21, .length = 9, .correlation = 2, .stream = 8});
    if (waits) wait(tiny, "Stream Wait Event", 2.1, 0, 8);
    return tiny;
  };
  const analysis::CriticalPath waited = path_of(events(18, true));
  CHECK(kinds_of(waited) ==
        std::vector{EdgeKind::launch_delay, EdgeKind::operation, EdgeKind::sync, EdgeKind::operation});
  CHECK(waited.length == 2'000 + 18'000 + 9'000);
  // Activity that ended before the launch causes no delay, and nothing waits without a recorded wait.
  for (const analysis::CriticalPath& other : {path_of(events(0.5, true)), path_of(events(18, false))}) {
    CHECK(other.links.back().kind == EdgeKind::operation);
    CHECK(other.links[other.links.size() - 2].kind == EdgeKind::launch_delay);
    CHECK(other.length == 1'500 + 18'000 + 9'000);
  }
}

TEST_CASE("a host wait for an event or stream waits for the GPU activity that ends during it") {
  for (const auto& [call, row, stream] :
       {std::tuple("cudaEventSynchronize", "Event Sync", -1), std::tuple("cudaStreamSynchronize", "Stream Sync", 7),
        std::tuple("cudaStreamSynchronize", "Stream Sync", 1'000'007)}) {
    INFO(row << ' ' << stream);
    TinyEvents events;
    events.launch(0, 1).launch(1, 2).run({.begin = 2, .length = 18, .correlation = 1, .stream = 7});
    events.run({.begin = 3, .length = 37, .correlation = 2, .stream = 8}).launch(3, 0, call, 18);
    wait(events, row, 3.5, 17, stream);
    events.op("aten::relu", 30, 50);
    CHECK(path_of(events).length == 2'000 + 18'000 + 50'000);
  }
}

TEST_CASE("calls acquire the driver's lock one after another") {
  TinyEvents events;
  events.launch(0, 0, "cudaLaunchKernel", 10, 100).launch(2, 0, "cudaLaunchKernel", 4, 200);
  CHECK(path_of(events).length == 4'000);  // the call that ends first held the lock
  TinyEvents apart;
  apart.launch(0, 0, "cudaLaunchKernel", 10, 100).launch(12, 0, "cudaLaunchKernel", 4, 200);
  CHECK(path_of(apart).length == 10'000);
}

TEST_CASE("a backward pass on its own thread continues where the forward pass ended") {
  TinyEvents events;
  events.op("Model.forward", 0, 10, 100).op("autograd::engine", 12, 8, 200);
  CHECK(path_of(events).length == 18'000);
  CHECK(path_of(events.op("Other.forward", 0, 3, 300)).length ==
        10'000);  // ambiguous: either forward pass may be its own
}

TEST_CASE("the path can cover an annotation, a step or a range, but not the last step") {
  TinyEvents events;
  events.step(1, 0, 10).step(2, 10, 20).step(3, 30, 5);
  events.op("a", 1, 3).op("b", 12, 5).annotation("load", 18, 7).op("read", 19, 4);
  const auto profile = load_events(events.text());
  const Ns zero = profile->span.begin;
  const auto of = [&](std::vector<analysis::Setting> settings, const analysis::Scope& scope = {}) {
    const Rows rows = row_texts(paths(*profile, std::move(settings), scope)[1]);
    return rows.empty() ? std::string() : rows[0];
  };
  CHECK(of({}) == "0 ProfilerStep#1 0 10000 3000 0.3 1 0 1");
  CHECK(of({{"instance", "1"}}) == "0 ProfilerStep#2 10000 20000 9000 0.45 2 0 3");
  CHECK(of({{"annotation", "Step"}, {"instance", "1"}}) == "0 ProfilerStep#2 10000 20000 9000 0.45 2 0 3");
  CHECK(of({{"annotation", "load"}}) == "0 load 18000 7000 4000 0.571429 1 0 1");
  CHECK(of({}, {{}, Interval{zero + 12'000, zero + 18'000}}) == "0 range 12000 6000 5000 0.833333 1 0 1");
  CHECK(of({{"instance", "2"}}).empty());
  CHECK(row_texts(paths(*profile, {{"instance", "1"}, {"data_load_events", "re*"}})[0]) ==
        Rows{"0 cpu_bound 0.555556 5000 1 0.25", "0 data_loading 0.444444 4000 1 0.2"});
}

TEST_CASE("a note explains a path longer than its step") {
  const auto note = [](double length) {
    TinyEvents events;
    events.step(1, 0, 10).launch(1, 1).run({.begin = 3, .length = length, .correlation = 1});
    return paths(*load_events(events.text()))[0].note;
  };
  CHECK(note(30).starts_with("The path is longer than the range because GPU activity launched in the range continues"));
  CHECK(note(5).find("longer") == std::string::npos);
}

TEST_CASE("a note explains a missing path") {
  const auto note = [](const trace::Profile& profile, std::vector<analysis::Setting> settings = {}) {
    const std::vector<Table> tables = paths(profile, std::move(settings));
    for (const Table& table : tables) {
      CHECK(table.rows() == 0);
      CHECK_FALSE(table.note.empty());
    }
    return tables[0].note;
  };
  TinyEvents steps;
  steps.step(1, 0, 10).op("a", 1, 3);
  const auto one_step = load_events(steps.text());
  CHECK(note(*one_step, {{"annotation", "nothing"}}) ==
        "No annotation or call on this rank matches \"nothing\". Available annotations: ProfilerStep.");
  CHECK(note(*one_step, {{"instance", "1"}}) == "Step instance 1 does not exist; the last one is 0.");
  TinyEvents runs;
  runs.run({.begin = 4, .length = 16}).run({.begin = 30, .length = 2});
  CHECK(note(*load_events(runs.text())) == "No operator or runtime call starts in this range.");
}

TEST_CASE("without GPU activity or launch records the path stays on the host, with a note") {
  TinyEvents host;
  host.op("a", 0, 3).op("b", 5, 4);
  const Table alone = paths(*load_events(host.text()))[0];
  CHECK(row_texts(alone) == Rows{"0 cpu_bound 1 7000 2 0.777778"});
  CHECK(alone.note == "No GPU activity was launched in this range, or the trace has no launch records.");
}

TEST_CASE("GPU activity before its launch or overlapping its predecessor has no delay") {
  TinyEvents events;
  events.launch(10, 1).launch(20, 2).launch(20.5, 3);
  events.run({.begin = 8, .length = 4, .correlation = 1}).run({.begin = 25, .length = 6, .correlation = 2});
  events.run({.begin = 30, .length = 6, .correlation = 3});
  const analysis::CriticalPath path = path_of(events);
  CHECK(path.back == 1);
  CHECK(path.length == 4'000 + 13'000 + 6'000 + 6'000);
  for (const analysis::CriticalLink& link : path.links) CHECK(link.weight >= 0);
  CHECK(paths(*load_events(events.text()))[0].note.ends_with(
      "Negative delays between host and device or on a stream count as 0: 1."));
}

TEST_CASE("a long chain lists its longest edges") {
  TinyEvents events;
  for (int i = 0; i < 20; ++i) events.op("op", 100.0 * i, 1 + i);
  const auto profile = load_events(events.text());
  const Table chain = paths(*profile, {{"rows", "3"}})[3];
  REQUIRE(chain.rows() == 3);
  CHECK(chain.at(0, 3).integer() == 18'000);
  CHECK(chain.at(2, 3).integer() == 20'000);
  CHECK(chain.note == "Shows the 3 longest edges per rank; rows=0 shows all.");
  CHECK(paths(*profile, {{"rows", "0"}})[3].rows() == 39);
}

TEST_CASE("the longest path of random graphs agrees with relaxing all edges") {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    PathGraph graph;
    const auto events = static_cast<std::uint32_t>(2 + random() % 20);
    for (std::uint32_t e = 0; e < events; ++e) {
      const Ns begin = static_cast<Ns>(random() % 100);
      graph.events.push_back(
          {{begin, begin + static_cast<Ns>(random() % 30)}, e, PathGraph::kNone, static_cast<BoundBy>(random() % 5)});
    }
    for (int edge = 0; edge < 60; ++edge) {
      auto from = static_cast<PathGraph::Node>(random() % (2 * events));
      auto to = static_cast<PathGraph::Node>(random() % (2 * events));
      if (from == to) continue;
      // Edges are ordered by node number, not by time, because times may go backward.
      if (from > to) std::swap(from, to);
      graph.connect(from, to, static_cast<EdgeKind>(random() % 5), random() % 4 == 0);
    }
    std::vector<Ns> reached(2 * events);
    for (std::size_t pass = 0; pass < reached.size(); ++pass)
      for (const PathGraph::Edge& edge : graph.edges)
        reached[edge.to] = std::max(reached[edge.to], reached[edge.from] + graph.weight(edge));
    const PathGraph::Path path = graph.longest_path();
    CHECK(path.length == *std::ranges::max_element(reached));
    CHECK(path.cut == 0);
    Ns sum = 0;
    for (std::size_t i = 0; i < path.edges.size(); ++i) {
      sum += graph.weight(graph.edges[path.edges[i]]);
      if (i > 0) CHECK(graph.edges[path.edges[i]].from == graph.edges[path.edges[i - 1]].to);
    }
    CHECK(sum == path.length);
  }
}

TEST_CASE("among paths of equal length, the one connected first is used, in any visiting order") {
  // Both calls take 10 ns and are followed by a third. The nodes of the second call are visited first, because its
  // predecessor is the first node of all.
  PathGraph graph;
  graph.events = {{{0, 10}, 0}, {{0, 10}, 1}, {{10, 15}, 2}};
  for (const bool second_first : {false, true}) {
    graph.edges = {};
    graph.connect(second_first ? 3 : 1, 4, EdgeKind::sync);
    graph.connect(second_first ? 1 : 3, 4, EdgeKind::sync);
    graph.connect(0, 1, EdgeKind::operation);
    graph.connect(2, 3, EdgeKind::operation);
    graph.connect(4, 5, EdgeKind::operation);
    const PathGraph::Path path = graph.longest_path();
    CHECK(path.length == 15);
    CHECK(path.edges == std::vector<std::uint32_t>{second_first ? 3u : 2u, 0, 4});
  }
}

TEST_CASE("cyclic edges terminate") {
  PathGraph graph;
  graph.events = {{{0, 10}, 0}, {{20, 25}, 1}};
  graph.connect(0, 1, EdgeKind::operation);
  graph.connect(1, 2, EdgeKind::launch_delay);
  graph.connect(2, 3, EdgeKind::operation);
  graph.connect(3, 0, EdgeKind::sync);
  const PathGraph::Path path = graph.longest_path();
  CHECK(path.cut == 1);
  CHECK(path.length == 25);
  CHECK(path.edges == std::vector<std::uint32_t>{0, 1, 2});
}
