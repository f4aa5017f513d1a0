// The loader follows a directory while a job writes to it.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <random>

#include "tests/core/ingest/loader_support.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/sanitized.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

ingest::LoadOptions watching() {
  ingest::LoadOptions options;
  options.threads = 2;
  options.watch = true;
  options.look_every = std::chrono::milliseconds(50);
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

TEST_CASE("new ranks load, and growing ones are shown in part and completed later", "[threads]") {
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
  REQUIRE(comes_true([&] { return noted(loader, "still-written") == 0 && noted(loader, "truncated") == 1; }));
  CHECK(loader.status().files[1].unfinished);  // no longer growing, but its end is still missing
  CHECK_FALSE(loader.status().files[1].growing);
  CHECK_FALSE(loader.profile()->complete);

  std::ofstream(folder.path() / "rank1.json", std::ios::app) << text.substr(text.size() / 2);
  REQUIRE(comes_true([&] { return slices(loader) == 1010 && noted(loader, "still-written") == 0; }));
  REQUIRE(comes_true([&] { return loader.profile()->complete; }));
  CHECK(noted(loader, "truncated") == 0);
  CHECK_FALSE(loader.status().files[1].unfinished);
  CHECK(loader.profile()->ranks.size() == 2);
}

TEST_CASE("a watched file is renamed, replaced or removed", "[threads]") {
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
  CHECK(slices(loader) == 50);  // loaded data stays
}

TEST_CASE("a removed directory is reported and awaited", "[threads]") {
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

TEST_CASE("missing directories and directories without traces are awaited", "[threads]") {
  const TestFolder folder;
  const fs::path runs = folder.path() / "runs";
  ingest::Loader loader(runs.string(), watching());
  loader.wait();
  CHECK(loader.status().watching);
  CHECK(loader.status().away);
  REQUIRE(loader.failure());
  CHECK(loader.failure()->what == "no such file or directory");

  fs::create_directory(runs);
  REQUIRE(comes_true([&] { return !loader.status().away; }));
  REQUIRE(comes_true([&] { return loader.failure() && loader.failure()->what == "no traces found"; }));

  folder.write("runs/rank0.json", rank_text(0, 10));
  REQUIRE(comes_true([&] { return slices(loader) == 10; }));
  CHECK_FALSE(loader.failure());
}

TEST_CASE("a file without a trace has an error, also while watched") {
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

TEST_CASE("watching starts and stops on request", "[threads]") {
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
  CHECK_FALSE(loader.status().cancelled);  // the load itself had ended
  loader.watch(true);
  folder.write("rank2.json", rank_text(2, 10));
  REQUIRE(comes_true([&] { return slices(loader) == 30; }));
}

TEST_CASE("a directory loads correctly after its writer was killed") {
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
    REQUIRE(comes_true([&] { return noted(loader, "still-written") == 0; }));
    REQUIRE(comes_true([&] { return loader.profile()->complete == (noted(loader, "truncated") == 0); }));
  }
}

TEST_CASE("a store of a watched directory is saved only after a pause in changes", "[threads]") {
  for (const std::chrono::milliseconds rest : {std::chrono::milliseconds(50), std::chrono::milliseconds(3'600'000)}) {
    const TestFolder folder;
    const fs::path traces = folder.path() / "traces";
    fs::create_directory(traces);
    std::ofstream(traces / "rank0.json") << rank_text(0, 10);
    ingest::LoadOptions options = watching();
    options.store.folder = folder.path() / "stores";
    options.store.keep = true;
    options.store.rest = rest;
    ingest::Loader loader(traces.string(), options);
    loader.wait();
    std::ofstream(traces / "rank1.json") << rank_text(1, 15'000);
    REQUIRE(comes_true([&] { return slices(loader) == 15'010 && loader.profile()->complete; }));
    const fs::path store = store::Cache(options.store.folder).place_of(traces);
    if (rest < std::chrono::seconds(1)) {
      CHECK(comes_true([&] { return fs::exists(store); }));
      continue;
    }
    std::this_thread::sleep_for(10 * options.look_every);
    CHECK_FALSE(loader.status().keeping);
    CHECK_FALSE(fs::exists(store));
  }
}

namespace {

/// A program that watches its own directory and saves a store of it until killed.
struct WatchingProgram {
  TestFolder folder;
  pid_t child = 0;
  KillWhen when{};
  int at_step = 0;
  bool killed = false;

  [[nodiscard]] fs::path traces() const { return folder.path() / "traces"; }
  [[nodiscard]] fs::path file() const { return traces() / "rank1.json"; }
  [[nodiscard]] fs::path stores() const { return folder.path() / "stores"; }
  [[nodiscard]] fs::path store() const { return store::Cache(stores()).place_of(traces()); }
  [[nodiscard]] ingest::LoadOptions options() const {
    ingest::LoadOptions options = watching();
    options.store.folder = stores();
    options.store.rest = std::chrono::milliseconds(200);
    return options;
  }

  void start() {
    child = ::fork();
    REQUIRE(child >= 0);
    if (child != 0) return;
    ingest::LoadOptions with_stores = options();
    with_stores.store.keep = true;
    const ingest::Loader loader(traces().string(), with_stores);
    for (;;) ::pause();
  }
  void kill_if_due(int step) {
    const bool due = when == KillWhen::at_random ? step >= at_step
                     // Writing may end between two checks; the program is then killed like those that wait for the end.
                     : when == KillWhen::while_it_writes ? !drafts_in(stores()).empty() || fs::exists(store())
                                                         : fs::exists(store());
    if (killed || !due) return;
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    killed = true;
  }
};

}  // namespace

TEST_CASE("the next start is correct after a program was killed watching and saving") {
  constexpr int kAtOnce = 6;
  constexpr int kSteps = 100;
  constexpr int kEvents = 6000;
  constexpr int kRounds = 1;
  std::mt19937_64 random(5);
  int while_writing = 0;
  int kept = 0;
  for (int round = 0; round < kRounds; ++round) {
    const std::string text = rank_text(1, kEvents);
    std::vector<WatchingProgram> programs(kAtOnce);
    for (int i = 0; i < kAtOnce; ++i) {
      WatchingProgram& program = programs[static_cast<std::size_t>(i)];
      program.when = kill_when(i);
      program.at_step = static_cast<int>(random() % kSteps);
      fs::create_directory(program.traces());
      std::ofstream(program.traces() / "rank0.json") << rank_text(0, kEvents);
      program.start();
    }
    // The file grows, then stays unchanged.
    constexpr std::size_t kPieces = kSteps / 2;
    const std::size_t piece = text.size() / kPieces + 1;
    const auto all_killed = [&] { return std::ranges::all_of(programs, &WatchingProgram::killed); };
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    auto next = std::chrono::steady_clock::now();
    for (int step = 0; !all_killed() && std::chrono::steady_clock::now() < end; ++step) {
      const std::size_t at = piece * static_cast<std::size_t>(step);
      for (const WatchingProgram& program : programs)
        if (at < text.size()) std::ofstream(program.file(), std::ios::app) << text.substr(at, piece);
      for (next += std::chrono::milliseconds(20); std::chrono::steady_clock::now() < next;) {
        for (WatchingProgram& program : programs) program.kill_if_due(step);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
    CHECK(all_killed());
    for (WatchingProgram& program : programs) {
      program.when = KillWhen::at_random;
      program.kill_if_due(program.at_step);
      while_writing += drafts_in(program.stores()).empty() ? 0 : 1;
      if (const std::uintmax_t size = fs::file_size(program.file()); size < text.size())
        std::ofstream(program.file(), std::ios::app) << text.substr(size);
      ingest::LoadOptions options = program.options();
      options.watch = false;
      ingest::Loader loader(program.traces().string(), options);
      loader.wait();
      REQUIRE(loader.profile());
      CHECK(loader.profile()->diagnostics.count("store-damaged") == 0);
      CHECK(slices(loader) == 2 * kEvents);
      CHECK(difference(*load(program.traces()), *loader.profile()).empty());
      kept += from_store(loader.status()) > 0 ? 1 : 0;
    }
  }
  CHECK(while_writing > 0);
  CHECK(kept > 0);
}
