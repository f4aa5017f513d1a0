// A directory that a job still writes into, as the loader follows it.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <random>

#include "tests/core/ingest/loader_support.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

ingest::LoadOptions watching() {
  ingest::LoadOptions options;
  options.threads = 2;
  options.watch = true;
  return options;
}

std::string rank_text(int rank, int events) {
  std::string text;
  for (int i = 0; i < events; ++i)
    text += (i ? "," : "") + std::string(R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":)") +
            std::to_string(i * 10) + R"(,"dur":5,"args":{"device":0,"stream":7}})";
  return trace_of(text, R"("distributedInfo":{"rank":)" + std::to_string(rank) + "}");
}

std::uint64_t slices(const ingest::Loader& loader) {
  const auto profile = loader.profile();
  std::uint64_t count = 0;
  if (!profile) return count;
  for (const auto& rank : profile->ranks) count += rank->counts.slices;
  return count;
}

std::uint64_t noted(const ingest::Loader& loader, std::string_view code) {
  const auto profile = loader.profile();
  return profile ? profile->diagnostics.count(code) : 0;
}

}  // namespace

TEST_CASE("new ranks are taken in, growing ones as far as they go, and completed") {
  const TestFolder folder;
  folder.write("rank0.json", rank_text(0, 10));
  ingest::Loader loader(folder.path().string(), watching());
  loader.wait();
  CHECK(slices(loader) == 10);
  CHECK(loader.status().watching);

  const std::string text = rank_text(1, 1000);
  folder.write("rank1.json", text.substr(0, text.size() / 2));
  REQUIRE(comes_true([&] { return slices(loader) > 400; }));
  CHECK(slices(loader) < 600);
  REQUIRE(comes_true([&] { return noted(loader, "still-written") == 1 || noted(loader, "truncated") == 1; }));

  std::ofstream(folder.path() / "rank1.json", std::ios::app) << text.substr(text.size() / 2);
  REQUIRE(comes_true([&] { return slices(loader) == 1010 && noted(loader, "still-written") == 0; }));
  REQUIRE(comes_true([&] { return loader.profile()->complete; }));
  CHECK(noted(loader, "truncated") == 0);
  CHECK(loader.profile()->ranks.size() == 2);
}

TEST_CASE("a file that gets its final name, is replaced, or goes") {
  const TestFolder folder;
  folder.write("rank0.json", rank_text(0, 10));
  folder.write("rank1.json.tmp", rank_text(1, 20));
  ingest::Loader loader(folder.path().string(), watching());
  loader.wait();
  CHECK(slices(loader) == 30);

  fs::rename(folder.path() / "rank1.json.tmp", folder.path() / "rank1.json");
  REQUIRE(comes_true([&] {
    const auto profile = loader.profile();
    return profile->ranks.size() == 2 && profile->ranks[1]->source.path.ends_with("rank1.json");
  }));
  CHECK(noted(loader, "duplicate-rank") == 0);

  fs::rename(folder.write("new", rank_text(1, 40)), folder.path() / "rank1.json");
  REQUIRE(comes_true([&] { return slices(loader) == 50; }));
  fs::remove(folder.path() / "rank0.json");
  REQUIRE(comes_true([&] { return noted(loader, "source-vanished") == 1; }));
  CHECK(slices(loader) == 50);  // what is loaded stays
}

TEST_CASE("a directory that goes away is said, and looked for until it is back") {
  const TestFolder folder;
  const fs::path runs = folder.path() / "runs";
  folder.write("runs/rank0.json", rank_text(0, 10));
  ingest::Loader loader(runs.string(), watching());
  loader.wait();
  fs::rename(runs, folder.path() / "away");
  REQUIRE(comes_true([&] { return noted(loader, "directory-away") == 1; }));
  CHECK(slices(loader) == 10);
  folder.write("away/rank1.json", rank_text(1, 5));
  fs::rename(folder.path() / "away", runs);
  REQUIRE(comes_true([&] { return slices(loader) == 15; }));
  CHECK(noted(loader, "directory-away") == 0);
}

TEST_CASE("what is not there yet, or has no trace yet, is waited for") {
  const TestFolder folder;
  const fs::path runs = folder.path() / "runs";
  ingest::Loader loader(runs.string(), watching());
  loader.wait();
  CHECK(loader.status().watching);
  CHECK(loader.status().away);
  REQUIRE(loader.failure());
  CHECK(loader.failure()->what == "there is no such file or directory");

  fs::create_directory(runs);
  REQUIRE(comes_true([&] { return !loader.status().away; }));
  REQUIRE(comes_true([&] { return loader.failure() && loader.failure()->what == "there is no trace in it"; }));

  folder.write("runs/rank0.json", rank_text(0, 10));
  REQUIRE(comes_true([&] { return slices(loader) == 10; }));
  CHECK_FALSE(loader.failure());
}

TEST_CASE("a file without a trace says why, also while it is watched") {
  const TestFolder folder;
  folder.write("other.json", R"({"a": 1})");
  ingest::Loader loader(folder.path().string(), watching());
  loader.wait();
  REQUIRE(loader.status().files.size() == 1);
  CHECK(loader.status().files[0].state == ingest::FileState::passed_over);
  CHECK_FALSE(loader.status().files[0].why.empty());
  folder.write("rank0.json", rank_text(0, 10));
  REQUIRE(comes_true([&] { return slices(loader) == 10; }));
  CHECK(loader.status().files[0].state == ingest::FileState::passed_over);
}

TEST_CASE("watching begins and ends when it is told to") {
  const TestFolder folder;
  folder.write("rank0.json", rank_text(0, 10));
  ingest::Loader loader(folder.path().string());
  loader.wait();
  folder.write("rank1.json", rank_text(1, 10));
  CHECK_FALSE(loader.status().watching);
  loader.watch(true);
  REQUIRE(comes_true([&] { return slices(loader) == 20; }));
  loader.cancel();
  CHECK_FALSE(loader.status().watching);
  CHECK_FALSE(loader.status().cancelled);  // the load itself was over
  loader.watch(true);
  folder.write("rank2.json", rank_text(2, 10));
  REQUIRE(comes_true([&] { return slices(loader) == 30; }));
}

TEST_CASE("a writer that is killed in the middle leaves a directory that loads right") {
  for (int round = 0; round < 4; ++round) {
    const TestFolder folder;
    const std::string text = rank_text(1, 50'000);
    folder.write("rank0.json", rank_text(0, 10));
    ingest::Loader loader(folder.path().string(), watching());
    const pid_t writer = ::fork();
    REQUIRE(writer >= 0);
    if (writer == 0) {
      std::ofstream out(folder.path() / "rank1.json");
      for (std::size_t at = 0; at < text.size(); at += 4096) out << text.substr(at, 4096) << std::flush;
      for (;;) ::pause();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2 * round));
    ::kill(writer, SIGKILL);
    ::waitpid(writer, nullptr, 0);
    loader.wait();
    const auto truth = load(folder.path());
    REQUIRE(comes_true([&] { return difference(*truth, *loader.profile()).empty(); }));
    REQUIRE(comes_true([&] { return loader.profile()->complete && noted(loader, "still-written") == 0; }));
  }
}

TEST_CASE("a program that is killed while it watches and keeps leaves the next start right") {
  constexpr int kAtOnce = 10;
  constexpr int kSteps = 100;
  std::mt19937_64 random(5);
  int kept = 0;
  for (int round = 0; round < 5; ++round) {
    struct Job {
      TestFolder folder;
      pid_t child = 0;
      int killed_at = 0;
      [[nodiscard]] fs::path traces() const { return folder.path() / "traces"; }
      [[nodiscard]] fs::path file() const { return traces() / "rank1.json"; }
      [[nodiscard]] ingest::LoadOptions options() const {
        ingest::LoadOptions options = watching();
        options.store.folder = folder.path() / "stores";
        return options;
      }
    };
    const std::string text = rank_text(1, 2000);
    std::vector<Job> jobs(kAtOnce);
    for (Job& job : jobs) {
      fs::create_directory(job.traces());
      std::ofstream(job.traces() / "rank0.json") << rank_text(0, 2000);
      job.killed_at = static_cast<int>(random() % kSteps);
      job.child = ::fork();
      REQUIRE(job.child >= 0);
      if (job.child != 0) continue;
      ingest::LoadOptions options = job.options();
      options.store.keep = true;
      const ingest::Loader loader(job.traces().string(), options);
      for (;;) ::pause();
    }
    // The first half of the time the file grows, then it is at rest.
    for (int step = 0; step < kSteps; ++step) {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      const std::size_t piece = text.size() / (kSteps / 2) + 1;
      for (const Job& job : jobs) {
        if (piece * static_cast<std::size_t>(step) < text.size())
          std::ofstream(job.file(), std::ios::app) << text.substr(piece * static_cast<std::size_t>(step), piece);
        if (job.killed_at != step) continue;
        ::kill(job.child, SIGKILL);
        ::waitpid(job.child, nullptr, 0);
      }
    }
    for (const Job& job : jobs) {
      ingest::LoadOptions options = job.options();
      options.watch = false;
      ingest::Loader loader(job.traces().string(), options);
      loader.wait();
      REQUIRE(loader.profile());
      CHECK(loader.profile()->diagnostics.count("store-damaged") == 0);
      CHECK(slices(loader) == 4000);
      CHECK(difference(*load(job.traces()), *loader.profile()).empty());
      kept += from_store(loader.status()) > 0 ? 1 : 0;
    }
  }
  if (kept == 0) WARN("all were killed before anything was kept");
}
