#include <fmt/format.h>

#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;

using Rows = std::vector<std::string>;

TEST_CASE("requested annotations are listed by name, no matter how many") {
  TinyEvents events;
  for (int i = 0; i < 6; ++i) events.annotation(fmt::format("part_{}", i), 20 * i, 10 - i);
  const auto profile = load_events(events.text());
  const auto told = [&](std::vector<analysis::Setting> settings) {
    settings.emplace_back("side", "cpu");
    return row_texts(tables_of(*profile, "gpu_user_annotation_breakdown", settings)[0]);
  };
  CHECK(told({{"num_kernels", "2"}, {"duration_ratio", "1"}}) == Rows{"part_0 10000 1 10000 10000 0 10000 0",
                                                                      "part_1 9000 1 9000 9000 0 9000 0",
                                                                      "others 26000 4 8000 5000 1290.99 6500 0"});
  CHECK(told({{"num_kernels", "1"}, {"duration_ratio", "1"}, {"allowlist_patterns", "*_5, PART_4"}}) ==
        Rows{"part_0 10000 1 10000 10000 0 10000 0", "part_4 6000 1 6000 6000 0 6000 0",
             "part_5 5000 1 5000 5000 0 5000 0", "others 24000 3 9000 7000 1000 8000 0"});
  CHECK(tables_of(*profile, "gpu_user_annotation_breakdown")[0].rows() == 0);
}
