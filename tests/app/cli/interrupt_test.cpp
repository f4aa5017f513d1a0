// Commands other than convert that write files: an interrupt terminates them immediately with the signal and leaves no
// partial files.
#include <sys/wait.h>

#include <csignal>

#include "tests/app/cli/run_program.hpp"
#include "tests/core/ingest/loader_support.hpp"
#include "tests/environment.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

/// Runs the program as a separate process with the signal handling of a process started by a shell.
class Child {
 public:
  explicit Child(const std::vector<std::string>& arguments) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, &before);
    id_ = ::fork();
    if (id_ == 0) {
      std::signal(SIGINT, SIG_DFL);
      ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
      ::_exit(run(arguments).status);
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    REQUIRE(id_ > 0);
  }
  [[nodiscard]] bool over() const {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
  }
  /// Interrupts the process and returns its status. Checks that this does not take long.
  int interrupt() const {
    ::kill(id_, SIGINT);
    const auto began = std::chrono::steady_clock::now();
    int status = 0;
    ::waitpid(id_, &status, 0);
    CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(10));
    return status;
  }

 private:
  pid_t id_ = -1;
};

}  // namespace

TEST_CASE("interrupted counters leaves no partial files", "[cli]") {
  const TraceSet set(150'000);
  int while_writing = 0;
  for (const bool all_ranks : {false, true}) {
    for (int i = 0; i < 4; ++i) {
      const TestFolder target;
      const fs::path folder = all_ranks ? target.path() / "with" : target.path();
      std::vector<std::string> arguments{"counters", set.path().string(), "--no-store", "--out",
                                         (all_ranks ? folder : folder / "x.json.gz").string()};
      if (!all_ranks) arguments.insert(arguments.end(), {"--rank", "0"});
      const Child child(arguments);
      // Interrupts the first run while it loads, the others while they write.
      if (i > 0) CHECK(comes_true([&] { return !drafts_in(folder).empty() || child.over(); }));
      while_writing += drafts_in(folder).empty() ? 0 : 1;
      const int status = child.interrupt();
      INFO("round " << i << ", status " << status);
      CHECK(drafts_in(folder).empty());
      if (WIFEXITED(status)) continue;  // already done
      CHECK(WTERMSIG(status) == SIGINT);
      if (!all_ranks && fs::exists(folder / "x.json.gz"))  // written before the interrupt arrived
        CHECK(plain_text_of(folder / "x.json.gz").ends_with("]}\n"));
      if (i == 0) CHECK(fs::is_empty(target.path()));
    }
  }
  CHECK(while_writing > 2);
}

TEST_CASE("analyze interrupted while saving a store leaves neither store nor temporary file", "[cli]") {
  const TraceSet set(150'000);
  const TestFolder cache;
  const Variable home{"XDG_CACHE_HOME", cache.path().c_str()};
  const fs::path stores = store::Cache::default_folder();
  int while_writing = 0;
  for (int i = 0; i < 4; ++i) {
    const Child child({"analyze", "kernel_time", set.path().string(), "--save-store"});
    CHECK(comes_true([&] { return !drafts_in(stores).empty() || child.over(); }));
    while_writing += drafts_in(stores).empty() ? 0 : 1;
    const int status = child.interrupt();
    INFO("round " << i << ", status " << status);
    CHECK(drafts_in(stores).empty());
    if (WIFEXITED(status))
      fs::remove_all(stores);
    else
      CHECK(fs::is_empty(stores));
  }
  CHECK(while_writing > 2);
}

TEST_CASE("interrupted report leaves no partial file", "[cli]") {
  const TraceSet set(150'000);
  for (int i = 0; i < 4; ++i) {
    const TestFolder target;
    const Child child({"report", set.path().string(), "--html", (target.path() / "r.html").string(), "--no-store"});
    ::usleep(static_cast<useconds_t>(i) * 150'000);
    const int status = child.interrupt();
    INFO("round " << i << ", status " << status);
    if (WIFEXITED(status)) {  // already done
      CHECK(fs::exists(target.path() / "r.html"));
      continue;
    }
    CHECK(WTERMSIG(status) == SIGINT);
    if (fs::is_empty(target.path())) continue;
    // The signal arrived after the report was complete but before the program ended.
    std::ifstream report(target.path() / "r.html");
    const std::string text{std::istreambuf_iterator<char>(report), {}};
    CHECK(text.ends_with("</html>\n"));
    CHECK(std::distance(fs::directory_iterator(target.path()), {}) == 1);
  }
}
