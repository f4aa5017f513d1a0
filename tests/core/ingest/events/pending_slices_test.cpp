#include "core/ingest/events/pending_slices.hpp"

#include <random>

#include "tests/catch.hpp"

using namespace warpscope;
using ingest::PendingSlice;
using ingest::PendingSlices;

namespace {

PendingSlices filled(std::uint32_t count) {
  PendingSlices slices;
  for (std::uint32_t i = 0; i < count; ++i) {
    slices.push_back(PendingSlice(-Ns{i} * 400'000'000, 0, std::uint64_t{i} << 20, i));
  }
  return slices;
}

}  // namespace

TEST_CASE("pending slices keep their positions across segments") {
  for (const std::uint32_t count : {0u, 1u, 3u, 4u, 5u, 8u, 255u, 256u, 257u, 65'535u, 65'536u, 65'537u, 300'000u}) {
    PendingSlices slices = filled(count);
    REQUIRE(slices.size() == count);
    std::uint32_t next = 0;
    slices.for_each([&](const PendingSlice& slice) { REQUIRE(slice.name() == next++); });
    CHECK(next == count);
    PendingSlices::Cursor at(slices);
    for (std::uint32_t i = count; i-- > 0;) {
      REQUIRE(at(i).name() == i);
      REQUIRE(slices[i].distance() == -Ns{i} * 400'000'000);
      REQUIRE(slices[i].offset() == std::uint64_t{i} << 20);
    }
  }
}

TEST_CASE("pending slices can be removed in any order") {
  PendingSlices slices = filled(200'000);
  std::vector<std::uint32_t> order(slices.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), std::mt19937(1));
  slices.begin_taking();
  PendingSlices::Taker take(slices);
  for (const std::uint32_t i : order) REQUIRE(take(i).name() == i);
}
