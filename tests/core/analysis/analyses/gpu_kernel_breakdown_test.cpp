#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;

using Rows = std::vector<std::string>;

TEST_CASE("kernel types are reported alone and overlapping, per device") {
  TinyEvents events;
  events.run({.name = "gemm", .begin = 0, .length = 10});
  events.run({.name = "ncclDevKernel_AllReduce", .begin = 5, .length = 10, .stream = 20});
  events.run({.name = "Memcpy DtoD", .begin = 8, .length = 1, .stream = 21, .category = "gpu_memcpy"});
  events.run({.name = "gemm", .begin = 100, .length = 4, .device = 1});
  events.run({.name = "Memcpy DtoD", .begin = 101, .length = 4, .category = "gpu_memcpy"});
  const auto profile = load_events(events.text());
  CHECK(row_texts(tables_of(*profile, "gpu_kernel_breakdown")[0]) ==
        Rows{"COMPUTATION 9000 0.391304", "COMMUNICATION 5000 0.217391",
             "COMPUTATION overlapping COMMUNICATION 4000 0.173913", "MEMORY 4000 0.173913",
             "COMPUTATION overlapping COMMUNICATION overlapping MEMORY 1000 0.0434783"});
  CHECK(row_texts(tables_of(*profile, "gpu_kernel_breakdown", {{"hta", "true"}})[0])[3] ==
        "COMPUTATION overlapping MEMORY 3000 0.15");
  CHECK(row_texts(tables_of(*profile, "gpu_kernel_breakdown", {{"include_memory", "false"}})[0]) ==
        Rows{"COMPUTATION 9000 0.473684", "COMMUNICATION 5000 0.263158",
             "COMPUTATION overlapping COMMUNICATION 5000 0.263158"});
  CHECK(row_texts(tables_of(*profile, "gpu_kernel_breakdown", {{"kernel_class", "communication=gemm"}})[0]).front() ==
        "COMMUNICATION 18000 0.782609");
}

TEST_CASE("remaining kernels share one row with statistics of all their executions") {
  TinyEvents events;
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k <= i; ++k)
      events.run({.name = std::string_view("abcd").substr(static_cast<std::size_t>(i), 1),
                  .begin = 100.0 * i + 10 * k,
                  .length = 2.0 + k});
  const auto profile = load_events(events.text());
  const auto told = [&](const char* hta) {
    return row_texts(
        tables_of(*profile, "gpu_kernel_breakdown", {{"num_kernels", "2"}, {"duration_ratio", "1"}, {"hta", hta}})[1]);
  };
  CHECK(told("false") == Rows{"d 14000 4 5000 2000 1290.99 3500 COMPUTATION 0",
                              "c 9000 3 4000 2000 1000 3000 COMPUTATION 0",
                              "others 7000 3 3000 2000 577.35 2333.33 COMPUTATION 0"});
  CHECK(told("true") == Rows{"c 9000 1 9000 9000 0 9000 COMPUTATION 0", "d 14000 1 14000 14000 0 14000 COMPUTATION 0",
                             "others 7000 2 5000 2000 2121.32 3500 COMPUTATION 0"});
}
