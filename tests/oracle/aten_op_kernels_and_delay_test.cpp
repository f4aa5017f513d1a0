#include "tests/core/analysis/brute_operators.hpp"
#include "tests/oracle/brute_ranks.hpp"

using namespace warpscope;
using namespace warpscope::tests;

TEST_CASE("aten_op_kernels_and_delay matches HTA with --hta", "[oracle]") {
  check_sets("aten_op_kernels_and_delay.csv", {{"sampled2", "B28"}}, [&](const OracleSet& set) {
    std::vector<analysis::Setting> settings = set.as_hta();
    settings.emplace_back("names", "0");
    const CsvFrame all = run_as_csv(*set.profile(), "aten_op_kernels_and_delay", settings);
    const CsvFrame ours =
        select(all, [&](std::size_t row) { return all.number(row, "rank") == static_cast<double>(set.first_rank); });
    // Both means are of floating µs, rounded to three digits.
    const double each = set.exact ? 0.00051 : 0.3;
    check_equal(
        ours, set.answer("aten_op_kernels_and_delay.csv"),
        {.keys = {"aten_op_name", "kernel_sequence"},
         .columns = {{"occurrence_count", 0}, {"avg_aten_op_launch_delay", each}, {"avg_runtime_delay", each}}});
  });
}

TEST_CASE("aten_op_kernels_and_delay agrees with the traces' text", "[oracle]") {
  for (const char* name : {"dlrm8", "sampled2", "critical_path_alexnet", "triton"}) {
    const OracleSet* set = oracle_set(name);
    if (set == nullptr) return;
    INFO(name);
    const auto profile = set->profile();
    const CsvFrame ours = run_as_csv(*profile, "aten_op_kernels_and_delay", {{"names", "0"}});
    const auto rows = rows_by(ours, {"rank", "aten_op_name", "kernel_sequence"});
    std::size_t expected = 0;
    const Brute& brute = set->brute();
    for (const NaiveFile* file : brute.files()) {
      for (const auto& [key, sums] : brute_operators(*file)) {
        const std::size_t colon = key.find(": ");
        const std::string row_key =
            std::to_string(rank_of(*file, *profile)) + " | " + key.substr(0, colon) + " | " + key.substr(colon + 2);
        INFO(row_key);
        ++expected;
        const auto row = rows.find(row_key);
        CHECK(row != rows.end());
        if (row == rows.end()) continue;
        const auto count = static_cast<double>(sums.count);
        CHECK(ours.number(row->second, "occurrence_count") == count);
        CHECK(ours.number(row->second, "avg_aten_op_launch_delay") == Approx(in_us(sums.launch) / count));
        CHECK(ours.number(row->second, "avg_runtime_delay") == Approx(in_us(sums.runtime) / count));
      }
    }
    CHECK(ours.rows() == expected);
  }
}
