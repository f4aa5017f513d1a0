// Groups of files that are read as one source.
#include "core/base/file_group.hpp"

#include "tests/catch.hpp"
#include "tests/test_folder.hpp"

using namespace warpscope;
using tests::TestFolder;

TEST_CASE("a group has the files of one process only") {
  const TestFolder folder;
  const std::string root = folder.path().string();
  folder.write("pevents/h1/1594662624718694_5-algo-1_pythontimeline.json", "a");
  folder.write("pevents/h0/1594662614718694_5-algo-1_model_timeline.json", "bb");
  folder.write("5-algo-1_pythontimeline.json.tmp", "ccc");
  folder.write("pevents/h1/1594662624718694_905-algo-1_pythontimeline.json", "d");
  folder.write("pevents/h1/1594662624718694_5-algo-10_pythontimeline.json", "e");
  folder.write("pevents/h1/.hidden/1594662624718694_5-algo-1_pythontimeline.json", "f");
  const std::string group = group_path(root, "5-algo-1", "timeline.json");
  CHECK(is_group(group));
  CHECK_FALSE(is_group(root));
  const auto files = files_of_group(group);
  REQUIRE(files.size() == 3);
  CHECK(files[0].path == root + "/pevents/h0/1594662614718694_5-algo-1_model_timeline.json");
  CHECK(files[1].path == root + "/pevents/h1/1594662624718694_5-algo-1_pythontimeline.json");
  CHECK(files[2].path == root + "/5-algo-1_pythontimeline.json.tmp");
  for (const GroupFile& file : files) CHECK(in_group(group, file.path));
  CHECK_FALSE(in_group(group, root + "/pevents/h1/1594662624718694_905-algo-1_pythontimeline.json"));
  CHECK_FALSE(in_group(group, "/elsewhere/5-algo-1_pythontimeline.json"));
  const GroupStamp before = stamp_of_group(files);
  CHECK(before.size == 6);
  folder.write("5-algo-1_pythontimeline.json.tmp", "cccc");
  CHECK(stamp_of_group(files_of_group(group)).hash != before.hash);
  CHECK(files_of_group(root + "/nowhere/**/*_5_*x").empty());
}

TEST_CASE("paths that only look like a group are files") {
  for (const char* path : {"/job/**/trace.json", "/job/**/*_.json", "/job/**/*_*.json", "/**/", "", "/a/*_5_*x"}) {
    CAPTURE(path);
    CHECK_FALSE(is_group(path));
    CHECK(files_of_group(path).empty());
    CHECK_FALSE(in_group(path, "/job/5_x.json"));
  }
}
