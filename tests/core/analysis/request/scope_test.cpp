#include "core/analysis/request/scope.hpp"

#include <fmt/format.h>

#include "core/analysis/request/step_range.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::analysis;
using namespace warpscope::tests;

namespace {

std::string step(int number, int begin_us, int duration_us) {
  return fmt::format(R"({{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#{}", "pid": 1, "tid": 1, )"
                     R"("ts": {}, "dur": {}}})",
                     number, begin_us, duration_us);
}

/// Ranks 0, 1 and 4 on two hosts; the last one is late and restarts its step numbering.
std::shared_ptr<const trace::Profile> three_ranks(const TestFolder& folder) {
  const auto write = [&](int rank, const char* host, const std::string& events) {
    folder.write(
        fmt::format("r{}.json", rank),
        trace_of(events,
                 fmt::format(R"("distributedInfo": {{"rank": {}, "world_size": 5}}, "host_name": "{}")", rank, host)));
  };
  write(0, "a", step(1, 1000, 100) + "," + step(2, 1100, 100) + "," + step(3, 1200, 100));
  write(1, "a", step(1, 1010, 100) + "," + step(2, 1110, 100) + "," + step(3, 1210, 100));
  write(4, "b", step(1, 1500, 100) + "," + step(2, 1600, 100) + "," + step(1, 1700, 150));
  return load(folder.path());
}

}  // namespace

TEST_CASE("ranks are specified by number") {
  const TestFolder folder;
  const auto profile = three_ranks(folder);
  CHECK(*parse_ranks(*profile, "0") == std::vector<std::uint32_t>{0});
  CHECK(*parse_ranks(*profile, "4, 0") == std::vector<std::uint32_t>{0, 2});
  CHECK(*parse_ranks(*profile, "1-4") == std::vector<std::uint32_t>{1, 2});
  CHECK(*parse_ranks(*profile, "0-9,1") == std::vector<std::uint32_t>{0, 1, 2});
  for (const char* wrong : {"", "x", "0,", "1-", "-", "2", "2-3", "1-0", "0 1", "99999999999999999999"})
    CHECK_FALSE(parse_ranks(*profile, wrong));
  CHECK(parse_ranks(*profile, "0,2").error().message() ==
        "rank 2: is not in this profile; run warpscope info to see the ranks");
}

TEST_CASE("a scope selects ranks by index; all ranks if empty") {
  const TestFolder folder;
  const auto profile = three_ranks(folder);
  CHECK(ranks_in(*profile, {}) == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(ranks_in(*profile, {{2, 0, 2, 7}, {}}) == std::vector<std::uint32_t>{0, 2});
}

TEST_CASE("the extent is the part of the profile in the range") {
  const TestFolder folder;
  const auto profile = three_ranks(folder);
  const Ns begin = profile->span.begin;
  CHECK(extent_of(*profile, {}) == profile->span);
  CHECK(extent_of(*profile, {{}, Interval{begin - 50, begin + 10}}) == Interval{begin, begin + 10});
  CHECK(extent_of(*profile, {{}, Interval{begin - 50, begin - 10}}).length() == 0);
}

TEST_CASE("a step range is from the first start to the last end on any rank") {
  const TestFolder folder;
  const auto profile = three_ranks(folder);
  // Steps of the profile: step 1 (for rank 4, the first with that name), step 2, step 3, and rank 4's second step 1.
  REQUIRE(profile->steps.size() == 4);
  const auto us = [](Ns from, Ns to) { return Interval{from * 1000, to * 1000}; };
  CHECK(range_of_steps(*profile, {}, 0, 0) == us(1000, 1600));
  CHECK(range_of_steps(*profile, {}, 0, 1) == us(1000, 1700));
  CHECK(range_of_steps(*profile, {}, 0, 9) == us(1000, 1850));
  CHECK(range_of_steps(*profile, {{0, 1}, {}}, 1, 1) == us(1100, 1210));
  CHECK(range_of_steps(*profile, {{2}, {}}, 3, 3) == us(1700, 1850));
  CHECK_FALSE(range_of_steps(*profile, {{2}, {}}, 2, 2));  // it has no step 3
  CHECK_FALSE(range_of_steps(*profile, {}, 4, 4));
  CHECK_FALSE(range_of_steps(*profile, {}, 1, 0));
}

TEST_CASE("steps are specified by number or name") {
  const TestFolder folder;
  const auto profile = three_ranks(folder);
  using Steps = StepRange;
  CHECK(*parse_step_range(*profile, "2") == Steps{1, 1});
  CHECK(*parse_step_range(*profile, " 1 - 2 ") == Steps{0, 1});  // not up to rank 4's second step 1
  CHECK(*parse_step_range(*profile, "2-9") == Steps{1, 2});
  CHECK(*parse_step_range(*profile, "ProfilerStep#3") == Steps{2, 2});
  for (const char* wrong : {"", "x", "7", "3-1", "1,3", "-", "2-", "ProfilerStep"}) {
    INFO(wrong);
    CHECK_FALSE(parse_step_range(*profile, wrong));
  }
  CHECK(parse_step_range(*profile, "7").error().message() == "steps 7: are not in this profile; its steps are 1 to 3");

  CHECK(step_range_text(*profile, {1, 1}) == "2");
  CHECK(step_range_text(*profile, {0, 2}) == "1-3");
  CHECK(step_range_text(*profile, {0, 3}) == "");  // no number refers to the second step 1
  CHECK(step_range_text(*profile, {4, 4}) == "");
}
