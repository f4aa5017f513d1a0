#include "app/cli/bystander.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace warpscope::cli {

namespace {

constexpr int kMoment = 100;  // ms

[[noreturn]] void report_signals(const sigset_t& signals, int into, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(0);
  for (int stream = 0; stream < 3; ++stream) ::close(stream);  // readers wait for end of file on these streams
  for (;;) {
    const int signal = ::sigwaitinfo(&signals, nullptr);
    const auto report = static_cast<char>(signal);
    if (signal > 0 && ::write(into, &report, 1) != 1) ::_exit(0);
  }
}

}  // namespace

Bystander::Bystander(const sigset_t& signals) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return;
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ == 0) {
    if (ends[1] < 3) ::_exit(0);
    ::close(ends[0]);
    report_signals(signals, ends[1], parent);
  }
  ::close(ends[1]);
  reports_ = ends[0];
}

Bystander::~Bystander() {
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  if (reports_ >= 0) ::close(reports_);
}

bool Bystander::received(int signal) {
  if (reports_ < 0 || process_ < 0) return false;
  pollfd end{reports_, POLLIN, 0};
  while (::poll(&end, 1, kMoment) > 0) {
    char report = 0;
    if (::read(reports_, &report, 1) != 1) break;
    if (report == static_cast<char>(signal)) return true;
  }
  return false;
}

}  // namespace warpscope::cli
