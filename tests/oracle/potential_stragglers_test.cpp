#include <algorithm>
#include <cmath>
#include <set>

#include "tests/core/analysis/table_rows.hpp"
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

TEST_CASE("potential_stragglers matches HTA with --hta", "[oracle]") {
  std::size_t sets = 0;
  check_sets("potential_stragglers_2.json", {}, [&](const OracleSet& set) {
    ++sets;
    const std::set<std::string> theirs = numbers_of(plain_text_of(set.path_of("potential_stragglers_2.json")));
    REQUIRE_FALSE(theirs.empty());
    CHECK(candidates(run_as_csv(*set.profile(), "potential_stragglers", set.as_hta())) == theirs);
  });
  CHECK((oracle_sets().empty() || sets == 2));
}

TEST_CASE("potential_stragglers agrees with the traces' text", "[oracle]") {
  std::size_t compared = 0;
  for (const OracleSet& set : oracle_sets()) {
    INFO(set.name);
    const Brute& brute = set.brute();
    const auto profile = set.profile();
    const CsvFrame ours = run_as_csv(*profile, "potential_stragglers", {}, "stragglers-by-step");
    if (set.name == "sampled2") {
      // Events were sampled away, so order matches kernels of different collectives (oracle/ranks, sampled2_pairs).
      CHECK(ours.rows() == 0);
      continue;
    }
    // Step and name, then by rank the durations in their order.
    std::map<std::pair<std::string, std::string>, std::map<std::int64_t, std::vector<std::int64_t>>> collectives;
    std::set<std::int64_t> ranks;
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
        for (const NaiveSlice* run : runs) {
          const auto launch = launches.find(run->correlation);
          if (launch == launches.end() || launch->second < step.begin || launch->second >= step.end()) continue;
          collectives[{step.name, run->name}][rank_of(*file, *profile)].push_back(run->duration);
          ranks.insert(rank_of(*file, *profile));
        }
      }
    }
    // None of these traces gives process groups: all ranks must have run the same.
    const bool comparable = std::ranges::all_of(collectives, [&](const auto& collective) {
      const auto& by_rank = collective.second;
      return by_rank.size() == ranks.size() && std::ranges::all_of(by_rank, [&](const auto& rank) {
               return rank.second.size() == by_rank.begin()->second.size();
             });
    });
    struct Expected {
      std::int64_t delay = 0, wait = 0, last = 0, collectives = 0;
    };
    std::map<std::string, Expected> expected;  // by rank and step
    for (const auto& [key, by_rank] : collectives) {
      if (!comparable || ranks.size() < 2) break;
      for (std::size_t k = 0; k < by_rank.begin()->second.size(); ++k) {
        std::vector<std::pair<std::int64_t, std::int64_t>> own;  // duration and rank
        for (const auto& [rank, durations] : by_rank) own.emplace_back(durations[k], rank);
        std::ranges::sort(own);
        const auto of = [&](std::int64_t rank) -> Expected& {
          return expected[std::to_string(rank) + " | " + key.first];
        };
        for (const auto& [duration, rank] : own) ++of(rank).collectives;
        if (own[0].first == own[1].first || own[0].first == 0) continue;
        Expected& last = of(own[0].second);
        ++last.last;
        last.delay += own[1].first - own[0].first;
        for (const auto& [duration, rank] : own) last.wait += duration - own[0].first;
      }
    }
    CHECK(ours.rows() == expected.size());
    const auto rows = rows_by(ours, {"rank", "step"});
    for (const auto& [key, late] : expected) {
      INFO(key);
      const auto row = rows.find(key);
      CHECK(row != rows.end());
      if (row == rows.end()) continue;
      CHECK(ours.number(row->second, "delay_caused(us)") == Approx(in_us(late.delay)));
      CHECK(ours.number(row->second, "wait_caused(us)") == Approx(in_us(late.wait)));
      CHECK(ours.number(row->second, "last_to_arrive") == static_cast<double>(late.last));
      CHECK(ours.number(row->second, "collectives") == static_cast<double>(late.collectives));
      ++compared;
    }
  }
  CHECK((oracle_sets().empty() || compared >= 8));
}

TEST_CASE("potential_stragglers of dlrm8 match the reference", "[oracle]") {
  const OracleSet* const set = oracle_set("dlrm8");
  if (set == nullptr) return;
  const CsvFrame golden = CsvFrame::read(set->answers.parent_path() / "ranks" / "dlrm8_ranks.csv");
  const Table ours = tables_of(*set->profile(), "potential_stragglers").front();
  REQUIRE(ours.rows() == golden.rows());
  CHECK(ours.at(0, 0) == Cell(7));
  // The golden figures are of starts; ends of a collective are up to 7 µs apart.
  const double apart = 7'000.0 * 8;
  for (std::size_t row = 0; row < ours.rows(); ++row) {
    const auto rank = static_cast<std::size_t>(ours.at(row, 0).integer());
    INFO("rank " << rank);
    CHECK(std::abs(ours.at(row, 3).number() - golden.number(rank, "marginal_ns_as_last")) <= apart);
    CHECK(std::abs(ours.at(row, 4).number() - golden.number(rank, "waited_by_others_ns_as_last")) <= 7 * apart);
  }
}
