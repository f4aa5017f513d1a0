// The selection in a profile whose offsets are on disk.
#include "app/ui/model/session.hpp"
#include "tests/app/ui/staged_loader.hpp"
#include "tests/catch.hpp"
#include "tests/stored_profile.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using namespace warpscope::ui;

namespace {

void load_missed(trace::ResidentOnly& resident) {
  for (const auto& column : resident.take_missed()) column->load();
}

}  // namespace

TEST_CASE("selecting does not wait for offsets, and the identity follows later") {
  const auto whole = test::make_profile({dense_rank()});
  const StoredProfile first = stored(*whole);
  const StoredProfile longer = stored(*test::make_profile({dense_rank(7000)}));
  const trace::SliceRef slice{0, 3000};
  Stage stage{.profile = first.profile};
  trace::ResidentOnly resident;  // as while drawing a frame
  Session session(staged(stage));
  session.open("job");
  REQUIRE(session.update());
  session.select(slice);
  const std::uint64_t generation = session.selection_generation();
  CHECK(session.selection() == slice);
  CHECK(session.has_selection());
  CHECK_FALSE(session.selected_identity());
  CHECK(resident.take_missed().size() == 1);
  SECTION("its offset is loaded before a new profile arrives") {
    static_cast<void>(session.update());
    load_missed(resident);
    static_cast<void>(session.update());
    CHECK(session.selected_identity() == whole->identity(slice));
  }
  SECTION("its offset is not loaded yet") {}

  stage.profile = longer.profile;
  CHECK(session.update());
  CHECK_FALSE(session.selection());  // it is not yet known which slice this is in the new profile
  CHECK(session.has_selection());
  for (int frames = 0; frames < 3; ++frames) {
    load_missed(resident);
    static_cast<void>(session.update());
  }
  CHECK(session.selection() == slice);
  CHECK(session.selected_identity() == whole->identity(slice));
  CHECK(session.selection_generation() == generation);
  session.clear_selection();
  CHECK_FALSE(session.has_selection());
}
