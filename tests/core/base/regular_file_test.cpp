#include "core/base/files/regular_file.hpp"

#include <sys/stat.h>

#include <filesystem>

#include "tests/catch.hpp"
#include "tests/test_folder.hpp"

using namespace warpscope;

TEST_CASE("small files are read whole") {
  const tests::TestFolder folder;
  CHECK(*read_small_file(folder.write("a", "text\n").string()) == "text\n");
  CHECK(read_small_file(folder.write("b", "").string())->empty());
  CHECK(*read_small_file(folder.write("c", "1234").string(), 4) == "1234");
  CHECK(read_small_file("/proc/self/status")->starts_with("Name:"));  // its size is 0
}

TEST_CASE("pipes, devices, directories and large files are errors and never block") {
  const tests::TestFolder folder;
  const std::string pipe = (folder.path() / "pipe").string();
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const std::string link = (folder.path() / "link").string();
  std::filesystem::create_symlink(pipe, link);
  CHECK(read_small_file(pipe).error().what == "is a pipe, not a file");
  CHECK(read_small_file(link).error().what == "is a pipe, not a file");
  CHECK(read_small_file("/dev/zero").error().what == "is a device, not a file");
  CHECK(read_small_file(folder.path().string()).error().what == "is a directory, not a file");
  CHECK(read_small_file(folder.write("c", "12345").string(), 4).error().what == "is larger than 4 B");
  CHECK(read_small_file("/proc/self/maps", 4).error().what == "is larger than 4 B");
  CHECK(read_small_file((folder.path() / "none").string()).error().what == "no such file");
  const std::filesystem::path large = folder.write("large", "");
  std::filesystem::resize_file(large, std::uintmax_t{1} << 40);
  CHECK(read_small_file(large.string()).error().what == "is larger than 16.0 MiB");
}
