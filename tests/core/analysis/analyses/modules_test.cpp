// The module tree, on a trace small enough to add up by hand.
#include <fmt/format.h>

#include "tests/core/analysis/table_cells.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

TinyEvents& frame(TinyEvents& events, std::string_view name, double begin, double length) {
  return events.host_range(fmt::format(R"("cat":"python_function","name":"{}","args":{{}})", name), begin, length);
}

/// A model that calls one layer twice and another once; the latter's backward pass runs on another thread.
std::string module_trace() {
  TinyEvents events;
  frame(events, "train.py(3): step", 0, 200);
  frame(events, "nn.Module: Model_0", 0, 100);
  frame(events, "nn.Module: Linear_0", 10, 20);
  frame(events, "nn.Module: Linear_0", 40, 20);
  frame(events, "nn.Module: Linear_1", 70, 20);
  int id = 0;
  for (const double begin : {2.0, 12.0, 42.0, 72.0}) {
    events.op("aten::mm", begin, 6).launch(begin + 1, ++id);
    events.run({.begin = 300.0 + 100 * id, .length = 10.0 * id, .correlation = id});
  }
  events.op("aten::mm", 250, 6, 200).launch(251, 5, "cudaLaunchKernel", 0.5, 200).forward_backward(1, 72, 250, 200);
  events.run({.begin = 900, .length = 70, .correlation = 5});
  return events.text();
}

}  // namespace

TEST_CASE("modules have the calls, host and GPU time of their frames, forward and backward") {
  const auto tables = tables_of(*load_events(module_trace()), "modules");
  REQUIRE(tables.size() == 2);
  // depth, calls, GPU time and share, forward total and self, backward total and self, host total and self, path, row
  // of the parent
  CHECK(row_texts(tables[0]) ==
        std::vector<std::string>{"Model_0 0 1 170000 1 100000 10000 70000 0 100000 40000 Model_0 -",
                                 "Linear_1 1 1 110000 0.647059 40000 40000 70000 70000 20000 20000 Model_0/Linear_1 1",
                                 "Linear_0 1 2 50000 0.294118 50000 50000 0 0 40000 40000 Model_0/Linear_0 1"});
  CHECK(row_texts(tables[1]) == std::vector<std::string>{"Linear 2 3 160000 0.941176 90000 70000 60000",
                                                         "Model 1 1 10000 0.0588235 10000 0 40000"});
}

TEST_CASE("modules of several ranks share nodes") {
  const TestFolder folder;
  folder.write("rank0.json", trace_of(module_trace(), R"("distributedInfo": {"rank": 0, "world_size": 2})"));
  folder.write("rank1.json", trace_of(module_trace(), R"("distributedInfo": {"rank": 1, "world_size": 2})"));
  const auto tables = tables_of(*load(folder.path()), "modules");
  REQUIRE(tables[0].rows() == 3);
  CHECK(row_text(tables[0], 0) == "Model_0 0 2 340000 1 200000 20000 140000 0 200000 80000 Model_0 -");
}

TEST_CASE("a range shows only the module calls and time within it") {
  const TestFolder folder;
  const auto profile = load(folder.write("rank0.json", trace_of(module_trace())));
  const Ns start = profile->span.begin;
  analysis::Scope scope;
  scope.range = Interval{start + 20'000, start + 65'000};
  const auto tables = tables_of(*profile, "modules", {}, scope);
  REQUIRE(tables[0].rows() == 2);
  CHECK(text(tables[0], 1, "path") == "Model_0/Linear_0");
  CHECK(integer(tables[0], 0, "host total") == 45'000);
  CHECK(integer(tables[0], 1, "host total") == 30'000);
  CHECK(integer(tables[0], 1, "calls") == 2);
}

TEST_CASE("modules explain what to record if there are none") {
  TinyEvents events;
  events.op("aten::mm", 0, 10);
  CHECK(tables_of(*load_events(events.text()), "modules")[0].note ==
        "The traces have no modules; to record them, use profile(with_stack=True).");
  frame(events, "train.py(3): step", 0, 200);
  CHECK(tables_of(*load_events(events.text()), "modules")[0].note == "No nn.Modules in this selection.");
}
