#include "core/rules/rule_program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>

#include "core/base/descriptor.hpp"

namespace warpscope::rules {

namespace {

constexpr int kPollEvery = 50;       // ms
constexpr int kPollClosedEvery = 5;  // ms, once the program has closed its output
constexpr std::size_t kLargestAnswer = std::size_t{1} << 20;

/// Turns SIGPIPE, which ends this process if the program does not read its input, into an error of write() on this
/// thread.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoPipeSignal() {
    const timespec at_once{};
    if (::sigismember(&before_, SIGPIPE) == 0) ::sigtimedwait(&pipe_, nullptr, &at_once);
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;

 private:
  sigset_t pipe_{};
  sigset_t before_{};
};

struct Pipe {
  Descriptor read;
  Descriptor write;
  bool open() {
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    read = Descriptor(ends[0]);
    write = Descriptor(ends[1]);
    return true;
  }
};

void close_now(Descriptor& descriptor) { const Descriptor closed = std::move(descriptor); }

/// Starts the program in the forked process; only async-signal-safe calls. Writes the error number to `failed`.
[[noreturn]] void become(char* const* arguments, const Pipe& in, const Pipe& out, int failed, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(0);
  for (const int each : {SIGPIPE, SIGXFSZ}) ::signal(each, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
  if (::dup2(in.read.get(), STDIN_FILENO) >= 0 && ::dup2(out.write.get(), STDOUT_FILENO) >= 0)
    ::execvp(arguments[0], arguments);
  const int error = errno;
  ::_exit(::write(failed, &error, sizeof error) == sizeof error ? 127 : 126);
}

/// Passes `input` to the program and collects its output until it ends; returns the reason to kill it, or "". The
/// program may close its standard streams earlier, or leave them to processes that outlive it.
std::string exchange(pid_t child, Descriptor to, Descriptor from, const std::string& input, ProgramRun& run,
                     std::chrono::milliseconds longest, const std::function<bool()>& cancelled) {
  const auto deadline = std::chrono::steady_clock::now() + longest;
  std::size_t sent = 0;
  std::array<char, 16384> part{};
  for (;;) {
    if (cancelled()) return "cancelled";
    if (std::chrono::steady_clock::now() > deadline)
      return fmt::format("ran for more than {} s", std::chrono::duration_cast<std::chrono::seconds>(longest).count());
    if (to && sent == input.size()) close_now(to);
    siginfo_t info{};
    const bool ended =
        ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child;
    std::array<pollfd, 2> ends{pollfd{from.get(), POLLIN, 0}, pollfd{to.get(), POLLOUT, 0}};
    if (::poll(ends.data(), ends.size(), ended ? 0 : from ? kPollEvery : kPollClosedEvery) < 0 && errno != EINTR)
      return "failed: cannot read its output";
    if (to && ends[1].revents != 0) {
      const ssize_t done = ::write(to.get(), input.data() + sent, input.size() - sent);
      if (done > 0)
        sent += static_cast<std::size_t>(done);
      else if (done < 0 && errno != EAGAIN && errno != EINTR)
        sent = input.size();  // programs do not have to read all of their input
    }
    if (from && ends[0].revents != 0) {
      const ssize_t got = ::read(from.get(), part.data(), part.size());
      if (got == 0) close_now(from);
      if (got < 0 && errno != EAGAIN && errno != EINTR) return "failed: cannot read its output";
      if (got > 0) run.answer.append(part.data(), static_cast<std::size_t>(got));
      if (run.answer.size() > kLargestAnswer) return "wrote more than 1 MB";
    } else if (ended) {
      return {};
    }
  }
}

}  // namespace

ProgramRun run_program(const std::vector<std::string>& command, const std::string& input,
                       std::chrono::milliseconds longest, const std::function<bool()>& cancelled) {
  Pipe in;
  Pipe out;
  Pipe failed;
  if (!in.open() || !out.open() || !failed.open()) return {{}, "cannot be started: too many open files"};
  ::fcntl(in.write.get(), F_SETFL, O_NONBLOCK);
  std::vector<char*> arguments;
  for (const std::string& each : command) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  const NoPipeSignal no_signal;
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) become(arguments.data(), in, out, failed.write.get(), parent);
  if (child < 0) return {{}, fmt::format("cannot be started: {}", std::strerror(errno))};
  ::setpgid(child, child);  // in both processes, because either may run first
  for (Descriptor* each : {&in.read, &out.write, &failed.write}) close_now(*each);
  ProgramRun run;
  int error = 0;
  ssize_t got = 0;
  while ((got = ::read(failed.read.get(), &error, sizeof error)) < 0 && errno == EINTR) {
  }
  if (got > 0)
    run.problem = fmt::format("cannot be started: {}", std::strerror(error));
  else
    run.problem = exchange(child, std::move(in.write), std::move(out.read), input, run, longest, cancelled);
  if (::kill(-child, SIGKILL) != 0) ::kill(child, SIGKILL);  // not reaped yet, so the number is still its own
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (run.problem.empty() && (!WIFEXITED(status) || WEXITSTATUS(status) != 0))
    run.problem = WIFEXITED(status) ? fmt::format("exited with status {}", WEXITSTATUS(status)) : "crashed";
  return run;
}

}  // namespace warpscope::rules
