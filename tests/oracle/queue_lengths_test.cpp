#include <algorithm>
#include <cmath>

#include "tests/oracle/brute_ranks.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

/// Rank, stream.
using StreamKey = std::pair<std::string, std::string>;

struct LengthSample {
  double time = 0;  // µs
  double value = 0;
};
using LengthSeries = std::map<StreamKey, std::vector<LengthSample>>;

LengthSeries lengths_of(const CsvFrame& frame) {
  LengthSeries series;
  for (std::size_t row = 0; row < frame.rows(); ++row)
    series[{frame.text(row, "rank"), frame.text(row, "stream")}].push_back(
        {frame.number(row, "ts"), frame.number(row, "queue_length")});
  return series;
}

/// HTA adds changes at one time in no particular order (B25), and its floating µs are 0.25 µs coarse.
double together(const OracleSet& set) { return set.exact ? 1e-6 : 0.6; }

/// How many of the samples are followed by another of their time.
std::size_t ties(const std::vector<LengthSample>& samples, double margin) {
  std::size_t count = 0;
  for (std::size_t i = 1; i < samples.size(); ++i) count += samples[i].time - samples[i - 1].time <= margin;
  return count;
}

void check_series(const OracleSet& set, const LengthSeries& own, const LengthSeries& hta) {
  CHECK(own.size() == hta.size());
  if (hta.empty() || own.empty()) return;
  for (const auto& [stream, expected] : hta) {
    INFO("rank " << stream.first << ", stream " << stream.second);
    const auto found = own.find(stream);
    REQUIRE(found != own.end());
    const std::vector<LengthSample>& samples = found->second;
    REQUIRE(samples.size() == expected.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
      INFO("at " << expected[i].time << " us");
      CHECK(samples[i].time == Approx(expected[i].time).epsilon(0).margin(set.exact ? 1e-6 : 0.6));
      const bool last = i + 1 == samples.size() || expected[i + 1].time - expected[i].time > together(set);
      if (last) CHECK(samples[i].value == expected[i].value);
    }
  }
}

}  // namespace

TEST_CASE("queue_length_time_series matches HTA with --hta", "[oracle]") {
  check_sets("queue_length_time_series.csv", {}, [](const OracleSet& set) {
    check_series(set, lengths_of(run_as_csv(*set.profile(), "queue_length_time_series", set.as_hta())),
                 lengths_of(set.answer("queue_length_time_series.csv")));
  });
}

TEST_CASE("queue_length_summary matches HTA with --hta", "[oracle]") {
  check_sets("queue_length_summary.csv", {}, [](const OracleSet& set) {
    const CsvFrame ours = run_as_csv(*set.profile(), "queue_length_summary", set.as_hta());
    const CsvFrame theirs = set.answer("queue_length_summary.csv");
    const LengthSeries series = lengths_of(set.answer("queue_length_time_series.csv"));
    const auto own = rows_by(ours, {"rank", "stream"});
    CHECK(ours.rows() == theirs.rows());
    for (std::size_t row = 0; row < theirs.rows(); ++row) {
      const std::string key = theirs.key(row, {"rank", "stream"});
      INFO(key);
      REQUIRE(own.contains(key));
      const std::size_t found = own.at(key);
      CHECK(ours.number(found, "queue_length_count") == theirs.number(row, "queue_length_count"));
      const std::vector<LengthSample>& samples = series.at({theirs.text(row, "rank"), theirs.text(row, "stream")});
      // Each change that stands elsewhere among those of its time may make one sample one or two more or less.
      const auto disordered = static_cast<double>(ties(samples, together(set)));
      for (const char* figure : {"mean", "std", "min", "25%", "50%", "75%", "max"}) {
        INFO(figure);
        const std::string column = std::string("queue_length_") + figure;
        const bool over_all = figure == std::string("mean") || figure == std::string("std");
        const double margin =
            over_all ? 4 * disordered / static_cast<double>(samples.size()) : std::min(disordered, 2.0);
        CHECK(ours.number(found, column) == Approx(theirs.number(row, column)).margin(1e-9 + margin));
      }
    }
  });
}

TEST_CASE("time_blocked_on_full_queue matches HTA with --hta", "[oracle]") {
  std::size_t rows = 0;
  for (const char* most : {"1024", "4"}) {
    const std::string file =
        most == std::string("4") ? "time_blocked_on_full_queue_max4.csv" : "time_blocked_on_full_queue.csv";
    check_sets(file, {}, [&](const OracleSet& set) {
      std::vector<analysis::Setting> settings = set.as_hta();
      settings.emplace_back("max_queue_length", most);
      const CsvFrame theirs = set.answer(file);
      check_equal(run_as_csv(*set.profile(), "time_blocked_on_full_queue", settings), theirs,
                  {.keys = {"rank", "stream"},
                   .columns = {{"duration_at_max_queue_length", set.exact ? 1e-6 : 5},
                               {"relative_duration_at_max_queue_length", set.exact ? 1e-9 : 1e-4}}});
      rows += theirs.rows();
    });
  }
  CHECK((oracle_sets().empty() || rows > 15));
}

namespace {

/// What waited on each stream, from the text of the traces: the value from each time on.
using BruteCurve = std::map<std::int64_t, std::int64_t>;

std::map<std::string, BruteCurve> brute_queues(const OracleSet& set, std::uint64_t& early) {
  const Brute& brute = set.brute();
  const auto profile = set.profile();
  std::map<std::string, BruteCurve> queues;
  for (const NaiveFile* file : brute.files()) {
    const std::string rank = std::to_string(rank_of(*file, *profile));
    std::map<std::string, BruteCurve> changes;
    for (const auto& [call, runs] : brute_launches(*file)) {
      std::map<std::string, std::int64_t> first;  // by stream
      for (const NaiveSlice* run : runs)
        first.emplace(rank + " | " + std::to_string(run->pid) + " | " + std::to_string(run->tid), run->begin);
      for (const auto& [stream, begin] : first) {
        early += begin < call->begin;
        if (begin <= call->begin) continue;
        ++changes[stream][call->begin - profile->span.begin];
        --changes[stream][begin - profile->span.begin];
      }
    }
    for (const auto& [stream, of] : changes) {
      std::int64_t length = 0;
      for (const auto& [time, change] : of) {
        if (change != 0) queues[stream][time] = length += change;
      }
    }
  }
  return queues;
}

}  // namespace

TEST_CASE("queue lengths agree with the traces' text", "[oracle]") {
  std::size_t long_ones = 0;
  for (const OracleSet& set : oracle_sets()) {
    INFO(set.name);
    const auto profile = set.profile();
    std::uint64_t early = 0;
    const std::map<std::string, BruteCurve> expected = brute_queues(set, early);
    const CsvFrame series = run_as_csv(*profile, "queue_length_time_series");
    std::map<std::string, BruteCurve> told;
    for (std::size_t row = 0; row < series.rows(); ++row)
      told[series.key(row, {"rank", "pid", "stream"})][std::llround(1000 * series.number(row, "ts"))] =
          std::llround(series.number(row, "queue_length"));
    CHECK((told == expected));
    const CsvFrame summary = run_as_csv(*profile, "queue_length_summary");
    const CsvFrame blocked = run_as_csv(*profile, "time_blocked_on_full_queue", {{"max_queue_length", "4"}});
    const auto rows = rows_by(summary, {"rank", "device", "stream"});
    const auto blocked_rows = rows_by(blocked, {"rank", "device", "stream"});
    CHECK(rows.size() == expected.size());
    for (const auto& [stream, curve] : expected) {
      INFO(stream);
      std::map<std::int64_t, std::int64_t> held;  // time by length
      for (auto at = curve.begin(); std::next(at) != curve.end(); ++at)
        held[at->second] += std::next(at)->first - at->first;
      double total = 0;
      double area = 0;
      std::int64_t full = 0;
      for (const auto& [length, time] : held) {
        total += static_cast<double>(time);
        area += static_cast<double>(length) * static_cast<double>(time);
        if (length >= 4) full += time;
        long_ones += length > 100;
      }
      double squares = 0;
      for (const auto& [length, time] : held)
        squares += std::pow(static_cast<double>(length) - area / total, 2) * static_cast<double>(time);
      REQUIRE(rows.contains(stream));
      const std::size_t row = rows.at(stream);
      CHECK(summary.number(row, "queue_length_mean") == Approx(area / total));
      CHECK(summary.number(row, "queue_length_std") == Approx(std::sqrt(squares / total)).margin(1e-9));
      CHECK(summary.number(row, "queue_length_min") == static_cast<double>(held.begin()->first));
      CHECK(summary.number(row, "queue_length_max") == static_cast<double>(held.rbegin()->first));
      for (const auto& [column, fraction] : std::map<std::string, double>{{"25%", 0.25}, {"50%", 0.5}, {"75%", 0.75}}) {
        double below = 0;  // time in which the queue was no longer than this
        auto at = held.begin();
        for (below += static_cast<double>(at->second); below < fraction * total;
             below += static_cast<double>(at->second))
          ++at;
        CHECK(summary.number(row, "queue_length_" + column) == static_cast<double>(at->first));
      }
      REQUIRE(blocked_rows.contains(stream));
      CHECK(blocked.number(blocked_rows.at(stream), "longest_queue") == static_cast<double>(held.rbegin()->first));
      CHECK(blocked.number(blocked_rows.at(stream), "duration_at_max_queue_length") == Approx(in_us(full)));
      CHECK(blocked.number(blocked_rows.at(stream), "relative_duration_at_max_queue_length") ==
            Approx(static_cast<double>(full) / static_cast<double>(profile->span.length())));
    }
    CHECK(blocked.rows() == expected.size());
  }
  CHECK((oracle_sets().empty() || long_ones > 0));
}
