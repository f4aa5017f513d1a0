// An unfinished convert leaves existing files unchanged and creates no other files.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>

#include "tests/app/cli/run_program.hpp"
#include "tests/core/ingest/loader_support.hpp"
#include "tests/damage.hpp"
#include "tests/environment.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Folder for converted profiles, with another job's converted profile that will be replaced.
struct Target {
  TestFolder folder;
  fs::path file = folder.path() / "job.wscope";
  std::string before;

  Target() {
    const TestFolder other;
    REQUIRE(run({"convert", small_set(other), "--out", file.string()}).status == cli::kDone);
    before = content_of(file);
    REQUIRE_FALSE(before.empty());
  }
  void check_untouched() const {
    CHECK(content_of(file) == before);
    CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
  }
};

/// Runs `convert` as a separate process with the signal handling of a process started by a shell: blocks signals until
/// the child has removed the test program's handlers.
pid_t start_convert(const fs::path& traces, const fs::path& out) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before);
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    ::_exit(run({"convert", traces.string(), "--out", out.string(), "--no-store"}).status);
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  REQUIRE(child > 0);
  return child;
}

int status_of(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

}  // namespace

TEST_CASE("interrupted convert leaves no temporary file and keeps the old file", "[cli]") {
  const TraceSet set(150'000);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const Target target;
    int while_writing = 0;
    for (int i = 0; i < 4; ++i) {
      const pid_t child = start_convert(set.path(), target.file);
      const auto over = [&] {
        siginfo_t info{};
        return ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
      };
      // Interrupts the first run while it loads, the others while they write.
      if (i > 0) CHECK(comes_true([&] { return !drafts_in(target.folder.path()).empty() || over(); }));
      while_writing += drafts_in(target.folder.path()).empty() ? 0 : 1;
      ::kill(child, signal);
      const int status = status_of(child);
      INFO("signal " << signal << ", round " << i << ", status " << status);
      if (WIFEXITED(status)) continue;  // already done
      CHECK(WTERMSIG(status) == signal);
      target.check_untouched();
    }
    CHECK(while_writing > 0);
  }
}

TEST_CASE("an interrupted command reports it on one line", "[cli]") {
  const TraceSet set(150'000);
  const TestFolder folder;
  for (const char* const command : {"info", "convert"}) {
    std::vector<std::string> arguments{"warpscope", command, set.path().string(), "--no-store"};
    if (std::string(command) == "convert")
      arguments.insert(arguments.end(), {"--out", (folder.path() / "x.wscope").string()});
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    Capture err(stderr, folder.path() / "err");
    const pid_t child = ::fork();
    if (child == 0) {
      std::signal(SIGINT, SIG_DFL);
      // The signal stays pending until the command checks for interrupts.
      sigset_t held;
      sigemptyset(&held);
      sigaddset(&held, SIGINT);
      ::pthread_sigmask(SIG_BLOCK, &held, nullptr);
      std::raise(SIGINT);
      ::_exit(cli::run_program(static_cast<int>(pointers.size()), pointers.data()));
    }
    static_cast<void>(status_of(child));
    INFO(command);
    CHECK(err.finish() == "warpscope: interrupted\n");
    CHECK_FALSE(fs::exists(folder.path() / "x.wscope"));
  }
}

TEST_CASE("a command interrupted after loading also reports it", "[cli]") {
  const TestFolder folder;
  const TestFolder errors;
  const std::string traces = small_set(folder);
  const Variable home{"XDG_CACHE_HOME", errors.path().c_str()};
  for (std::vector<std::string> arguments :
       {std::vector<std::string>{"warpscope", "info", traces, "--no-store"},
        std::vector<std::string>{"warpscope", "analyze", "kernel_time", traces, "--no-store"},
        std::vector<std::string>{"warpscope", "analyze", "kernel_time", traces, "--save-store"}}) {
    INFO(arguments[1]);
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    // A full pipe keeps the command running until the signal arrives.
    int pipe[2];
    REQUIRE(::pipe2(pipe, O_NONBLOCK) == 0);
    while (::write(pipe[1], "x", 1) == 1) continue;
    ::fcntl(pipe[1], F_SETFL, 0);
    Capture err(stderr, errors.path() / "err");
    const pid_t child = ::fork();
    if (child == 0) {
      std::signal(SIGHUP, SIG_DFL);
      ::dup2(pipe[1], STDOUT_FILENO);
      ::_exit(cli::run_program(static_cast<int>(pointers.size()), pointers.data()));
    }
    const auto takes_signals = [&] {
      std::ifstream status("/proc/" + std::to_string(child) + "/status");
      for (std::string line; std::getline(status, line);)
        if (line.starts_with("SigCgt:")) return (std::stoull(line.substr(7), nullptr, 16) >> (SIGHUP - 1) & 1) != 0;
      return false;
    };
    CHECK(comes_true(takes_signals));
    ::kill(child, SIGHUP);
    const int status = status_of(child);
    CHECK((WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP));
    CHECK(err.finish() == "warpscope: interrupted\n");
    ::close(pipe[0]);
    ::close(pipe[1]);
  }
}

TEST_CASE("convert that exceeds the file size limit leaves no temporary file and keeps the old file", "[cli]") {
  const TraceSet set;
  const Target target;
  const auto with_limit = [] {
    struct rlimit limit {};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = 20'000;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  };
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    with_limit();
    const Outcome outcome = run({"convert", set.path().string(), "--out", target.file.string(), "--no-store"});
    const bool said = outcome.status == cli::kNotWritten && outcome.err.find("(ulimit -f)") != std::string::npos;
    ::_exit(said ? 77 : 1);
  }
  const int status = status_of(child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 77);
  target.check_untouched();
}

TEST_CASE("convert to a read-only folder reports the error", "[cli]") {
  if (::geteuid() == 0) return;  // root can write everywhere
  const TraceSet set;
  const TestFolder folder;
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
  const Outcome outcome =
      run({"convert", set.path().string(), "--out", (folder.path() / "job.wscope").string(), "--no-store"});
  fs::permissions(folder.path(), fs::perms::owner_all);
  CHECK(outcome.status == cli::kNotWritten);
  CHECK(outcome.err.find("check the folder's permissions") != std::string::npos);
}

TEST_CASE("full stdout exits with 4", "[cli]") {
  const TraceSet set;
  for (const char* const format : {"info", "--list"}) {
    std::fflush(stdout);
    const int saved = ::dup(STDOUT_FILENO);
    const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
    REQUIRE(full >= 0);
    const TestFolder folder;
    Capture err(stderr, folder.path() / "err");
    ::dup2(full, STDOUT_FILENO);
    ::close(full);
    std::vector<std::string> arguments{"warpscope", "analyze", "--list"};
    if (std::string(format) == "info") arguments = {"warpscope", "info", set.path().string(), "--no-store"};
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    const int status = cli::run_program(static_cast<int>(pointers.size()), pointers.data());
    ::dup2(saved, STDOUT_FILENO);
    ::close(saved);
    std::clearerr(stdout);
    CHECK(status == cli::kNotWritten);
    CHECK(err.finish().find("cannot write the result: No space left on device") != std::string::npos);
  }
}

TEST_CASE("closed stdout exits with 4, and the result goes to no other file", "[cli]") {
  const TraceSet set;
  const TestFolder folder;
  for (std::vector<std::string> arguments :
       {std::vector<std::string>{"warpscope", "info", set.path().string(), "--json", "--no-store"},
        std::vector<std::string>{"warpscope", "analyze", "--list"}}) {
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    Capture err(stderr, folder.path() / "err");
    const pid_t child = ::fork();
    if (child == 0) {
      ::close(STDOUT_FILENO);
      ::_exit(cli::run_program(static_cast<int>(pointers.size()), pointers.data()));
    }
    const int status = status_of(child);
    INFO(arguments[1]);
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == cli::kNotWritten));
    CHECK(err.finish().find("cannot write the result: Bad file descriptor") != std::string::npos);
  }
}

TEST_CASE("an ignored signal does not interrupt convert", "[cli]") {
  const TraceSet set;
  const Target target;
  const auto before = std::signal(SIGHUP, SIG_IGN);
  const pid_t child = start_convert(set.path(), target.file);
  std::signal(SIGHUP, before);
  for (int i = 0; i < 20; ++i) {
    ::kill(child, SIGHUP);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  const int status = status_of(child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == cli::kDone);
  CHECK(content_of(target.file) != target.before);
}

TEST_CASE("converting a corrupt converted profile fails and writes nothing", "[cli]") {
  const TraceSet set;
  const fs::path carried = set.beside("carried.wscope");
  REQUIRE(run({"convert", set.path().string(), "--out", carried.string()}).status == cli::kDone);
  const auto file = store::open_store(carried.string());
  REQUIRE(file.ok());
  change_byte(carried, file->archive(0)->front().section.offset + 5);
  const Target target;
  const Outcome outcome = run({"convert", carried.string(), "--out", target.file.string()});
  CHECK(outcome.status == cli::kNothingRead);
  CHECK(outcome.err == "warpscope: " + carried.string() +
                           ": the store's events are corrupt; copy the file again, or convert the traces again\n");
  target.check_untouched();
}

TEST_CASE("converting a converted profile to itself leaves it unchanged, corrupt or not", "[cli]") {
  const TraceSet set;
  const fs::path carried = set.beside("carried.wscope");
  REQUIRE(run({"convert", set.path().string(), "--out", carried.string()}).status == cli::kDone);
  CHECK(run({"convert", carried.string(), "--out", carried.string()}).status == cli::kDone);

  const auto file = store::open_store(carried.string());
  REQUIRE(file.ok());
  const std::uint64_t texts = file->archive(0)->front().section.offset + 5;
  const std::uint64_t columns = file->sources()[0].rank->base + 9;
  const std::string whole = content_of(carried);
  for (const std::uint64_t at : {texts, columns}) {
    std::string damaged = whole;
    damaged.replace(at, 6, "damage");
    std::ofstream(carried, std::ios::binary) << damaged;
    const Outcome outcome = run({"convert", carried.string(), "--out", carried.string()});
    CHECK(outcome.status == cli::kNothingRead);
    CHECK(outcome.err.find("corrupt") != std::string::npos);
    CHECK(content_of(carried) == damaged);
    CHECK(drafts_in(carried.parent_path()).empty());
  }
}

TEST_CASE("corrupt system metrics are not silently left out of a copy", "[cli]") {
  const TestFolder folder;
  tracegen::Options options = *tracegen::preset("small");
  options.metrics_interval_ns = 500'000'000;
  (void)tracegen::generate(options, folder.path());
  const TestFolder out;
  const fs::path carried = out.path() / "carried.wscope";
  REQUIRE(run({"convert", folder.path().string(), "--out", carried.string()}).status == cli::kDone);
  const auto file = store::open_store(carried.string());
  REQUIRE(file.ok());
  REQUIRE_FALSE(file->directory().metrics.empty());
  std::string damaged = content_of(carried);
  damaged.replace(file->directory().metrics[0].head.offset + 9, 6, "damage");
  std::ofstream(carried, std::ios::binary) << damaged;
  for (const fs::path& to : {carried, out.path() / "again.wscope"}) {
    const Outcome outcome = run({"convert", carried.string(), "--out", to.string()});
    CHECK(outcome.status == cli::kNothingRead);
    CHECK(outcome.err.find("corrupt") != std::string::npos);
  }
  CHECK(content_of(carried) == damaged);
  CHECK_FALSE(fs::exists(out.path() / "again.wscope"));
}
