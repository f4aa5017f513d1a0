#include "core/trace/transfers.hpp"

#include <map>
#include <random>

#include "tests/catch.hpp"

using namespace warpscope::trace;

TEST_CASE("a transfer is found by its slice, in any order of insertion") {
  std::mt19937_64 random(8);
  std::map<SliceOrdinal, std::uint64_t> expected;
  for (int i = 0; i < 3000; ++i) expected[static_cast<SliceOrdinal>(random() % 9000)] = random() >> random() % 64;
  std::vector<Transfers::Transfer> given;
  for (const auto& [slice, bytes] : expected) given.push_back({slice, bytes});
  std::shuffle(given.begin(), given.end(), random);
  const Transfers transfers(given);
  CHECK(transfers.size() == expected.size());
  CHECK(std::is_sorted(transfers.slices().begin(), transfers.slices().end()));
  for (SliceOrdinal slice = 0; slice < 9010; ++slice) {
    const auto found = transfers.of(slice);
    REQUIRE(found.has_value() == expected.contains(slice));
    if (found) REQUIRE(*found == expected[slice]);
  }
}

TEST_CASE("transfers of a store are loaded once, and are empty if that fails") {
  int loads = 0;
  const Transfers lazy(2, [&] {
    ++loads;
    return Transfers::Columns{{3, 9}, {100, 200}};
  });
  CHECK(lazy.size() == 2);
  CHECK(lazy.resident_bytes() == 0);
  CHECK(lazy.of(9) == 200);
  CHECK_FALSE(lazy.of(4).has_value());
  CHECK(lazy.resident_bytes() == 24);
  CHECK(loads == 1);

  const Transfers lost(2, [] { return std::nullopt; });
  CHECK_FALSE(lost.of(3).has_value());
  const Transfers none;
  CHECK_FALSE(none.of(0).has_value());
}
