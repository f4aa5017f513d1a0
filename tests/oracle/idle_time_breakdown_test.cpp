#include <algorithm>

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

TEST_CASE("idle_time_breakdown matches HTA with --hta", "[oracle]") {
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

TEST_CASE("idle_time_breakdown has HTA's sums if causes depend on a quarter of a microsecond", "[oracle]") {
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

using Runs = std::vector<const NaiveSlice*>;
using Stream = std::pair<std::int64_t, std::int64_t>;  // device, number

struct Gaps {
  std::int64_t sum = 0;
  std::int64_t count = 0;
  std::int64_t longest = 0;

  void add(std::int64_t gap) {
    sum += gap;
    ++count;
    longest = std::max(longest, gap);
  }
};
using Split = std::map<std::string, Gaps>;  // by cause

void sort_by_begin(Runs& runs) {
  std::stable_sort(runs.begin(), runs.end(), [](const NaiveSlice* a, const NaiveSlice* b) {
    return std::pair(a->begin, a->end()) < std::pair(b->begin, b->end());
  });
}

/// Splits the gaps of a file, all of it from the text.
class BruteGaps {
 public:
  explicit BruteGaps(const NaiveFile& file, std::int64_t own_delay) : own_delay_(own_delay) {
    for (const NaiveSlice& slice : file.slices) {
      if (slice.call() && slice.correlation > 0) launches_.emplace(slice.correlation, Span{slice.begin, slice.end()});
      if (slice.name == "Stream Wait Event") event_waits_[{slice.pid, slice.tid}].push_back(slice.begin);
      if (slice.run()) streams_[{slice.pid, slice.tid}].push_back(&slice);
    }
    for (auto& [stream, runs] : streams_) {
      sort_by_begin(runs);
      Runs& all = devices_[stream.first];
      all.insert(all.end(), runs.begin(), runs.end());
      for (const NaiveSlice* run : runs) ends_[stream].push_back(run->end());
      std::sort(ends_[stream].begin(), ends_[stream].end());
    }
    for (auto& [device, runs] : devices_) sort_by_begin(runs);
  }

  [[nodiscard]] const std::map<Stream, Runs>& streams() const { return streams_; }
  [[nodiscard]] const std::map<std::int64_t, Runs>& devices() const { return devices_; }

  [[nodiscard]] Split split(const Runs& runs) const {
    Split found;
    std::int64_t idle_since = runs.front()->end();
    for (std::size_t i = 1; i < runs.size(); idle_since = std::max(idle_since, runs[i]->end()), ++i)
      if (runs[i]->begin > idle_since) add(found, idle_since, *runs[i - 1], *runs[i]);
    return found;
  }

 private:
  void add(Split& found, std::int64_t idle_since, const NaiveSlice& before, const NaiveSlice& run) const {
    const auto launch = launches_.find(run.correlation);
    if (launch == launches_.end()) return found["work without a launch record"].add(run.begin - idle_since);
    std::int64_t since = std::min(std::max(launch->second.second, idle_since), run.begin);
    if ((run.category == "gpu_memcpy" || run.category == "Memcpy") && launch->second.first <= idle_since &&
        launch->second.second > run.begin)
      since = idle_since;
    if (since > idle_since) found["host"].add(since - idle_since);
    const std::int64_t rest = run.begin - since;
    if (rest == 0) return;
    const bool event = event_before(before, run, launch->second.first);
    if (!event && rest < own_delay_) return found["launch latency"].add(rest);
    const auto other = last_end_elsewhere(run);
    if (other >= since && (event || run.begin - other <= 20'000)) {
      const std::int64_t waited = run.begin - other <= 20'000 ? run.begin : other;
      if (waited > since) found["waiting for another stream"].add(waited - since);
      if (run.begin > waited) found["launched work waiting for unknown reasons"].add(run.begin - waited);
    } else {
      const bool late = since > idle_since && rest < 100'000;
      found[late || rest < own_delay_ ? "launch latency" : "launched work waiting for unknown reasons"].add(rest);
    }
  }

  [[nodiscard]] bool event_before(const NaiveSlice& before, const NaiveSlice& run, std::int64_t launched) const {
    const auto waits = event_waits_.find({run.pid, run.tid});
    const auto earlier = launches_.find(before.correlation);
    return waits != event_waits_.end() && earlier != launches_.end() && before.tid == run.tid &&
           std::any_of(waits->second.begin(), waits->second.end(),
                       [&](std::int64_t wait) { return wait > earlier->second.first && wait <= launched; });
  }

  [[nodiscard]] std::int64_t last_end_elsewhere(const NaiveSlice& run) const {
    std::int64_t last = 0;
    for (const auto& [stream, ends] : ends_) {
      if (stream.first != run.pid || stream.second == run.tid) continue;
      const auto after = std::upper_bound(ends.begin(), ends.end(), run.begin);
      if (after != ends.begin()) last = std::max(last, *std::prev(after));
    }
    return last;
  }

  std::int64_t own_delay_;
  std::map<std::int64_t, Span> launches_;
  std::map<Stream, std::vector<std::int64_t>> event_waits_;
  std::map<Stream, Runs> streams_;
  std::map<Stream, std::vector<std::int64_t>> ends_;
  std::map<std::int64_t, Runs> devices_;
};

/// What the host does while a stream waits for it is not derived from the text.
std::string without_host_work(const std::string& label) {
  static const std::set<std::string> kRest{"launch latency", "waiting for another stream",
                                           "work without a launch record", "launched work waiting for unknown reasons",
                                           "host callbacks of CUDA graphs"};
  return kRest.contains(label) ? label : "host";
}

}  // namespace

TEST_CASE("idle time by cause agrees with gaps split from the text of the traces", "[oracle]") {
  std::map<std::string, std::int64_t> found;
  for (const OracleSet& set : oracle_sets()) {
    for (const std::int64_t threshold : {std::int64_t{30}, std::int64_t{10'000}}) {
      INFO(set.name << ", " << threshold << " ns");
      const Brute& brute = set.brute();
      const auto profile = set.profile();
      const std::vector<analysis::Setting> settings{{"consecutive_kernel_delay", std::to_string(threshold) + "ns"}};
      const auto part = [&](const char* name) { return run_as_csv(*profile, "idle_time_breakdown", settings, name); };
      const CsvFrame ours = part("idle-time-breakdown");
      const CsvFrame intervals = part("idle-intervals");
      const auto interval_rows = rows_by(intervals, {"rank", "device", "stream", "idle_category"});
      std::map<std::string, double> sums;
      std::map<std::string, std::size_t> rows;
      for (const auto& [key, row] : rows_by(ours, {"rank", "device", "stream", "idle_category"})) {
        const std::size_t name = key.rfind("| ") + 2;
        const std::string grouped = key.substr(0, name) + without_host_work(key.substr(name));
        sums[grouped] += ours.number(row, "idle_time");
        rows[grouped] = row;
      }
      std::map<std::string, Gaps> expected;
      for (const NaiveFile* file : brute.files()) {
        const BruteGaps gaps(*file, threshold);
        const std::string rank = std::to_string(rank_of(*file, *profile)) + " | ";
        for (const auto& [stream, runs] : gaps.streams())
          for (const auto& [cause, sum] : gaps.split(runs))
            expected[rank + std::to_string(stream.first) + " | " + std::to_string(stream.second) + " | " + cause] = sum;
      }
      CHECK(sums.size() == expected.size());
      for (const auto& [key, gaps] : expected) {
        INFO(key);
        const std::string cause = key.substr(key.rfind("| ") + 2);
        found[cause] += gaps.count;
        CHECK(sums[key] == Approx(in_us(gaps.sum)));
        if (cause == "host" || !rows.contains(key)) continue;
        CHECK(ours.number(rows[key], "intervals") == static_cast<double>(gaps.count));
        const auto interval = interval_rows.find(key);
        CHECK((interval == interval_rows.end()) == (gaps.count == 0));
        if (interval == interval_rows.end()) continue;
        CHECK(intervals.number(interval->second, "count") == static_cast<double>(gaps.count));
        CHECK(intervals.number(interval->second, "max") == Approx(in_us(gaps.longest)));
        CHECK(intervals.number(interval->second, "mean") == Approx(in_us(gaps.sum) / static_cast<double>(gaps.count)));
      }
    }
  }
  for (const char* category : {"host", "waiting for another stream", "launch latency",
                               "launched work waiting for unknown reasons", "work without a launch record"}) {
    INFO(category);
    CHECK((oracle_sets().empty() || found[category] > 0));
  }
}

TEST_CASE("idle time of GPUs equals that of temporal_breakdown", "[oracle]") {
  for (const OracleSet& set : oracle_sets()) {
    INFO(set.name);
    const auto profile = set.profile();
    const CsvFrame breakdown = run_as_csv(*profile, "temporal_breakdown", {});
    const CsvFrame devices = run_as_csv(*profile, "where_time_goes", {});
    if (devices.rows() != breakdown.rows()) continue;  // a rank of several GPUs
    for (std::size_t row = 0; row < devices.rows(); ++row)
      CHECK(devices.number(row, "idle_ns") / 1000 == Approx(breakdown.number(row, "idle_time(us)")));
  }
}
