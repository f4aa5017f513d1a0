#include <filesystem>

#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/find_column.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;

using Rows = std::vector<std::string>;

namespace {

constexpr std::string_view kAnalysis = "cuda_kernel_launch_stats";

std::vector<Table> launches_of(const TinyEvents& events, const std::vector<analysis::Setting>& settings = {}) {
  return tables_of(*load_events(events.text()), kAnalysis, settings);
}

}  // namespace

TEST_CASE("each launch lists its duration, GPU activity and both launch latencies") {
  TinyEvents events;
  events.launch(0, 1, "cudaLaunchKernel", 5).run({.name = "gemm", .begin = 7, .length = 20, .correlation = 1});
  events.launch(6, 2, "cuLaunchKernelEx", 4).run({.name = "relu", .begin = 30, .length = 2, .correlation = 2});
  events.launch(20, 3, "hipLaunchKernel", 60).run({.name = "norm", .begin = 50, .length = 3, .correlation = 3});
  events.launch(90, 4, "cudaLaunchKernel", 4).run({.name = "late", .begin = 195, .length = 9, .correlation = 4});
  events.launch(99, 5, "cudaDeviceSynchronize", 4);
  const auto tables = launches_of(events);
  CHECK(row_texts(tables[0]) == Rows{"0 0 cudaLaunchKernel 5000 20000 2000 7000 1 gemm 0 7 ",
                                     "0 6000 cuLaunchKernelEx 4000 2000 20000 24000 1 relu 0 7 short kernel",
                                     "0 20000 hipLaunchKernel 60000 3000 0 30000 1 norm 0 7 slow call, short kernel",
                                     "0 90000 cudaLaunchKernel 4000 9000 101000 105000 1 late 0 7 late start"});
  CHECK(row_texts(tables[1]) == Rows{"0 4 4 2 1 1 73000 34000 123000 166000"});
  CHECK(row_texts(tables[2]) == Rows{"gemm 1 1 0 0 0 5000 20000 2000 7000", "late 1 1 0 0 1 4000 9000 101000 105000",
                                     "norm 1 1 1 1 0 60000 3000 0 30000", "relu 1 1 1 0 0 4000 2000 20000 24000"});
  CHECK(
      tables[0].note ==
      "Short kernels: launches (including memcpys and memsets) with GPU activity shorter than the call, including slow "
      "calls. Slow calls: longer than 50.0 µs. Late starts: GPU activity starts more than 100 µs after the call ends.");
  const auto as_hta = launches_of(events, {{"hta", "true"}});
  for (const auto* column : {&as_hta[0].columns()[5], &as_hta[1].columns()[8]}) CHECK(column->name == "launch delay");
  for (const auto* column : {&tables[0].columns()[5], &tables[2].columns()[8]})
    CHECK(column->name == "API end → kernel start");
  for (const auto* column : {&tables[0].columns()[6], &as_hta[2].columns()[9]})
    CHECK(column->name == "API start → kernel start");
  CHECK(contains(as_hta[0].note, "shorter than the call, except slow calls."));
}

TEST_CASE("the cutoffs of launch outliers are parameters") {
  TinyEvents events;
  events.launch(0, 1, "cudaLaunchKernel", 5).run({.begin = 7, .length = 2, .correlation = 1});
  const auto remark = [&](const std::string& runtime, const std::string& delay) {
    const auto tables = launches_of(events, {{"runtime_cutoff", runtime}, {"launch_delay_cutoff", delay}});
    return std::string(tables[0].at(0, 11).text());
  };
  CHECK(remark("5us", "2us") == "short kernel");
  CHECK(remark("4.999us", "2us") == "slow call, short kernel");
  CHECK(remark("5us", "1.999us") == "short kernel, late start");
  CHECK(remark("0", "0") == "slow call, short kernel, late start");
}

TEST_CASE("slow calls can have short kernels, except with hta") {
  TinyEvents events;
  events.launch(0, 1, "cudaLaunchKernel", 60).run({.begin = 70, .length = 2, .correlation = 1});
  CHECK(row_texts(launches_of(events)[1]) == Rows{"0 1 1 1 1 0 60000 2000 10000 70000"});
  CHECK(row_texts(launches_of(events, {{"hta", "true"}})[1]) == Rows{"0 1 1 0 1 0 60000 2000 10000 70000"});
}

TEST_CASE("launches have correlation ids on request, or a note why they are missing") {
  const TestFolder folder;
  TinyEvents events;
  events.launch(0, 41, "cudaLaunchKernel", 5).run({.begin = 7, .length = 2, .correlation = 41});
  events.launch(10, 40, "cudaLaunchKernel", 5).run({.begin = 17, .length = 2, .correlation = 40});
  const auto profile = load(folder.write("trace.json", trace_of(events.text())));
  CHECK_FALSE(find_column(tables_of(*profile, kAnalysis)[0], "correlation"));
  const auto ids = [&] { return std::move(tables_of(*profile, kAnalysis, {{"correlation", "true"}})[0]); };
  const Table there = ids();
  const auto column = find_column(there, "correlation");
  REQUIRE(column);
  CHECK(there.at(0, *column).integer() == 41);
  CHECK(there.at(1, *column).integer() == 40);
  std::filesystem::remove(folder.path() / "trace.json");
  const Table gone = ids();
  REQUIRE(gone.rows() == 2);
  CHECK(gone.at(0, *column).missing());
  CHECK(contains(gone.note, "Cannot read correlation ids for rank 0:"));
}

TEST_CASE("a graph is one launch with many kernels, which HTA does not recognize") {
  TinyEvents events;
  events.launch(0, 5, "cudaGraphLaunch", 10);
  for (int i = 0; i < 4; ++i)
    events.run(
        {.name = i == 0 ? "first" : "rest", .begin = 12.0 + 4 * i, .length = 3, .correlation = 5, .stream = 7 + i % 2});
  CHECK(row_texts(launches_of(events)[0]) == Rows{"0 0 cudaGraphLaunch 10000 12000 2000 12000 4 first 0 7 "});
  CHECK(launches_of(events, {{"hta", "true"}})[0].rows() == 0);
  TinyEvents several;
  several.launch(0, 5, "cudaMemcpyAsync", 10);
  several.run({.begin = 12, .length = 3, .correlation = 5}).run({.begin = 15, .length = 4, .correlation = 5});
  CHECK(row_texts(launches_of(several, {{"hta", "true"}})[1]) == Rows{"0 2 2 2 0 0 20000 7000 7000 27000"});
}

TEST_CASE("memcpys and memsets can be excluded") {
  TinyEvents events;
  events.launch(0, 1, "cudaMemcpyAsync")
      .run({.name = "Memcpy HtoD", .begin = 2, .correlation = 1, .category = "gpu_memcpy"});
  events.launch(3, 2, "hipMemsetAsync").run({.name = "Memset", .begin = 5, .correlation = 2, .category = "gpu_memset"});
  events.launch(6, 3).run({.begin = 8, .correlation = 3});
  CHECK(launches_of(events)[0].rows() == 3);
  CHECK(launches_of(events, {{"include_memory", "false"}})[0].rows() == 1);
  CHECK(launches_of(events, {{"hta", "true"}})[0].rows() == 2);
  CHECK(launches_of(events, {{"include_memory", "false"}, {"hta", "true"}})[0].rows() == 1);
}

TEST_CASE("GPU activity before its launch has latency 0 and a note") {
  TinyEvents events;
  events.launch(10, 1, "cudaLaunchKernel", 5).run({.begin = 8, .length = 20, .correlation = 1});
  const auto tables = launches_of(events);
  CHECK(row_texts(tables[1]) == Rows{"0 1 1 0 0 0 5000 20000 0 -2000"});
  CHECK(tables[0].note.ends_with("One launch starts after its GPU activity: the host and device clocks differ."));
}

TEST_CASE("a launch counts if it is entirely in the range") {
  TinyEvents events;
  events.launch(0, 1, "cudaLaunchKernel", 5).run({.begin = 20, .length = 20, .correlation = 1});
  const auto profile = load_events(events.text());
  const Ns zero = profile->span.begin;
  const auto rows = [&](Ns from, Ns to) {
    return tables_of(*profile, kAnalysis, {}, {{}, Interval{zero + from, zero + to}})[0].rows();
  };
  CHECK(rows(0, 40'000) == 1);
  CHECK(rows(0, 39'999) == 0);
  CHECK(rows(1, 40'000) == 0);
  CHECK(tables_of(*profile, kAnalysis, {}, {{}, Interval{zero + 1, zero + 2}})[0].note.starts_with(
      "No launches to analyze in this selection."));
}

TEST_CASE("a note explains missing launches") {
  CHECK(launches_of(TinyEvents().op("aten::mm", 0, 4))[0].note == "No GPU activity in this selection.");
  CHECK(launches_of(TinyEvents().run({.begin = 3}))[0].note ==
        "The trace has no launch records; to get them, record CUDA runtime calls too.");
}
