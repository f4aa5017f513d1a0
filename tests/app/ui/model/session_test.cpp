#include "app/ui/model/session.hpp"

#include <unistd.h>

#include <filesystem>

#include "tests/app/ui/staged_loader.hpp"
#include "tests/core/ingest/loader_support.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/load_profile.hpp"

using namespace warpscope;
using namespace warpscope::ui;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

/// A profile of one file with two kernels, reloaded on each call.
ProfilePtr small_profile() {
  static const TestFolder folder;  // one folder, because slices are also identified by file
  const auto profile =
      load(folder.write("rank0.json", trace_of(kernel_event("first") + "," + kernel_event("second", 120))));
  REQUIRE(profile->ranks.size() == 1);
  return profile;
}

/// The slice with this name.
trace::SliceRef slice_named(const trace::Profile& profile, std::string_view name) {
  const trace::Rank& rank = *profile.ranks[0];
  for (trace::SliceOrdinal slice = 0; slice < rank.lane_start.back(); ++slice) {
    if (profile.name({0, slice}) == name) return {0, slice};
  }
  FAIL("no slice " << name);
  return {};
}

}  // namespace

TEST_CASE("a load gets the chosen options, and a reload continues to watch the opened path") {
  Stage stage;
  Session session(staged(stage));
  session.choose({.memory_limit = 7, .keep_stores = false, .store_limit = 9, .watch = true});
  session.open("/runs/a");
  CHECK(stage.choices.memory_limit == 7);
  CHECK_FALSE(stage.choices.keep_stores);
  CHECK(stage.choices.store_limit == 9);
  CHECK(stage.choices.watch);
  session.open("/runs/b");
  CHECK_FALSE(stage.choices.watch);
  session.watch(true);
  CHECK(stage.watches == std::vector<bool>{true});
  stage.progress.watching = true;
  static_cast<void>(session.update());
  session.reload();
  CHECK(stage.choices.watch);
  CHECK(session.events() == nullptr);
}

TEST_CASE("a session reports each profile once", "[threads]") {
  Stage stage;
  Session session(staged(stage));
  CHECK_FALSE(session.is_open());
  CHECK_FALSE(session.update());
  session.open("/data/runs/llama-70b/");
  CHECK(session.name() == "llama-70b");
  CHECK_FALSE(session.update());
  stage.profile = small_profile();
  CHECK(session.update());
  CHECK(session.profile() == stage.profile);
  CHECK_FALSE(session.update());
  session.close();
  CHECK(session.profile() == nullptr);
  CHECK(session.update());
  CHECK_FALSE(session.update());
}

TEST_CASE("the selection survives a more complete profile and a reload", "[threads]") {
  Stage stage;
  stage.profile = small_profile();
  Session session(staged(stage));
  session.open("/data/run");
  REQUIRE(session.update());
  session.select(slice_named(*stage.profile, "second"));
  REQUIRE(session.selection());
  const auto generation = session.selection_generation();

  stage.profile = small_profile();
  CHECK(session.update());
  REQUIRE(session.selection());
  CHECK(session.profile()->name(*session.selection()) == "second");
  CHECK(session.selection_generation() == generation);

  session.reload();
  CHECK(stage.loads == 2);
  CHECK(session.profile() != nullptr);  // the old result stays until the new one arrives
  stage.profile = small_profile();
  CHECK(session.update());
  REQUIRE(session.selection());
  CHECK(session.profile()->name(*session.selection()) == "second");
}

TEST_CASE("the selection survives unloading its rank and does not reload it", "[threads]") {
  const TraceSet set(8000);
  set.keep();
  const auto from_store = [&] { return *tests::load_profile(set.path().string(), set.options()); };
  Stage stage;
  stage.profile = from_store();
  REQUIRE(stage.profile->ranks[0]->storage);
  Session session(staged(stage));
  session.open("/data/run");
  REQUIRE(session.update());
  const trace::SliceRef last{0, stage.profile->ranks[0]->lane_start.back() - 1};
  session.select(last);
  stage.profile = from_store();
  const std::size_t unloaded = stage.profile->resident_bytes();
  CHECK(session.update());
  CHECK(session.selection() == last);
  CHECK(stage.profile->resident_bytes() == unloaded);
  CHECK(stage.profile->identity(last) == *session.selected_identity());
}

TEST_CASE("selecting by identity waits until the slice is loaded") {
  Stage stage;
  const ProfilePtr profile = small_profile();
  const trace::SliceIdentity identity = profile->identity(slice_named(*profile, "first"));
  Session session(staged(stage));
  session.open("/data/run");
  session.select(identity);
  CHECK_FALSE(session.selection());
  stage.profile = profile;
  CHECK(session.update());
  REQUIRE(session.selection());
  CHECK(profile->name(*session.selection()) == "first");
  const auto generation = session.selection_generation();
  session.select(identity);
  CHECK(session.selection_generation() == generation);
  session.clear_selection();
  CHECK(session.selection_generation() == generation + 1);
  CHECK_FALSE(session.selection());
  session.open("/data/other");
  CHECK_FALSE(session.selected_identity());
}

TEST_CASE("an error is reported once, and cancelling reaches the loader") {
  Stage stage;
  stage.progress.running = true;
  Session session(staged(stage));
  session.open("/data/run");
  session.update();
  CHECK(session.loading());
  CHECK_FALSE(session.take_error());
  session.cancel();
  CHECK(stage.cancels == 1);
  stage.progress.running = false;
  stage.progress.error = Error{"/data/run", "nothing could be read", "choose another directory"};
  session.update();
  CHECK_FALSE(session.loading());
  const auto error = session.take_error();
  REQUIRE(error);
  CHECK(error->what == "nothing could be read");
  session.update();
  CHECK_FALSE(session.take_error());
}

TEST_CASE("a session knows which files are growing, and cancelling a wait for traces shows no message") {
  Stage stage;
  Session session(staged(stage));
  session.open("/data/run");
  stage.progress.watching = stage.progress.awaiting = true;
  stage.progress.files.resize(3);
  for (std::size_t i = 0; i < 3; ++i) stage.progress.files[i].path = "/data/run/rank" + std::to_string(2 - i) + ".json";
  stage.progress.files[0].growing = stage.progress.files[2].growing = true;
  stage.progress.files[1].unfinished = stage.progress.files[2].unfinished = true;
  session.update();
  CHECK(session.growing("/data/run/rank0.json"));
  CHECK_FALSE(session.growing("/data/run/rank1.json"));
  CHECK(session.growing("/data/run/rank2.json"));
  CHECK(session.unfinished("/data/run/rank1.json"));
  CHECK_FALSE(session.unfinished("/data/run/rank0.json"));  // it is growing
  CHECK_FALSE(session.take_error());

  session.watch(false);
  stage.progress = {};
  stage.progress.error = Error{"/data/run", "no traces found", ""};
  session.update();
  CHECK_FALSE(session.growing("/data/run/rank0.json"));
  CHECK_FALSE(session.take_error());
  REQUIRE(session.progress().error);
}

TEST_CASE("a generated trace is created on another thread, then opened", "[threads]") {
  Stage stage;
  Session session(staged(stage));
  const auto wait = [&session] {
    for (int i = 0; i < 5000 && session.loading(); ++i) {
      session.update();
      ::usleep(1000);
    }
  };
  session.open_made("Making it", [] { return Result<fs::path>(fs::path("/made/demo")); });
  CHECK(session.making() == "Making it");
  wait();
  CHECK(session.making().empty());
  CHECK(session.path() == "/made/demo");
  CHECK(stage.loads == 1);
  session.open_made("Making it", [] { return Result<fs::path>(Error{"disk", "it is full", "make room"}); });
  wait();
  const auto error = session.take_error();
  REQUIRE(error);
  CHECK(error->what == "it is full");
  CHECK(session.path() == "/made/demo");
}
