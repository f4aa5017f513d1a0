#include <set>

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

TEST_CASE("potential_stragglers are HTA's where it counts as HTA does", "[oracle]") {
  std::size_t sets = 0;
  check_sets("potential_stragglers_2.json", {}, [&](const OracleSet& set) {
    ++sets;
    const std::set<std::string> theirs = numbers_of(plain_text_of(set.path_of("potential_stragglers_2.json")));
    REQUIRE_FALSE(theirs.empty());
    CHECK(candidates(run_as_csv(*set.profile(), "potential_stragglers", set.as_hta())) == theirs);
  });
  CHECK((oracle_sets().empty() || sets == 2));
}

TEST_CASE("potential_stragglers is what the traces' text says", "[oracle]") {
  std::size_t compared = 0;
  for (const OracleSet& set : oracle_sets()) {
    INFO(set.name);
    const Brute brute(set.traces);
    const auto profile = set.profile();
    const CsvFrame ours = run_as_csv(*profile, "potential_stragglers", {}, "stragglers-by-step");
    // Step and name, then by rank the durations in their order.
    std::map<std::pair<std::string, std::string>, std::map<std::int64_t, std::vector<std::int64_t>>> collectives;
    std::int64_t step_sum = 0;
    std::int64_t steps = 0;
    for (const NaiveFile* file : brute.files()) {
      std::map<std::int64_t, std::int64_t> launches;
      std::vector<const NaiveSlice*> runs;
      for (const NaiveSlice& slice : file->slices) {
        if (slice.call() && slice.correlation > 0) launches.emplace(slice.correlation, slice.begin);
        if (slice.run() && brute_type(slice) == "COMMUNICATION") runs.push_back(&slice);
      }
      std::stable_sort(runs.begin(), runs.end(), [](const NaiveSlice* a, const NaiveSlice* b) {
        return std::pair(a->begin, a->end()) < std::pair(b->begin, b->end());
      });
      for (const NaiveSlice& step : file->slices) {
        if (!is_annotation(step) || !step.name.starts_with("ProfilerStep#")) continue;
        step_sum += step.duration;
        ++steps;
        for (const NaiveSlice* run : runs) {
          const auto launch = launches.find(run->correlation);
          if (launch == launches.end() || launch->second < step.begin || launch->second >= step.end()) continue;
          collectives[{step.name, run->name}][rank_of(*file, *profile)].push_back(run->duration);
        }
      }
    }
    const std::int64_t least = steps == 0 ? 0 : static_cast<std::int64_t>(0.01 * static_cast<double>(step_sum / steps));
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> expected;  // late by, collectives
    for (const auto& [key, ranks] : collectives) {
      std::size_t most = 0;
      for (const auto& [rank, durations] : ranks) most = std::max(most, durations.size());
      for (std::size_t k = 0; k < most; ++k) {
        std::map<std::int64_t, std::int64_t> own;
        std::int64_t longest = 0;
        for (const auto& [rank, durations] : ranks) {
          if (k >= durations.size()) continue;
          own[rank] = durations[k];
          longest = std::max(longest, durations[k]);
        }
        if (own.size() < 2 || longest < least) continue;
        for (const auto& [rank, duration] : own) {
          auto& [by, count] = expected[std::to_string(rank) + " | " + key.first];
          by += longest - duration;
          ++count;
        }
      }
    }
    CHECK(ours.rows() == expected.size());
    const auto rows = rows_by(ours, {"rank", "step"});
    for (const auto& [key, late] : expected) {
      INFO(key);
      const auto row = rows.find(key);
      CHECK(row != rows.end());
      if (row == rows.end()) continue;
      CHECK(ours.number(row->second, "late_by(us)") == Approx(in_us(late.first)));
      CHECK(ours.number(row->second, "collectives") == static_cast<double>(late.second));
      ++compared;
    }
  }
  CHECK((oracle_sets().empty() || compared >= 10));
}
