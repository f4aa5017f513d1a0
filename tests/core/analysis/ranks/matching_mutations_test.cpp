// Matching works for recordings that lack their first and last parts, individual kernels, sequence numbers, steps or
// matching clocks. The golden file order_matching_fails.csv has the shares for matching by order, which are as low as a
// quarter.
#include <map>
#include <random>

#include "core/analysis/ranks/group_matching.hpp"
#include "core/analysis/ranks/job_events.hpp"
#include "tests/core/analysis/ranks/golden_values.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

struct Mutation {
  double cut = 0;      // maximum share of a rank's kernels missing at either end
  double missing = 0;  // share of all kernels
  Ns clocks = 0;       // maximum clock error
  bool numbers = false;
  bool steps = false;
};

struct MatchShares {
  double right = 0;  // % of kernels that have partners
  double wrong = 0;  // % of kernels that are matched to other collectives
};

/// Matches the mutated communication of a job; `truth`: the collective of each event.
MatchShares shares_of(const trace::Profile& profile, analysis::JobEvents job, const std::vector<std::uint32_t>& truth,
                      const Mutation& mutation, unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](double most) { return std::uniform_real_distribution<double>(0, most)(random); };
  std::vector<std::vector<std::uint32_t>> events(job.groups.size());
  for (std::size_t rank = 0; rank < job.ranks(); ++rank) {
    const std::uint32_t first = job.first[rank];
    const std::uint32_t count = job.first[rank + 1] - first;
    const auto from = static_cast<std::uint32_t>(below(mutation.cut) * count);
    const auto to = count - static_cast<std::uint32_t>(below(mutation.cut) * count);
    const auto ahead = static_cast<Ns>((below(2) - 1) * static_cast<double>(mutation.clocks));
    for (std::uint32_t e = first; e < first + count; ++e) {
      analysis::CommunicationEvent& event = job.events[e];
      event.time = {event.time.begin + ahead, event.time.end + ahead};
      if (!mutation.numbers) event.sequence = -1;
      if (!mutation.steps) event.step = analysis::kNoIndex;
      if (e - first >= from && e - first < to && below(1) >= mutation.missing) events[event.group].push_back(e);
    }
  }
  std::map<std::uint32_t, std::size_t> partners;  // remaining kernels by collective
  for (const auto& group : events)
    for (const std::uint32_t e : group) ++partners[truth[e]];
  std::size_t able = 0;
  std::size_t right = 0;
  std::size_t wrong = 0;
  for (std::uint32_t g = 0; g < events.size(); ++g) {
    for (const std::uint32_t e : events[g]) able += partners[truth[e]] > 1;
    if (events[g].empty()) continue;
    for (const auto& cluster : analysis::match_group_events(profile, job, g, events[g]).clusters) {
      std::map<std::uint32_t, std::size_t> of;
      for (const std::uint32_t e : cluster) ++of[truth[e]];
      const auto most = std::ranges::max_element(of, {}, [](const auto& each) { return each.second; });
      if (most == of.end()) continue;
      right += most->second > 1 ? most->second : 0;
      wrong += cluster.size() - most->second;
    }
  }
  return {100.0 * static_cast<double>(right) / static_cast<double>(able),
          100.0 * static_cast<double>(wrong) / static_cast<double>(able)};
}

void check_mutation(const trace::Profile& profile, const Mutation& mutation, const std::string& set) {
  const auto values = analysis::ParameterValues::parse({}, {});
  REQUIRE(values);
  const analysis::AnalysisInput input{profile, {}, *values};
  const analysis::GpuRows rows(profile, {}, {});
  const analysis::JobCollectives whole = analysis::match_job(input, rows);
  for (const std::uint32_t collective : whole.collective_of) REQUIRE(collective != analysis::kNoIndex);
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const MatchShares shares = shares_of(profile, whole.job, whole.collective_of, mutation, seed);
    INFO(set << ", seed " << seed);
    CHECK(shares.right >= 99);
    CHECK(shares.wrong <= 1);
  }
}

}  // namespace

TEST_CASE("partial recordings with different clocks and missing kernels match without sequence numbers and steps") {
  const GeneratedSet set(golden_job());
  check_mutation(set.profile(), {.cut = 0.3, .missing = 0.05, .clocks = 500'000'000}, "demo");
}

TEST_CASE("partial recordings of a parallel job match without sequence numbers and steps") {
  tracegen::Options options = *tracegen::preset("small");
  options.layout = tracegen::Layout::minified;
  options.nodes = 2;
  options.gpus = 4;
  options.tensor = 2;
  options.pipeline = 2;
  options.layers = 1;
  options.steps = 8;
  const GeneratedSet set(options);
  check_mutation(set.profile(), {.cut = 0.3, .clocks = 5'000'000}, "parallel");
}

TEST_CASE("kernels missing from dlrm8 do not affect the matching of the others") {
  const auto folder = real_traces("dlrm8");
  if (!folder) return;
  check_mutation(*load(*folder), {.missing = 0.05, .clocks = 5'000'000}, "dlrm8");
}
