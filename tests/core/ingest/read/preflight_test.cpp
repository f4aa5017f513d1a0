// Compares load estimates with actual loads.
#include "core/ingest/read/preflight.hpp"

#include <filesystem>

#include "core/ingest/listing/discover.hpp"
#include "tests/catch.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/shared_dir.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::ingest;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

Preflight preflight_of(const fs::path& path) {
  const auto found = discover(path);
  REQUIRE(found);
  return preflight(found->sources, 2);
}

/// Returns the error of `estimate`, as a factor of at least 1.
double factor(std::uint64_t estimate, std::uint64_t truth) {
  const double share = static_cast<double>(estimate) / static_cast<double>(truth);
  return share < 1 ? 1 / share : share;
}

}  // namespace

TEST_CASE("the text of real traces is estimated exactly, their slices within a factor of 2", "[preflight][shared]") {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("skipped: there is no folder of real traces");
    return;
  }
  for (const char* name : {"h100_inference", "mtia", "v100_5steps", "dlrm8"}) {
    const fs::path path = *shared / "traces" / name;
    const Preflight estimate = preflight_of(path);
    std::uint64_t text = 0;
    std::uint64_t slices = 0;
    const auto profile = load(path);
    for (const auto& rank : profile->ranks) {
      text += rank->source.text_bytes;
      slices += rank->counts.slices;
    }
    INFO(name << ": " << estimate.slices << " of " << slices);
    CHECK(estimate.files == profile->ranks.size());
    CHECK(factor(estimate.text_bytes, text) < 1.001);
    CHECK(factor(estimate.slices, slices) < 2);
    CHECK(estimate.resident_bytes > profile->resident_bytes());
    CHECK(estimate.peak_bytes > estimate.resident_bytes);
    CHECK(estimate.seconds > 0);
  }
}

TEST_CASE("files with an implausible or missing length of their text are estimated by their size", "[preflight]") {
  const TestFolder folder;
  const std::string bytes(10'000, '\0');
  folder.write("a.json.gz", "\x1f\x8b" + bytes);
  folder.write("b.json.zst", "\x28\xb5\x2f\xfd" + bytes);
  const std::vector<trace::SourceFile> sources{{(folder.path() / "a.json.gz").string(), 10'002, 0, 0, 0},
                                               {(folder.path() / "b.json.zst").string(), 10'004, 0, 0, 0},
                                               {(folder.path() / "gone.json.gz").string(), 10'000, 0, 0, 0}};
  for (const trace::SourceFile& source : sources)
    CHECK(factor(preflight(std::span(&source, 1)).text_bytes, 200'000) < 1.01);
}

TEST_CASE("an estimate is described in words", "[preflight]") {
  const Preflight estimate{8, 475 << 20, std::uint64_t{6100} << 20, 14'213'000, 390 << 20, 870 << 20, 11.3};
  CHECK(describe(estimate) ==
        "8 files, 475 MiB (5.96 GiB of text): about 14 million slices, 390 MiB of memory, 870 MiB while loading, 12 s");
  CHECK(describe(estimate, 64 << 20).ends_with("12 s; limit 64.0 MiB: ranks will stay on disk"));
  CHECK(describe(estimate, 400 << 20).ends_with("; limit 400 MiB: may be exceeded while loading"));
  CHECK(contains(describe({1, 2000, 2000, 951, 1000, 2000, 0.1}), "1 file, 1.95 KiB: about 950 slices, "));
  CHECK(contains(describe({1, 2000, 2000, 2'345'678, 1000, 2000, 0.1}), ": about 2.3 million slices, "));
}
