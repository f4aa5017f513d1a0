// Switching between aligned clocks and recorded times.
#include "app/ui/model/clock_switch.hpp"

#include <chrono>
#include <thread>

#include "core/analysis/ranks/clock_error.hpp"
#include "tests/catch.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/small_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

analysis::ClockAlignment align(const trace::Profile& profile, const ingest::EventLookup* events,
                               const CancelToken& cancel) {
  return analysis::align_clocks(profile, events, cancel);
}

void settle(ui::ClockSwitch& clocks, const std::shared_ptr<const trace::Profile>& recorded) {
  for (int i = 0; i < 2'000 && clocks.busy(); ++i) {
    static_cast<void>(clocks.update(recorded, nullptr, [] {}));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace

TEST_CASE("a profile shows recorded times until its clocks are known, then aligned times, or recorded on request") {
  tracegen::Options options = small_job(2, 2);
  options.layout = tracegen::Layout::minified;
  options.clocks = {{1, 2'000'000, 0}};
  const TestFolder folder;
  write_set(folder, tracegen::generate_in_memory(options));
  const auto recorded = load(folder.path());
  ui::ClockSwitch clocks;
  clocks.align_with(align);
  CHECK_FALSE(clocks.update(nullptr, nullptr, [] {}));
  REQUIRE(clocks.update(recorded, nullptr, [] {}));
  CHECK(clocks.shown() == recorded);
  CHECK_FALSE(clocks.note());
  settle(clocks, recorded);
  const auto aligned = clocks.shown();
  REQUIRE(clocks.aligned());
  CHECK(aligned != recorded);
  CHECK(aligned->ranks[3]->clock_shift - aligned->ranks[0]->clock_shift == -2'000'000);
  REQUIRE(clocks.note());
  CHECK(clocks.note()->text ==
        "clocks aligned " + analysis::clock_error_text(align(*recorded, nullptr, CancelToken()).error));
  CHECK(clocks.note()->title.find("off by up to 1.00 ms") != std::string::npos);
  CHECK(clocks.note()->command == "view.clocks");
  // Nothing has changed, so it shows the same profile.
  CHECK_FALSE(clocks.update(recorded, nullptr, [] {}));
  CHECK(clocks.shown() == aligned);

  clocks.show_recorded(true);
  REQUIRE(clocks.update(recorded, nullptr, [] {}));
  CHECK(clocks.shown() == recorded);
  CHECK(clocks.note()->text == "clocks as recorded");
  clocks.show_recorded(false);
  REQUIRE(clocks.update(recorded, nullptr, [] {}));
  CHECK(clocks.aligned());

  // Another profile with the same ranks, as after unloading a rank, is aligned immediately.
  const auto again = std::make_shared<const trace::Profile>(*recorded);
  REQUIRE(clocks.update(again, nullptr, [] {}));
  CHECK_FALSE(clocks.busy());
  CHECK(clocks.shown()->ranks[3]->clock_shift == aligned->ranks[3]->clock_shift);
}

TEST_CASE("a profile with one rank, or with clocks that agree, has no clock note") {
  tracegen::Options options = small_job(2);
  options.layout = tracegen::Layout::minified;
  const TestFolder folder;
  write_set(folder, tracegen::generate_in_memory(options));
  const auto recorded = load(folder.path());
  ui::ClockSwitch clocks;
  clocks.align_with(align);
  REQUIRE(clocks.update(recorded, nullptr, [] {}));
  settle(clocks, recorded);
  CHECK(clocks.shown() == recorded);
  CHECK_FALSE(clocks.note());
  CHECK_FALSE(clocks.alignable());
}
