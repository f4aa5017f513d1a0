// Runs the fuzz targets on every seed and on every input that once failed.
#include <filesystem>

#include "tests/catch.hpp"
#include "tests/fuzz/seeds.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using tests::read_whole;

TEST_CASE("inputs that once failed in the fuzzer pass", "[fuzz]") {
  const std::filesystem::path root = std::filesystem::path(WARPSCOPE_SOURCE_DIR) / "tests" / "fuzz" / "regressions";
  for (const auto& folder : std::filesystem::directory_iterator(root)) {
    const fuzz::Target* const target = fuzz::find_target(folder.path().filename().string());
    INFO(folder.path());
    REQUIRE(target != nullptr);
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      INFO(file.path());
      CHECK_NOTHROW(target->run(read_whole(file)));
    }
  }
}

TEST_CASE("the seeds of every target satisfy its properties", "[fuzz]") {
  for (const fuzz::Target& target : fuzz::targets()) {
    const std::vector<std::string> seeds = fuzz::seeds_of(target.name);
    INFO(target.name);
    CHECK_FALSE(seeds.empty());
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      INFO(i);
      CHECK_NOTHROW(target.run(seeds[i]));
    }
    CHECK_NOTHROW(target.run(""));
  }
}

TEST_CASE("a target reports the violated property") {
  CHECK_THROWS_WITH(fuzz::require(false, "water runs uphill"), "water runs uphill");
  CHECK_NOTHROW(fuzz::require(true, "water runs downhill"));
  CHECK(fuzz::find_target("no such target") == nullptr);
}
