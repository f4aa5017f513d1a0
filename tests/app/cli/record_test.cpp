// `warpscope record`: running the command takes priority, and Warpscope can open the recording.
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <ctime>
#include <thread>
#include <tuple>

#include "core/trace/profile.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/catch.hpp"
#include "tests/core/ingest/metrics_support.hpp"
#include "tests/environment.hpp"
#include "tests/load_profile.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

constexpr Ns kSecondInNs = 1'000'000'000;

Ns wall_clock() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// Runs `warpscope record --out FOLDER/out` with additional arguments as a separate process.
class RecordProcess {
 public:
  enum class Group : std::uint8_t { of_test, own };

  RecordProcess(const TestFolder& folder, const std::vector<std::string>& arguments, Group group = Group::of_test)
      : folder_(folder) {
    process_ = ::fork();
    if (process_ != 0) return;
    if (group == Group::own) ::setpgid(0, 0);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
    std::vector<std::string> all{"record", "--out", (folder.path() / "out").string()};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Outcome outcome = run(all);
    static_cast<void>(folder.write("messages", outcome.err));
    ::_exit(outcome.status);
  }
  ~RecordProcess() {
    if (process_ > 0) static_cast<void>(finish(SIGKILL));
  }
  RecordProcess(const RecordProcess&) = delete;
  RecordProcess& operator=(const RecordProcess&) = delete;

  void send(int signal) const { ::kill(process_, signal); }
  void send_to_group(int signal) const { ::kill(-process_, signal); }
  /// Same as finish(), but kills it if it does not end in time.
  int finish_within(std::chrono::seconds time) {
    for (const auto end = std::chrono::steady_clock::now() + time; std::chrono::steady_clock::now() < end;) {
      siginfo_t ended{};
      ::waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOHANG | WNOWAIT);
      if (ended.si_pid != 0) return finish();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return finish(SIGKILL);
  }
  /// Returns the exit status, or the negated number of the signal that terminated it.
  int finish(int signal = 0) {
    if (signal != 0) send(signal);
    int status = 0;
    ::waitpid(std::exchange(process_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  [[nodiscard]] std::string messages() const { return read_whole(folder_.path() / "messages"); }

 private:
  const TestFolder& folder_;
  pid_t process_ = -1;
};

void wait_for(const fs::path& file) {
  for (int i = 0; i < 1000 && !fs::exists(file); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  REQUIRE(fs::exists(file));
}

std::shared_ptr<const trace::NodeMetrics> recorded_in(const TestFolder& folder) {
  const auto profile = load_profile(folder.path() / "out");
  REQUIRE(profile);
  REQUIRE((*profile)->metrics.size() == 1);
  CHECK((*profile)->diagnostics.all().empty());
  return (*profile)->metrics.front();
}

int first_allowed_cpu() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  ::sched_getaffinity(0, sizeof allowed, &allowed);
  int cpu = 0;
  while (!CPU_ISSET(cpu, &allowed)) ++cpu;
  return cpu;
}

}  // namespace

TEST_CASE("record returns the exit status of its command", "[cli]") {
  const TestFolder folder;
  const auto status_of = [&](std::vector<std::string> command) {
    command.insert(command.begin(), "--");
    return RecordProcess(folder, command).finish();
  };
  CHECK(status_of({"sh", "-c", "exit 7"}) == 7);
  CHECK(status_of({"true"}) == 0);
  CHECK(status_of({"sh", "-c", "kill -SEGV $$"}) == 128 + SIGSEGV);
  CHECK(status_of({"/does/not/exist"}) == 127);
  CHECK(status_of({"/"}) == 126);
  CHECK(status_of({"test", "[a,b] -x", "=", "[a,b] -x", "--", "--help"}) == 2);  // arguments are passed on unchanged
  CHECK(status_of({"test", "[a,b]", "=", "[a,b]"}) == 0);
}

TEST_CASE("samples show when a program used a core", "[cli]") {
  const TestFolder folder;
  const int cpu = first_allowed_cpu();
  const Ns began = wall_clock();
  RecordProcess record(folder, {"--interval", "100ms", "--node", "algo-1", "--", "sh", "-c",
                                "timeout 1 taskset -c " + std::to_string(cpu) + " sh -c 'while :; do :; done'"});
  CHECK(record.finish() == 124);
  const Ns ended = wall_clock();
  const auto metrics = recorded_in(folder);
  CHECK(metrics->series().size() >= 6);
  double sum = 0;
  int count = 0;
  for (const auto& [time, value] :
       samples_of(*metrics, trace::Metric::cpu_utilisation, static_cast<std::uint32_t>(cpu))) {
    CHECK(time > began);
    CHECK(time < ended);
    sum += value;
    ++count;
  }
  REQUIRE(count >= 5);
  CHECK(sum / count > 60);
  CHECK(fs::exists(folder.path() / "out/system/training_job_end.ts"));
  CHECK(contains(record.messages(), "of algo-1 to " + (folder.path() / "out").string()));
}

TEST_CASE("a killed recording is readable", "[cli]") {
  const TestFolder folder;
  RecordProcess record(folder, {"--interval", "50ms"});
  wait_for(folder.path() / "out/system/incremental");
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  const Ns killed = wall_clock();
  CHECK(record.finish(SIGKILL) == -SIGKILL);
  const Samples samples =
      samples_of(*recorded_in(folder), trace::Metric::cpu_utilisation, static_cast<std::uint32_t>(first_allowed_cpu()));
  REQUIRE(samples.size() > 2);
  CHECK(killed - samples.back().first < kSecondInNs);  // more than two intervals only if the machine is busy
  CHECK(!fs::exists(folder.path() / "out/system/training_job_end.ts"));
}

TEST_CASE("a signal ends a recording without a command", "[cli]") {
  for (const int signal : {SIGTERM, SIGINT}) {
    const TestFolder folder;
    RecordProcess record(folder, {"--interval", "20ms"});
    wait_for(folder.path() / "out/system/incremental");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    CHECK(record.finish(signal) == 0);
    wait_for(folder.path() / "out/system/training_job_end.ts");
    CHECK(contains(record.messages(), "warpscope: recorded "));
  }
}

TEST_CASE("a recording ends after its duration", "[cli]") {
  const TestFolder folder;
  const Ns began = wall_clock();
  CHECK(RecordProcess(folder, {"--interval", "20ms", "--duration", "100ms"}).finish() == 0);
  CHECK(wall_clock() - began >= kSecondInNs / 10);
  CHECK(recorded_in(folder)->samples() > 0);
}

TEST_CASE("record reports that the duration elapsed before the command ended", "[cli]") {
  const TestFolder folder;
  RecordProcess record(folder, {"--interval", "20ms", "--duration", "100ms", "--", "sleep", "0.3"});
  CHECK(record.finish() == 0);
  CHECK(contains(record.messages(), "the duration of 100 ms has elapsed; sleep continues without recording"));
}

TEST_CASE("record forwards signals to its command", "[cli]") {
  for (const int signal : {SIGTERM, SIGUSR1}) {
    const TestFolder folder;
    RecordProcess record(folder, {"--", "sh", "-c",
                                  "trap 'exit 5' TERM USR1; touch '" + (folder.path() / "ready").string() +
                                      "'; while :; do sleep 0.02; done"});
    wait_for(folder.path() / "ready");
    CHECK(record.finish(signal) == 5);
  }
}

TEST_CASE("a signal to the whole process group reaches the command only once", "[cli]") {
  const TestFolder folder;
  const std::string count = (folder.path() / "count").string();
  RecordProcess record(folder,
                       {"--", "sh", "-c",
                        "trap 'echo >> \"" + count + "\"' TERM; touch '" + (folder.path() / "ready").string() +
                            "'; while [ ! -e '" + (folder.path() / "stop").string() + "' ]; do sleep 0.02; done"},
                       RecordProcess::Group::own);
  wait_for(folder.path() / "ready");
  record.send_to_group(SIGTERM);
  wait_for(count);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // waits for a second signal, which must not arrive
  record.send(SIGTERM);
  for (int i = 0; i < 500 && read_whole(count).size() < 2; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  folder.write("stop", "");
  CHECK(record.finish() == 0);
  CHECK(read_whole(count) == "\n\n");
}

TEST_CASE("a program that ends immediately is sampled at least once", "[cli]") {
  const TestFolder folder;
  CHECK(RecordProcess(folder, {"--", "true"}).finish() == 0);
  CHECK(!recorded_in(folder)->of(trace::Metric::host_memory).empty());
}

TEST_CASE("only one recording per node writes to a folder at a time", "[cli]") {
  const TestFolder folder;
  RecordProcess first(folder, {"--interval", "20ms"});
  wait_for(folder.path() / "out/system/incremental/.algo-1.lock");
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  {
    RecordProcess second(folder, {"--", "sh", "-c", "exit 6"});
    CHECK(second.finish() == 6);
    CHECK(contains(second.messages(), "algo-1 is already being recorded into this folder by process "));
    CHECK(contains(second.messages(), "running the command without recording"));
  }
  CHECK(RecordProcess(folder, {}).finish() == cli::kNotWritten);
  CHECK(RecordProcess(folder, {"--node", "2", "--", "true"}).finish() == 0);
  CHECK(first.finish(SIGTERM) == 0);
  CHECK(!fs::exists(folder.path() / "out/system/incremental/.algo-1.lock"));
  CHECK(RecordProcess(folder, {"--", "true"}).finish() == 0);
}

TEST_CASE("record's time options require a unit", "[cli]") {
  const TestFolder folder;
  for (const auto& [option, text, advice] :
       {std::tuple("--interval", "500", "500ms"), std::tuple("--interval", "abc", "500ms"),
        std::tuple("--duration", "60", "60s")}) {
    RecordProcess record(folder, {option, text});
    CHECK(record.finish() == cli::kUsage);
    CHECK(contains(record.messages(), std::string("; use a number with a unit, such as ") + advice + "\n"));
  }
  CHECK(RecordProcess(folder, {"--duration", "0", "--", "true"}).finish() == 0);
}

TEST_CASE("record runs its command even if it cannot record", "[cli]") {
  const TestFolder folder;
  folder.write("out", "a file");
  RecordProcess record(folder, {"--", "sh", "-c", "exit 6"});
  CHECK(record.finish() == 6);
  CHECK(contains(record.messages(), "cannot create the folder"));
  CHECK(RecordProcess(folder, {}).finish() == cli::kNotWritten);
}

TEST_CASE("record runs its command if its lock file is a pipe or a link", "[cli]") {
  const TestFolder folder;
  const fs::path victim = folder.write("victim", "text");
  const fs::path lock = folder.path() / "out/system/incremental/.algo-1.lock";
  fs::create_directories(lock.parent_path());
  REQUIRE(::mkfifo(lock.c_str(), 0600) == 0);
  for (int i = 0; i < 2; ++i) {
    RecordProcess record(folder, {"--", "sh", "-c", "exit 6"});
    CHECK(record.finish_within(std::chrono::seconds(20)) == 6);
    CHECK(contains(record.messages(), lock.string() + ": is a link, directory, pipe or device, not a file"));
    CHECK(contains(record.messages(), "running the command without recording"));
    fs::remove(lock);
    fs::create_symlink(victim, lock);
  }
  CHECK(read_whole(victim) == "text");
}

TEST_CASE("record's samples do not go through a pipe", "[cli]") {
  const TestFolder folder;
  const Ns now = wall_clock();
  for (const Ns minute : {now / kSecondInNs / 60 * 60, now / kSecondInNs / 60 * 60 + 60}) {
    const auto seconds = static_cast<std::time_t>(minute);
    char hour[32];
    std::tm parts{};
    std::strftime(hour, sizeof hour, "%Y%m%d%H", ::gmtime_r(&seconds, &parts));
    const fs::path file = folder.path() / "out/system/incremental" / hour / (std::to_string(minute) + ".algo-1.json");
    fs::create_directories(file.parent_path());
    REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
  }
  RecordProcess record(folder, {"--interval", "20ms", "--", "sh", "-c", "sleep 0.1; exit 6"});
  CHECK(record.finish_within(std::chrono::seconds(20)) == 6);
  CHECK(contains(record.messages(), "samples will be lost until the file is writable"));
}

TEST_CASE("only one process per node records", "[cli]") {
  const TestFolder folder;
  const Variable second("OMPI_COMM_WORLD_LOCAL_RANK", "1");
  CHECK(RecordProcess(folder, {"--", "sh", "-c", "exit 8"}).finish() == 8);
  CHECK(!fs::exists(folder.path() / "out"));
}

TEST_CASE("record passes its folder and node to its command", "[cli]") {
  const TestFolder folder;
  const std::string out = (folder.path() / "out").string();
  const std::string test = "test \"$WARPSCOPE_OUT $WARPSCOPE_NODE\" = ";
  {
    const Variable none("WARPSCOPE_OUT", nullptr);
    CHECK(RecordProcess(folder, {"--node", "3", "--", "sh", "-c", test + "'" + out + " algo-3'"}).finish() == 0);
  }
  const Variable other_folder("WARPSCOPE_OUT", "/elsewhere");
  const Variable other_node("WARPSCOPE_NODE", "algo-7");
  CHECK(RecordProcess(folder, {"--node", "3", "--", "sh", "-c", test + "'" + out + " algo-3'"}).finish() == 0);
}

TEST_CASE("rejected counters do not end a recording", "[cli]") {
  const TestFolder folder;
  RecordProcess record(folder, {"--interval", "20ms", "--duration", "100ms", "--perf-counter",
                                "instructions,page-faults", "--perf-counter", "r0"});
  CHECK(record.finish() == 0);
  const auto metrics = recorded_in(folder);
  for (const char* counter : {"instructions", "page-faults"}) {
    bool shown = false;
    for (const trace::MetricSeries& series : metrics->of(trace::Metric::other))
      shown = shown || series.counter.name() == std::string(counter) + " (all CPUs)";
    const bool refused = contains(record.messages(), std::string("cannot record ") + counter) ||
                         contains(record.messages(), std::string(", ") + counter);
    CHECK(shown != refused);
  }
}

TEST_CASE("record reports a node name that it cannot use", "[cli]") {
  const TestFolder folder;
  const Variable node("WARPSCOPE_NODE", "gpu-host");
  const Outcome outcome = run({"record", "--out", folder.path().string(), "--", "true"});
  CHECK(outcome.status == cli::kDone);
  CHECK(contains(outcome.err, "WARPSCOPE_NODE: \"gpu-host\" is not a node name; recording algo-1"));
}

TEST_CASE("record reports usage errors before starting the command", "[cli]") {
  const TestFolder folder;
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--interval", "5ms"},
                                                {"--interval", "soon"},
                                                {"--duration", "-1s"},
                                                {"--node", "host"},
                                                {"--perf-counter", "nope"}}) {
    std::vector<std::string> all = wrong;
    all.insert(all.end(), {"--", "touch", (folder.path() / "started").string()});
    RecordProcess record(folder, all);
    CHECK(record.finish() == cli::kUsage);
    CHECK(contains(record.messages(), "warpscope: " + wrong.front() + ": "));
  }
  CHECK(!fs::exists(folder.path() / "started"));
  RecordProcess record(folder, {"sleep", "1"});
  CHECK(record.finish() == cli::kUsage);
  CHECK(contains(record.messages(), "put -- before it"));
}

TEST_CASE("record reports errors in its own options before --", "[cli]") {
  const TestFolder folder;
  const std::string out = (folder.path() / "out").string();
  for (const auto& [arguments, message] :
       {std::pair(std::vector<std::string>{"--ot", out, "--", "true"}, "unknown option --ot;"),
        std::pair(std::vector<std::string>{out, "--", "true"}, "--out is missing;"),
        std::pair(std::vector<std::string>{"--out", out, "here", "--", "true"},
                  "unexpected argument \"here\" before --;"),
        std::pair(std::vector<std::string>{"--out", out, "--"}, "no command after --;")}) {
    std::vector<std::string> all{"record"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Outcome outcome = run(all);
    CHECK(outcome.status == cli::kUsage);
    CHECK(outcome.err.starts_with(std::string("warpscope: ") + message));
  }
  CHECK(!fs::exists(out));
}
