#pragma once
// A temporary folder for tests.
#include <filesystem>
#include <string>
#include <string_view>

namespace warpscope::tests {

/// A new folder, deleted on destruction.
class TestFolder {
 public:
  TestFolder();
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::string& name, std::string_view text) const;

 private:
  std::filesystem::path path_;
};

}  // namespace warpscope::tests
