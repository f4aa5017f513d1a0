// `info --verify` finds all corruption and attributes it to the right rank.
#include "core/store/cache.hpp"
#include "core/store/reader.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/catch.hpp"
#include "tests/damage.hpp"
#include "tests/environment.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

std::size_t times(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("info --verify distinguishes corrupt from intact ranks in a converted profile", "[cli]") {
  const TestFolder traces;
  const TestFolder folder;
  const fs::path sound = folder.path() / "sound.wscope";
  REQUIRE(run({"convert", small_set(traces), "--out", sound.string(), "--no-store"}).status == cli::kDone);
  const Outcome whole = run({"info", sound.string(), "--verify"});
  CHECK(whole.status == cli::kDone);
  CHECK(whole.err.empty());
  CHECK(times(whole.out, "none") == 2);
  CHECK(whole.out.find("damaged") == std::string::npos);
  CHECK(run({"info", folder.path().string(), "--verify"}).out == whole.out);

  const auto file = store::open_store(sound.string());
  REQUIRE(file.ok());
  REQUIRE(file->sources().size() == 2);
  const store::RankPlace place = *file->sources()[1].rank;
  const store::SectionRef block = file->archive(1)->front().section;
  const fs::path damaged = folder.path() / "damaged.wscope";
  for (const std::uint64_t at : {place.base + place.head.offset + place.head.stored / 2, place.base + 9,
                                 place.base + place.length / 2, block.offset + block.stored / 2}) {
    INFO("byte " << at);
    fs::copy_file(sound, damaged, fs::copy_options::overwrite_existing);
    change_byte(damaged, at);
    const Outcome outcome = run({"info", damaged.string(), "--verify"});
    CHECK(outcome.status == cli::kNothingRead);
    CHECK(times(outcome.out, "none") == 1);
    CHECK(outcome.out.find("corrupt", outcome.out.find(file->sources()[1].key.path)) != std::string::npos);
    CHECK(outcome.err == "warpscope: " + damaged.string() +
                             ": 1 of 2 parts are corrupt; copy the file again, or convert the traces again\n");
    const Outcome json = run({"info", damaged.string(), "--verify", "--json"});
    CHECK(json.status == cli::kNothingRead);
    CHECK(times(json.out, "the store is corrupt") + times(json.out, "events are corrupt") == 1);
  }
}

TEST_CASE("info --verify on traces checks their store, and reports if there is none", "[cli]") {
  const TestFolder folder;
  const TestFolder cache;
  const std::string traces = small_set(folder);
  const Variable named("XDG_CACHE_HOME", cache.path().c_str());
  const Outcome nothing = run({"info", traces, "--verify"});
  const Outcome kept = run({"info", traces, "--save-store"});
  const Outcome sound = run({"info", traces, "--verify"});
  CHECK(nothing.status == cli::kNothingRead);
  CHECK(nothing.err.find(traces + ": has no store to check") != std::string::npos);
  CHECK(kept.status == cli::kDone);
  CHECK(sound.status == cli::kDone);
  CHECK(sound.out.find(cache.path().string()) != std::string::npos);

  const fs::path store = store::Cache(store::Cache::default_folder()).place_of(traces);
  const auto advised = [&] {
    const Outcome outcome = run({"info", traces, "--verify"});
    CHECK(outcome.status == cli::kNothingRead);
    CHECK(times(outcome.err, "; save a new store with `warpscope info PATH --save-store`") == 1);
    CHECK(times(outcome.err, "copy the file again") == 0);
  };
  change_byte(store, store::open_store(store.string())->sources()[0].rank->base + 9);
  advised();
  fs::resize_file(store, fs::file_size(store) - 100);
  advised();
  REQUIRE(run({"info", traces, "--save-store"}).status == cli::kDone);
  CHECK(run({"info", traces, "--verify"}).status == cli::kDone);
}

TEST_CASE("info --verify reports the same slice count as info", "[cli]") {
  const TestFolder folder;
  const fs::path carried = folder.path() / "job.wscope";
  const TestFolder traces;
  REQUIRE(run({"convert", small_set(traces), "--out", carried.string(), "--no-store"}).status == cli::kDone);
  const auto file = store::open_store(carried.string());
  REQUIRE(file.ok());
  const auto parts = store::verify_parts(carried.string(), nullptr);
  REQUIRE(parts.ok());
  std::uint64_t slices = 0;
  bool others_in_lanes = false;
  for (std::size_t i = 0; i < parts->size(); ++i) {
    REQUIRE((*parts)[i].slices);
    slices += *(*parts)[i].slices;
    others_in_lanes = others_in_lanes || file->sources()[i].slices > *(*parts)[i].slices;
  }
  CHECK(others_in_lanes);  // otherwise, the two counts would be equal
  const Outcome info = run({"info", carried.string(), "--json"});
  CHECK(info.out.find("\"slices\": " + std::to_string(slices) + ",") != std::string::npos);
}
