#pragma once
// Finds the sources that a store contains: an unchanged file need not be read.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/store/reader.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

/// Returns the trace at `path` from which `file` was made, if it still exists and is unchanged. Reads at most 32 KiB.
[[nodiscard]] std::optional<trace::SourceFile> unchanged_trace(const store::StoreFile& file, const std::string& path);

class KnownSources {
 public:
  explicit KnownSources(store::StoreFile file);

  [[nodiscard]] const store::StoreFile& file() const { return file_; }
  /// Returns the number of `source` in the store if it is the file that the store was made from: same path, size,
  /// modification time, and hash of its start and end. Reads at most 32 KiB, and nothing if the first three differ.
  [[nodiscard]] std::optional<std::size_t> find(const trace::SourceFile& source) const;
  /// Discards this file's entry because its data is unusable.
  void forget(const std::string& path) { by_path_.erase(path); }
  /// Same as find() without reading the file: good enough to estimate what is left to read.
  [[nodiscard]] bool seems_to_have(const trace::SourceFile& source) const { return candidate(source).has_value(); }

 private:
  [[nodiscard]] std::optional<std::size_t> candidate(const trace::SourceFile& source) const;

  store::StoreFile file_;
  std::unordered_map<std::string, std::size_t> by_path_;
};

}  // namespace warpscope::ingest
