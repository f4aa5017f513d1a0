// Traces of PyTorch's second CUDA backend. It writes Kineto-like JSON by other conventions; each has a test here.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "tests/core/analysis/table_cells.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/core/rules/training_job.hpp"
#include "tests/core/store/store_files.hpp"
#include "tests/small_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

std::shared_ptr<const trace::Profile> job_by(tracegen::Options options, tracegen::Writer writer) {
  options.writer = writer;
  const TestFolder folder;
  write_set(folder, tracegen::generate_in_memory(options));
  return load(folder.path());
}

/// Stream, start, duration, name, bytes and start of the launch of all GPU activity.
using RunFacts = std::tuple<std::int64_t, Ns, Ns, std::string, std::optional<std::uint64_t>, std::optional<Ns>>;

std::multiset<RunFacts> run_facts_of(const trace::Profile& profile, const trace::Rank& rank) {
  std::multiset<RunFacts> runs;
  for (std::uint32_t l = 0; l < rank.lanes.size(); ++l)
    for (std::uint32_t i = 0; i < rank.lanes[l].size(); ++i) {
      const trace::SliceOrdinal slice = rank.ordinal({l, i});
      if (!trace::is_run(profile.categories().role(rank.category(slice)))) continue;
      const trace::Connection* const launch = rank.launches.cause_of(slice);
      runs.emplace(rank.tracks[rank.track_of_lane(l)].id, rank.begin(slice), rank.duration(slice),
                   std::string(profile.names().view(rank.name(slice))), rank.bytes(slice),
                   launch == nullptr ? std::nullopt : std::optional(rank.begin(launch->from)));
    }
  return runs;
}

/// Analyses whose tables must not depend on the writer.
constexpr std::array<std::string_view, 6> kSameTables{"step_time",       "memory_operations", "idle_time_breakdown",
                                                      "where_time_goes", "kernel_time",       "comm_comp_overlap"};

/// Nodes of one launch of a CUDA graph: "a" on stream 20, then an event record and "b" on stream 21, then a host
/// callback. `flows`: arrows.
std::string graph_events(const std::string& flows, int callback_launch = 1) {
  TinyEvents events;
  events.launch(0, 1, "cudaGraphLaunch", 5);
  events.run({.name = "a",
              .begin = 10,
              .length = 5,
              .correlation = 1,
              .stream = 20,
              .arguments = R"("graph id":5,"graph node id":1)"});
  events.run({.name = "EventRecord",
              .begin = 15,
              .length = 0,
              .correlation = 1,
              .stream = 20,
              .category = "graph_event_node",
              .arguments = R"("graph id":5,"graph node id":2)"});
  events.run({.name = "b",
              .begin = 16,
              .length = 4,
              .correlation = 1,
              .stream = 21,
              .arguments = R"("graph id":5,"graph node id":3)"});
  std::string text = events.text();
  text += ",\n" + TinyEvents()
                      .run({.name = "HostNode: cb",
                            .begin = 22,
                            .length = 8,
                            .stream = 21,
                            .category = "graph_host_node",
                            .arguments = "\"correlation\":" + std::to_string(callback_launch)})
                      .text();
  return text + flows;
}

std::string arrow(std::int64_t number, int from_stream, double from, int to_stream, double to) {
  const std::int64_t id = (std::int64_t{1} << 40) + number;
  return fmt::format(
      ",\n"
      R"({{"ph":"s","id":{},"pid":0,"tid":{},"ts":{},"cat":"ac2g","name":"ac2g"}},)"
      R"({{"ph":"f","id":{},"pid":0,"tid":{},"ts":{},"cat":"ac2g","name":"ac2g","bp":"e"}})",
      id, from_stream, from, id, to_stream, to);
}

/// Names of connected nodes: "a -> b".
std::vector<std::string> edges_of(const trace::Profile& profile) {
  const trace::Rank& rank = *profile.ranks[0];
  std::vector<std::string> edges;
  const auto name = [&](trace::SliceOrdinal slice) { return std::string(profile.names().view(rank.name(slice))); };
  for (const trace::Connection& edge : rank.graph_edges.all())
    edges.push_back(name(edge.from) + " -> " + name(edge.to));
  return edges;
}

std::string copy_name_of(const std::string& category, const std::string& name, const std::string& arguments) {
  const auto profile =
      load_events(R"({"ph":"X","cat":")" + category + R"(","name":")" + name +
                  R"(","pid":0,"tid":7,"ts":1,"dur":2,"args":{"device":0,"stream":7)" + arguments + "}}");
  return std::string(profile->names().view(profile->ranks[0]->name(0)));
}

}  // namespace

TEST_CASE("cuspy: a job has the same activity, steps, tables and findings as with Kineto", "[cuspy]") {
  tracegen::Options options = small_job();
  options.steps = 6;
  options.shapes = true;
  const bool graphs = GENERATE(false, true);
  if (graphs) options.defects.push_back({tracegen::Defect::graph_launch, tracegen::DefectAt::kLastRank});
  const auto kineto = job_by(options, tracegen::Writer::kineto);
  const auto cuspy = job_by(options, tracegen::Writer::cuspy);
  REQUIRE(cuspy->ranks.size() == kineto->ranks.size());
  for (std::size_t r = 0; r < cuspy->ranks.size(); ++r) {
    const trace::Rank& ours = *cuspy->ranks[r];
    const trace::Rank& theirs = *kineto->ranks[r];
    CHECK(run_facts_of(*cuspy, ours) == run_facts_of(*kineto, theirs));
    CHECK(ours.counts.runs == theirs.counts.runs);
    CHECK(ours.counts.launches == theirs.counts.launches);
    CHECK(ours.steps.size() == theirs.steps.size());
    CHECK(ours.host == theirs.host);
    CHECK(ours.devices.size() == 1);
    CHECK(ours.diagnostics.all().size() == theirs.diagnostics.all().size());
    if (graphs && r + 1 == cuspy->ranks.size()) CHECK(ours.graph_edges.size() > 0);
  }
  for (const std::string_view name : kSameTables) {
    INFO(name);
    const Table ours = tables_of(*cuspy, name)[0];
    const Table theirs = tables_of(*kineto, name)[0];
    // With recorded dependencies, a node that waits for another one does not wait for its launch.
    if (graphs && (ours.find_role(ColumnRole::idle_part) || ours.find_role(ColumnRole::wait_cause))) {
      const auto idle = [](const Table& table) {
        Ns sum = 0;
        for (std::size_t row = 0; row < table.rows(); ++row) sum += integer(table, row, "idle");
        return sum;
      };
      CHECK(idle(ours) == idle(theirs));
    } else {
      CHECK(row_texts(ours) == row_texts(theirs));
    }
  }
  const auto findings = [](const trace::Profile& profile) {
    std::vector<std::string> found;  // the shares of short launch delays and launch latency differ by a few µs
    for (const rules::Ranked& each : rules_evaluated(profile).findings)
      found.push_back(std::string(each.rule->name) + (each.rule->name == "IdleGpu" ? "" : each.finding.headline));
    return found;
  };
  CHECK(findings(*cuspy) == findings(*kineto));
}

TEST_CASE("cuspy: memcpys and memsets get CUPTI's names from their arguments", "[cuspy]") {
  const auto memcpy_name = [](const std::string& arguments) { return copy_name_of("gpu_memcpy", "Memcpy", arguments); };
  CHECK(memcpy_name(R"(,"bytes":8,"copy kind":"HtoD","src kind":"pageable","dst kind":"device")") ==
        "Memcpy HtoD (Pageable -> Device)");
  CHECK(memcpy_name(R"(,"copy kind":"DtoH","src kind":"device","dst kind":"pinned")") ==
        "Memcpy DtoH (Device -> Pinned)");
  CHECK(memcpy_name(R"(,"copy kind":"PtoP","src kind":"device_static","dst kind":"managed_static")") ==
        "Memcpy PtoP (Device Static -> Managed Static)");
  CHECK(memcpy_name(R"(,"copy kind":9,"src kind":1,"dst kind":2)") == "Memcpy HtoH (Pageable -> Pinned)");
  CHECK(memcpy_name(R"(,"copy kind":77,"src kind":"new","dst kind":"device")") == "Memcpy (Device)");
  CHECK(memcpy_name("") == "Memcpy");
  CHECK(copy_name_of("gpu_memset", "Memset", R"(,"value":0,"memory kind":3)") == "Memset (Device)");
  CHECK(copy_name_of("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", R"(,"copy kind":"DtoH")") ==
        "Memcpy HtoD (Pinned -> Device)");
  CHECK(copy_name_of("kernel", "Memcpy", R"(,"copy kind":"DtoH")") == "Memcpy");
}

TEST_CASE("cuspy: graph nodes are on their stream but are no GPU activity", "[cuspy]") {
  const auto profile = load_events(graph_events(""));
  const trace::Rank& rank = *profile->ranks[0];
  CHECK(rank.counts.runs == 2);
  CHECK(rank.launches.caused_by(rank.launches.all()[0].from).size() == 4);
  REQUIRE(rank.devices.size() == 1);
  CHECK(rank.devices[0].busy.get().size() == 2);
  CHECK(rank.graph_edges.size() == 0);
  const auto stream = std::ranges::find(rank.tracks, 21, &trace::Track::id);
  REQUIRE(stream != rank.tracks.end());
  CHECK(rank.lanes[stream->first_lane].size() == 2);
}

TEST_CASE("cuspy: a host node without a launch is a diagnostic", "[cuspy]") {
  const auto profile = load_events(graph_events("", 0));
  CHECK(profile->diagnostics.count("graph-node-without-launch") == 1);
  CHECK(profile->ranks[0]->launches.size() == 3);
}

TEST_CASE("cuspy: flows with large ids are dependencies between graph nodes", "[cuspy]") {
  const auto profile =
      load_events(graph_events(arrow(1, 20, 15, 20, 15) + arrow(2, 20, 15, 21, 16) + arrow(3, 21, 20, 21, 22)));
  CHECK(edges_of(*profile) == std::vector<std::string>{"a -> EventRecord", "a -> b", "b -> HostNode: cb"});
  CHECK(profile->ranks[0]->forward_backward.size() == 0);
  CHECK(profile->diagnostics.count("graph-dependency-dropped") == 0);
  const TestFolder folder;
  const std::string path = (folder.path() / "x.wscope").string();
  write_store(*profile, path);
  const auto file = store::open_store(path);
  REQUIRE(file.ok());
  CHECK(difference_to_store(*profile, *file) == "");
}

TEST_CASE("cuspy: dependencies without a node, back in time or across launches are dropped", "[cuspy]") {
  const auto dropped = [](const std::string& flows) {
    const auto profile = load_events(graph_events(flows));
    CHECK(profile->ranks[0]->graph_edges.size() == 0);
    return profile->diagnostics.count("graph-dependency-dropped");
  };
  CHECK(dropped(arrow(1, 20, 14, 21, 16)) == 1);
  CHECK(dropped(arrow(1, 99, 15, 21, 16)) == 1);
  CHECK(dropped(arrow(1, 21, 20, 20, 10)) == 1);
  CHECK(dropped(",\n"
                R"({"ph":"f","id":1099511627777,"pid":0,"tid":21,"ts":16,"cat":"ac2g","name":"ac2g"})") == 1);
  CHECK(dropped(",\n"
                R"({"ph":"s","id":1099511627777,"pid":0,"tid":20,"ts":15,"cat":"ac2g","name":"ac2g"})") == 1);
  const std::string other = TinyEvents()
                                .launch(30, 2, "cudaGraphLaunch")
                                .run({.name = "c", .begin = 40, .length = 1, .correlation = 2, .stream = 22})
                                .text();
  CHECK(dropped(",\n" + other + arrow(1, 20, 15, 22, 40)) == 1);
}

TEST_CASE("cuspy: rows that are not threads or streams of the job are recognized", "[cuspy]") {
  const auto profile = load_events(
      kernel_event("gemm") +
      R"(,{"ph":"X","cat":"overhead","name":"Buffer Flush","pid":-1,"tid":0,"ts":90,"dur":5,"args":{}})"
      R"(,{"ph":"X","cat":"cuda_sync","name":"Stream Sync","pid":0,"tid":1000007,"ts":100,"dur":10,)"
      R"("args":{"stream":7}})"
      R"(,{"ph":"X","cat":"cuda_sync","name":"Context Sync","pid":0,"tid":1,"ts":100,"dur":10,"args":{"stream":-1}})"
      R"(,{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":4,"tid":9223372036854775807,"ts":80,"dur":1,)"
      R"("args":{"cbid":211,"correlation":3}})"
      R"(,{"ph":"M","name":"process_name","pid":0,"tid":0,"args":{"name":"python"}})"
      R"(,{"ph":"M","name":"process_labels","pid":0,"tid":0,"args":{"labels":"GPU 0"}})"
      R"(,{"ph":"M","name":"thread_name","pid":0,"tid":7,"args":{"name":"stream 7 "}})"
      R"x(,{"ph":"M","name":"thread_name","pid":0,"tid":1000007,"args":{"name":"stream 7 (sync)"}})x"
      R"(,{"ph":"X","cat":"Trace","name":"PyTorch Profiler 0","pid":"Spans","tid":"PyTorch Profiler","ts":80,)"
      R"("dur":40,"args":{"Op count":0}})"
      R"(,{"ph":"i","s":"g","name":"Record Window End","pid":"","tid":"","ts":120})"
      R"x(,{"ph":"C","name":"Power (W)","pid":"GPU 0 Counters","ts":100,"args":{"":300.5}})x");
  const trace::Rank& rank = *profile->ranks[0];
  CHECK(rank.counts.runs == 1);
  CHECK(rank.process == 4);
  REQUIRE(rank.devices.size() == 1);
  CHECK(rank.devices[0].busy.get().busy(0, 1'000'000) == 10'000);
  std::set<std::string> labels;
  for (const trace::Track& track : rank.tracks) labels.insert(track.label);
  CHECK(labels.contains("stream 7"));
  CHECK(labels.contains("stream 7 (sync)"));
  REQUIRE(rank.counters.size() == 1);
  CHECK(rank.counters[0].name() == "Power (W) · GPU 0 Counters");
}

TEST_CASE("cuspy: times are relative to the base time of Kineto", "[cuspy]") {
  const auto profile =
      load_events(kernel_event("gemm", 7'889'237'999'999), R"("baseTimeNanoseconds": 1767189312000000000)");
  CHECK(profile->ranks[0]->begin(0) == 1'767'189'312'000'000'000 + 7'889'237'999'999'000);
}
