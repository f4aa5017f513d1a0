#include "core/base/ending_signal.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include "tests/catch.hpp"

using namespace warpscope;

namespace {

/// Returns the waitpid status of a child process that runs `work`.
template <typename Work>
int end_of_child(Work work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return status;
}

}  // namespace

TEST_CASE("a deferred signal ends the program") {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    const int status = end_of_child([signal] {
      const sigset_t held = ending_signals();
      ::pthread_sigmask(SIG_BLOCK, &held, nullptr);
      end_by_signal(signal);
    });
    REQUIRE(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == signal);
  }
}

TEST_CASE("a signal ignored from the start is not deferred") {
  const int status = end_of_child([] {
    std::signal(SIGHUP, SIG_IGN);
    const sigset_t held = ending_signals();
    ::_exit(sigismember(&held, SIGHUP) * 4 + sigismember(&held, SIGTERM) * 2 + sigismember(&held, SIGINT));
  });
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 3);
}
