// The Load page's threads end with it: closing the page cancels them and waits for them.
#include <chrono>

#include "app/ui/load/load_estimate.hpp"
#include "app/ui/load/profile_scans.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::ui;

namespace {

/// Many folders with one trace each: scanning all of them takes longer than closing may take.
class ManyFolders {
 public:
  ManyFolders() {
    for (int i = 0; i < 300; ++i)
      folder_.write("run" + std::to_string(i) + "/rank0.json", tests::trace_of(tests::kernel_event("gemm")));
  }
  [[nodiscard]] std::string path() const { return folder_.path().string(); }

 private:
  tests::TestFolder folder_;
};

}  // namespace

TEST_CASE("closing cancels folder scans, and no callbacks follow", "[threads]") {
  const ManyFolders folders;
  std::atomic<bool> open{true};
  std::atomic<int> late{0};
  {
    ProfileScans scans([&] { late += open ? 0 : 1; });
    scans.set_roots({folders.path(), folders.path() + "/run7"});
    scans.set_roots({folders.path() + "/run7"});
    scans.look_again();
    scans.update();
  }
  open = false;
  CHECK(late == 0);
}

TEST_CASE("an estimate is for the latest request, and closing cancels it", "[threads]") {
  const ManyFolders folders;
  LoadEstimate estimate({});
  estimate.ask({folders.path()});
  estimate.ask({folders.path() + "/run1", folders.path() + "/run2"});
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (estimate.busy() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  CHECK_FALSE(estimate.busy());
  REQUIRE(estimate.answer());
  CHECK(estimate.answer()->files == 2);
  estimate.ask({folders.path()});
  CHECK_FALSE(estimate.answer().has_value());
}
