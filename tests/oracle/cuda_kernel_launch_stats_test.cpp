#include <algorithm>
#include <cmath>

#include "tests/oracle/brute_ranks.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

/// What a row tells: durations of call and run, delay; µs.
using Figures = std::array<double, 3>;
/// Launches of one thread begin one after the other, those of two threads may begin at once: rank and begin (ns, from
/// where times count) name a few rows, which are compared in order.
using Launches = std::map<std::pair<std::string, std::int64_t>, std::vector<Figures>>;

Figures figures(const CsvFrame& frame, std::size_t row) {
  return {frame.number(row, "cpu_duration"), frame.number(row, "gpu_duration"), frame.number(row, "launch_delay")};
}

Launches ours(const CsvFrame& frame) {
  Launches launches;
  for (std::size_t row = 0; row < frame.rows(); ++row)
    launches[{frame.text(row, "rank"), std::llround(1000 * frame.number(row, "ts"))}].push_back(figures(frame, row));
  return launches;
}

/// HTA names launches by correlation: when they were is looked up in the traces' text.
Launches theirs(const OracleSet& set, const CsvFrame& frame) {
  const Brute& brute = set.brute();
  const auto profile = set.profile();
  const auto rounded = [&](std::int64_t begin) { return set.rounded ? (begin + 999) / 1000 * 1000 : begin; };
  std::map<std::pair<std::string, std::int64_t>, std::int64_t> begins;
  for (const NaiveFile* file : brute.files())
    for (const NaiveSlice& slice : file->slices)
      if (slice.call() && slice.correlation > 0)
        begins.emplace(std::pair(std::to_string(rank_of(*file, *profile)), slice.correlation),
                       rounded(slice.begin) - profile->span.begin - set.zero());
  Launches launches;
  for (std::size_t row = 0; row < frame.rows(); ++row) {
    const std::string rank = frame.text(row, "rank");
    const auto begin = begins.find({rank, static_cast<std::int64_t>(frame.number(row, "correlation"))});
    REQUIRE(begin != begins.end());
    launches[{rank, begin->second}].push_back(figures(frame, row));
  }
  return launches;
}

void check_launches(Launches own, Launches hta, double delay_margin) {
  CHECK(own.size() == hta.size());
  for (auto& [launch, expected] : hta) {
    INFO("rank " << launch.first << ", launched at " << launch.second << " ns");
    auto& found = own[launch];
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    CHECK(found.size() == expected.size());
    for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i) {
      CHECK(found[i][0] == Approx(expected[i][0]).margin(1e-6));
      CHECK(found[i][1] == Approx(expected[i][1]).margin(1e-6));
      CHECK(found[i][2] == Approx(expected[i][2]).margin(delay_margin));
    }
  }
}

}  // namespace

TEST_CASE("cuda_kernel_launch_stats matches HTA with --hta", "[oracle]") {
  for (const bool memory : {true, false}) {
    const std::string file = memory ? "cuda_kernel_launch_stats.csv" : "cuda_kernel_launch_stats_nomem.csv";
    check_sets(file, {}, [&](const OracleSet& set) {
      std::vector<analysis::Setting> settings = set.as_hta();
      settings.emplace_back("include_memory", memory ? "true" : "false");
      check_launches(ours(run_as_csv(*set.profile(), "cuda_kernel_launch_stats", settings)),
                     theirs(set, set.answer(file)), set.exact ? 1e-6 : 0.6);
    });
  }
}

TEST_CASE("cuda_kernel_launch_stats agrees with the traces' text", "[oracle]") {
  std::size_t beyond_hta = 0;
  for (const OracleSet& set : oracle_sets()) {
    INFO(set.name);
    const Brute& brute = set.brute();
    const auto profile = set.profile();
    Launches expected;
    std::map<std::string, std::array<std::int64_t, 5>> sums;  // by rank: launches, runs, short, slow, late
    for (const NaiveFile* file : brute.files()) {
      const std::string rank = std::to_string(rank_of(*file, *profile));
      for (const auto& [call, runs] : brute_launches(*file)) {
        std::int64_t gpu = 0;
        for (const NaiveSlice* run : runs) gpu += run->duration;
        const std::int64_t delay = std::max<std::int64_t>(0, runs.front()->begin - call->end());
        expected[{rank, call->begin - profile->span.begin}].push_back(
            {in_us(call->duration), in_us(gpu), in_us(delay)});
        beyond_hta += call->name != "cudaLaunchKernel" && call->name != "cudaLaunchKernelExC" &&
                      call->name != "cudaMemcpyAsync" && call->name != "cudaMemsetAsync";
        auto& [all, ran, brief, slow, late] = sums[rank];
        ++all;
        ran += static_cast<std::int64_t>(runs.size());
        brief += gpu < call->duration;
        slow += call->duration > 50'000;
        late += delay > 100'000;
      }
    }
    check_launches(ours(run_as_csv(*profile, "cuda_kernel_launch_stats")), expected, 1e-6);
    const CsvFrame summary = run_as_csv(*profile, "cuda_kernel_launch_stats", {}, "launch-summary");
    CHECK(summary.rows() == sums.size());
    for (std::size_t row = 0; row < summary.rows(); ++row) {
      const auto& sum = sums.at(summary.text(row, "rank"));
      std::size_t i = 0;
      for (const char* column : {"launches", "runs", "short_kernels", "slow_calls", "late_runs"})
        CHECK(summary.number(row, column) == static_cast<double>(sum[i++]));
    }
  }
  CHECK((oracle_sets().empty() || beyond_hta > 1000));
}
