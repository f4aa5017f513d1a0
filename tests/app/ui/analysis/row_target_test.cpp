// The Timeline target of a row while columns of the profile are on disk.
#include "app/ui/analysis/row_target.hpp"

#include "tests/catch.hpp"
#include "tests/stored_profile.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using namespace warpscope::ui;

TEST_CASE("whether a row has a target is known without columns, the target when they are loaded") {
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
