// The store folder shared by several instances, some of which are killed.
#include "core/store/cache.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <set>

#include "core/base/format.hpp"
#include "core/store/draft.hpp"
#include "tests/catch.hpp"
#include "tests/test_folder.hpp"

using namespace warpscope;
using namespace warpscope::store;
using warpscope::tests::TestFolder;
namespace fs = std::filesystem;

namespace {

/// A store of `bytes` bytes that was last used `minutes` ago.
fs::path put(const fs::path& folder, const std::string& name, std::size_t bytes, int minutes) {
  fs::create_directories(folder);
  const fs::path file = folder / name;
  std::ofstream(file) << std::string(bytes, 'x');
  fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::minutes(minutes));
  return file;
}

std::set<std::string> names(const fs::path& folder) {
  std::set<std::string> found;
  for (const auto& entry : fs::directory_iterator(folder)) found.insert(entry.path().filename().string());
  return found;
}

using Names = std::set<std::string>;

/// A separate process that starts to write the store `file` and then does nothing until it is killed.
pid_t start_writer(const fs::path& file) {
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    // Same as in the store writer.
    const fs::path draft = file.string() + ".tmp-" + std::to_string(::getpid());
    std::ofstream(draft) << "half a store";
    const auto lock = locked_file(draft);
    const char done = 1;
    static_cast<void>(!::write(ready[1], &done, 1));
    for (;;) ::pause();
  }
  char done = 0;
  REQUIRE(::read(ready[0], &done, 1) == 1);
  ::close(ready[0]);
  ::close(ready[1]);
  return child;
}

}  // namespace

TEST_CASE("each path has one location, independent of its spelling") {
  const TestFolder folder;
  const Cache cache(folder.path() / "stores");
  const fs::path runs = folder.path() / "runs" / "llama 70b";
  fs::create_directories(runs);
  const fs::path place = cache.place_of(runs);
  CHECK(place.parent_path() == cache.folder());
  CHECK(place.filename().string().starts_with("llama_70b-"));
  CHECK(place.extension() == ".wscope");
  CHECK(cache.place_of(runs / "") == place);
  CHECK(cache.place_of(runs / ".." / "llama 70b") == place);
  fs::create_directory_symlink(runs, folder.path() / "latest");
  CHECK(cache.place_of(folder.path() / "latest") == place);

  CHECK(cache.place_of(folder.path() / "runs" / "llama_70b") != place);
  CHECK(cache.place_of("/").filename().string().starts_with("root-"));
  CHECK(cache.place_of(folder.path() / ".hidden").filename().string().starts_with("_hidden-"));
  CHECK(cache.place_of(folder.path() / std::string(200, 'n')).filename().string().size() < 100);
  std::set<fs::path> places;
  for (int i = 0; i < 1000; ++i) places.insert(cache.place_of("/runs/" + std::to_string(i) + "/traces"));
  CHECK(places.size() == 1000);
}

TEST_CASE("a missing folder for stores is reported") {
  const Cache homeless{fs::path()};
  CHECK(homeless.place_of("/runs").empty());
  const Failure none = homeless.make_room(1);
  REQUIRE(none);
  CHECK(none->what.find("XDG_CACHE_HOME") != std::string::npos);
  homeless.tidy();

  const TestFolder folder;
  std::ofstream(folder.path() / "file") << "no folder";
  const Cache blocked(folder.path() / "file" / "stores");
  CHECK(blocked.make_room(1));

  const Cache vast(folder.path() / "vast", ~std::uint64_t{0});
  const Failure full = vast.make_room(std::uint64_t{1} << 60);
  REQUIRE(full);
  CHECK(full->what.find("disk") != std::string::npos);
}

TEST_CASE("old stores are removed before a new one is written") {
  const TestFolder folder;
  const Cache cache(folder.path(), 1000);
  put(folder.path(), "a.wscope", 400, 2);
  put(folder.path(), "b.wscope", 400, 1);
  REQUIRE_FALSE(cache.make_room(200));
  CHECK(names(folder.path()) == Names{"a.wscope", "b.wscope"});
  REQUIRE_FALSE(cache.make_room(300));
  CHECK(names(folder.path()) == Names{"b.wscope"});
}

TEST_CASE("an estimate above the limit removes no stores and does not refuse") {
  const TestFolder folder;
  const Cache cache(folder.path(), 1000);
  put(folder.path(), "a.wscope", 400, 2);
  CHECK_FALSE(cache.make_room(1001));
  CHECK(names(folder.path()) == Names{"a.wscope"});
}

TEST_CASE("above the limit, the least recently used stores are removed first") {
  const TestFolder folder;
  const Cache cache(folder.path(), 1000);
  put(folder.path(), "a.wscope", 300, 40);
  put(folder.path(), "b.wscope", 300, 30);
  put(folder.path(), "c.wscope", 300, 20);
  put(folder.path(), "notes.txt", 5000, 90);  // not a store
  cache.tidy();
  CHECK(names(folder.path()) == Names{"a.wscope", "b.wscope", "c.wscope", "notes.txt"});

  put(folder.path(), "d.wscope", 400, 0);
  mark_used(folder.path() / "a.wscope");
  cache.tidy();
  CHECK(names(folder.path()) == Names{"a.wscope", "c.wscope", "d.wscope", "notes.txt"});
}

TEST_CASE("copies of remote stores count with what was fetched of them") {
  const TestFolder folder;
  const Cache cache(folder.path(), 100'000);
  const fs::path copy = cache.place_of_copy("/far/job.wscope", 1'000'000, 7);
  CHECK(copy != cache.place_of_copy("/far/job.wscope", 1'000'000, 8));
  std::ofstream(copy) << std::string(20'000, 'x');
  fs::resize_file(copy, 1'000'000);
  put(folder.path(), "a.wscope", 70'000, 10);
  cache.tidy();
  CHECK(fs::exists(copy));
  fs::last_write_time(copy, fs::file_time_type::clock::now() - std::chrono::minutes(20));
  put(folder.path(), "b.wscope", 70'000, 5);
  cache.tidy();
  CHECK(names(folder.path()) == Names{"b.wscope"});
}

TEST_CASE("files of killed processes are removed, those of running ones are not") {
  const TestFolder folder;
  const Cache cache(folder.path());
  const fs::path place = cache.place_of("/runs");
  const pid_t killed = start_writer(place);
  const pid_t living = start_writer(place);
  CHECK(names(folder.path()).size() == 2);
  cache.tidy();
  CHECK(names(folder.path()).size() == 2);

  ::kill(killed, SIGKILL);
  ::waitpid(killed, nullptr, 0);
  cache.tidy();
  const Names left = names(folder.path());
  REQUIRE(left.size() == 1);
  CHECK(left.begin()->find(".tmp-" + std::to_string(living)) != std::string::npos);
  ::kill(living, SIGKILL);
  ::waitpid(living, nullptr, 0);
}

TEST_CASE("a folder removed by others is created again") {
  const TestFolder folder;
  const Cache cache(folder.path());
  fs::remove_all(folder.path());
  cache.tidy();
  CHECK_FALSE(cache.make_room(1));
  CHECK(fs::is_directory(folder.path()));
}
