// Annotations from programs without a framework, as read by Warpscope.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <fstream>
#include <new>
#include <thread>

#include "core/record/annotations/warpscope_annotations.h"
#include "core/trace/profile.hpp"
#include "tests/catch.hpp"
#include "tests/environment.hpp"
#include "tests/load_profile.hpp"
#include "tests/shared_dir.hpp"
#include "tests/test_folder.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

using Families = std::map<std::string, std::uint64_t>;

std::shared_ptr<const trace::Profile> annotated_profile(const TestFolder& folder) {
  const auto profile = load_profile(folder.path());
  REQUIRE(profile);
  return *profile;
}

/// Annotations of all files in the folder, by family.
Families families_in(const TestFolder& folder) {
  Families all;
  const auto profile = annotated_profile(folder);
  for (const auto& rank : profile->ranks)
    for (const auto& [family, count] : rank->annotations) all[family] += count;
  return all;
}

void annotate(const char* name, int times = 1) {
  for (int i = 0; i < times; ++i) {
    warpscope_annotation_begin(name);
    warpscope_annotation_end();
  }
}

/// Runs `work` in a forked process; returns the status of waitpid.
template <class Work>
int in_fork(const Work& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

std::uint64_t lines_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string block(1 << 20, '\0');
  std::uint64_t lines = 1;
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0)
    lines += static_cast<std::uint64_t>(std::count(block.begin(), block.begin() + file.gcount(), '\n'));
  return lines;
}

void pause_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

}  // namespace

TEST_CASE("annotations of many threads are complete and nested", "[record][threads]") {
  constexpr int kThreads = 8;
  constexpr int kSteps = 3000;
  const TestFolder folder;
  REQUIRE(warpscope_annotations_start(folder.path().c_str()) == 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([] {
      for (int i = 0; i < kSteps; ++i) {
        const warpscope::Annotation step("step_" + std::to_string(i));
        annotate("Forward");
        annotate("Backward");
      }
    });
  for (std::thread& thread : threads) thread.join();
  warpscope_annotations_stop();
  const auto profile = annotated_profile(folder);
  CHECK(profile->diagnostics.all().empty());
  REQUIRE(profile->ranks.size() == 1);
  constexpr std::uint64_t kEach = kThreads * kSteps;
  CHECK(profile->ranks.front()->annotations == Families{{"step", kEach}, {"Forward", kEach}, {"Backward", kEach}});
  CHECK(profile->ranks.front()->tracks.size() == kThreads);
  CHECK(profile->ranks.front()->lanes.size() == 2 * kThreads);  // each has a row for steps and a row for their contents
}

TEST_CASE("annotations have their names and times", "[record]") {
  const TestFolder folder;
  const Variable rank("RANK", "3");
  const Variable ranks("WORLD_SIZE", "4");
  const Variable node("WARPSCOPE_NODE", "algo-2");
  const Variable out("WARPSCOPE_OUT", folder.path().c_str());
  const auto wall = [] {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
  };
  REQUIRE(warpscope_annotations_start(nullptr) == 0);
  const auto began = std::chrono::steady_clock::now();
  const Ns wall_began = wall();
  warpscope_annotation_begin("größe \"1\"\n");
  pause_ms(20);
  warpscope_annotation_end();
  const Ns took = (std::chrono::steady_clock::now() - began).count();
  annotate(std::string(3000, 'x').c_str());
  annotate(("é" + std::string(998, 'x') + "é").c_str());  // the limit is within the last character
  annotate("");
  annotate(nullptr);
  warpscope_annotations_stop();
  const auto profile = annotated_profile(folder);
  REQUIRE(profile->ranks.size() == 1);
  const trace::Rank& one = *profile->ranks.front();
  CHECK(one.number == 3);
  CHECK(one.world_size == 4);
  CHECK(contains(one.source.path, "/algo-2/"));
  CHECK(contains(one.source.path, "-rank3.pt.trace.json"));
  REQUIRE(one.lanes.size() == 1);
  const trace::Lane& lane = one.lanes.front();
  REQUIRE(lane.size() == 5);
  CHECK(profile->names().view(lane.name(0)) == "größe \"1\"\n");
  CHECK(profile->names().view(lane.name(1)) == std::string(1000, 'x'));
  CHECK(profile->names().view(lane.name(2)) == "é" + std::string(998, 'x'));
  CHECK(profile->names().view(lane.name(4)) == "(null)");
  const Ns duration = lane.time().end(0) - lane.time().begin(0);
  CHECK(duration >= 20'000'000);
  CHECK(duration <= took);
  CHECK(std::abs(lane.time().begin(0) - wall_began) < 1'000'000'000);
}

TEST_CASE("unbalanced annotations end with the recording", "[record]") {
  const TestFolder folder;
  annotate("before");
  warpscope_annotations_stop();  // without a start
  warpscope_annotation_begin("before");
  REQUIRE(warpscope_annotations_start(folder.path().c_str()) == 0);
  CHECK(warpscope_annotations_start(folder.path().c_str()) != 0);
  warpscope_annotation_end();  // of the previous one
  warpscope_annotation_end();
  std::thread([] { warpscope_annotation_begin("of a thread that ends"); }).join();
  std::thread waiting([] {
    warpscope_annotation_begin("of another thread");
    pause_ms(100);
    warpscope_annotation_end();
  });
  warpscope_annotation_begin("left open");
  annotate("within");
  pause_ms(50);
  warpscope_annotations_stop();
  warpscope_annotation_end();
  waiting.join();
  CHECK(families_in(folder) ==
        Families{{"of a thread that ends", 1}, {"of another thread", 1}, {"left open", 1}, {"within", 1}});
}

TEST_CASE("each recording has a file", "[record]") {
  const TestFolder folder;
  for (int i = 0; i < 3; ++i) {
    REQUIRE(warpscope_annotations_start(folder.path().c_str()) == 0);
    annotate("a", 10);
    warpscope_annotations_stop();
    annotate("between");
  }
  const auto profile = annotated_profile(folder);
  REQUIRE(profile->ranks.size() == 3);
  for (const auto& rank : profile->ranks) CHECK(rank->number == 0);
  CHECK(profile->diagnostics.count("several-recordings") == 2);
  CHECK(families_in(folder) == Families{{"a", 30}});
}

TEST_CASE("annotations have the time of day, no matter how long creating the file takes", "[record]") {
  const TestFolder folder;
  const auto wall_clock = [] {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
  };
  REQUIRE(warpscope_annotations_start(folder.path().c_str()) == 0);
  const Ns before = wall_clock();
  warpscope_annotation_begin("now");
  warpscope_annotation_end();
  const Ns after = wall_clock();
  warpscope_annotations_stop();
  const auto profile = annotated_profile(folder);
  REQUIRE(profile->ranks.size() == 1);
  // Reading both clocks takes well under 20 µs, creating a file does not.
  CHECK(profile->span.begin >= before - 20'000);
  CHECK(profile->span.end <= after + 20'000);
}

TEST_CASE("annotations survive a fork", "[record]") {
  const TestFolder folder;
  REQUIRE(warpscope_annotations_start(folder.path().c_str()) == 0);
  std::thread other([] { annotate("thread", 50'000); });
  warpscope_annotation_begin("parent");
  for (int i = 0; i < 5; ++i) {
    CHECK(in_fork([&] {
            annotate("child");
            warpscope_annotation_end();
            if (warpscope_annotations_start(folder.path().c_str()) != 0) ::_exit(1);
            annotate("recorded child", 3);
            warpscope_annotations_stop();
          }) == 0);
  }
  warpscope_annotation_end();
  other.join();
  warpscope_annotations_stop();
  CHECK(families_in(folder) == Families{{"parent", 1}, {"thread", 50'000}, {"recorded child", 15}});
  const auto profile = annotated_profile(folder);
  CHECK(profile->diagnostics.all().empty());
  int forked = 0;
  for (const trace::TreeEntry& entry : profile->tree.entries)
    if (entry.kind == trace::TreeKind::process)
      forked += entry.note == "rank 0 · fork of " + std::to_string(::getpid()) ? 1 : 0;
  CHECK(forked == 5);
}

TEST_CASE("a killed program's annotations are readable", "[record]") {
  const TestFolder folder;
  CHECK(in_fork([&] {
          static_cast<void>(warpscope_annotations_start(folder.path().c_str()));
          annotate("early", 1000);
          pause_ms(600);
          ::raise(SIGKILL);
        }) == SIGKILL);
  CHECK(families_in(folder) == Families{{"early", 1000}});
}

TEST_CASE("a killed program loses at most the annotations of the last 200 ms", "[record]") {
  constexpr int kBurst = 800'000;
  constexpr int kLongest = 400;  // ms; twice as long, because the machine may be busy
  using Count = std::atomic<std::uint64_t>;
  void* const shared = ::mmap(nullptr, sizeof(Count), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  REQUIRE(shared != MAP_FAILED);
  Count& made = *new (shared) Count(0);
  for (const bool burst : {true, false}) {
    CAPTURE(burst);
    made = 0;
    const TestFolder folder;
    const pid_t child = ::fork();
    if (child == 0) {
      if (warpscope_annotations_start(folder.path().c_str()) != 0) ::_exit(1);
      for (int i = 0; !burst || i < kBurst; ++i) {
        annotate("a");
        made.store(made.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
      }
      pause_ms(60'000);
    }
    while (burst ? made < kBurst : made == 0) pause_ms(1);
    if (!burst) pause_ms(100);
    const std::uint64_t before = made;
    pause_ms(kLongest);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const auto file = std::filesystem::directory_iterator(folder.path())->path();
    CHECK(lines_of(file) >= before + 3);  // the header, the process and the thread have a line each
  }
  ::munmap(shared, sizeof(Count));
}

TEST_CASE("annotations are not written to a file of the program that has the same descriptor", "[record]") {
  const TestFolder folder;
  const auto own = folder.write("own", "");
  CHECK(in_fork([&] {
          if (::chdir(folder.path().c_str()) != 0 || warpscope_annotations_start("traces") != 0) ::_exit(1);
          if (::chdir("/") != 0) ::_exit(2);
          for (const char* name : {"a", "b", "c"}) {
            annotate(name);
            pause_ms(250);  // it is written
            const int file = ::open(own.c_str(), O_WRONLY | O_APPEND);
            for (int i = 3; i < 100; ++i) ::dup2(file, i);  // as a daemon that closes all descriptors and goes on
          }
          annotate("d");
          warpscope_annotations_stop();
          if (::fcntl(50, F_GETFD) < 0) ::_exit(3);
        }) == 0);
  CHECK(read_whole(own).empty());
  std::filesystem::remove(own);
  CHECK(families_in(folder) == Families{{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}});
}

TEST_CASE("annotations do not follow a link in place of their file", "[record]") {
  const TestFolder folder;
  const auto own = folder.write("own", "");
  CHECK(in_fork([&] {
          if (warpscope_annotations_start((folder.path() / "traces").c_str()) != 0) ::_exit(1);
          const auto file = std::filesystem::directory_iterator(folder.path() / "traces")->path();
          std::filesystem::remove(file);
          std::filesystem::create_symlink(own, file);
          for (int i = 3; i < 100; ++i) ::close(i);
          annotate("a");
          warpscope_annotations_stop();
        }) == 0);
  CHECK(read_whole(own).empty());
}

TEST_CASE("a full disk ends the recording, not the program", "[record]") {
  const TestFolder folder;
  CHECK(in_fork([&] {
          std::signal(SIGXFSZ, SIG_IGN);
          const rlimit small{100'000, 100'000};
          ::setrlimit(RLIMIT_FSIZE, &small);
          static_cast<void>(warpscope_annotations_start(folder.path().c_str()));
          annotate("a", 100);
          pause_ms(300);
          annotate("a", 5000);
          pause_ms(300);
          annotate("a", 5000);
          warpscope_annotations_stop();
        }) == 0);
  const Families kept = families_in(folder);  // earlier events, and as many as fit
  CHECK(kept.at("a") > 100);
  CHECK(kept.at("a") < 5000);
}

TEST_CASE("annotations report a folder that cannot be written", "[record]") {
  const TestFolder folder;
  const std::string file = folder.write("file", "");
  CHECK(warpscope_annotations_start(file.c_str()) == ENOTDIR);
  CHECK(warpscope_annotations_start((file + "/below").c_str()) == ENOTDIR);
  CHECK(warpscope_annotations_start(std::string(5000, 'x').c_str()) == ENAMETOOLONG);
  annotate("a");
}

TEST_CASE("the annotation header is valid C", "[record]") {
  if (contains(output_of("cc --version 2>/dev/null"), "failed")) {
    WARN("no C compiler: the header is not compiled");
    return;
  }
  const TestFolder folder;
  const std::string header = (source_dir() / "core/record/annotations/warpscope_annotations.h").string();
  const auto source = folder.write("a.c", "#include \"" + header + "\"\nint main(void) { return 0; }\n");
  CHECK(output_of("cc -std=c89 -pedantic -Wall -Werror -fsyntax-only " + source.string() + " 2>&1").empty());
}
