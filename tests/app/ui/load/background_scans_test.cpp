// The Load page's threads end with it: closing the page cancels them and waits for them.
#include <atomic>

#include "app/ui/load/profile_list.hpp"
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
    ProfileList list([&] { late += open ? 0 : 1; });
    list.set_roots({folders.path(), folders.path() + "/run7"});
    list.set_roots({folders.path() + "/run7"});
    list.look_again();
    list.update();
  }
  open = false;
  CHECK(late == 0);
}
