#include "core/ingest/build/time_bulk.hpp"

#include <limits>
#include <vector>

#include "tests/catch.hpp"

using namespace warpscope;
using ingest::TimeBulk;

namespace {

constexpr Ns kBulkSecond = 1'000'000'000;
constexpr Ns kBulkDay = 86'400 * kBulkSecond;
constexpr Ns kBulkNow = 20'000 * kBulkDay;

Interval bulk_of(const std::vector<Ns>& times) {
  TimeBulk bulk;
  for (const Ns time : times) bulk.add(time);
  return bulk.bulk();
}

std::vector<Ns> times_from(Ns begin, Ns step, int count) {
  std::vector<Ns> times;
  for (int i = 0; i < count; ++i) times.push_back(begin + i * step);
  return times;
}

std::vector<Ns> joined_times(std::vector<Ns> a, const std::vector<Ns>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

TEST_CASE("a few times far away are not in the bulk") {
  const std::vector<Ns> usual = times_from(kBulkNow, 10, 100);
  const Interval expected{kBulkNow, kBulkNow + 990};
  CHECK(bulk_of(usual) == expected);
  for (const Ns far : {Ns{0}, Ns{-5}, kBulkNow - 2 * kBulkDay, kBulkNow + 2 * kBulkDay, 2 * kBulkNow,
                       std::numeric_limits<Ns>::min(), std::numeric_limits<Ns>::max()})
    CHECK(bulk_of(joined_times(usual, {far})) == expected);
  CHECK(bulk_of(joined_times(usual, {-kBulkNow, 0, 1, 2 * kBulkNow, std::numeric_limits<Ns>::max()})) == expected);
  CHECK(bulk_of(joined_times(usual, times_from(2 * kBulkNow, 1, 10))) == expected);
  CHECK(bulk_of(joined_times(usual, times_from(2 * kBulkNow, 1, 11))).end > 2 * kBulkNow);
  CHECK(bulk_of(joined_times(times_from(kBulkNow, 10, 10'000), times_from(2 * kBulkNow, 1, 100))).end < 2 * kBulkNow);
  CHECK(bulk_of({kBulkNow, kBulkNow + 1, kBulkNow + 2, 2 * kBulkNow}) == Interval{kBulkNow, kBulkNow + 2});
}

TEST_CASE("sparse recordings are one bulk") {
  const auto whole = [](const std::vector<Ns>& times) {
    const Interval bulk = bulk_of(times);
    return bulk.begin == times.front() && bulk.end == times.back();
  };
  CHECK(whole({kBulkNow}));
  CHECK(whole({0, kBulkNow}));
  CHECK(whole({0, kBulkNow, 2 * kBulkNow}));
  CHECK(whole(joined_times({kBulkNow - kBulkDay / 2}, times_from(kBulkNow, 10, 1'000))));            // warm-up
  CHECK(whole(joined_times(times_from(kBulkNow, 10, 1'000), times_from(2 * kBulkNow, 10, 1'000))));  // two recordings
  CHECK(whole(joined_times(times_from(kBulkNow, 10, 1'000), times_from(2 * kBulkNow, 10, 100))));    // comparable parts
  CHECK(whole(times_from(kBulkNow, 2 * kBulkDay, 100)));                                             // regular
  CHECK(whole(joined_times(times_from(kBulkNow, kBulkDay / 100, 500),
                           times_from(kBulkNow + 8 * kBulkDay, 1, 2))));  // a gap shorter than the rest
  CHECK(bulk_of({}) == kEmptySpan);
}

TEST_CASE("a long slice is no gap, and tracks can be combined") {
  TimeBulk setup;
  for (const Ns time : times_from(kBulkNow, kBulkSecond, 50)) setup.add(time);
  TimeBulk epochs;
  for (const Ns time : times_from(kBulkNow + 60 * kBulkSecond, 5 * kBulkDay, 3)) epochs.add(time, time + 5 * kBulkDay);
  setup.add(epochs);
  CHECK(setup.bulk() == Interval{kBulkNow, kBulkNow + 60 * kBulkSecond + 10 * kBulkDay});
}
