#pragma once
// Small traces written by hand, and a folder of its own for a test to load them from.
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "core/ingest/loader.hpp"
#include "tests/catch.hpp"

namespace warpscope::tests {

/// A new folder, gone with the object.
class TestFolder {
 public:
  TestFolder() {
    static std::atomic<int> count{0};
    path_ = std::filesystem::temp_directory_path() /
            ("warpscope-test-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::string& name, std::string_view text) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }

 private:
  std::filesystem::path path_;
};

/// A trace of these events (JSON objects, separated by commas), with `metadata` ("\"key\": value, …") before them.
inline std::string trace_of(const std::string& events, const std::string& metadata = "") {
  return "{" + metadata + (metadata.empty() ? "" : ", ") + "\"traceEvents\": [" + events + "]}";
}

inline std::shared_ptr<const trace::Profile> load(const std::filesystem::path& path) {
  auto profile = ingest::load_profile(path.string());
  INFO((profile ? std::string() : profile.error().message()));
  REQUIRE(profile.ok());
  return *profile;
}

/// Loads one trace of these events.
inline std::shared_ptr<const trace::Profile> load_events(const std::string& events, const std::string& metadata = "") {
  const TestFolder folder;
  return load(folder.write("trace.json", trace_of(events, metadata)));
}

}  // namespace warpscope::tests
