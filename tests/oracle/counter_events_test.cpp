// The counter events that HTA adds to a trace are the samples of its two time series for the first rank, so README.md's
// results for those also hold for `counters`.
#include <algorithm>
#include <cmath>

#include "tests/oracle/brute_ranks.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

/// (track, time since the first event in us, value) of each sample, sorted.
using CounterSamples = std::vector<std::tuple<std::string, double, double>>;

CounterSamples since_first(CounterSamples samples) {
  double first = std::numeric_limits<double>::max();
  for (const auto& [track, time, value] : samples) first = std::min(first, time);
  for (auto& [track, time, value] : samples) time -= first;
  std::sort(samples.begin(), samples.end());
  return samples;
}

void add_samples(CounterSamples& samples, const OracleSet& set, const std::string& file, const std::string& track,
                 const std::string& value) {
  if (!set.has(file)) return;
  const CsvFrame frame = set.answer(file);
  for (std::size_t row = 0; row < frame.rows(); ++row)
    if (frame.number(row, "rank") == static_cast<double>(set.first_rank))
      samples.emplace_back((track == "stream" ? "Queue Length | " : "") + frame.key(row, {track}),
                           frame.number(row, "ts"), frame.number(row, value));
}

}  // namespace

TEST_CASE("HTA's counter events are the samples of its two time series", "[oracle]") {
  check_sets("generate_trace_with_counters.counter_events.csv", {}, [](const OracleSet& set) {
    const CsvFrame events = set.answer("generate_trace_with_counters.counter_events.csv");
    CounterSamples told;
    for (std::size_t row = 0; row < events.rows(); ++row) {
      const bool queue = events.text(row, "name") == "Queue Length";
      told.emplace_back(
          events.key(row, queue ? std::vector<std::string>{"name", "id"} : std::vector<std::string>{"name"}),
          events.number(row, "ts"), events.number(row, "value"));
    }
    CounterSamples expected;
    add_samples(expected, set, "queue_length_time_series.csv", "stream", "queue_length");
    add_samples(expected, set, "memory_bw_time_series.csv", "name", "memory_bw_gbps");
    told = since_first(std::move(told));
    expected = since_first(std::move(expected));
    REQUIRE(told.size() == expected.size());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < told.size(); ++i) {
      const auto& [track, time, value] = told[i];
      const auto& [own_track, own_time, own_value] = expected[i];
      // Times since 1970 are coarse.
      wrong += track != own_track || std::abs(time - own_time) > (set.exact ? 0 : 1) ||
               (set.exact && std::abs(value - own_value) > 1e-9 * std::abs(value));
    }
    CHECK(wrong == 0);
  });
}
