// Model FLOPs of steps and their utilization, compared with values computed by hand.
#include <fmt/format.h>

#include "tests/core/analysis/table_cells.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

constexpr double kFlops = 2e9;  // to multiply two 1000 × 1000 matrices

/// Matrix multiplications in fp16 and fp32. The kernel of the first one runs half in step 1, where it is launched, and
/// half in step 2; all of it counts in step 1.
std::string products(bool shapes) {
  const auto mm = [&](std::string_view type) {
    const std::string inputs =
        fmt::format(R"("Input Dims":[[1000,1000],[1000,1000]],"Input type":["{}","{}"])", type, type);
    return R"("cat":"cpu_op","name":"aten::mm","args":{)" + (shapes ? inputs : "") + "}";
  };
  TinyEvents events;
  events.step(1, 0, 100).step(2, 100, 100).step(3, 200, 100);
  events.host_range(mm("c10::Half"), 10, 5).launch(11, 1).run({.begin = 90, .length = 20, .correlation = 1});
  events.host_range(mm("float"), 120, 5).launch(121, 2).run({.begin = 130, .length = 40, .correlation = 2});
  events.op("aten::relu", 140, 5).launch(141, 3).run({.name = "relu", .begin = 180, .length = 5, .correlation = 3});
  return events.text();
}

std::shared_ptr<const trace::Profile> job(const TestFolder& folder, std::string_view device, bool shapes = true) {
  const std::string properties = fmt::format(R"("deviceProperties": [{{"id": 0, "name": "{}"}}])", device);
  return load(folder.write("rank0.json", trace_of(products(shapes), properties)));
}

Table steps(const trace::Profile& profile, std::vector<analysis::Setting> settings = {},
            const analysis::Scope& scope = {}) {
  return std::move(tables_of(profile, "step_overview", std::move(settings), scope)[0]);
}

double tflop(const Table& table, std::size_t row) { return figure(table, row, "model FLOPs"); }
double utilization(const Table& table, std::size_t row) { return figure(table, row, "model FLOPs utilization"); }

}  // namespace

TEST_CASE("model FLOPs count toward the steps that launch them") {
  const TestFolder folder;
  const auto profile = job(folder, "NVIDIA H100 80GB HBM3");
  const Table table = steps(*profile);
  REQUIRE(table.rows() == 3);
  CHECK(table.note.find("Peak rates") == std::string::npos);
  CHECK(table.note.find("shapes") == std::string::npos);
  CHECK(tflop(table, 0) == Approx(kFlops / 1e12));
  CHECK(tflop(table, 1) == Approx(kFlops / 1e12));
  CHECK(tflop(table, 2) == 0);
  // 989.4 TFLOP/s in fp16, 67 in fp32 without Tensor Cores; the steps end at 110, 185 and 300 µs on the GPU.
  CHECK(utilization(table, 0) == Approx(kFlops / 989.4e12 / 110e-6));
  CHECK(utilization(table, 1) == Approx(kFlops / 67e12 / 75e-6));
  CHECK(utilization(table, 2) == 0);
  const Ns start = profile->ranks[0]->steps[1].time.begin;
  analysis::Scope step_2;
  step_2.range = Interval{start, start + 100'000};
  const Table second = steps(*profile, {}, step_2);
  REQUIRE(second.rows() == 1);
  CHECK(tflop(second, 0) == Approx(tflop(table, 1)));
  CHECK(utilization(second, 0) == Approx(utilization(table, 1)));
}

TEST_CASE("model FLOPs of unknown GPUs have no utilization unless peak rates are set") {
  const TestFolder folder;
  const auto profile = job(folder, "Mystery 9000");
  const Table table = steps(*profile);
  CHECK(tflop(table, 0) == Approx(kFlops / 1e12));
  CHECK(cell(table, 0, "model FLOPs utilization").missing());
  CHECK(table.note.ends_with(
      "Peak rates of Mystery 9000 are unknown, so no peak share is shown; set the rates with the peak parameter."));
  const Table rated = steps(*profile, {{"peak", "fp16=100"}});
  CHECK(utilization(rated, 0) == Approx(kFlops / 100e12 / 110e-6));
  CHECK(cell(rated, 1, "model FLOPs utilization").missing());  // the rate in fp32 is still unknown
}

TEST_CASE("a step whose GPU work runs later and longer has its GPU duration") {
  const TestFolder folder;
  TinyEvents events;
  events.step(1, 0, 100).step(2, 100, 100);
  events.host_range(R"("cat":"cpu_op","name":"aten::mm","args":{"Input Dims":[[1000,1000],[1000,1000]],)"
                    R"("Input type":["c10::Half","c10::Half"]})",
                    10, 5);
  events.launch(11, 1).run({.begin = 150, .length = 250, .correlation = 1});
  events.run({.name = "without_launch", .begin = 50, .length = 5, .correlation = 77});
  const auto profile = load(folder.write(
      "rank0.json", trace_of(events.text(), R"("deviceProperties": [{"id": 0, "name": "NVIDIA H100 80GB HBM3"}])")));
  const Table table = steps(*profile);
  REQUIRE(table.rows() == 2);
  CHECK(tflop(table, 0) == Approx(kFlops / 1e12));
  CHECK(utilization(table, 0) == Approx(kFlops / 989.4e12 / 400e-6));
  CHECK(tflop(table, 1) == 0);
}

TEST_CASE("model FLOPs without recorded shapes are unknown, and the note shows the flag") {
  const TestFolder folder;
  const Table table = steps(*job(folder, "NVIDIA H100 80GB HBM3", false));
  REQUIRE(table.rows() == 3);
  CHECK(cell(table, 1, "model FLOPs").missing());
  CHECK(cell(table, 1, "model FLOPs utilization").missing());
  CHECK(
      table.note.ends_with("The traces have no input shapes, so model FLOPs are unknown; to record shapes, use "
                           "profile(record_shapes=True)."));
}
