// Snapshot times, the files that snapshots are written to, and reading these files back.
#include "core/record/recorder.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

#include "core/record/launch_place.hpp"
#include "core/trace/profile.hpp"
#include "tests/catch.hpp"
#include "tests/core/ingest/metrics_support.hpp"
#include "tests/core/record/samples.hpp"
#include "tests/load_profile.hpp"
#include "tests/test_folder.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using record::kSecond;

namespace {

constexpr Ns kStart = 1'758'045'656 * kSecond;  // 4 s before a minute ends

/// Values that show when they were taken.
class CountingSampler final : public record::Sampler {
 public:
  void sample(double seconds, std::vector<record::Sample>& into) override {
    if (seconds > 0) into.push_back({"cpu", "cpu0", "CPUUtilization", ++count_ + seconds / 10});
  }

 private:
  int count_ = 0;
};

/// A recording whose clocks the test sets.
struct StagedRecording {
  explicit StagedRecording(const std::string& folder) : writer(folder, "algo-1", said.say()) {
    REQUIRE(!writer.prepare());
    std::vector<std::unique_ptr<record::Sampler>> samplers;
    samplers.push_back(std::make_unique<CountingSampler>());
    recorder = std::make_unique<record::Recorder>(std::move(samplers), writer, kSecond, said.say(),
                                                  record::Clocks{[this] { return wall; }, [this] { return steady; }});
  }
  void pass(Ns time) {
    wall += time;
    steady += time;
  }

  Said said;
  Ns wall = kStart;
  Ns steady = 0;
  record::MetricsWriter writer;
  std::unique_ptr<record::Recorder> recorder;
};

Samples read_samples(const TestFolder& folder) {
  const auto loaded = load_profile(folder.path());
  REQUIRE(loaded);
  const trace::Profile& profile = **loaded;
  REQUIRE(profile.metrics.size() == 1);
  CHECK(profile.metrics.front()->node() == "algo-1");
  CHECK(profile.diagnostics.all().empty());
  return samples_of(*profile.metrics.front(), trace::Metric::cpu_utilisation, 0);
}

}  // namespace

TEST_CASE("a recording has a file per minute", "[record]") {
  const TestFolder folder;
  StagedRecording recording(folder.path() / "system");
  for (int i = 0; i < 8; ++i) {
    recording.pass(recording.recorder->due() - recording.steady);
    recording.recorder->sample();
  }
  recording.recorder->finish();
  namespace fs = std::filesystem;
  const fs::path hour = folder.path() / "system/incremental/2025091618";
  CHECK(fs::file_size(hour / "1758045600.algo-1.json") == 4 * 119);
  CHECK(fs::file_size(hour / "1758045660.algo-1.json") == 4 * 119);
  CHECK(fs::exists(folder.path() / "system/training_job_end.ts"));
  Samples expected;
  for (int i = 0; i < 8; ++i) expected.emplace_back(kStart + i * kSecond, static_cast<float>(i + 1.1));
  CHECK(read_samples(folder) == expected);
  CHECK(recording.said.texts.empty());
}

TEST_CASE("the last snapshot covers the time since the previous one", "[record]") {
  const TestFolder folder;
  StagedRecording recording(folder.path() / "system");
  recording.pass(kSecond);
  recording.recorder->sample();
  recording.pass(kSecond / 2);
  recording.recorder->finish();
  CHECK(read_samples(folder) == Samples{{kStart, 1.1f}, {kStart + kSecond, 2.05f}});
}

TEST_CASE("a stopped recording skips snapshots", "[record]") {
  const TestFolder folder;
  StagedRecording recording(folder.path() / "system");
  recording.pass(10 * kSecond + 5);
  recording.recorder->sample();
  CHECK(recording.recorder->due() == 11 * kSecond + 5);
  recording.recorder->finish();
  CHECK(read_samples(folder) == Samples{{kStart, 2.0f}});
}

TEST_CASE("setting the clock does not affect a recording", "[record]") {
  const TestFolder folder;
  StagedRecording recording(folder.path() / "system");
  recording.pass(kSecond);
  recording.recorder->sample();
  recording.wall -= 3600 * kSecond;
  recording.pass(kSecond);
  recording.recorder->sample();
  recording.pass(kSecond);
  recording.wall += kSecond / 100;  // an adjustment
  recording.recorder->sample();
  recording.recorder->finish();
  CHECK(read_samples(folder) == Samples{{kStart, 1.1f}, {kStart + kSecond, 2.1f}, {kStart + 2 * kSecond, 3.1f}});
  CHECK(recording.said.texts ==
        std::vector<std::string>{"the clock was set back by 1 h 00 m; sample timestamps ignore the jump"});
}

TEST_CASE("all recorded metrics are known to Warpscope", "[record]") {
  const TestFolder folder;
  Said said;
  record::MetricsWriter writer(folder.path() / "system", "algo-1", said.say());
  REQUIRE(!writer.prepare());
  const std::vector<record::Sample> samples{
      {"cpu", "cpu0", "CPUUtilization", 1},
      {"cpu", "cpu0", "I/OWaitPercentage", 2},
      {"gpu", "gpu0", "GPUUtilization", 3},
      {"gpu", "gpu0", "GPUMemoryUtilization", 4},
      {"memory", "MemoryUsedPercent", "", 5},
      {"network", "ReceiveBytesPerSecond", "Algorithm", 6},
      {"network", "TransmitBytesPerSecond", "Algorithm", 7},
      {"i/o", "ReadThroughputInBytesPerSecond", "", 8},
      {"i/o", "WriteThroughputInBytesPerSecond", "", 9},
      {"i/o", "IOPS", "", 10},
      {"cpu", "quoted \"\n", "all CPUs", 11},
      {"cpu", "not a number", "", std::numeric_limits<double>::quiet_NaN()},
  };
  writer.write(kStart, samples);
  const auto loaded = load_profile(folder.path());
  REQUIRE(loaded);
  const trace::Profile& profile = **loaded;
  REQUIRE(profile.metrics.size() == 1);
  const auto series = profile.metrics.front()->series();
  REQUIRE(series.size() == trace::kMetrics);
  for (std::size_t i = 0; i < series.size(); ++i) {
    CHECK(series[i].metric == static_cast<trace::Metric>(i));
    CHECK(series[i].counter.value(0) == static_cast<float>(i + 1));
  }
  CHECK(series.back().counter.name() == "quoted \"\n (all CPUs)");
}

TEST_CASE("a folder that cannot be created is an error", "[record]") {
  const TestFolder folder;
  folder.write("system", "a file");
  Said said;
  record::MetricsWriter writer(folder.path() / "system", "algo-1", said.say());
  const Failure failure = writer.prepare();
  REQUIRE(failure);
  CHECK(failure->message().find("cannot create the folder") != std::string::npos);
}

TEST_CASE("a full disk loses samples until there is space", "[record]") {
  const TestFolder folder;
  const pid_t child = ::fork();  // the limit is for the whole process
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    StagedRecording recording(folder.path() / "system");
    const rlimit small{250, 250};  // two lines and a half
    ::setrlimit(RLIMIT_FSIZE, &small);
    for (int i = 0; i < 6; ++i) {
      recording.pass(kSecond);
      recording.recorder->sample();
    }
    const bool good =
        recording.writer.written() == 4 && recording.writer.lost() == 2 && recording.said.texts.size() == 1 &&
        recording.said.texts.front().find("samples will be lost until the file is writable") != std::string::npos;
    ::_exit(good ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
  // The next minute's file has space again.
  CHECK(read_samples(folder) ==
        Samples{{kStart, 1.1f}, {kStart + kSecond, 2.1f}, {kStart + 4 * kSecond, 5.1f}, {kStart + 5 * kSecond, 6.1f}});
}

TEST_CASE("samples in a deleted file are reported as lost", "[record]") {
  const TestFolder folder;
  StagedRecording recording(folder.path() / "system");
  for (int i = 0; i < 4; ++i) {
    if (i == 2) std::filesystem::remove_all(folder.path() / "system");
    recording.pass(recording.recorder->due() - recording.steady);
    recording.recorder->sample();
  }
  CHECK(recording.writer.written() == 2);
  CHECK(recording.writer.lost() == 2);
  REQUIRE(recording.said.texts.size() == 1);
  CHECK(contains(recording.said.texts.front(), "was deleted; its samples are lost"));
  std::filesystem::remove_all(folder.path() / "system");
  recording.writer.finish();
  CHECK(recording.writer.written() == 0);
  CHECK(recording.writer.lost() == 4);
}

TEST_CASE("a recording does not continue an incomplete line", "[record]") {
  const TestFolder folder;
  const auto file = folder.write("system/incremental/2025091618/1758045600.algo-1.json", "{\"Type\": \"cpu\"");
  StagedRecording recording(folder.path() / "system");
  for (int i = 0; i < 3; ++i) {
    recording.pass(recording.recorder->due() - recording.steady);
    recording.recorder->sample();
  }
  const std::string text = read_whole(file);
  CHECK(text.starts_with("{\"Type\": \"cpu\"\n{"));
  CHECK(std::ranges::count(text, '\n') == 4);
}

TEST_CASE("a recording does not follow links or wait for pipes", "[record]") {
  namespace fs = std::filesystem;
  const TestFolder folder;
  const fs::path victim = folder.write("victim", "text");
  const fs::path incremental = folder.path() / "system/incremental";
  const fs::path lock = incremental / ".algo-1.lock";
  const fs::path minute = incremental / "2025091618/1758045600.algo-1.json";
  const fs::path end = folder.path() / "system/training_job_end.ts";
  fs::create_directories(minute.parent_path());
  // Run in another process, so that waiting for a pipe fails the test instead of blocking it.
  const auto attempt = [&](const fs::path& path, auto&& place) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(20);
      Said said;
      record::MetricsWriter writer(folder.path() / "system", "algo-1", said.say());
      if (path == lock) place(path);
      const Failure failure = writer.prepare();
      if (path != lock) place(path);
      const std::vector<record::Sample> samples{{"cpu", "cpu0", "CPUUtilization", 1}};
      if (!failure) writer.write(kStart, samples);
      if (!failure) writer.finish();
      const std::string message = failure ? failure->message() : said.texts.empty() ? "" : said.texts.front();
      const bool named = message.starts_with(path.string() + ": is a link, directory, pipe or device, not a file");
      ::_exit(named && writer.written() == (path == end ? 1 : 0) ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    fs::remove(path);
    return status;
  };
  const auto link = [&](const fs::path& path) { fs::create_symlink(victim, path); };
  const auto broken = [&](const fs::path& path) { fs::create_symlink(folder.path() / "none", path); };
  const auto hard_link = [&](const fs::path& path) { fs::create_hard_link(victim, path); };
  const auto pipe = [](const fs::path& path) { ::mkfifo(path.c_str(), 0600); };
  const auto read_pipe = [](const fs::path& path) {
    ::mkfifo(path.c_str(), 0600);
    static_cast<void>(::open(path.c_str(), O_RDONLY | O_NONBLOCK));
  };
  const auto directory = [](const fs::path& path) { fs::create_directory(path); };
  for (const fs::path& path : {lock, minute, end}) {
    CAPTURE(path);
    CHECK(attempt(path, link) == 0);
    CHECK(attempt(path, broken) == 0);
    CHECK(attempt(path, hard_link) == 0);
    CHECK(attempt(path, pipe) == 0);
    CHECK(attempt(path, read_pipe) == 0);
    CHECK(attempt(path, directory) == 0);
    fs::remove(minute);
  }
  CHECK(read_whole(victim) == "text");
  CHECK(!fs::exists(folder.path() / "none"));
}

TEST_CASE("launchers number the nodes", "[record]") {
  const auto place_of = [](const std::map<std::string, const char*>& variables) {
    return record::launch_place([&](const char* name) {
      const auto found = variables.find(name);
      return found == variables.end() ? nullptr : found->second;
    });
  };
  CHECK(!place_of({}).node);
  CHECK(place_of({{"SM_CURRENT_HOST", "algo-3"}}).node == 2);
  CHECK(!place_of({{"SM_CURRENT_HOST", "localhost"}}).node);
  CHECK(place_of({{"WARPSCOPE_NODE", "algo-2"}, {"SM_CURRENT_HOST", "algo-3"}}).node == 1);
  CHECK(place_of({{"GROUP_RANK", "1"}, {"LOCAL_RANK", "4"}}).node == 1);
  CHECK(place_of({{"GROUP_RANK", "1"}, {"LOCAL_RANK", "4"}}).process_of_node == 4);
  CHECK(place_of({{"SLURM_NODEID", "5"}, {"SLURM_LOCALID", "0"}}).node == 5);
  CHECK(place_of({{"SLURM_NODEID", "5"}, {"SLURM_LOCALID", "0"}}).process_of_node == 0);
  CHECK(place_of({{"OMPI_COMM_WORLD_RANK", "9"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "8"}}).node == 1);
  CHECK(!place_of({{"OMPI_COMM_WORLD_RANK", "9"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "0"}}).node);
  CHECK(!place_of({{"GROUP_RANK", "-1"}, {"SLURM_NODEID", "x"}}).node);
  CHECK(record::node_name("algo-12") == "algo-12");
  CHECK(record::node_name("2") == "algo-2");
  for (const char* bad : {"", "algo-", "algo-0", "node-1", "-3", "algo-1x"}) CHECK(!record::node_name(bad));
}
