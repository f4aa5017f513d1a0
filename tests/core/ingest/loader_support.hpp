#pragma once
// A directory of traces with a separate cache folder, and functions that load it.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/ingest/load/loader.hpp"
#include "tests/catch.hpp"
#include "tests/core/trace/same_rank.hpp"
#include "tests/test_folder.hpp"
#include "tests/tracegen/tracegen.hpp"

namespace warpscope::tests {

/// Waits up to a minute for a condition set by another thread; returns false on timeout.
bool comes_true(const std::function<bool()>& what);

/// Drafts of stores being written, or left by a killed writer.
std::set<std::string> drafts_in(const std::filesystem::path& folder);

/// True if `folder` has a draft that is not in `before`.
bool draft_since(const std::set<std::string>& before, const std::filesystem::path& folder);

/// Moments at which a test kills a program that writes a store; random moments alone might never hit the writing.
enum class KillWhen : std::uint8_t { at_random, while_it_writes, when_it_wrote };
inline KillWhen kill_when(int i) { return static_cast<KillWhen>(i % 3); }

/// 0 for a missing file.
std::uint64_t inode_of(const std::filesystem::path& path);

class TraceSet {
 public:
  explicit TraceSet(std::int64_t slices = 8000, tracegen::Format format = tracegen::Format::json);
  [[nodiscard]] std::filesystem::path path() const { return folder_.path() / "traces"; }
  [[nodiscard]] std::filesystem::path stores() const { return folder_.path() / "stores"; }
  [[nodiscard]] const std::vector<std::filesystem::path>& files() const { return files_; }
  [[nodiscard]] std::filesystem::path beside(const std::string& name) const { return folder_.path() / name; }

  /// Reads the store but does not write one.
  [[nodiscard]] ingest::LoadOptions options() const;
  [[nodiscard]] ingest::LoadOptions keeping() const;
  [[nodiscard]] std::filesystem::path store() const;

  /// Loads and writes the store, like the window.
  void keep() const;

 private:
  TestFolder folder_;
  std::vector<std::filesystem::path> files_;
};

/// Returns the first difference between two loads of the same set; "" if equal.
std::string difference(const trace::Profile& a, const trace::Profile& b);

inline std::size_t from_store(const ingest::LoadStatus& status) {
  return static_cast<std::size_t>(std::ranges::count_if(status.files, &ingest::FileStatus::from_store));
}

}  // namespace warpscope::tests
