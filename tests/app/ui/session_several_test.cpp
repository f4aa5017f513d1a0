// Several open profiles: one is current, and the others keep their state.
#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <thread>

#include "app/ui/model/session.hpp"
#include "core/ingest/load/load_options.hpp"
#include "tests/app/ui/staged_loader.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::ui;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

/// A profile with one kernel of this name.
ProfilePtr profile_of(const std::string& kernel) { return load_events(kernel_event(kernel)); }

void wait_until_unloaded(Session& session) {
  for (int i = 0; i < 5000 && session.unloading(); ++i) {
    static_cast<void>(session.update());
    ::usleep(1000);
  }
  REQUIRE_FALSE(session.unloading());
}

}  // namespace

TEST_CASE("opening another profile keeps the first one, and each keeps its selection") {
  Stages stages;
  stages["/runs/a"].profile = profile_of("of_a");
  stages["/runs/b"].profile = profile_of("of_b");
  Session session(staged(stages));
  session.open("/runs/a");
  REQUIRE(session.update());
  session.select(trace::SliceRef{0, 0});
  const std::uint64_t a = session.current_id();
  const std::uint64_t opened = session.opened();
  const std::uint64_t selection = session.selection_generation();

  session.open("/runs/b");
  CHECK(session.path() == "/runs/b");
  CHECK(session.opened() == opened + 1);
  CHECK_FALSE(session.selected_identity());
  CHECK(session.selection_generation() > selection);
  CHECK(session.update());
  CHECK(session.profile() == stages["/runs/b"].profile);
  CHECK_FALSE(session.update());
  CHECK(stages["/runs/a"].alive == 1);
  REQUIRE(session.all().size() == 2);
  CHECK(session.all()[0]->profile == stages["/runs/a"].profile);

  session.make_current(a);
  CHECK(session.name() == "a");
  CHECK(session.profile() == stages["/runs/a"].profile);
  CHECK(session.selection() == trace::SliceRef{0, 0});
  CHECK(session.update());
  CHECK_FALSE(session.update());

  session.open("/runs/b/");  // already open
  CHECK(session.path() == "/runs/b");
  CHECK(stages["/runs/b"].loads == 1);
  CHECK(session.all().size() == 2);
  session.make_current(12345);
  CHECK(session.path() == "/runs/b");
}

TEST_CASE("switching profiles clears picked slices and marks immediately") {
  Stages stages;
  stages["/runs/a"].profile = profile_of("of_a");
  stages["/runs/b"].profile = profile_of("of_b");
  Session session(staged(stages));
  const auto pick_and_mark = [&session] {
    static_cast<void>(session.update());
    session.pick(std::make_shared<const PickedSlices>(PickedSlices{"all", {{0, 0}}}));
    session.set_marked(Interval{100'000, 110'000});
    static_cast<void>(session.update());
    REQUIRE(session.picked());
    REQUIRE(session.marked());
  };
  const auto nothing = [&session] { return !session.picked() && !session.marked(); };
  session.open("/runs/a");
  const std::uint64_t a = session.current_id();
  pick_and_mark();
  std::uint64_t picked = session.picked_generation();
  session.open("/runs/b");
  CHECK(nothing());
  CHECK(session.picked_generation() > picked);

  pick_and_mark();
  session.make_current(session.current_id());
  CHECK(session.picked());  // already current
  session.make_current(a);
  CHECK(nothing());

  pick_and_mark();
  session.unload(a);
  CHECK(session.path() == "/runs/b");
  CHECK(nothing());

  pick_and_mark();
  session.close();
  CHECK_FALSE(session.is_open());
  CHECK(nothing());
  wait_until_unloaded(session);
}

TEST_CASE("a more complete profile for the same path keeps the mark but not the picked slices") {
  Stages stages;
  stages["/runs/a"].profile = profile_of("of_a");
  stages["/runs/b"].profile = profile_of("of_b");
  Session session(staged(stages));
  session.open("/runs/a");
  session.add("/runs/b");
  static_cast<void>(session.update());
  session.pick(std::make_shared<const PickedSlices>(PickedSlices{"all", {{0, 0}}}));
  session.set_marked(Interval{100'000, 110'000});
  stages["/runs/b"].profile = profile_of("more_of_b");
  CHECK_FALSE(session.update());
  CHECK(session.picked());  // the picked slices are from another profile
  stages["/runs/a"].profile = profile_of("more_of_a");
  CHECK(session.update());
  CHECK_FALSE(session.picked());
  CHECK(session.marked() == Interval{100'000, 110'000});
}

TEST_CASE("another profile can load next to the shown one and be cancelled separately") {
  Stages stages;
  stages["/runs/a"].profile = profile_of("of_a");
  stages["/runs/b"].progress.running = true;
  stages["/runs/b"].progress.done = 1;
  stages["/runs/b"].progress.total = 4;
  Session session(staged(stages));
  session.open("/runs/a");
  REQUIRE(session.update());
  const std::uint64_t b = session.add("/runs/b");
  CHECK(session.path() == "/runs/a");
  CHECK_FALSE(session.update());
  CHECK_FALSE(session.loading());
  CHECK(session.busy());
  REQUIRE(session.find(b) != nullptr);
  CHECK(session.find(b)->progress.fraction() == 0.25);
  stages["/runs/b"].profile = profile_of("of_b");
  CHECK_FALSE(session.update());  // the shown profile did not change
  CHECK(session.find(fs::path("/runs/b"))->profile != nullptr);
  session.cancel(b);
  CHECK(stages["/runs/b"].cancels == 1);
  CHECK(stages["/runs/a"].cancels == 0);
  CHECK(session.add("/runs/b") == b);
  CHECK(stages["/runs/b"].loads == 1);

  Session empty(staged(stages));
  static_cast<void>(empty.add("/runs/c"));
  CHECK(empty.path() == "/runs/c");  // the only profile becomes current
}

TEST_CASE("unloading frees all memory of a profile once the pages have released it") {
  Stages stages;
  for (const char* path : {"/runs/a", "/runs/b", "/runs/c"}) stages[path].profile = profile_of(path);
  Session session(staged(stages));
  session.open("/runs/a");
  session.open("/runs/b");
  session.open("/runs/c");
  REQUIRE(session.update());
  const std::uint64_t a = session.find(fs::path("/runs/a"))->id;
  session.make_current(a);
  REQUIRE(session.update());

  const std::uint64_t generation = session.generation();
  session.unload(session.find(fs::path("/runs/c"))->id);
  CHECK(session.generation() == generation);
  CHECK(session.path() == "/runs/a");

  ProfilePtr page = session.profile();  // as a page would hold it
  const std::weak_ptr<const trace::Profile> gone = page;
  stages["/runs/a"].profile.reset();
  session.close();
  CHECK(session.path() == "/runs/b");  // the previously current one
  CHECK(session.unloading());
  CHECK(stages["/runs/a"].alive == 1);
  CHECK(session.update());  // now the pages are notified
  CHECK(stages["/runs/a"].alive == 1);
  page.reset();
  wait_until_unloaded(session);
  CHECK(stages["/runs/a"].alive == 0);
  CHECK(stages["/runs/c"].alive == 0);
  CHECK(stages["/runs/b"].alive == 1);
  CHECK(gone.expired());

  session.close();
  CHECK_FALSE(session.is_open());
  CHECK(session.update());
  wait_until_unloaded(session);
  CHECK(session.all().empty());
}

TEST_CASE("every failed load is reported, and opening the path again retries it") {
  Stages stages;
  stages["/runs/a"].progress.error = Error{"/runs/a", "no traces found", ""};
  stages["/runs/b"].progress.error = Error{"/runs/b", "it cannot be read", ""};
  Session session(staged(stages));
  session.open("/runs/a");
  static_cast<void>(session.add("/runs/b"));
  session.update();
  CHECK(session.take_error()->where == "/runs/a");
  CHECK(session.take_error()->where == "/runs/b");
  session.update();
  CHECK_FALSE(session.take_error());
  session.open("/runs/b");
  CHECK(stages["/runs/b"].loads == 2);
  CHECK(session.all().size() == 2);
  wait_until_unloaded(session);
  CHECK(stages["/runs/b"].alive == 1);
}

TEST_CASE("profiles share the memory limit") {
  Stages stages;
  stages["/runs/a"].profile = profile_of("of_a");
  Session session(staged(stages));
  constexpr std::uint64_t kLimit = std::uint64_t{8} << 30;
  session.choose({.memory_limit = kLimit});
  session.open("/runs/a");
  session.update();
  session.choose({.memory_limit = kLimit});
  session.open("/runs/b");
  CHECK(stages["/runs/a"].choices.memory_limit == kLimit);
  CHECK(stages["/runs/b"].choices.memory_limit == kLimit - stages["/runs/a"].profile->resident_bytes());
  session.choose({.memory_limit = 1});
  session.open("/runs/c");
  CHECK(stages["/runs/c"].choices.memory_limit == ingest::kLeastMemoryLimit);
}

TEST_CASE("a request for the Timeline is taken only once, and dropped when another profile becomes current") {
  Stages stages;
  stages["/runs/a"].profile = profile_of("of_a");
  stages["/runs/b"].profile = profile_of("of_b");
  Session session(staged(stages));
  session.open("/runs/a");
  REQUIRE(session.update());
  session.go_to("name=of_a");
  session.go_to(trace::SliceRef{0, 0});
  CHECK(session.selection() == trace::SliceRef{0, 0});
  REQUIRE(session.request());
  const auto taken = session.take_request();
  REQUIRE((taken && std::holds_alternative<trace::SliceRef>(*taken)));
  CHECK_FALSE(session.take_request());
  session.go_to("name=of_a");
  session.open("/runs/b");
  CHECK_FALSE(session.request());
}

TEST_CASE("an exception during unloading does not reach the window's thread") {
  Stages stages;
  stages["/runs/a"].profile = profile_of("of_a");
  const auto own = std::this_thread::get_id();
  Session session(staged(stages), [own] {
    if (std::this_thread::get_id() != own) throw std::runtime_error("no wake");
  });
  session.open("/runs/a");
  REQUIRE(session.update());
  stages["/runs/a"].profile.reset();
  session.close();
  wait_until_unloaded(session);
  CHECK(session.all().empty());
}
