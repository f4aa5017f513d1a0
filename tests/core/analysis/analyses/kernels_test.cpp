// Kernels by name and by launch, with means weighted by time.
#include <fmt/format.h>

#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

std::string launched(int grid, double blocks, int occupancy, int registers) {
  return fmt::format(R"("grid":[{},1,1],"block":[128,1,1],"blocks per SM":{},"warps per SM":4,)"
                     R"("est. achieved occupancy %":{},"registers per thread":{},"shared memory":1024)",
                     grid, blocks, occupancy, registers);
}

}  // namespace

TEST_CASE("kernels are grouped by name or by launch, and means are weighted by time") {
  TinyEvents events;
  events.op("aten::mm", 0, 100);
  events.launch(10, 1).launch(20, 2);
  events.op("aten::addmm", 200, 100);
  events.launch(210, 3);
  events.run(
      {.name = "volta_h884gemm", .begin = 300, .length = 30, .correlation = 1, .arguments = launched(8, 0.5, 20, 32)});
  events.run(
      {.name = "volta_h884gemm", .begin = 400, .length = 10, .correlation = 2, .arguments = launched(16, 1.5, 60, 64)});
  events.run(
      {.name = "volta_h884gemm", .begin = 500, .length = 40, .correlation = 3, .arguments = launched(16, 1.5, 60, 64)});
  events.run({.name = "volta_sgemm", .begin = 600, .length = 20});
  events.run({.name = "Memset", .begin = 700, .length = 99, .category = "gpu_memset"});
  const TestFolder folder;
  folder.write("rank0.json", trace_of(events.text(), R"("distributedInfo": {"rank": 0, "world_size": 1})"));
  const auto profile = load(folder.path());
  const auto by_name = tables_of(*profile, "kernels");
  CHECK(row_texts(by_name[0]) ==
        std::vector<std::string>{"volta_h884gemm 3 80000 0.8 26666.7 10000 40000 1.125 4 0.45 64 1024 used",
                                 "volta_sgemm 1 20000 0.2 20000 20000 20000 - - - - - not used"});
  const Table by_launch = tables_of(*profile, "kernels", {{"group", "launch"}, {"row_limit", "2"}})[0];
  CHECK(row_texts(by_launch) ==
        std::vector<std::string>{
            "volta_h884gemm aten::addmm [16, 1, 1] [128, 1, 1] 1 40000 0.4 40000 40000 40000 1.5 4 0.6 64 1024 used",
            "volta_h884gemm aten::mm [8, 1, 1] [128, 1, 1] 1 30000 0.3 30000 30000 30000 0.5 4 0.2 32 1024 used"});
}
