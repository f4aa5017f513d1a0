// Changes reported for a watched directory.
#include "core/ingest/listing/directory_watch.hpp"

#include <algorithm>
#include <filesystem>

#include "tests/catch.hpp"
#include "tests/test_folder.hpp"

using namespace warpscope;
using namespace warpscope::ingest;
using warpscope::tests::TestFolder;
namespace fs = std::filesystem;

namespace {

trace::SourceFile file(std::string path, std::uint64_t size, std::uint64_t inode, std::int64_t modified = 100) {
  trace::SourceFile source;
  source.path = std::move(path);
  source.size = size;
  source.inode = inode;
  source.modified_ns = modified;
  return source;
}

/// Returns the changes as text ("appeared a.json"), in the given order, for readable comparisons.
std::vector<std::string> words(const std::vector<SourceChange>& changes) {
  std::vector<std::string> found;
  for (const SourceChange& change : changes) {
    constexpr std::string_view kKinds[] = {"appeared", "changed", "settled", "moved", "vanished"};
    std::string line(kKinds[static_cast<std::size_t>(change.kind)]);
    line += " " + fs::path(change.source.path).filename().string();
    if (!change.before.empty()) line += " from " + fs::path(change.before).filename().string();
    found.push_back(line);
  }
  return found;
}

using Changes = std::vector<std::string>;

Changes look(DirectoryWatch& watch) {
  const auto changes = watch.look();
  REQUIRE(changes);
  return words(*changes);
}

constexpr std::string_view kWatchedTrace = R"({"traceEvents": [{"ph":"X","name":"k","pid":1,"tid":1,"ts":1,"dur":1}]})";

}  // namespace

TEST_CASE("two scans differ by added, changed, moved and removed files") {
  const std::vector<trace::SourceFile> before{file("a", 10, 1), file("b", 10, 2), file("c", 10, 3), file("d", 10, 4),
                                              file("e", 10, 5)};
  const std::vector<trace::SourceFile> now{file("a", 10, 1),     file("b", 11, 2, 101), file("c", 10, 30),
                                           file("d", 10, 4, 99), file("f", 10, 5),      file("g", 1, 6)};
  CHECK(words(changes_between(before, now)) ==
        Changes{"changed b", "changed c", "changed d", "moved f from e", "appeared g"});
  CHECK(words(changes_between(now, before)) ==
        Changes{"changed b", "changed c", "changed d", "moved e from f", "vanished g"});
  CHECK(changes_between(now, now).empty());
  CHECK(words(changes_between(before, {})).size() == 5);
  CHECK(words(changes_between({}, before)).front() == "appeared a");
}

TEST_CASE("a reused inode is not a move, and a file moves to one place only") {
  CHECK(words(changes_between({file("old", 100, 7)}, {file("new", 5, 7)})) == Changes{"appeared new", "vanished old"});
  CHECK(words(changes_between({file("old", 100, 7)}, {file("new", 100, 7, 50)})) ==
        Changes{"appeared new", "vanished old"});
  CHECK(words(changes_between({file("t.tmp", 100, 7)}, {file("t", 120, 7, 200), file("t2", 120, 7, 200)})) ==
        Changes{"moved t from t.tmp", "appeared t2"});
}

TEST_CASE("a file is growing until two scans see it unchanged") {
  const TestFolder folder;
  folder.write("rank0.json", kWatchedTrace);
  auto known = discover(folder.path());
  REQUIRE(known);
  DirectoryWatch watch(folder.path(), *known);
  const std::string rank0 = (folder.path() / "rank0.json").string();
  const std::string rank1 = (folder.path() / "sub" / "rank1.json").string();
  CHECK(watch.growing(rank0));  // it may have been written to while it was read
  CHECK(look(watch) == Changes{"settled rank0.json"});
  CHECK(look(watch).empty());

  folder.write("sub/rank1.json", kWatchedTrace.substr(0, 30));
  CHECK(look(watch) == Changes{"appeared rank1.json"});
  CHECK(watch.growing(rank1));
  CHECK_FALSE(watch.growing(rank0));
  folder.write("sub/rank1.json", kWatchedTrace.substr(0, 50));
  CHECK(look(watch) == Changes{"changed rank1.json"});
  folder.write("sub/rank1.json", kWatchedTrace);
  CHECK(look(watch) == Changes{"changed rank1.json"});
  CHECK(look(watch) == Changes{"settled rank1.json"});
  CHECK_FALSE(watch.growing(rank1));
  CHECK(watch.found().sources.size() == 2);
}

TEST_CASE("empty and unsupported files are not sources until they become traces") {
  const TestFolder folder;
  DirectoryWatch watch(folder.path(), {});
  CHECK(look(watch).empty());
  folder.write("rank0.json", "");
  CHECK(look(watch).empty());
  CHECK(watch.found().diagnostics.count("empty-file") == 1);
  folder.write("rank0.json", kWatchedTrace);
  CHECK(look(watch) == Changes{"appeared rank0.json"});
  CHECK(watch.found().diagnostics.empty());
}

TEST_CASE("renames, replacements and removals are distinguished") {
  const TestFolder folder;
  const fs::path temporary = folder.write("rank0.json.tmp", kWatchedTrace);
  const fs::path final_name = folder.path() / "rank0.json";
  DirectoryWatch watch(folder.path(), *discover(folder.path()));
  fs::rename(temporary, final_name);
  CHECK(look(watch) == Changes{"moved rank0.json from rank0.json.tmp"});
  CHECK(look(watch) == Changes{"settled rank0.json"});
  fs::rename(folder.write("other", std::string(kWatchedTrace)), final_name);  // same size, another inode
  CHECK(look(watch) == Changes{"changed rank0.json"});
  fs::remove(final_name);
  CHECK(look(watch) == Changes{"vanished rank0.json"});
}

TEST_CASE("a missing directory is an error, and its files do not count as removed") {
  const TestFolder folder;
  const fs::path runs = folder.path() / "runs";
  folder.write("runs/rank0.json", kWatchedTrace);
  DirectoryWatch watch(runs, *discover(runs));
  CHECK(look(watch) == Changes{"settled rank0.json"});
  fs::rename(runs, folder.path() / "away");
  CHECK_FALSE(watch.look());
  fs::rename(folder.path() / "away", runs);
  CHECK(look(watch).empty());
}

TEST_CASE("known unchanged files are not opened again") {
  const TestFolder folder;
  const fs::path trace = folder.write("rank0.json", kWatchedTrace);
  auto known = discover(folder.path());
  REQUIRE(known);
  // Same size and time, but no longer a trace, which opening it would reveal.
  const auto time = fs::last_write_time(trace);
  std::fstream(trace, std::ios::in | std::ios::out) << "\x89PNG";
  fs::last_write_time(trace, time);
  CHECK(discover(folder.path(), &*known)->sources.size() == 1);
  CHECK(discover(folder.path())->sources.empty());
}
