#include <fmt/format.h>

#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;

using Rows = std::vector<std::string>;

namespace {

/// Ranks whose collectives end together. Rank r arrives `late[r]` µs late in steps 1 and 3; in step 2, all arrive at
/// once. Arguments are read from the traces, so `folder` must outlive the profile.
std::shared_ptr<const trace::Profile> ranks_of(const TestFolder& folder, std::string_view collective,
                                               std::vector<double> late, double step = 100) {
  for (std::size_t r = 0; r < late.size(); ++r) {
    TinyEvents events;
    // The numbers in the names are not in time order.
    events.step(3, 2 * step, step).step(2, step, step).step(1, 0, step);
    for (int i = 0; i < 3; ++i) {
      const double after = i == 1 ? 0 : late[r];
      events.launch(i * step + 1, i + 1);
      events.run({.name = collective,
                  .begin = i * step + 10 + after,
                  .length = 40 - after,
                  .correlation = i + 1,
                  .stream = 20});
    }
    folder.write(fmt::format("rank{}.json", r),
                 trace_of(events.text(), fmt::format(R"("distributedInfo": {{"rank": {}, "world_size": 4}})", r)));
  }
  return load(folder.path());
}

}  // namespace

TEST_CASE("there are no stragglers without hta, or without old NCCL names") {
  const TestFolder folder;
  const auto profile = ranks_of(folder, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", {0, 5, 20, 1});
  for (const char* const hta : {"false", "true"}) {
    const Table table = tables_of(*profile, "potential_stragglers", {{"hta", hta}})[0];
    CHECK(table.rows() == 0);
    CHECK_FALSE(table.note.empty());
  }
}

TEST_CASE("HTA's stragglers are the last to start a kernel with an old NCCL name") {
  const TestFolder folder;
  const auto profile = ranks_of(folder, "ncclKernel_AllReduce_RING_LL_Sum_float", {0, 5, 20, 1});
  // HTA excludes the last step. In the second step, all ranks arrive together, so all are last.
  CHECK(row_texts(tables_of(*profile, "potential_stragglers", {{"hta", "true"}})[0]) ==
        Rows{"1 yes 2", "2 yes 2", "0 no 1", "3 no 1"});
  const analysis::Scope first{{}, Interval{profile->span.begin, profile->span.begin + 100'000}};
  CHECK(row_texts(tables_of(*profile, "potential_stragglers", {{"hta", "true"}}, first)[0]) ==
        Rows{"1 yes 1", "2 yes 1", "0 no 0", "3 no 0"});
}
