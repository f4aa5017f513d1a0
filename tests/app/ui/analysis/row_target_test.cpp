// The Timeline target of a row.
#include "app/ui/analysis/row_target.hpp"

#include "tests/catch.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/small_job.hpp"
#include "tests/stored_profile.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using namespace warpscope::ui;

TEST_CASE("the slice of a row is found without reading columns") {
  const auto whole = test::make_profile({dense_rank()});
  const StoredProfile lazy = stored(*whole);
  const trace::SliceRef slice{0, 3000};
  Table rows("t", "", {{"rank", "", ColumnRole::rank}, {"kernel", "", ColumnRole::kernel}});
  rows.add_row({0, Cell(whole->name(slice), slice.slice)});
  trace::ResidentOnly resident;
  CHECK(target_of(*lazy.profile, rows, 0) == TimelineRequest(slice));
  CHECK(resident.take_missed().empty());
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
