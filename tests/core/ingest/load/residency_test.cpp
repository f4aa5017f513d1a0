#include "core/ingest/load/residency.hpp"

#include "tests/catch.hpp"

using namespace warpscope::ingest;
using Files = std::vector<std::string>;

namespace {

constexpr auto kNothing = [](const std::string&) { return std::uint64_t{0}; };

void see(Residency& residency, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  residency.seen("a", a);
  residency.seen("b", b);
  residency.seen("c", c);
}

}  // namespace

TEST_CASE("nothing is freed below the limit") {
  Residency residency;
  see(residency, 30, 30, 30);
  CHECK(residency.choose(100, 10, kNothing).empty());
  CHECK(residency.total() == 90);
}

TEST_CASE("the least recently used ranks are freed first, and no more than needed") {
  Residency residency;
  see(residency, 10, 10, 10);
  CHECK(residency.choose(1000, 0, kNothing).empty());
  see(residency, 10, 10, 50);  // c is used
  CHECK(residency.choose(1000, 0, kNothing).empty());
  see(residency, 40, 10, 50);  // then a
  CHECK(residency.choose(1000, 0, kNothing).empty());
  see(residency, 40, 60, 50);  // then b
  CHECK(residency.choose(120, 0, kNothing) == Files{"c"});
  CHECK(residency.total() == 100);
  see(residency, 40, 60, 45);  // c again
  CHECK(residency.choose(120, 0, kNothing) == Files{"a"});
}

TEST_CASE("ranks that free nothing are skipped, and fixed memory counts") {
  Residency residency;
  see(residency, 50, 50, 50);
  const auto least = [](const std::string& file) { return std::uint64_t{file == "a" ? 50u : 10u}; };
  CHECK(residency.choose(200, 100, least) == Files{"b", "c"});
  CHECK(residency.total() == 70);
  CHECK(residency.choose(1, 0, least).empty());
}
