#include "core/base/files/new_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <iterator>
#include <set>
#include <string>

#include "tests/catch.hpp"
#include "tests/test_folder.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("a new file replaces the old one only when it is complete") {
  const TestFolder folder;
  const fs::path path = folder.write("file", "old");
  {
    auto file = NewFile::create(path);
    REQUIRE(file);
    CHECK_FALSE(file->write("new"));
    CHECK(read_whole(path) == "old");
    CHECK(files_in(folder.path()) == 2);
  }
  CHECK(files_in(folder.path()) == 1);
  CHECK(read_whole(path) == "old");
  CHECK_FALSE(replace_file(path, "new"));
  CHECK(read_whole(path) == "new");
  CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("a new file has the usual permissions") {
  const TestFolder folder;
  const mode_t mask = ::umask(027);
  const Failure failure = replace_file(folder.path() / "file", "text");
  ::umask(mask);
  CHECK_FALSE(failure);
  CHECK(fs::status(folder.path() / "file").permissions() == fs::perms(0640));
}

TEST_CASE("temporary names are not predictable") {
  const TestFolder folder;
  const std::string path = (folder.path() / "file").string();
  std::set<std::string> names;
  for (int i = 0; i < 20; ++i) {
    const DraftFile draft = create_draft(path, 0600);
    REQUIRE(draft.file);
    CHECK(draft.path.starts_with(path + ".tmp-"));
    CHECK(draft.path.size() == path.size() + std::string_view(kDraftEnding).size());
    names.insert(draft.path);
  }
  CHECK(names.size() == 20);
  CHECK_FALSE(create_draft((folder.path() / "none/file").string(), 0600).file);
}

TEST_CASE("a new file replaces the target of a link") {
  const TestFolder folder;
  const fs::path target = folder.write("sub/file", "old");
  fs::create_symlink("sub/file", folder.path() / "link");
  fs::create_symlink("sub/fresh", folder.path() / "broken");
  CHECK_FALSE(replace_file(folder.path() / "link", "new"));
  CHECK_FALSE(replace_file(folder.path() / "broken", "fresh"));
  CHECK(fs::is_symlink(folder.path() / "link"));
  CHECK(read_whole(target) == "new");
  CHECK(read_whole(folder.path() / "sub/fresh") == "fresh");
}

TEST_CASE("a link that another user created in a shared folder is not followed") {
  if (::geteuid() != 0) return;  // only root can create another user's link
  const TestFolder folder;
  const fs::path target = folder.write("target", "old");
  const fs::path shared = folder.path() / "shared";
  fs::create_directory(shared);
  fs::create_symlink(target, shared / "link");
  REQUIRE(::lchown((shared / "link").c_str(), 12345, 12345) == 0);
  CHECK(behind_links(shared / "link"));  // only its owner can write to the folder
  fs::permissions(shared, fs::perms(01777));
  const Failure failure = replace_file(shared / "link", "new");
  REQUIRE(failure);
  CHECK(contains(failure->what, "another user"));
  CHECK(read_whole(target) == "old");
  REQUIRE(::lchown((shared / "link").c_str(), ::geteuid(), ::getegid()) == 0);
  CHECK_FALSE(replace_file(shared / "link", "new"));
}

TEST_CASE("a new file does not replace a pipe or a folder") {
  const TestFolder folder;
  const fs::path pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  for (const fs::path& path : {pipe, folder.path()}) {
    const Failure failure = replace_file(path, "text");
    REQUIRE(failure);
    CHECK(contains(failure->what, "not a file"));
  }
  CHECK(fs::is_fifo(pipe));
}

TEST_CASE("only regular files with a single name are opened for appending") {
  const TestFolder folder;
  const fs::path file = folder.write("file", "text");
  CHECK(open_regular(file.string(), Writing::append));
  CHECK(open_regular(file.string(), Writing::update));
  CHECK(open_regular((folder.path() / "fresh").string(), Writing::append));
  fs::create_hard_link(file, folder.path() / "hard");
  fs::create_symlink("fresh", folder.path() / "link");
  REQUIRE(::mkfifo((folder.path() / "pipe").c_str(), 0600) == 0);
  for (const char* name : {"file", "hard", "link", "pipe", "."}) {
    CAPTURE(name);
    const auto opened = open_regular((folder.path() / name).string(), Writing::append);
    REQUIRE_FALSE(opened);
    CHECK(contains(opened.error().what, "not a file"));
  }
  CHECK(contains(open_regular((folder.path() / "none/file").string(), Writing::append).error().what, "No such file"));
  CHECK(read_whole(file) == "text");
}
