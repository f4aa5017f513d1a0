// Arrivals of ranks at a collective, the sentence about it, and the reasons why kernels are not matched.
#include "core/analysis/ranks/collective_arrivals.hpp"

#include "core/analysis/ranks/late_arrivals.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "tests/core/analysis/ranks/ranks_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

constexpr auto kRecorded = analysis::ClockChoice::recorded;

/// The job's ranks, compared as recorded.
struct Compared {
  explicit Compared(RanksJob& job) : profile(job.profile()) {
    const std::vector<analysis::Setting> settings{{"clocks", "recorded"}};
    auto values = analysis::ParameterValues::parse(analysis::find_analysis("late_ranks")->parameters, settings);
    const analysis::AnalysisInput input{.profile = profile, .scope = {}, .values = std::move(*values)};
    comparison = compare_ranks(input);
  }
  [[nodiscard]] const analysis::JobCollectives& matches() const { return comparison->matches(); }
  [[nodiscard]] std::vector<analysis::CollectiveArrival> arrivals(std::uint32_t collective) const {
    const analysis::JobCollective& of = matches().collectives.at(collective);
    return arrivals_of(matches(), of, comparison->timing(of, kRecorded));
  }
  [[nodiscard]] std::string sentence(std::uint32_t collective, analysis::ClockChoice choice = kRecorded) const {
    const analysis::JobCollective& of = matches().collectives.at(collective);
    return arrival_sentence(profile, *comparison, of, comparison->timing(of, choice));
  }
  /// Returns the reason for the first event of a rank, which is given by index.
  [[nodiscard]] std::string reason(std::uint32_t rank) const {
    return unmatched_reason(profile, matches(), matches().job.first.at(rank));
  }

  const trace::Profile& profile;
  std::shared_ptr<const analysis::RankComparison> comparison;
};

/// In each of three steps, each rank runs a gemm of the given length in ms, then an all-reduce with the others.
void run_gemms(RanksJob& job, const std::vector<double>& gemm) {
  const double slowest = *std::ranges::max_element(gemm);
  for (int s = 0; s < 3; ++s)
    for (std::size_t r = 0; r < gemm.size(); ++r) {
      const double begin = 1 + 20.0 * s;
      job.step(r, s, begin, 19);
      job.kernel(r, "gemm", begin + 1, gemm[r], 7, "", begin + 0.5);
      job.collective(
          r,
          {.begin = begin + 1.01 + gemm[r], .length = slowest - gemm[r] + 1, .ranks = "[0, 1, 2, 3]", .sequence = s});
    }
}

}  // namespace

TEST_CASE(
    "arrivals are sorted by start; only the last rank is behind the second to last, and wait and transfer fill a "
    "kernel") {
  RanksJob job(4);
  run_gemms(job, {2, 3, 6, 4});
  const Compared compared(job);
  const auto arrivals = compared.arrivals(0);
  REQUIRE(arrivals.size() == 4);
  std::vector<std::uint32_t> order;
  for (const auto& arrival : arrivals) {
    order.push_back(arrival.rank);
    CHECK(arrival.wait + arrival.transfer == arrival.time.length());
    CHECK(arrival.transfer == 1'000'000);
    CHECK(arrival.last == (arrival.rank == 2));
    CHECK((arrival.behind > 0) == arrival.last);
  }
  CHECK(order == std::vector<std::uint32_t>{0, 1, 3, 2});
  CHECK(arrivals[3].behind == 2'000'000);
  CHECK(arrivals[2].behind == 0);
  CHECK(arrivals[0].behind == -2'000'000);
  CHECK(arrivals[0].wait == 4'000'000);
}

TEST_CASE("the sentence on a collective contains the last rank and its delay") {
  RanksJob job(4);
  run_gemms(job, {2, 3, 6, 4});
  CHECK(Compared(job).sentence(1) == "Rank 2 arrived 2.00 ms after rank 3 and 3.00 ms after the median rank, rank 1.");
  SECTION("the second to last rank is not repeated if it is the median") {
    RanksJob two(2);
    run_gemms(two, {2, 6});
    CHECK(Compared(two).sentence(0) == "Rank 1 arrived 4.00 ms after rank 0.");
  }
}

TEST_CASE("a broadcast without reliable clocks has no last rank") {
  RanksJob job(2);
  for (std::size_t r = 0; r < 2; ++r)
    job.collective(r, {.begin = 1 + static_cast<double>(r), .length = 2, .operation = "broadcast", .sequence = 0});
  CHECK(says(Compared(job).sentence(0, analysis::ClockChoice::durations), "Cannot determine which rank arrived last"));
}

TEST_CASE("an event is found by its own slice and no other") {
  RanksJob job(4);
  run_gemms(job, {2, 3, 6, 4});
  const Compared compared(job);
  const analysis::JobEvents& events = compared.matches().job;
  const analysis::EventsBySlice by_slice(events);
  for (std::uint32_t e = 0; e < events.events.size(); ++e)
    CHECK(by_slice.find(events, events.events[e].rank, events.events[e].slice) == e);
  CHECK_FALSE(by_slice.find(events, 0, 1'000'000));
  CHECK_FALSE(by_slice.find(events, 9, events.events.front().slice));
}

TEST_CASE("an unmatched kernel has a reason: one rank, a group of one, a group of other ranks") {
  RanksJob alone(1);
  alone.collective(0, {.begin = 1, .length = 1, .sequence = 0});
  CHECK(says(Compared(alone).reason(0), "requires traces from several ranks"));

  RanksJob job(3, 8);
  for (int i = 0; i < 4; ++i) {
    const double begin = 1 + 5.0 * i;
    job.collective(0, {.begin = begin, .length = 1, .group = "mine", .ranks = "[0]", .sequence = i});
    job.collective(1, {.begin = begin, .length = 1, .group = "far", .ranks = "[1, 5, 6]", .sequence = i});
    for (const std::size_t r : {0, 1, 2})
      job.collective(r, {.begin = begin + 2, .length = 1, .group = "all", .ranks = "[0, 1, 2]", .sequence = i});
  }
  const Compared compared(job);
  CHECK(compared.reason(0) == "Process group mine contains only rank 0.");
  CHECK(compared.reason(1) == "No other rank in process group far (3 ranks) is loaded.");
  CHECK(compared.reason(2).empty());
}

TEST_CASE("a kernel of a rejected rank has the same reason as the rank") {
  RanksJob job(4);
  run_gemms(job, {2, 3, 6, 4});
  const Compared compared(job);
  analysis::JobCollectives matches = compared.matches();
  matches.ranks[1].refused = "another file also contains rank 1";
  matches.drop_refused();
  CHECK(unmatched_reason(compared.profile, matches, matches.job.first[1]) ==
        "Rank 1 is excluded: another file also contains rank 1.");
  CHECK(unmatched_reason(compared.profile, matches, matches.job.first[0]).empty());
}

TEST_CASE("ranks that others wait for at once share the wait equally") {
  RanksJob job(4);
  run_gemms(job, {2, 2, 6, 6});
  const Compared compared(job);
  const auto arrivals = analysis::late_arrivals(*compared.comparison, {}, kRecorded).by_rank;
  // In each of three steps, two ranks wait 4 ms for the two others.
  for (std::uint32_t rank = 0; rank < 4; ++rank) CHECK(arrivals.at(rank).caused == (rank < 2 ? 0 : 12'000'000));
}
