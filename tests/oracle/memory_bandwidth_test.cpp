#include <algorithm>
#include <cmath>
#include <set>

#include "tests/oracle/brute_ranks.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

struct RateSample {
  double time = 0;   // µs
  double value = 0;  // GB/s
};
/// By rank and kind.
using RateSeries = std::map<std::string, std::vector<RateSample>>;

RateSeries rates_of(const CsvFrame& frame) {
  RateSeries series;
  for (std::size_t row = 0; row < frame.rows(); ++row)
    series[frame.key(row, {"rank", "name"})].push_back({frame.number(row, "ts"), frame.number(row, "memory_bw_gbps")});
  return series;
}

/// What HTA's sums of floating figures leave over.
constexpr double kNothing = 1e-9;

/// Both take the figure that the trace names.
void check_value(double own, double hta) { CHECK(own == Approx(hta).epsilon(1e-9).margin(kNothing)); }

}  // namespace

TEST_CASE("memory_bw_time_series matches HTA with --hta", "[oracle]") {
  check_sets("memory_bw_time_series.csv", {}, [](const OracleSet& set) {
    const RateSeries own = rates_of(run_as_csv(*set.profile(), "memory_bw_time_series", set.as_hta()));
    const RateSeries hta = rates_of(set.answer("memory_bw_time_series.csv"));
    CHECK(own.size() == hta.size());
    if (own.empty() || hta.empty()) return;
    const double margin = set.exact ? 1e-6 : 0.6;
    for (const auto& [kind, expected] : hta) {
      INFO(kind);
      REQUIRE(own.contains(kind));
      const std::vector<RateSample>& samples = own.at(kind);
      REQUIRE(samples.size() == expected.size());
      for (std::size_t i = 0; i < samples.size(); ++i) {
        INFO("at " << expected[i].time << " us");
        CHECK(samples[i].time == Approx(expected[i].time).epsilon(0).margin(margin));
        const bool last = i + 1 == samples.size() || expected[i + 1].time - expected[i].time > margin;
        if (last) check_value(samples[i].value, expected[i].value);
      }
    }
  });
}

TEST_CASE("memory_bw_summary matches HTA with --hta", "[oracle]") {
  check_sets("memory_bw_summary.csv", {{"diff_test", "B13"}}, [](const OracleSet& set) {
    const CsvFrame ours = run_as_csv(*set.profile(), "memory_bw_summary", set.as_hta());
    const CsvFrame theirs = set.answer("memory_bw_summary.csv");
    const auto own = rows_by(ours, {"rank", "name"});
    CHECK(ours.rows() == theirs.rows());
    for (std::size_t row = 0; row < theirs.rows(); ++row) {
      const std::string key = theirs.key(row, {"rank", "name"});
      INFO(key);
      REQUIRE(own.contains(key));
      CHECK(ours.number(own.at(key), "memory_bw_gbps_count") == theirs.number(row, "memory_bw_gbps_count"));
      for (const char* figure : {"mean", "std", "min", "25%", "50%", "75%", "max"}) {
        INFO(figure);
        const std::string column = std::string("memory_bw_gbps_") + figure;
        const double expected = theirs.number(row, column);  // no deviation of one sample
        if (std::isnan(expected))
          CHECK(std::isnan(ours.number(own.at(key), column)));
        else
          CHECK(ours.number(own.at(key), column) == Approx(expected).epsilon(1e-9));
      }
    }
  });
}

namespace {

struct BruteCopy {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  double rate = 0;  // GB/s
};

std::string kind_of(const NaiveSlice& slice) {
  if (!is_copy(slice)) return "Memset";
  for (const char* direction : {"HtoD", "DtoH", "DtoD", "PtoP", "HtoH"})
    if (slice.name.find(direction) != std::string::npos) return std::string("Memcpy ") + direction;
  return "Memcpy Unknown";
}

/// As the trace names it, if its length could be that, cut to whole µs; else bytes by duration. `next`: when the next
/// on its stream begins.
BruteCopy brute_copy(const NaiveSlice& slice, bool whole_us, std::int64_t next) {
  const std::int64_t end = slice.begin + (slice.duration == 0 ? 1000 : slice.duration);
  const auto bytes = static_cast<double>(slice.bytes);
  const double length = slice.bandwidth > 0 ? bytes / slice.bandwidth : 0;
  const bool fits = length >= 1 && std::abs(length - static_cast<double>(slice.duration)) <= 1000;
  if (!whole_us || !fits) return {slice.begin, end, bytes / static_cast<double>(end - slice.begin)};
  return {slice.begin, std::min<std::int64_t>(slice.begin + std::llround(length), std::max(end, next)),
          slice.bandwidth};
}

/// Start times of the memory copies of each stream.
using StartsByStream = std::map<std::pair<std::int64_t, std::int64_t>, std::set<std::int64_t>>;

StartsByStream starts_of(const NaiveFile& file) {
  StartsByStream starts;
  for (const NaiveSlice& slice : file.slices)
    if (slice.run() && !is_kernel(slice)) starts[{slice.pid, slice.tid}].insert(slice.begin);
  return starts;
}

std::int64_t next_begin(const StartsByStream& starts, const NaiveSlice& copy) {
  const std::set<std::int64_t>& of_stream = starts.at({copy.pid, copy.tid});
  const auto next = of_stream.upper_bound(copy.begin);
  return next == of_stream.end() ? std::numeric_limits<std::int64_t>::max() : *next;
}

std::map<std::string, std::vector<BruteCopy>> brute_copies(const OracleSet& set) {
  const Brute& brute = set.brute();
  const auto profile = set.profile();
  std::map<std::string, std::vector<BruteCopy>> copies;
  for (const NaiveFile* file : brute.files()) {
    const bool whole_us =
        std::ranges::all_of(file->slices, [](const NaiveSlice& slice) { return slice.duration % 1000 == 0; });
    const StartsByStream starts = starts_of(*file);
    for (const NaiveSlice& slice : file->slices) {
      if (!slice.run() || is_kernel(slice) || slice.bytes < 0) continue;
      BruteCopy copy = brute_copy(slice, whole_us, whole_us ? next_begin(starts, slice) : 0);
      copy.begin -= profile->span.begin;
      copy.end -= profile->span.begin;
      copies[std::to_string(rank_of(*file, *profile)) + " | " + std::to_string(slice.pid) + " | " + kind_of(slice)]
          .push_back(copy);
    }
  }
  return copies;
}

/// The value from each begin and end on: what moves then, added up anew.
std::map<std::int64_t, double> brute_curve(std::vector<BruteCopy> copies) {
  std::sort(copies.begin(), copies.end(), [](const BruteCopy& a, const BruteCopy& b) { return a.begin < b.begin; });
  std::map<std::int64_t, double> curve;
  for (const BruteCopy& copy : copies) curve[copy.begin] = curve[copy.end] = 0;
  std::vector<BruteCopy> active;
  auto next = copies.begin();
  for (auto& [time, value] : curve) {
    for (; next != copies.end() && next->begin <= time; ++next) active.push_back(*next);
    std::erase_if(active, [&, now = time](const BruteCopy& copy) { return copy.end <= now; });
    for (const BruteCopy& copy : active) value += copy.rate;
  }
  return curve;
}

double value_at(const std::map<std::int64_t, double>& curve, std::int64_t time) {
  const auto after = curve.upper_bound(time);
  return after == curve.begin() ? 0 : std::prev(after)->second;
}

}  // namespace

TEST_CASE("memory bandwidths agree with the traces' text", "[oracle]") {
  std::size_t seen = 0;
  for (const OracleSet& set : oracle_sets()) {
    INFO(set.name);
    const auto profile = set.profile();
    const auto expected = brute_copies(set);
    const CsvFrame series = run_as_csv(*profile, "memory_bw_time_series");
    std::map<std::string, std::map<std::int64_t, double>> told;
    for (std::size_t row = 0; row < series.rows(); ++row)
      told[series.key(row, {"rank", "pid", "name"})][std::llround(1000 * series.number(row, "ts"))] =
          series.number(row, "memory_bw_gbps");
    CHECK(told.size() == expected.size());
    const CsvFrame summary = run_as_csv(*profile, "memory_bw_summary");
    const auto rows = rows_by(summary, {"rank", "device", "name"});
    CHECK(rows.size() == expected.size());
    for (const auto& [kind, copies] : expected) {
      INFO(kind);
      REQUIRE(told.contains(kind));
      REQUIRE(rows.contains(kind));
      const auto curve = brute_curve(copies);
      const auto& own = told.at(kind);
      for (const auto& [time, value] : curve) CHECK(value_at(own, time) == Approx(value).margin(kNothing));
      for (const auto& [time, value] : own) CHECK(value == Approx(value_at(curve, time)).margin(kNothing));
      // Bytes by the time in which anything moved.
      double moved = 0;
      double busy = 0;
      double most = 0;
      for (const BruteCopy& copy : copies) moved += copy.rate * static_cast<double>(copy.end - copy.begin);
      for (auto at = curve.begin(); std::next(at) != curve.end(); ++at)
        if (at->second > 0) busy += static_cast<double>(std::next(at)->first - at->first);
      for (const auto& [time, value] : curve) most = std::max(most, value);
      const std::size_t row = rows.at(kind);
      CHECK(summary.number(row, "memory_bw_gbps_mean") == Approx(moved / busy));
      CHECK(summary.number(row, "memory_bw_gbps_max") == Approx(most));
      CHECK(summary.number(row, "copies") == static_cast<double>(copies.size()));
      seen += copies.size();
    }
  }
  CHECK((oracle_sets().empty() || seen > 1000));
}
