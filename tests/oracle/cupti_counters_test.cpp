#include "tests/catch.hpp"
#include "tests/oracle/brute_ranks.hpp"

using namespace warpscope;
using namespace warpscope::tests;

TEST_CASE("cupti_counters matches HTA", "[oracle]") {
  std::size_t compared = 0;
  check_sets("cupti_counter_data_with_operators.0.csv", {}, [&](const OracleSet& set) {
    const CsvFrame theirs = set.answer("cupti_counter_data_with_operators.0.csv");
    for (const bool hta : {false, true}) {
      const CsvFrame ours =
          run_as_csv(*set.profile(), "cupti_counters", hta ? set.as_hta() : std::vector<analysis::Setting>());
      REQUIRE(ours.rows() == theirs.rows());
      // Ours are since the profile's begin.
      const double zero = hta ? 0 : in_us(set.zero());
      for (std::size_t row = 0; row < ours.rows(); ++row) {
        INFO("row " << row);
        for (const char* column : {"name", "top_level_op", "bottom_level_op"})
          CHECK(ours.text(row, column) == theirs.text(row, column));
        CHECK(ours.number(row, "ts") - theirs.number(row, "ts") == Approx(zero).epsilon(0).margin(1e-6));
        CHECK(ours.number(row, "dur") == theirs.number(row, "dur"));
        std::string stack = "['";  // as Python writes a list of texts
        for (const char c : ours.text(row, "op_stack")) stack += c == '|' ? "', '" : std::string(1, c);
        CHECK(stack + "']" == theirs.text(row, "op_stack"));
        for (const auto& [column, place] : theirs.columns()) {
          if (!column.starts_with("smsp__")) continue;
          REQUIRE(ours.has(column));
          CHECK(ours.number(row, column) == theirs.number(row, column));
          ++compared;
        }
      }
    }
  });
  CHECK((oracle_sets().empty() || compared == 2 * 77 * 9));
}
