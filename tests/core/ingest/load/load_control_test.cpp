// Requests that callers make to a load.
#include "core/ingest/load/load_control.hpp"

#include <thread>

#include "tests/catch.hpp"

using namespace warpscope::ingest;

TEST_CASE("cancelling stops reading and watching, and counts as cancelled only before the load has ended") {
  LoadControl control(true);
  const auto token = control.token();
  control.cancel();
  CHECK(token->cancelled());
  CHECK(control.cancelled());
  CHECK_FALSE(control.watching());

  LoadControl later(true);
  later.finish();
  later.cancel();
  CHECK(later.token()->cancelled());
  CHECK_FALSE(later.cancelled());
  CHECK(later.wait(false, std::chrono::milliseconds(0)));  // reading may start again
  CHECK_FALSE(later.token()->cancelled());
}

TEST_CASE("a wait ends when watching changes, even before it starts, and when the load is stopped", "[threads]") {
  LoadControl control(false);
  control.watch(true);
  CHECK(control.wait(false, std::nullopt));
  std::thread caller([&] { control.stop(); });
  while (control.wait(control.watching(), std::nullopt)) continue;
  CHECK_FALSE(control.wait(false, std::nullopt));
  caller.join();
}
