#pragma once
// A directory of traces with a separate cache folder, and functions that load it.
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <thread>

#include "core/ingest/load/loader.hpp"
#include "tests/catch.hpp"
#include "tests/core/trace/same_rank.hpp"
#include "tests/test_folder.hpp"
#include "tests/tracegen/tracegen.hpp"

namespace warpscope::tests {

/// Waits up to a minute for a condition set by another thread; returns false on timeout.
inline bool comes_true(const std::function<bool()>& what) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!what()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

/// Drafts of stores being written, or left by a killed writer.
inline std::set<std::string> drafts_in(const std::filesystem::path& folder) {
  std::set<std::string> found;
  std::error_code none;
  for (std::filesystem::directory_iterator at(folder, none), end; !none && at != end; at.increment(none))
    if (at->path().filename().string().find(".tmp-") != std::string::npos) found.insert(at->path().string());
  return found;
}

/// True if `folder` has a draft that is not in `before`.
inline bool draft_since(const std::set<std::string>& before, const std::filesystem::path& folder) {
  const std::set<std::string> now = drafts_in(folder);
  return std::ranges::any_of(now, [&](const std::string& draft) { return !before.contains(draft); });
}

/// Moments at which a test kills a program that writes a store; random moments alone might never hit the writing.
enum class KillWhen : std::uint8_t { at_random, while_it_writes, when_it_wrote };
inline KillWhen kill_when(int i) { return static_cast<KillWhen>(i % 3); }

/// 0 for a missing file.
inline std::uint64_t inode_of(const std::filesystem::path& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? info.st_ino : 0;
}

class TraceSet {
 public:
  explicit TraceSet(std::int64_t slices = 8000, tracegen::Format format = tracegen::Format::json) {
    tracegen::Options options = *tracegen::preset("small");
    options.slices = slices;
    options.format = format;
    (void)tracegen::generate(options, path());
    for (const auto& entry : std::filesystem::directory_iterator(path())) files_.push_back(entry.path());
    std::sort(files_.begin(), files_.end());
  }
  [[nodiscard]] std::filesystem::path path() const { return folder_.path() / "traces"; }
  [[nodiscard]] std::filesystem::path stores() const { return folder_.path() / "stores"; }
  [[nodiscard]] const std::vector<std::filesystem::path>& files() const { return files_; }
  [[nodiscard]] std::filesystem::path beside(const std::string& name) const { return folder_.path() / name; }

  /// Reads the store but does not write one.
  [[nodiscard]] ingest::LoadOptions options() const {
    ingest::LoadOptions options;
    options.threads = 2;
    options.store.folder = stores();
    return options;
  }
  [[nodiscard]] ingest::LoadOptions keeping() const {
    ingest::LoadOptions made = options();
    made.store.keep = true;
    return made;
  }
  [[nodiscard]] std::filesystem::path store() const { return store::Cache(stores()).place_of(path()); }

  /// Loads and writes the store, like the window.
  void keep() const {
    const std::uint64_t before = inode_of(store());
    ingest::Loader loader(path().string(), keeping());
    loader.wait();
    REQUIRE_FALSE(loader.failure());
    REQUIRE(comes_true([&] {
      const std::uint64_t now = inode_of(store());
      return now != 0 && now != before && !loader.status().keeping;
    }));
  }

 private:
  TestFolder folder_;
  std::vector<std::filesystem::path> files_;
};

/// Returns the first difference between two loads of the same set; "" if equal.
inline std::string difference(const trace::Profile& a, const trace::Profile& b) {
  if (a.ranks.size() != b.ranks.size()) return "number of ranks";
  for (std::size_t i = 0; i < a.ranks.size(); ++i) {
    std::string found = difference(*a.ranks[i], *a.dictionary, *b.ranks[i], *b.dictionary);
    if (!found.empty()) return a.ranks[i]->source.path + ": " + found;
  }
  return "";
}

inline std::size_t from_store(const ingest::LoadStatus& status) {
  return static_cast<std::size_t>(std::ranges::count_if(status.files, &ingest::FileStatus::from_store));
}

}  // namespace warpscope::tests
