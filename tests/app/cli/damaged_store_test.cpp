// Commands run on a store with a corrupt section that is loaded on demand.
#include "core/store/cache.hpp"
#include "core/store/rank_head.hpp"
#include "core/store/reader.hpp"
#include "core/store/section_reader.hpp"
#include "core/store/store_bytes.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/catch.hpp"
#include "tests/damage.hpp"
#include "tests/environment.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

/// Corrupts the first rank's launches.
void damage_launches(const fs::path& path) {
  const auto file = store::open_store(path.string());
  REQUIRE(file.ok());
  const auto bytes = store::open_file_bytes(path.string());
  const store::RankPlace place = *file->sources()[0].rank;
  store::SectionReader reader(**bytes, place.base, place.base + place.length, true);
  store::RankHead head;
  trace::Rank rank;
  REQUIRE(store::read_head(reader.whole(place.head), place.length, head, rank));
  change_byte(path, place.base + head.launches.offset + head.launches.stored / 2);
}

}  // namespace

TEST_CASE("commands report a corrupt section of a converted profile and fail", "[cli]") {
  TestFolder folder;
  const fs::path traces = folder.path() / "traces";
  (void)tracegen::generate(*tracegen::preset("small"), traces);
  const std::string stored = (folder.path() / "job.wscope").string();
  REQUIRE(run({"convert", traces.string(), "--out", stored, "--no-store"}).status == cli::kDone);
  damage_launches(stored);
  for (const char* analysis : {"critical_path", "aten_op_kernels_and_delay", "idle_time_breakdown"}) {
    const Outcome refused = run({"analyze", analysis, stored, "--csv"});
    INFO(refused.err);
    CHECK(refused.status == cli::kNothingRead);
    CHECK(refused.out.empty());
    CHECK(contains(refused.err, "warpscope: " + stored + ": the store is corrupt at byte "));
    CHECK(contains(refused.err,
                   " (section: launches): a frame is corrupt; read the traces instead, or copy the file again\n"));
  }
  const std::string html = (folder.path() / "report.html").string();
  CHECK(run({"report", stored, "--html", html}).status == cli::kNothingRead);
  CHECK_FALSE(fs::exists(html));
  // Without them, the evaluated steps are unknown.
  CHECK(run({"analyze", "kernel_time", stored}).status == cli::kNothingRead);
  CHECK(run({"analyze", "kernel_time", "--whole", stored}).status == cli::kDone);
  // The GPU time of steps depends on launches.
  CHECK(run({"diff", stored, stored}).status == cli::kNothingRead);
}

TEST_CASE("commands read the traces if their store is corrupt", "[cli]") {
  const TestFolder folder;
  const TestFolder cache;
  const Variable home{"XDG_CACHE_HOME", cache.path().c_str()};
  const std::string traces = small_set(folder);
  const std::vector<std::string> command{"analyze", "critical_path", traces, "--csv"};
  const std::string sound = run(command).out;
  REQUIRE(run({"info", traces, "--save-store"}).status == cli::kDone);
  const fs::path store = store::Cache(store::Cache::default_folder()).place_of(traces);
  damage_launches(store);
  const Outcome mended = run(command);
  INFO(mended.err);
  CHECK(mended.status == cli::kDone);
  CHECK(mended.out == sound);
  CHECK(contains(mended.err, "the store is corrupt at byte "));
  CHECK(contains(mended.err, "; reading the traces instead\n"));
  CHECK_FALSE(fs::exists(store));
}
