// Commands run on a converted profile with a corrupt section that is loaded on demand.
#include "core/store/rank_head.hpp"
#include "core/store/reader.hpp"
#include "core/store/section_reader.hpp"
#include "core/store/store_bytes.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/catch.hpp"
#include "tests/damage.hpp"
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

TEST_CASE("commands read corrupt sections from the traces, or report the corruption and fail", "[cli]") {
  TestFolder folder;
  tracegen::Options options = *tracegen::preset("small");
  const fs::path traces = folder.path() / "traces";
  (void)tracegen::generate(options, traces);
  const std::string stored = (folder.path() / "job.wscope").string();
  REQUIRE(run({"convert", traces.string(), "--out", stored, "--no-store"}).status == cli::kDone);
  const std::vector<std::vector<std::string>> commands{
      {"analyze", "critical_path", stored, "--csv"},
      {"analyze", "aten_op_kernels_and_delay", stored, "--csv"},
      {"analyze", "idle_time_breakdown", stored, "--json"},
  };
  std::vector<Outcome> sound;
  for (const auto& command : commands) sound.push_back(run(command));
  damage_launches(stored);
  const std::string named = "warpscope: " + stored + ": the store is corrupt at byte ";
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const Outcome mended = run(commands[i]);
    INFO(mended.err);
    CHECK(mended.status == cli::kDone);
    CHECK(mended.out == sound[i].out);
    CHECK(contains(mended.err, named));
    CHECK(contains(mended.err, " (section: launches): "));
    CHECK(contains(mended.err, "; reading the trace instead\n"));
  }
  const std::string html = (folder.path() / "report.html").string();
  CHECK(run({"report", stored, "--html", html}).status == cli::kDone);
  fs::remove(html);
  fs::rename(traces, folder.path() / "away");
  for (const auto& command : commands) {
    const Outcome refused = run(command);
    INFO(refused.err);
    CHECK(refused.status == cli::kNothingRead);
    CHECK(refused.out.empty());
    CHECK(contains(refused.err, named));
    CHECK(contains(refused.err,
                   " (section: launches): a frame is corrupt; read the traces instead, or copy the file "
                   "again\n"));
  }
  CHECK(run({"report", stored, "--html", html}).status == cli::kNothingRead);
  CHECK_FALSE(fs::exists(html));
  // Without them, the evaluated steps are unknown.
  CHECK(run({"analyze", "kernel_time", stored}).status == cli::kNothingRead);
  CHECK(run({"analyze", "kernel_time", "--whole", stored}).status == cli::kDone);
  // The GPU time of steps depends on launches.
  CHECK(run({"diff", stored, stored}).status == cli::kNothingRead);
}
