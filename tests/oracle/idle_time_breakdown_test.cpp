#include "tests/oracle/brute_ranks.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

/// On these ranks of dlrm8 an event of the host is the first of the file, and HTA takes it for the launch of every run
/// on stream 7 that has none (B10).
bool counts(const OracleSet& set, const CsvFrame& frame, std::size_t row) {
  const std::string key = frame.key(row, {"rank", "stream"});
  return set.name != "dlrm8" || (key != "1 | 7" && key != "3 | 7");
}

CsvFrame comparable(const OracleSet& set, const CsvFrame& frame) {
  return select(frame, [&](std::size_t row) { return counts(set, frame, row); });
}

}  // namespace

TEST_CASE("idle_time_breakdown is HTA's where it counts as HTA does", "[oracle]") {
  const Differences differ{{"ns_resolution", "B24"}};
  const std::vector<std::string> keys{"rank", "stream", "idle_category"};
  check_sets("idle_time_breakdown.0.csv", differ, [&](const OracleSet& set) {
    check_equal(comparable(set, run_as_csv(*set.profile(), "idle_time_breakdown", set.as_hta())),
                comparable(set, set.answer("idle_time_breakdown.0.csv")),
                {.keys = keys, .columns = {{"idle_time", set.exact ? 1e-6 : 0.3 * 100}, {"idle_time_ratio", 0.00501}}});
  });
  check_sets("idle_time_breakdown.1.csv", differ, [&](const OracleSet& set) {
    const double each = set.exact ? 0.00501 : 0.3;
    check_equal(comparable(set, run_as_csv(*set.profile(), "idle_time_breakdown", set.as_hta(), "idle-intervals")),
                comparable(set, set.answer("idle_time_breakdown.1.csv")),
                {.keys = keys,
                 .columns = {{"count", 0},
                             {"mean", each},
                             {"std", each},
                             {"min", each},
                             {"25%", each},
                             {"50%", each},
                             {"75%", each},
                             {"max", each}}});
  });
}

TEST_CASE("idle_time_breakdown has HTA's sums where its causes hang on a quarter of a microsecond", "[oracle]") {
  const OracleSet* set = oracle_set("ns_resolution");
  if (set == nullptr) return;
  const auto total = [](const CsvFrame& frame) {
    double sum = 0;
    for (std::size_t row = 0; row < frame.rows(); ++row) sum += frame.number(row, "idle_time");
    return sum;
  };
  CHECK(total(run_as_csv(*set->profile(), "idle_time_breakdown", set->as_hta())) ==
        Approx(total(set->answer("idle_time_breakdown.0.csv"))).margin(0.5));
}

namespace {

struct Gaps {
  std::int64_t sum = 0;
  std::int64_t count = 0;
  std::int64_t longest = 0;
};

}  // namespace

TEST_CASE("idle_time_breakdown is what the traces' text says", "[oracle]") {
  std::map<std::string, std::int64_t> found;
  for (const OracleSet& set : oracle_sets()) {
    for (const std::int64_t threshold : {std::int64_t{30}, std::int64_t{5000}}) {
      INFO(set.name << ", " << threshold << " ns");
      const Brute brute(set.traces);
      const auto profile = set.profile();
      const std::vector<analysis::Setting> settings{{"consecutive_kernel_delay", std::to_string(threshold) + "ns"}};
      const CsvFrame ours = run_as_csv(*profile, "idle_time_breakdown", settings);
      const CsvFrame intervals = run_as_csv(*profile, "idle_time_breakdown", settings, "idle-intervals");
      const auto rows = rows_by(ours, {"rank", "device", "stream", "idle_category"});
      const auto interval_rows = rows_by(intervals, {"rank", "device", "stream", "idle_category"});
      std::map<std::string, Gaps> expected;
      for (const NaiveFile* file : brute.files()) {
        std::map<std::int64_t, std::int64_t> launches;
        for (const NaiveSlice& slice : file->slices)
          if (slice.call() && slice.correlation > 0) launches.emplace(slice.correlation, slice.begin);
        std::map<std::pair<std::int64_t, std::int64_t>, std::vector<const NaiveSlice*>> streams;
        for (const NaiveSlice& slice : file->slices)
          if (slice.run()) streams[{slice.pid, slice.tid}].push_back(&slice);
        for (auto& [stream, runs] : streams) {
          std::stable_sort(runs.begin(), runs.end(), [](const NaiveSlice* a, const NaiveSlice* b) {
            return std::pair(a->begin, a->end()) < std::pair(b->begin, b->end());
          });
          const std::string key = std::to_string(rank_of(*file, *profile)) + " | " + std::to_string(stream.first) +
                                  " | " + std::to_string(stream.second) + " | ";
          for (const char* always : {"host_wait", "kernel_wait", "other"}) expected[key + always];
          // Idle is where no run is, so the gaps are between the runs' union.
          std::int64_t idle_since = runs.front()->end();
          for (std::size_t i = 1; i < runs.size(); idle_since = std::max(idle_since, runs[i]->end()), ++i) {
            const std::int64_t gap = runs[i]->begin - idle_since;
            if (gap <= 0) continue;
            const auto launch = launches.find(runs[i]->correlation);
            std::string category = gap < threshold ? "kernel_wait" : "other";
            if (launch == launches.end())
              category = "no_launch_record";
            else if (launch->second > idle_since)
              category = "host_wait";
            Gaps& gaps = expected[key + category];
            gaps.sum += gap;
            ++gaps.count;
            gaps.longest = std::max(gaps.longest, gap);
            ++found[category];
          }
        }
      }
      CHECK(ours.rows() == expected.size());
      for (const auto& [key, gaps] : expected) {
        INFO(key);
        const auto row = rows.find(key);
        CHECK(row != rows.end());
        if (row == rows.end()) continue;
        CHECK(ours.number(row->second, "idle_time") == Approx(in_us(gaps.sum)));
        CHECK(ours.number(row->second, "intervals") == static_cast<double>(gaps.count));
        const auto interval = interval_rows.find(key);
        CHECK((interval == interval_rows.end()) == (gaps.count == 0));
        if (interval == interval_rows.end()) continue;
        CHECK(intervals.number(interval->second, "count") == static_cast<double>(gaps.count));
        CHECK(intervals.number(interval->second, "max") == Approx(in_us(gaps.longest)));
        CHECK(intervals.number(interval->second, "mean") == Approx(in_us(gaps.sum) / static_cast<double>(gaps.count)));
      }
    }
  }
  for (const char* category : {"host_wait", "kernel_wait", "other", "no_launch_record"}) {
    INFO(category);
    CHECK((oracle_sets().empty() || found[category] > 0));
  }
}
