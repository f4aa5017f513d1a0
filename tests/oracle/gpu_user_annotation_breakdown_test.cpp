#include "tests/oracle/brute_ranks.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

const std::map<std::string, double> kExactSums{
    {"sum (us)", 0.001}, {"max (us)", 0.001}, {"min (us)", 0.001}, {"stddev", 0.001}, {"mean (us)", 0.001}};

}  // namespace

TEST_CASE("gpu_user_annotation_breakdown matches HTA with --hta", "[oracle]") {
  for (const std::string side : {"gpu", "cpu"}) {
    const std::string file = side + "_user_annotation_breakdown.csv";
    check_sets(file, {}, [&](const OracleSet& set) {
      std::vector<analysis::Setting> settings = set.as_hta();
      settings.emplace_back("side", side);
      check_equal(run_as_csv(*set.profile(), "gpu_user_annotation_breakdown", settings), set.answer(file),
                  {.keys = {"name", "rank"}, .columns = kExactSums});
    });
  }
}

TEST_CASE("gpu_user_annotation_breakdown agrees with the traces' text", "[oracle]") {
  for (const OracleSet& set : oracle_sets()) {
    const Brute& brute = set.brute();
    const auto profile = set.profile();
    for (const std::string side : {"gpu", "cpu"}) {
      INFO(set.name << ", " << side);
      const CsvFrame ours =
          run_as_csv(*profile, "gpu_user_annotation_breakdown", {{"side", side}, {"num_kernels", "0"}});
      const auto rows = rows_by(ours, {"name", "rank"});
      std::map<std::string, std::vector<std::int64_t>> expected;
      for (const NaiveFile* file : brute.files())
        for (const NaiveSlice& slice : file->slices)
          if (side == "gpu" ? is_shadow(slice) : is_annotation(slice))
            expected[slice.name + " | " + std::to_string(rank_of(*file, *profile))].push_back(slice.duration);
      CHECK(ours.rows() == expected.size());
      for (const auto& [key, durations] : expected) {
        INFO(key);
        const auto row = rows.find(key);
        CHECK(row != rows.end());
        if (row == rows.end()) continue;
        std::int64_t sum = 0;
        for (const std::int64_t each : durations) sum += each;
        CHECK(ours.number(row->second, "sum (us)") == Approx(in_us(sum)));
        CHECK(ours.number(row->second, "count") == static_cast<double>(durations.size()));
        CHECK(ours.number(row->second, "max (us)") ==
              Approx(in_us(*std::max_element(durations.begin(), durations.end()))));
        CHECK(ours.number(row->second, "min (us)") ==
              Approx(in_us(*std::min_element(durations.begin(), durations.end()))));
        CHECK(ours.number(row->second, "mean (us)") == Approx(in_us(sum) / static_cast<double>(durations.size())));
      }
    }
  }
}
