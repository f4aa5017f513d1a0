// Paths of calls, on a trace small enough to add up by hand.
#include <fmt/format.h>

#include <cstdlib>

#include "core/base/table_writers.hpp"
#include "tests/core/analysis/table_cells.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

using Rows = std::vector<std::string>;

/// train() calls linear twice, and linear calls mm. mm is also called on its own. Only mm launches kernels.
std::string calls_trace() {
  TinyEvents events;
  events.host_range(R"("cat":"python_function","name":"train.py(3): train","args":{})", 0, 100);
  events.op("aten::linear", 10, 20).op("aten::mm", 12, 10).launch(14, 1, "cudaLaunchKernel", 2);
  events.op("aten::linear", 40, 20).op("aten::mm", 42, 10).launch(44, 2, "cudaLaunchKernel", 2);
  events.op("aten::mm", 70, 6).launch(72, 3, "cudaLaunchKernel", 1);
  for (int i = 1; i <= 3; ++i) events.run({.begin = 100.0 * i, .length = 10.0 * i, .correlation = i});
  return events.text();
}

Rows tree(const trace::Profile& profile, std::vector<analysis::Setting> settings) {
  return row_texts(tables_of(profile, "call_tree", std::move(settings))[0]);
}

}  // namespace

TEST_CASE("the call tree groups calls by path, with total and self time") {
  const auto profile = load_events(calls_trace());
  // depth, calls, CPU total and share, self CPU, device total and share, self device, row of the parent
  CHECK(tree(*profile, {}) ==
        Rows{"aten::linear 0 2 40000 0.869565 20000 30000 0.5 0 -",
             "aten::mm 1 2 20000 0.434783 16000 30000 0.5 30000 1", "cudaLaunchKernel 2 2 4000 0.0869565 4000 0 0 0 2",
             "aten::mm 0 1 6000 0.130435 5000 30000 0.5 30000 -", "cudaLaunchKernel 1 1 1000 0.0217391 1000 0 0 0 4"});
  CHECK(tree(*profile, {{"stack", "python"}, {"least", "0.3"}}) ==
        Rows{"train.py(3): train 0 1 100000 1 54000 60000 1 0 -", "aten::linear 1 2 40000 0.4 20000 30000 0.5 0 1"});
}

TEST_CASE("frames within annotations and operators contain their own operators") {
  TinyEvents events;
  events.step(1, 0, 200);
  const auto module = [&](std::string_view name, double begin, double length) {
    events.host_range(fmt::format(R"("cat":"python_function","name":"nn.Module: {}","args":{{}})", name), begin,
                      length);
  };
  module("Model_0", 10, 100);
  module("Linear_0", 20, 50);
  events.op("aten::linear", 30, 20).op("aten::mm", 32, 10).launch(34, 1, "cudaLaunchKernel", 2);
  // A module that runs again within an operator of the backward pass.
  events.op("CheckpointFunctionBackward", 120, 60);
  module("Linear_0", 130, 30);
  events.op("aten::linear", 135, 20).launch(140, 2, "cudaLaunchKernel", 2);
  for (int i = 1; i <= 2; ++i) events.run({.begin = 300.0 * i, .length = 10.0 * i, .correlation = i});
  const auto profile = load_events(events.text());
  CHECK(tree(*profile, {{"stack", "module"}, {"metric", "device"}, {"least", "0"}}) ==
        Rows{"Linear_0 0 1 30000 0.176471 10000 20000 0.666667 0 -",
             "aten::linear 1 1 20000 0.117647 18000 20000 0.666667 20000 1",
             "Model_0 0 1 100000 0.588235 50000 10000 0.333333 0 -",
             "Linear_0 1 1 50000 0.294118 30000 10000 0.333333 0 3",
             "aten::linear 2 1 20000 0.117647 10000 10000 0.333333 0 4",
             "aten::mm 3 1 10000 0.0588235 8000 10000 0.333333 10000 5"});
}

TEST_CASE("callers of a call add up to its self time") {
  const auto profile = load_events(calls_trace());
  CHECK(tree(*profile, {{"direction", "callers"}}) ==
        Rows{"aten::mm 0 3 21000 0.456522 21000 60000 1 60000 -",
             "aten::linear 1 2 16000 0.347826 16000 30000 0.5 30000 1", "aten::linear 0 2 20000 0.434783 20000 0 0 0 -",
             "cudaLaunchKernel 0 3 5000 0.108696 5000 0 0 0 -", "aten::mm 1 3 5000 0.108696 5000 0 0 0 4",
             "aten::linear 2 2 4000 0.0869565 4000 0 0 0 5"});
}

TEST_CASE("stacks are written in the format of flame-graph tools") {
  const auto profile = load_events(calls_trace());
  const auto text = [&](std::string_view metric) {
    std::string out;
    write_text(
        out,
        table_of(tables_of(*profile, "call_tree", {{"stack", "python"}, {"metric", std::string(metric)}}), "stacks"),
        {.title = false});
    return out;
  };
  CHECK(text("cpu") ==
        "train.py(3): train 54\ntrain.py(3): train;aten::linear 20\ntrain.py(3): train;aten::linear;aten::mm 16\n"
        "train.py(3): train;aten::linear;aten::mm;cudaLaunchKernel 4\ntrain.py(3): train;aten::mm 5\n"
        "train.py(3): train;aten::mm;cudaLaunchKernel 1\n");
  CHECK(text("device") == "train.py(3): train;aten::linear;aten::mm 30\ntrain.py(3): train;aten::mm 30\n");
}

TEST_CASE("the text of deeply nested stacks does not grow with the square of the depth") {
  constexpr int kDeep = 3'000;
  TinyEvents events;
  for (int i = 0; i < kDeep; ++i) events.op("f" + std::to_string(i), i, 2 * kDeep - 2 * i);
  const auto tables = tables_of(*load_events(events.text()), "call_tree", {{"least", "0"}, {"metric", "calls"}});
  CHECK(tables[0].rows() == kDeep);
  const Table& stacks = tables[1];
  REQUIRE(stacks.rows() == 512);
  std::int64_t calls = 0;
  for (std::size_t row = 0; row < stacks.rows(); ++row) calls += stacks.at(row, 1).integer();
  CHECK(calls == kDeep);
  CHECK(stacks.at(511, 1).integer() == kDeep - 511);
  CHECK(stacks.note == "Stacks end after 512 frames; the weight of deeper frames is added to the last one.");
}

TEST_CASE("a call tree explains what to record if its frames are missing") {
  TinyEvents events;
  events.op("aten::mm", 0, 10);
  CHECK(tables_of(*load_events(events.text()), "call_tree", {{"stack", "python"}})[0].note.ends_with(
      "The traces have no Python stacks; to record them, use profile(with_stack=True)."));
}

TEST_CASE("text indents the names of a tree, CSV numbers the rows of parents") {
  const auto profile = load_events(calls_trace());
  const Table table = std::move(tables_of(*profile, "call_tree", {{"least", "0.4"}})[0]);
  REQUIRE(table.rows() == 2);
  std::string csv;
  write_csv(csv, table);
  CHECK(csv ==
        "name,depth,calls,cpu_total_ns,cpu_share_pct,self_cpu_ns,device_total_ns,device_share_pct,self_device_ns,"
        "parent_row\r\n"
        "aten::linear,0,2,40000,86.95652173913,20000,30000,50,0,\r\n"
        "aten::mm,1,2,20000,43.478260869565,16000,30000,50,30000,1\r\n");
  std::string text;
  write_text(text, table, {.title = false});
  CHECK(text.find("\naten::linear ") != std::string::npos);
  CHECK(text.find("\n  aten::mm ") != std::string::npos);
}
