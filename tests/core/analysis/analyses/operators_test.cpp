// The operators table on small traces: which events count toward which row. tests/oracle compares it with PyTorch's
// own.
#include <fmt/format.h>

#include <optional>

#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

struct Counted {
  std::int64_t calls = 0;
  double self_cpu = 0;  ///< µs, like the others
  double cpu_total = 0;
  double self_device = 0;
  double device_total = 0;

  friend bool operator==(const Counted&, const Counted&) = default;
};

std::optional<Counted> row_of(const Table& table, std::string_view name, std::string_view device = "CPU",
                              std::string_view key = {}) {
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.at(row, 0).text() != name || table.at(row, 1).text() != device) continue;
    if (!key.empty() && table.at(row, 13).text() != key) continue;
    const auto us = [&](std::size_t column) { return table.at(row, column).number() / 1000; };
    return Counted{table.at(row, 2).integer(), us(3), us(4), us(6), us(7)};
  }
  return std::nullopt;
}

std::shared_ptr<const trace::Profile> loaded(const TestFolder& folder, const std::string& events) {
  folder.write("rank0.json", trace_of(events, R"("distributedInfo": {"rank": 0, "world_size": 1})"));
  return load(folder.path());
}

std::string python(std::string_view name, double begin, double length) {
  return fmt::format(
      R"(,{{"ph":"X","cat":"python_function","name":"{}","pid":100,"tid":100,"ts":{:.3f},"dur":{:.3f},"args":{{}}}})",
      name, begin, length);
}

std::string memory(double time, std::int64_t bytes, int type) {
  return fmt::format(
      R"(,{{"ph":"i","s":"t","cat":"cpu_instant_event","name":"[memory]","pid":100,"tid":200,"ts":{:.3f},"args":)"
      R"({{"Bytes":{},"Device Type":{},"Device Id":0,"Addr":1,"Total Allocated":0,"Total Reserved":0}}}})",
      time, bytes, type);
}

}  // namespace

TEST_CASE("a kernel belongs to the innermost operator around its launch, even with annotations in between") {
  TinyEvents events;
  events.step(1, 1'000, 1'000);
  events.op("record_param_comms", 1'100, 400);
  events.annotation("nccl:all_reduce", 1'150, 300);
  events.launch(1'200, 1, "cudaLaunchKernel", 10);
  events.run({.name = "ncclKernel", .begin = 1'300, .length = 500, .correlation = 1});
  events.launch(1'600, 2, "cudaGraphLaunch", 20);
  events.run({.name = "gemm", .begin = 1'900, .length = 30, .correlation = 2});
  events.run({.name = "gemm", .begin = 1'950, .length = 40, .correlation = 2});
  events.run({.name = "lost", .begin = 2'100, .length = 7});
  const TestFolder folder;
  const Table table = tables_of(*loaded(folder, events.text()), "operators")[0];
  CHECK(row_of(table, "record_param_comms") == Counted{1, 100, 400, 500, 500});
  CHECK(row_of(table, "nccl:all_reduce") == Counted{1, 290, 300, 0, 0});
  CHECK(row_of(table, "cudaLaunchKernel") == Counted{1, 10, 10, 0, 0});
  // No operator encloses the graph's launch, so the annotation owns both kernels.
  CHECK(row_of(table, "ProfilerStep*") == Counted{1, 580, 1'000, 70, 570});
  CHECK(row_of(table, "gemm", "CUDA") == Counted{2, 0, 0, 70, 70});
  CHECK(row_of(table, "lost", "CUDA") == Counted{1, 0, 0, 7, 7});
}

TEST_CASE("the note names the collective and the time after the last step") {
  TinyEvents events;
  events.step(1, 1'000, 1'000);
  events.op("c10d::allreduce_", 1'050, 500).op("record_param_comms", 1'100, 400);
  events.launch(1'200, 1, "cudaLaunchKernel", 10);
  events.run({.name = "ncclKernel", .begin = 1'300, .length = 500, .correlation = 1});
  events.launch(2'100, 2, "cudaDeviceSynchronize", 900);
  const TestFolder folder;
  const Table table = tables_of(*loaded(folder, events.text()), "operators")[0];
  CHECK(table.note.starts_with(
      "Most GPU time: record_param_comms, 500 µs (100.0 %), mostly from c10d::allreduce_. Most host time, excluding "
      "annotations: cudaDeviceSynchronize, 900 µs (47.4 %), all of it after the last step."));
}

TEST_CASE("steps of all ranks are one row on the CPU and one on the GPU") {
  const TestFolder folder;
  for (int rank = 0; rank < 2; ++rank) {
    TinyEvents events;
    events.step(5 - rank, 1'000, 100);
    events.shadow(fmt::format("ProfilerStep#{}", 5 - rank), 1'100, 50, 7, rank);
    events.run({.name = "gemm", .begin = 1'100, .length = 50, .device = rank});
    folder.write(fmt::format("rank{}.json", rank),
                 trace_of(events.text(), fmt::format(R"("distributedInfo": {{"rank": {}, "world_size": 2}})", rank)));
  }
  const Table table = tables_of(*load(folder.path()), "operators")[0];
  CHECK(table.rows() == 3);
  CHECK(row_of(table, "ProfilerStep*") == Counted{2, 200, 200, 0, 0});
  CHECK(row_of(table, "ProfilerStep*", "CUDA") == Counted{2, 0, 0, 100, 100});
}

TEST_CASE("a repeated name that is an only child counts once, and unlisted operators do not count") {
  TinyEvents events;
  events.op("aten::result_type", 1'000, 100).op("aten::result_type", 1'010, 50);
  events.op("aten::add", 2'000, 100).op("aten::add", 2'010, 20).op("aten::add", 2'040, 20);
  events.op("aten::is_leaf", 3'000, 10);
  const TestFolder folder;
  const Table table = tables_of(*loaded(folder, events.text()), "operators")[0];
  CHECK(row_of(table, "aten::result_type") == Counted{1, 100, 100, 0, 0});
  CHECK(row_of(table, "aten::add") == Counted{3, 100, 140, 0, 0});
  CHECK_FALSE(row_of(table, "aten::is_leaf"));
}

TEST_CASE("memory counts for all enclosing events, or in a separate row if there are none") {
  TinyEvents events;
  events.op("aten::empty", 1'000, 100).op("aten::fill_", 1'020, 10);
  const TestFolder folder;
  const std::string text =
      events.text() + memory(1'025, 64, 0) + memory(1'100, 512, 1) + memory(1'500, -512, 1) + memory(1'600, 3, 99);
  const Table table = tables_of(*loaded(folder, text), "operators")[0];
  REQUIRE(table.rows() == 3);
  const auto bytes = [&](std::string_view name) {
    std::vector<std::int64_t> values;
    for (std::size_t row = 0; row < table.rows(); ++row)
      for (std::size_t column = 9; table.at(row, 0).text() == name && column < 13; ++column)
        values.push_back(table.at(row, column).integer());
    return values;
  };
  CHECK(bytes("aten::empty") == std::vector<std::int64_t>{64, 0, 512, 512});
  CHECK(bytes("aten::fill_") == std::vector<std::int64_t>{64, 64, 0, 0});
  CHECK(bytes("[memory]") == std::vector<std::int64_t>{0, 0, -512, -512});
}

TEST_CASE("operators are grouped by the innermost Python frames or by module") {
  TinyEvents events;
  events.op("aten::mm", 1'100, 10).op("aten::mm", 1'300, 20);
  const TestFolder folder;
  const auto profile = loaded(folder, events.text() + python("train.py(3): main", 1'000, 500) +
                                          python("nn.Module: Linear_0", 1'050, 100) +
                                          python("model.py(9): forward", 1'060, 80) + python("ends early", 1'299, 10));
  const Table stacks = tables_of(*profile, "operators", {{"group", "stack:2"}})[0];
  CHECK(row_of(stacks, "aten::mm", "CPU", "model.py(9): forward;nn.Module: Linear_0") == Counted{1, 10, 10, 0, 0});
  CHECK(row_of(stacks, "aten::mm", "CPU", "train.py(3): main") == Counted{1, 20, 20, 0, 0});
  const Table modules = tables_of(*profile, "operators", {{"group", "module"}})[0];
  CHECK(row_of(modules, "aten::mm", "CPU", "Linear_0") == Counted{1, 10, 10, 0, 0});
  CHECK(tables_of(*profile, "operators", {{"group", "shape"}})[0].note.find("record_shapes=True") != std::string::npos);
  const auto wrong = analysis::run_analysis(*analysis::find_analysis("operators"), *profile, {},
                                            std::vector<analysis::Setting>{{"group", "stack:0"}});
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().where == "group stack:0");
}

TEST_CASE("operators sorts by averages, limits rows, and counts the part inside the range") {
  TinyEvents events;
  for (int i = 0; i < 4; ++i) events.op("often", 1'000 + i * 100, 50);
  events.op("once", 2'000, 100);
  const TestFolder folder;
  const auto profile = loaded(folder, events.text());
  const Table table = tables_of(*profile, "operators", {{"sort", "cpu_avg"}, {"row_limit", "1"}})[0];
  REQUIRE(table.rows() == 1);
  CHECK(table.at(0, 0).text() == "once");
  CHECK(table.note.find("Shows 1 of 2 rows") != std::string::npos);
  const Ns start = profile->span.begin;
  const Table part = tables_of(*profile, "operators", {}, {{}, Interval{start + 25'000, start + 120'000}})[0];
  CHECK(row_of(part, "often") == Counted{2, 45, 45, 0, 0});
  CHECK_FALSE(row_of(part, "once"));
}
