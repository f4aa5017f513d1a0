#include "tests/test_folder.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>

namespace warpscope::tests {

TestFolder::TestFolder() {
  std::string path = (std::filesystem::temp_directory_path() / "warpscope-test-XXXXXX").string();
  if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error("cannot create " + path);
  path_ = path;
  // mkdtemp denies access to other users, but tests that drop root privileges must still be able to read the folder.
  std::filesystem::permissions(path_, std::filesystem::perms(0755));
}

TestFolder::~TestFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path TestFolder::write(const std::string& name, std::string_view text) const {
  const std::filesystem::path file = path_ / name;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

}  // namespace warpscope::tests
