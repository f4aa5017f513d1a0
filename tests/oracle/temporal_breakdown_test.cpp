#include <algorithm>

#include "tests/oracle/brute_ranks.hpp"

using namespace warpscope;
using namespace warpscope::tests;

TEST_CASE("temporal_breakdown matches HTA with --hta", "[oracle]") {
  const Differences differ{{"critical_path_alexnet", "B21"}, {"critical_path_simple_add", "B21"}, {"triton", "B9"}};
  check_sets("temporal_breakdown.csv", differ, [](const OracleSet& set) {
    const double time = set.exact ? 1e-6 : 0.3 * 200;  // the ends of some hundred stretches
    check_equal(run_as_csv(*set.profile(), "temporal_breakdown", set.as_hta()), set.answer("temporal_breakdown.csv"),
                {.keys = {"rank"},
                 .columns = {{"idle_time(us)", time},
                             {"compute_time(us)", time},
                             {"non_compute_time(us)", time},
                             {"kernel_time(us)", time},
                             {"idle_time_pctg", 0.00501},
                             {"compute_time_pctg", 0.00501},
                             {"non_compute_time_pctg", 0.00501}}});
  });
}

TEST_CASE("temporal_breakdown agrees with the traces' text", "[oracle]") {
  for (const OracleSet& set : oracle_sets()) {
    INFO(set.name);
    const Brute& brute = set.brute();
    const CsvFrame ours = run_as_csv(*set.profile(), "temporal_breakdown");
    std::map<std::string, std::size_t> row_of;
    for (std::size_t row = 0; row < ours.rows(); ++row) row_of.emplace(ours.text(row, "rank"), row);
    for (const NaiveFile* file : brute.files()) {
      std::vector<Span> runs;
      std::vector<Span> computing;
      for (const NaiveSlice& slice : file->slices) {
        if (!slice.run()) continue;
        runs.push_back({slice.begin, slice.end()});
        if (brute_type(slice) == "COMPUTATION") computing.push_back(runs.back());
      }
      // A file alone may not tell its rank.
      const auto row = brute.files().size() == 1 ? row_of.begin() : row_of.find(std::to_string(file->rank));
      CHECK((row == row_of.end()) == runs.empty());
      if (row == row_of.end()) continue;
      std::int64_t first = runs.front().first;
      std::int64_t last = runs.front().second;
      for (const Span& run : runs) {
        first = std::min(first, run.first);
        last = std::max(last, run.second);
      }
      const std::int64_t busy = union_of(runs);
      const std::int64_t compute = union_of(computing);
      CHECK(ours.number(row->second, "kernel_time(us)") == Approx(static_cast<double>(last - first) / 1000));
      CHECK(ours.number(row->second, "idle_time(us)") == Approx(static_cast<double>(last - first - busy) / 1000));
      CHECK(ours.number(row->second, "compute_time(us)") == Approx(static_cast<double>(compute) / 1000));
      CHECK(ours.number(row->second, "non_compute_time(us)") == Approx(static_cast<double>(busy - compute) / 1000));
    }
  }
}
