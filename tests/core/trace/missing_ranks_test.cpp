#include "core/trace/missing_ranks.hpp"

#include <limits>

#include "core/base/format.hpp"
#include "core/ingest/load/loader.hpp"
#include "tests/core/ingest/loader_support.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using trace::missing_ranks;

namespace {

/// A trace of `rank` with one kernel.
std::string rank_text(int rank, int world) {
  return trace_of(kernel_event("k"), R"("distributedInfo":{"rank":)" + std::to_string(rank) + R"(,"world_size":)" +
                                         std::to_string(world) + "}");
}

std::filesystem::path write_rank(const TestFolder& folder, int rank, int world) {
  return folder.write("rank" + std::to_string(rank) + ".json", rank_text(rank, world));
}

/// Returns the diagnostic; checks that it is the only one.
const Diagnostic& the_only(const trace::Profile& profile) {
  REQUIRE(profile.diagnostics.all().size() == 1);
  return profile.diagnostics.all().front();
}

}  // namespace

TEST_CASE("missing ranks are listed as ranges") {
  CHECK(missing_ranks({0, 1, 3, 4}, 8).text == "2, 5–7 of 0–7");
  CHECK(missing_ranks({0, 1, 3, 4}, 8).count == 4);
  CHECK(missing_ranks({1}, 2).text == "0 of 0–1");
  CHECK(missing_ranks({}, 2).text == "0–1 of 0–1");
  CHECK(missing_ranks({0, 2, 4, 6, 8, 10, 12}, 13).text == "1, 3, 5, 7, 9, 11 of 0–12");
  CHECK(missing_ranks({0, 2, 4, 6, 8, 10, 12, 14}, 20'000).text == "1, 3, 5, 7, 9, 11, … of 0–" + format_count(19'999));
  CHECK(missing_ranks({0, 2, 4, 6, 8, 10, 12, 14}, 20'000).count == 20'000 - 8);
}

TEST_CASE("no rank is missing if the world is complete, unknown or of another job") {
  CHECK(missing_ranks({0, 1, 2}, 3).count == 0);
  CHECK(missing_ranks({0, 1, 2}, 3).text.empty());
  CHECK(missing_ranks({0, 1, 2}, 0).count == 0);
  CHECK(missing_ranks({0, 1, 2}, -4).count == 0);
  CHECK(missing_ranks({0, 7}, 4).count == 0);
  CHECK(missing_ranks({-1, 0}, 4).count == 0);
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  CHECK(missing_ranks({0, kMost - 1}, kMost).count == static_cast<std::uint64_t>(kMost) - 2);
}

TEST_CASE("missing ranks of a directory are reported once, from traces, stores and converted profiles") {
  const TestFolder folder;
  const TestFolder other;
  for (const int rank : {0, 1, 3, 4}) write_rank(folder, rank, 8);
  ingest::LoadOptions options;
  options.store.folder = other.path() / "stores";
  const CancelToken never;
  for (int i = 0; i < 3; ++i) {
    ingest::Loader loader(folder.path().string(), options);
    loader.wait();
    REQUIRE(loader.profile());
    const Diagnostic& said = the_only(*loader.profile());
    CHECK(said.code == "ranks-missing");
    CHECK(said.severity == Severity::warning);
    CHECK(said.count == 4);
    CHECK(said.example == "2, 5–7 of 0–7");
    CHECK(said.file == folder.path().string());
    REQUIRE(loader.keep(never));
    REQUIRE_FALSE(loader.save((other.path() / "job.wscope").string(), never));
  }
  CHECK(the_only(*load(other.path() / "job.wscope")).example == "2, 5–7 of 0–7");
}

TEST_CASE("ranks that appear in a watched directory are no longer missing") {
  const TestFolder folder;
  write_rank(folder, 0, 3);
  ingest::LoadOptions options;
  options.watch = true;
  options.look_every = std::chrono::milliseconds(50);
  ingest::Loader loader(folder.path().string(), options);
  loader.wait();
  const auto missing = [&] {
    std::string text;
    const auto shown = loader.profile();
    for (const Diagnostic& one : shown->diagnostics.all())
      if (one.code == "ranks-missing") text += one.example + " (" + std::to_string(one.count) + ")";
    return text;
  };
  REQUIRE(comes_true([&] { return missing() == "1–2 of 0–2 (2)"; }));
  write_rank(folder, 2, 3);
  REQUIRE(comes_true([&] { return missing() == "1 of 0–2 (1)"; }));
  write_rank(folder, 1, 3);
  REQUIRE(comes_true([&] { return loader.profile()->ranks.size() == 3 && loader.profile()->complete; }));
  CHECK(missing().empty());
}

TEST_CASE("a single file of a larger job is not a warning") {
  const TestFolder folder;
  const auto file = write_rank(folder, 1, 4);
  const auto alone = load(file);
  CHECK(the_only(*alone).severity == Severity::info);
  CHECK(the_only(*alone).example == "0, 2–3 of 0–3");
  CHECK(the_only(*load(folder.path())).severity == Severity::warning);
}

TEST_CASE("missing ranks are not reported if a file has no rank or the job is complete") {
  const TestFolder whole;
  for (const int rank : {0, 1}) write_rank(whole, rank, 2);
  CHECK(load(whole.path())->diagnostics.count("ranks-missing") == 0);

  const TestFolder unnumbered;
  write_rank(unnumbered, 0, 4);
  unnumbered.write("other.json", trace_of(kernel_event("k")));
  CHECK(load(unnumbered.path())->diagnostics.count("ranks-missing") == 0);
}
