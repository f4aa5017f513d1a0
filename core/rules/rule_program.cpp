#include "core/rules/rule_program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
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

/// Ends the process group in a forked process once `parent` has ended, however it did; only async-signal-safe calls.
[[noreturn]] void guard(pid_t parent) {
  ::setpgid(0, 0);
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
  ::prctl(PR_SET_PDEATHSIG, SIGUSR1);
  ::syscall(SYS_close_range, 0U, ~0U, 0U);  // pipes end even if this process outlives their writers
  sigset_t ended;
  ::sigemptyset(&ended);
  ::sigaddset(&ended, SIGUSR1);
  int signal = 0;
  if (::getppid() == parent) ::sigwait(&ended, &signal);
  ::kill(0, SIGKILL);
  ::_exit(0);
}

/// Starts the program in the forked process, in the group of its guard; only async-signal-safe calls. Writes the error
/// number to `failed`.
[[noreturn]] void become(char* const* arguments, const Pipe& in, const Pipe& out, const Pipe& messages, int failed,
                         pid_t group) {
  for (const int each : {SIGPIPE, SIGXFSZ}) ::signal(each, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
  if (::setpgid(0, group) == 0 && ::dup2(in.read.get(), STDIN_FILENO) >= 0 &&
      ::dup2(out.write.get(), STDOUT_FILENO) >= 0 && ::dup2(messages.write.get(), STDERR_FILENO) >= 0)
    ::execvp(arguments[0], arguments);
  const int error = errno;
  ::_exit(::write(failed, &error, sizeof error) == sizeof error ? 127 : 126);
}

/// Starts the guard of a new process group; returns its number, which is the group's too, or -1.
pid_t start_guard() {
  const pid_t parent = ::getpid();
  const pid_t number = ::fork();
  if (number == 0) guard(parent);
  if (number > 0) ::setpgid(number, number);  // in both processes, because either may run first
  return number;
}

/// Ends the process group of a guard and waits for `child`, a process in it; returns the child's status.
int end_group(pid_t group, pid_t child) {
  ::kill(-group, SIGKILL);  // the guard is not reaped yet, so the number is still its own
  int status = 0;
  for (const pid_t each : {group, child})
    while (each > 0 && ::waitpid(each, &status, 0) < 0 && errno == EINTR) {
    }
  return status;
}

/// One of the program's outputs, appended to `text`.
struct Output {
  Descriptor from;
  std::string* text;

  /// Reads what is there; returns false on failure or if there is too much.
  bool read() {
    std::array<char, 16384> part{};
    const ssize_t got = ::read(from.get(), part.data(), part.size());
    if (got == 0) close_now(from);
    if (got > 0) text->append(part.data(), static_cast<std::size_t>(got));
    return got >= 0 || errno == EAGAIN || errno == EINTR;
  }
};

/// Passes `input` to the program and collects its output until it ends; returns the reason to kill it, or "". The
/// program may close its standard streams earlier, or leave them to processes that outlive it.
std::string exchange(pid_t child, Descriptor to, std::array<Output, 2> outputs, const std::string& input,
                     std::chrono::milliseconds longest, const std::function<bool()>& cancelled) {
  const auto deadline = std::chrono::steady_clock::now() + longest;
  std::size_t sent = 0;
  for (;;) {
    if (cancelled()) return "cancelled";
    if (std::chrono::steady_clock::now() > deadline)
      return fmt::format("ran for more than {} s", std::chrono::duration_cast<std::chrono::seconds>(longest).count());
    if (to && sent == input.size()) close_now(to);
    siginfo_t info{};
    const bool ended =
        ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child;
    std::array<pollfd, 3> ends{pollfd{outputs[0].from.get(), POLLIN, 0}, pollfd{outputs[1].from.get(), POLLIN, 0},
                               pollfd{to.get(), POLLOUT, 0}};
    const int wait = outputs[0].from && outputs[1].from ? kPollEvery : kPollClosedEvery;
    if (::poll(ends.data(), ends.size(), ended ? 0 : wait) < 0 && errno != EINTR)
      return "failed: cannot read its output";
    if (to && ends[2].revents != 0) {
      const ssize_t done = ::write(to.get(), input.data() + sent, input.size() - sent);
      if (done > 0)
        sent += static_cast<std::size_t>(done);
      else if (done < 0 && errno != EAGAIN && errno != EINTR)
        sent = input.size();  // programs do not have to read all of their input
    }
    bool quiet = true;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (!outputs[i].from || ends[i].revents == 0) continue;
      quiet = false;
      if (!outputs[i].read()) return "failed: cannot read its output";
      if (outputs[i].text->size() > kLargestAnswer) return "wrote more than 1 MB";
    }
    if (quiet && ended) return {};
  }
}

}  // namespace

ProgramRun run_program(const std::vector<std::string>& command, const std::string& input,
                       std::chrono::milliseconds longest, const std::function<bool()>& cancelled) {
  ProgramRun run;
  const pid_t group = start_guard();
  Pipe in;
  Pipe out;
  Pipe messages;
  Pipe failed;
  pid_t child = -1;
  int error = 0;
  if (group < 0) {
    run.problem = fmt::format("cannot be started: {}", std::strerror(errno));
    return run;
  }
  if (!in.open() || !out.open() || !messages.open() || !failed.open()) {
    end_group(group, -1);
    run.problem = "cannot be started: too many open files";
    return run;
  }
  ::fcntl(in.write.get(), F_SETFL, O_NONBLOCK);
  std::vector<char*> arguments;
  for (const std::string& each : command) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  const NoPipeSignal no_signal;
  child = ::fork();
  if (child == 0) become(arguments.data(), in, out, messages, failed.write.get(), group);
  if (child < 0) error = errno;
  for (Descriptor* each : {&in.read, &out.write, &messages.write, &failed.write}) close_now(*each);
  while (child > 0 && ::read(failed.read.get(), &error, sizeof error) < 0 && errno == EINTR) {
  }
  if (error != 0)
    run.problem = fmt::format("cannot be started: {}", std::strerror(error));
  else
    run.problem = exchange(child, std::move(in.write),
                           {Output{std::move(out.read), &run.answer}, Output{std::move(messages.read), &run.messages}},
                           input, longest, cancelled);
  const int status = end_group(group, child);
  if (run.problem.empty() && (!WIFEXITED(status) || WEXITSTATUS(status) != 0))
    run.problem = WIFEXITED(status) ? fmt::format("exited with status {}", WEXITSTATUS(status)) : "crashed";
  return run;
}

}  // namespace warpscope::rules
