// Groups of files that are read as one source.
#include "core/base/file_group.hpp"

#include "tests/catch.hpp"
#include "tests/test_folder.hpp"

using namespace warpscope;
using tests::TestFolder;

TEST_CASE("a group contains the files of only one process") {
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

TEST_CASE("a group for a file name ending contains the files in a folder, optionally including subfolders") {
  const TestFolder folder;
  const std::string root = folder.path().string();
  folder.write("20.algo-1.json", "a");
  folder.write("3.algo-1.json", "b");
  folder.write("3.algo-10.json", "c");
  folder.write(".algo-1.json", "d");
  folder.write("below/1.algo-1.json", "e");
  const std::string flat = group_path_of_ending(root, ".algo-1.json", false);
  const std::string deep = group_path_of_ending(root, ".algo-1.json", true);
  CHECK(flat == root + "/*.algo-1.json");
  CHECK(deep == root + "/**/*.algo-1.json");
  for (const std::string& group : {flat, deep}) CHECK(is_group(group));
  REQUIRE(files_of_group(flat).size() == 2);
  CHECK(files_of_group(flat).front().path == root + "/3.algo-1.json");
  CHECK(files_of_group(deep).size() == 3);
  CHECK(in_group(deep, root + "/below/1.algo-1.json"));
  CHECK_FALSE(in_group(flat, root + "/below/1.algo-1.json"));
  CHECK_FALSE(in_group(flat, root + "/3.algo-10.json"));
}

TEST_CASE("paths that only look like a group are files") {
  for (const char* path : {"/job/**/trace.json", "/job/**/*_.json", "/job/**/*_*.json", "/**/", "", "/a/*_5_*x"}) {
    CAPTURE(path);
    CHECK_FALSE(is_group(path));
    CHECK(files_of_group(path).empty());
    CHECK_FALSE(in_group(path, "/job/5_x.json"));
  }
}

TEST_CASE("a path within a merged file names the file and the rank") {
  const std::string rank = path_in_merged("/traces/merged.json.gz", "rank 3");
  CHECK(rank == "/traces/merged.json.gz#rank 3");
  CHECK(file_of(rank) == "/traces/merged.json.gz");
  CHECK(label_in_merged(rank) == "rank 3");
  CHECK(label_in_merged(path_in_merged("a#b.json", "TP00-DP01-PP02-EP03")) == "TP00-DP01-PP02-EP03");
  for (const char* other : {"/traces/a.json", "/traces/a#1.json", "a#", "a#rank", "a#rank x", "a#TP", "a#TP0-", "#"}) {
    CHECK(label_in_merged(other).empty());
    CHECK(file_of(other) == other);
  }
}
