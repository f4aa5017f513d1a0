// The Timeline target of a row while the profile's columns are on disk.
#include "app/ui/analysis/row_target.hpp"

#include "tests/catch.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/small_job.hpp"
#include "tests/stored_profile.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using namespace warpscope::ui;

TEST_CASE("has_target() needs no columns; target_of() returns the target once they are loaded") {
  const auto whole = test::make_profile({dense_rank()});
  const StoredProfile lazy = stored(*whole);
  const trace::SliceRef slice{0, 3000};
  Table rows("t", "",
             {{"rank", "", ColumnRole::rank}, {"start", "", ColumnRole::start}, {"kernel", "", ColumnRole::kernel}});
  rows.add_row({0, whole->begin(slice) - whole->span.begin, whole->name(slice)});
  trace::ResidentOnly resident;
  CHECK(has_target(*lazy.profile, rows, 0));
  CHECK(resident.take_missed().empty());
  CHECK_FALSE(trace::if_resident([&] { return target_of(*lazy.profile, rows, 0); }));
  for (int frames = 0; frames < 3; ++frames) {
    static_cast<void>(target_of(*lazy.profile, rows, 0));
    for (const auto& column : resident.take_missed()) column->load();
  }
  CHECK(target_of(*lazy.profile, rows, 0) == TimelineRequest(slice));
}

TEST_CASE("a row with a rank and a step links to that step on the rank") {
  const TestFolder folder;
  tracegen::Options options = small_job(2);
  options.layout = tracegen::Layout::minified;
  write_set(folder, tracegen::generate_in_memory(options));
  const auto profile = load(folder.path());
  const trace::Step& step = profile->ranks[1]->steps.at(1);
  Table rows("t", "", {{"step", "", ColumnRole::step}, {"rank", "", ColumnRole::rank}});
  rows.add_row({profile->names().view(step.name), 1});
  rows.add_row({"no such step", 1});
  const auto target = target_of(*profile, rows, 0);
  REQUIRE(target);
  const auto* request = std::get_if<RankRequest>(&*target);
  REQUIRE(request != nullptr);
  CHECK(request->rank == 1);
  CHECK(request->range == step.time);
  const auto without = target_of(*profile, rows, 1);
  REQUIRE(without);
  CHECK_FALSE(std::get<RankRequest>(*without).range);
}
