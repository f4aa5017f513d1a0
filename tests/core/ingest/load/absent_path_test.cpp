// Error messages for paths that do not exist.
#include <unistd.h>

#include "core/ingest/listing/discover.hpp"
#include "tests/catch.hpp"
#include "tests/test_folder.hpp"

using namespace warpscope;
namespace fs = std::filesystem;

TEST_CASE("a path below an inaccessible folder is not reported as missing") {
  if (::geteuid() == 0) return;  // root may enter any folder
  const tests::TestFolder folder;
  const fs::path inner = folder.write("closed/rank0.json", "{}");
  fs::permissions(inner.parent_path(), fs::perms::none);
  const auto found = ingest::discover(inner);
  fs::permissions(inner.parent_path(), fs::perms::owner_all);
  REQUIRE_FALSE(found);
  CHECK(found.error().what == "permission denied for a folder in the path");
}

TEST_CASE("missing paths, broken links and standard input have distinct errors") {
  const tests::TestFolder folder;
  const fs::path loop = folder.path() / "loop";
  const fs::path dangling = folder.path() / "dangling";
  fs::create_symlink("loop", loop);
  fs::create_symlink("gone", dangling);
  const auto said = [](const fs::path& path) { return ingest::discover(path).error().what; };
  CHECK(said(loop) == "is a symbolic link to itself");
  CHECK(said(dangling) == "is a symbolic link to gone, which does not exist");
  CHECK(said(folder.path() / "absent") == "no such file or directory");
  CHECK(said(folder.path() / std::string(300, 'x')) == "the path is too long");
  CHECK(said(folder.write("file.json", "{}") / "rank0.json") == "part of the path is a file, not a directory");
  CHECK(said("-") == "cannot read traces from standard input");
}
