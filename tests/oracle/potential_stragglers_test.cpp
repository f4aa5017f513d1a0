#include <algorithm>
#include <cmath>
#include <set>

#include "tests/core/analysis/table_rows.hpp"
#include "tests/oracle/brute_ranks.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

std::set<std::string> candidates(const CsvFrame& frame) {
  std::set<std::string> ranks;
  for (std::size_t row = 0; row < frame.rows(); ++row)
    if (frame.text(row, "candidate") == "yes") ranks.insert(frame.text(row, "rank"));
  return ranks;
}

/// "[\n 2,\n 7\n]".
std::set<std::string> numbers_of(const std::string& json) {
  std::set<std::string> numbers;
  std::string digits;
  for (const char c : json + " ") {
    if (c >= '0' && c <= '9') {
      digits += c;
    } else if (!digits.empty()) {
      numbers.insert(std::exchange(digits, ""));
    }
  }
  return numbers;
}

}  // namespace

TEST_CASE("potential_stragglers matches HTA with --hta", "[oracle]") {
  std::size_t sets = 0;
  check_sets("potential_stragglers_2.json", {}, [&](const OracleSet& set) {
    ++sets;
    const std::set<std::string> theirs = numbers_of(plain_text_of(set.path_of("potential_stragglers_2.json")));
    REQUIRE_FALSE(theirs.empty());
    CHECK(candidates(run_as_csv(*set.profile(), "potential_stragglers", set.as_hta())) == theirs);
  });
  CHECK((oracle_sets().empty() || sets == 2));
}
