// Valid and invalid arguments of the generator's command line.
#include <stdexcept>
#include <vector>

#include "tests/catch.hpp"
#include "tests/tracegen/tracegen.hpp"

using namespace warpscope::tracegen;

TEST_CASE("Stragglers are a rank and a factor", "[tracegen]") {
  REQUIRE(parse_straggler("5"));
  CHECK(parse_straggler("5")->rank == 5);
  CHECK(parse_straggler("5")->percent == Straggler{}.percent);
  CHECK(parse_straggler("0:2")->percent == 200);
  CHECK(parse_straggler("12:1.5")->percent == 150);
  CHECK(parse_straggler("12:1.05")->percent == 105);
  for (const char* bad : {"", "x", "1:x", "-1", "1:1.", "1:1.234", "1:1.5:2"}) {
    INFO(bad);
    CHECK_FALSE(parse_straggler(bad));
  }
}

TEST_CASE("Stalls are a rank, a step and milliseconds", "[tracegen]") {
  CHECK(parse_stall("2:3")->step == 3);
  CHECK(parse_stall("2:3:15")->ns == 15'000'000);
  CHECK(parse_stall("2:3:15")->rank == 2);
  for (const char* bad : {"", "2", "2:", "2:x", "2:3:x", "2:-3"}) {
    INFO(bad);
    CHECK_FALSE(parse_stall(bad));
  }
}

TEST_CASE("Defects have names and affected ranks", "[tracegen]") {
  for (const DefectInfo& info : all_defects()) {
    REQUIRE(find_defect(info.name) == info.defect);
    CHECK_FALSE(info.what.empty());
  }
  CHECK(parse_defect("overlap")->rank == DefectAt::kLastRank);
  CHECK(parse_defect("overlap@0")->rank == 0);
  CHECK(parse_defect("overlap@all")->rank == DefectAt::kEveryRank);
  for (const char* bad : {"", "nonsense", "overlap@", "overlap@-1", "overlap@x"}) CHECK_FALSE(parse_defect(bad));

  const std::vector<DefectAt> defects{*parse_defect("overlap@1"), *parse_defect("async"), *parse_defect("inf-nan@all")};
  CHECK(defects_of(defects, 1, 3).has(Defect::overlap));
  CHECK_FALSE(defects_of(defects, 2, 3).has(Defect::overlap));
  CHECK(defects_of(defects, 2, 3).has(Defect::async));
  CHECK_FALSE(defects_of(defects, 0, 3).has(Defect::async));
  CHECK(defects_of(defects, 0, 3).has(Defect::inf_nan));
}

TEST_CASE("Invalid options are rejected", "[tracegen]") {
  Options options;
  SECTION("no node") { options.nodes = 0; }
  SECTION("no GPU") { options.gpus = 0; }
  SECTION("no step") { options.steps = 0; }
  SECTION("no layer") { options.layers = 0; }
  SECTION("a straggler on a nonexistent rank") { options.stragglers = {{2, 150}}; }
  SECTION("a stall on a nonexistent rank") { options.stalls = {{9, 0}}; }
  SECTION("a defect on a nonexistent rank") { options.defects = {{Defect::overlap, 2}}; }
  CHECK_THROWS_AS(generate_in_memory(options), std::invalid_argument);
}

TEST_CASE("Presets are found by name", "[tracegen]") {
  CHECK(preset("demo")->world() == 8);
  CHECK(preset("small")->world() == 2);
  CHECK(preset("bench")->slices == 5'000'000);
  CHECK_FALSE(preset("huge"));
  CHECK_FALSE(parse_format("zip"));
  CHECK_FALSE(parse_layout("pretty"));
  CHECK_FALSE(parse_generation("1.9"));
}
