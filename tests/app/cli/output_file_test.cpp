// Output file names as passed by a shell: relative to the working directory.
#include "app/cli/output_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "core/ingest/bytes/converted_profile.hpp"
#include "core/store/draft.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/catch.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

/// Changes the working directory during its lifetime.
class Inside {
 public:
  explicit Inside(const fs::path& folder) { fs::current_path(folder); }
  ~Inside() { fs::current_path(before_); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  fs::path before_ = fs::current_path();
};

/// A set of traces, and an empty folder containing a folder "sub". The test runs in this folder.
struct Elsewhere {
  TestFolder traces;
  TestFolder folder;
  std::string path = small_set(traces);
  Inside inside{folder.path()};
  Elsewhere() { fs::create_directory("sub"); }
};

}  // namespace

TEST_CASE("convert writes to a file name without a folder", "[cli]") {
  const Elsewhere at;
  for (const char* const name : {"job.wscope", "job.wscope", "./here.wscope", "sub/job.wscope", "sub/../up.wscope"}) {
    INFO(name);
    const Outcome outcome = run({"convert", at.path, "--out", name, "--no-store"});
    CHECK(outcome.status == cli::kDone);
    CHECK(ingest::is_store((at.folder.path() / name).string()));
  }
}

TEST_CASE("convert writes to the target of a symbolic link without a folder", "[cli]") {
  const Elsewhere at;
  fs::create_symlink("sub/new.wscope", "first.wscope");
  fs::create_symlink("first.wscope", "second.wscope");
  for (int i = 0; i < 2; ++i) {  // first creates the file, then replaces it
    REQUIRE(run({"convert", at.path, "--out", "second.wscope", "--no-store"}).status == cli::kDone);
    CHECK(fs::is_symlink("second.wscope"));
    CHECK(fs::is_symlink("first.wscope"));
    CHECK(ingest::is_store("sub/new.wscope"));
  }
}

TEST_CASE("an invalid file name exits with 4 before loading", "[cli]") {
  const TestFolder folder;
  const Inside inside(folder.path());
  // A name of 250 bytes is valid, but the name of its temporary file is too long.
  for (const char* const command : {"convert", "counters"}) {
    INFO(command);
    for (const std::size_t length : {250u, 300u}) {
      const std::string name(length, 'x');
      const Outcome outcome = run({command, "no such traces", "--out", name});
      CHECK(outcome.status == cli::kNotWritten);
      CHECK(outcome.err == "warpscope: " + name +
                               ": cannot be written: the path is too long; choose a shorter "
                               "name\n");
    }
    const Outcome nowhere = run({command, "no such traces", "--out", "none/job.json"});
    CHECK(nowhere.status == cli::kNotWritten);
    CHECK(nowhere.err ==
          "warpscope: none/job.json: its folder does not exist; create it first or choose another folder\n");
  }
  CHECK_FALSE(cli::unreachable_output("job.wscope"));
  CHECK_FALSE(cli::unreachable_output("folder/"));
  CHECK(cli::unreachable_output("none/job.wscope"));
  CHECK_FALSE(cli::unreachable_output(""));
}

TEST_CASE("convert removes temporary files of killed processes for its output file, and nothing else", "[cli]") {
  const Elsewhere at;
  const std::vector<std::string> others{"other.wscope.tmp-a1B2c3", "job.wscope.json"};
  for (const std::string& other : others) std::ofstream(other) << "text";
  std::ofstream("job.wscope.tmp-a1B2c3");
  std::ofstream("job.wscope.tmp-d4E5f6");
  const auto writing = store::locked_file("job.wscope.tmp-d4E5f6");
  REQUIRE(writing);
  REQUIRE(run({"convert", at.path, "--out", "job.wscope", "--no-store"}).status == cli::kDone);
  CHECK_FALSE(fs::exists("job.wscope.tmp-a1B2c3"));
  CHECK(fs::exists("job.wscope.tmp-d4E5f6"));
  for (const std::string& other : others) CHECK(fs::exists(other));
}

TEST_CASE("a write-protected converted profile is not replaced", "[cli]") {
  const Elsewhere at;
  REQUIRE(run({"convert", at.path, "--out", "job.wscope", "--no-store"}).status == cli::kDone);
  const auto written = fs::last_write_time("job.wscope");
  fs::permissions("job.wscope", fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
  const Outcome refused = run({"convert", at.path, "--out", "job.wscope", "--no-store"});
  CHECK(refused.status == cli::kNotWritten);
  CHECK(refused.err == "warpscope: job.wscope: is write-protected; make it writable first or choose another file\n");
  CHECK(fs::last_write_time("job.wscope") == written);
}

TEST_CASE("write errors are the same for a bare file name and a path", "[cli]") {
  const TestFolder folder;
  const Inside inside(folder.path());
  std::ofstream("notes.txt") << "notes";
  fs::create_directory("sub");
  fs::create_symlink("loop", "loop");
  CHECK(cli::output_file("job.wscope").ok());
  CHECK(cli::output_file("none/job.wscope").error().what == "its folder does not exist");
  CHECK(cli::output_file("notes.txt").error().what == "already exists and is not a converted profile");
  CHECK(cli::output_file("sub").error().what == "is a directory");
  CHECK(cli::output_file("loop").error().what == "is a broken symbolic link");
  int pipe[2];
  REQUIRE(::pipe(pipe) == 0);
  CHECK(cli::output_file("/proc/self/fd/" + std::to_string(pipe[1])).error().what ==
        "is a device, pipe or socket, not a file");
  ::close(pipe[0]);
  ::close(pipe[1]);
  CHECK(cli::output_file("").error().what == "needs a file name");
}

namespace {

/// Changes step by step into a folder below `folder` whose path is longer than the system allows.
void go_too_deep(const fs::path& folder) {
  fs::current_path(folder);
  const std::string name(200, 'd');
  for (int i = 0; i < 25; ++i) {
    REQUIRE(::mkdir(name.c_str(), 0700) == 0);
    REQUIRE(::chdir(name.c_str()) == 0);
  }
}

}  // namespace

TEST_CASE("a folder with a path longer than PATH_MAX is reported, and the traces next to it are read") {
  const TestFolder folder;
  const std::string path = small_set(folder);
  {
    const Inside inside(folder.path());
    go_too_deep(folder.path());
    std::ofstream("deep.json") << "{}";
  }
  const Outcome info = run({"info", path, "--json"});
  CHECK(info.status == cli::kDone);
  CHECK(contains(info.out, "contains a path longer than the system allows (4096 bytes)"));

  const TestFolder nothing_else;
  {
    const Inside inside(nothing_else.path());
    go_too_deep(nothing_else.path());
  }
  const Outcome empty = run({"info", nothing_else.path().string()});
  CHECK(empty.status == cli::kNothingRead);
  CHECK(contains(empty.err, "contains a path longer than the system allows (4096 bytes)"));
}

TEST_CASE("writing to a folder with a path longer than PATH_MAX exits with 4") {
  const TestFolder traces;
  const std::string path = small_set(traces);
  const TestFolder folder;
  const Inside inside(folder.path());
  go_too_deep(folder.path());
  for (const auto& [command, option] : {std::pair("convert", "--out"), std::pair("counters", "--out"),
                                        std::pair("report", "--html"), std::pair("snapshot", "--out")}) {
    INFO(command);
    const Outcome outcome = run({command, path, option, "new"});
    CHECK(outcome.status == cli::kNotWritten);
    CHECK(contains(outcome.err, "new: cannot be written: its full path is longer than the system allows"));
  }
}
