#include "app/ui/model/directory_listing.hpp"

#include <filesystem>

#include "tests/catch.hpp"
#include "tests/test_folder.hpp"

using namespace warpscope::ui;
using warpscope::tests::TestFolder;
namespace fs = std::filesystem;

namespace {

struct Tree {
  TestFolder folder;
  Tree() {
    fs::create_directory(path() / ".hidden");
    for (const char* name : {"job10/algo-1/a.json", "job10/algo-2/b.pt.trace.json.gz", "job10/notes.txt", "readme.md",
                             "Worker.JSON", "job2/c.json.zst"})
      folder.write(name, "x");
  }
  [[nodiscard]] const fs::path& path() const { return folder.path(); }
};

}  // namespace

TEST_CASE("traces are recognized by name") {
  for (const char* name : {"a.json", "a.pt.trace.json", "A.JSON.GZ", "b.json.zst", "job.wscope"})
    CHECK(looks_like_trace(name));
  for (const char* name : {"json", ".json", "a.txt", "a.gz", "a.json.bak"}) CHECK_FALSE(looks_like_trace(name));
}

TEST_CASE("a listing shows directories first") {
  const Tree tree;
  const auto listed = list_directory(tree.path());
  REQUIRE(listed);
  REQUIRE(listed->size() == 5);
  CHECK((*listed)[0].name == ".hidden");
  CHECK((*listed)[1].name == "job2");
  CHECK((*listed)[2].name == "job10");
  CHECK((*listed)[1].is_directory);
  CHECK((*listed)[3].name == "readme.md");
  CHECK_FALSE((*listed)[3].is_trace);
  CHECK((*listed)[4].is_trace);
  CHECK((*listed)[4].bytes == 1);
  const auto missing = list_directory(tree.path() / "nowhere");
  REQUIRE_FALSE(missing);
  CHECK_FALSE(missing.error().advice.empty());
}

TEST_CASE("a typed path is split") {
  CHECK(split_typed_path("/data/runs/lla").directory == "/data/runs/");
  CHECK(split_typed_path("/data/runs/lla").beginning == "lla");
  CHECK(split_typed_path("/data/").beginning.empty());
  CHECK(split_typed_path("lla").directory == ".");
}

TEST_CASE("entries that start with the typed text come first") {
  const std::vector<DirectoryEntry> entries = {{"big-llama", true}, {"Llama", true}, {"other", true}, {".llama", true}};
  CHECK(entries_fitting(entries, "llama") == std::vector<std::size_t>{1, 0});
  CHECK(entries_fitting(entries, "") == std::vector<std::size_t>{0, 1, 2});
  CHECK(entries_fitting(entries, ".") == std::vector<std::size_t>{3});
  CHECK(entries_fitting(entries, "zz").empty());
}
