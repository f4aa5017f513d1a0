#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;

using Rows = std::vector<std::string>;

TEST_CASE("a kernel belongs to the innermost annotation on its stream that contains its middle") {
  TinyEvents events;
  events.shadow("step", 0, 40).shadow("forward", 0, 20).shadow("layer", 10, 5).shadow("other stream", 0, 40, 8);
  events.run({.name = "a", .begin = 1, .length = 2});
  events.run({.name = "b", .begin = 10, .length = 5});
  events.run({.name = "c", .begin = 14.5, .length = 4});  // touches the layer
  events.run({.name = "d", .begin = 30, .length = 0});
  events.run({.name = "e", .begin = 39.5, .length = 4});
  const auto profile = load_events(events.text());
  const auto tables = tables_of(*profile, "gpu_kernels_with_user_annotations");
  CHECK(row_texts(tables[0]) == Rows{"0 1000 2000 0 7 a forward", "0 10000 5000 0 7 b layer",
                                     "0 14500 4000 0 7 c forward", "0 30000 0 0 7 d step", "0 39500 4000 0 7 e -"});
  CHECK(row_texts(tables[1]) == Rows{"0 forward 6000 2", "0 layer 5000 1", "0 none 4000 1", "0 step 0 1"});
  const auto hta = tables_of(*profile, "gpu_kernels_with_user_annotations", {{"hta", "true"}});
  CHECK(row_texts(hta[0]) == Rows{"0 1000 2000 0 7 a forward", "0 10000 5000 0 7 b layer", "0 14500 4000 0 7 c layer",
                                  "0 30000 0 0 7 d step", "0 39500 4000 0 7 e step"});
}

TEST_CASE("kernels have full names, or short ones with hta") {
  TinyEvents events;
  events.run({.name = "void gemm<4>(int*)", .begin = 1, .length = 2});
  const auto profile = load_events(events.text());
  const auto name = [&](const char* hta) {
    return row_texts(tables_of(*profile, "gpu_kernels_with_user_annotations", {{"hta", hta}})[0]);
  };
  CHECK(name("false") == Rows{"0 0 2000 0 7 void gemm<4>(int*) -"});
  CHECK(name("true") == Rows{"0 0 2000 0 7 gemm -"});
}
