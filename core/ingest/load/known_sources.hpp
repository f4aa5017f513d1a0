#pragma once
// Finds sources already in a store, so unchanged files do not have to be read.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/store/reader.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

/// Returns the trace that the source `path` of `file` was read from, if the trace still exists and is unchanged; for a
/// merged rank, the whole merged file. Reads at most 32 KiB.
[[nodiscard]] std::optional<trace::SourceFile> unchanged_trace(const store::StoreFile& file, const std::string& path);

class KnownSources {
 public:
  explicit KnownSources(store::StoreFile file);

  [[nodiscard]] const store::StoreFile& file() const { return file_; }
  /// Returns the numbers of `source` in the store (several for a merged file) if it is the file the store was created
  /// from: same path, size, modification time, and hash of its start and end. Reads at most 32 KiB, or nothing if path,
  /// size or modification time differ.
  [[nodiscard]] std::vector<std::size_t> find(const trace::SourceFile& source) const;
  /// Discards the entries of a file whose stored data is unusable.
  void forget(const std::string& file) { by_file_.erase(file); }
  /// Same as find(), but without reading the file; accurate enough to estimate how much is left to read.
  [[nodiscard]] bool seems_to_have(const trace::SourceFile& source) const { return candidates(source) != nullptr; }

 private:
  [[nodiscard]] const std::vector<std::size_t>* candidates(const trace::SourceFile& source) const;

  store::StoreFile file_;
  std::unordered_map<std::string, std::vector<std::size_t>> by_file_;
};

}  // namespace warpscope::ingest
