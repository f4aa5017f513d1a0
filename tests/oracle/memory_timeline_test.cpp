#include "tests/core/ingest/trace_files.hpp"
#include "tests/oracle/oracle.hpp"
#include "tests/shared_dir.hpp"

using namespace warpscope;
using namespace warpscope::tests;

TEST_CASE("memory_timeline matches HTA", "[oracle]") {
  const auto shared = shared_dir();
  if (!shared || oracle_sets().empty()) return;
  const CsvFrame theirs = CsvFrame::read(*shared / "oracle" / "memory_timeline" / "memory_timeline.csv.gz");
  const auto profile = load(*shared / "traces" / "memory_timeline" / "memory_timeline.raw.gz");
  const CsvFrame ours = run_as_csv(*profile, "memory_timeline");
  // HTA's first row is of what was there before: at the time of the first change, of which ours is after it.
  REQUIRE(ours.rows() + 1 == theirs.rows());
  for (std::size_t row = 0; row < ours.rows(); ++row) {
    INFO("row " << row);
    for (const auto& [column, place] : theirs.columns()) CHECK(ours.text(row, column) == theirs.text(row + 1, column));
  }
}
